import assert from "node:assert/strict";
import fc from "fast-check";
import { type FenceEvent, FenceScanner } from "../../../../src/base/text/fenceScanner.ts";
import { pluck } from "../../../fakes/pluck.ts";

function scan(text: string, pieces: readonly string[] = [text]): FenceEvent[] {
  const scanner = new FenceScanner();
  return [...pieces.flatMap((piece) => scanner.push(piece)), ...scanner.flush()];
}

interface Block {
  readonly info: string;
  readonly body: readonly string[];
  readonly closed: boolean;
  /** The block in the text, fences included. */
  readonly raw: string;
}

function blocks(text: string, events = scan(text)): Block[] {
  const found: Block[] = [];
  let info = "";
  let start = 0;
  let body: string[] = [];
  for (const event of events) {
    if (event.type === "open") ({ info, start } = event);
    else if (event.type === "line") body.push(event.text);
    else {
      found.push({ info, body, closed: event.type === "close", raw: text.slice(start, event.end) });
      body = [];
    }
  }
  return found;
}

const FIXTURES: Readonly<Record<string, { readonly text: string; readonly blocks: readonly (readonly [string, string, boolean])[] }>> = {
  "a plain block": { text: "Hi\n```ts\na\n\nb\n```\nBye", blocks: [["ts", "a\n\nb", true]] },
  "an address": { text: "```ts:3:9\nx\n```\n", blocks: [["ts:3:9", "x", true]] },
  "an empty body": { text: "```ts:3:9\n```\n", blocks: [["ts:3:9", "", true]] },
  tildes: { text: "~~~ts:3:9\n```\n~~~\n", blocks: [["ts:3:9", "```", true]] },
  "a longer fence": { text: "````md:1:2\n```js\na\n```\n````\n", blocks: [["md:1:2", "```js\na\n```", true]] },
  "a longer fence around an unbalanced one": { text: "````md:1:2\n```js\n````\n", blocks: [["md:1:2", "```js", true]] },
  "a nested fence of the same length": { text: "```md:1:2\n```js\na\n```\nb\n```\n", blocks: [["md:1:2", "```js\na\n```\nb", true]] },
  "nested fences of the other kind": { text: "```md:1:2\n~~~sh\n```\n~~~\n```\n", blocks: [["md:1:2", "~~~sh\n```\n~~~", true]] },
  "two levels of nesting": { text: "```md\n```a\n```b\nx\n```\n```\n```\n", blocks: [["md", "```a\n```b\nx\n```\n```", true]] },
  "a nested longer fence": { text: "```md\n`````a\n```\n`````\n```\n", blocks: [["md", "`````a\n```\n`````", true]] },
  "an indented block": { text: "1. Do:\n   ```ts:1:1\n     a\n   b\n c\n   ```\n", blocks: [["ts:1:1", "  a\nb\nc", true]] },
  "a closing fence with another indent": { text: "  ```ts:1:1\n  a\n```\n", blocks: [["ts:1:1", "a", true]] },
  "an indent of four, which is no fence": { text: "    ```ts:1:1\n    a\n    ```\n", blocks: [] },
  CRLF: { text: "Hi\r\n```ts:1:1\r\na\r\n\r\nb\r\n```\r\nBye\r\n", blocks: [["ts:1:1", "a\n\nb", true]] },
  "a last line without a newline": { text: "```ts:1:1\na\n```", blocks: [["ts:1:1", "a", true]] },
  "a last line with a carriage return only": { text: "```ts:1:1\r\na\r\n```\r", blocks: [["ts:1:1", "a", true]] },
  "an unclosed block": { text: "```ts:1:1\na\nb", blocks: [["ts:1:1", "a\nb", false]] },
  "an unclosed opener": { text: "Hi\n```ts:1:1", blocks: [["ts:1:1", "", false]] },
  "a closing fence that is longer": { text: "```ts:1:1\na\n`````  \n", blocks: [["ts:1:1", "a", true]] },
  "a shorter fence inside": { text: "````ts:1:1\n```\n````\n", blocks: [["ts:1:1", "```", true]] },
  "inline code that looks like a fence": { text: "```inline``` code\nnot a block\n", blocks: [] },
  "backticks in the check of an address": {
    text: '```ts:1:2 "const a = `b" "`"\nx\n```\n',
    blocks: [['ts:1:2 "const a = `b" "`"', "x", true]],
  },
  "checks that begin with a fence": {
    text: '```md:1:3:remove "```sh" "```"\n```\n',
    blocks: [['md:1:3:remove "```sh" "```"', "", true]],
  },
  "an address in inline code, with quotes": { text: '```ts:1:2 "a"``` is one\n', blocks: [] },
  "tildes with backticks in the info": { text: "~~~a`b\nx\n~~~\n", blocks: [["a`b", "x", true]] },
  "blocks one after the other": {
    text: "```ts:1:1\na\n```\n```ts:2:2\nb\n```\n",
    blocks: [
      ["ts:1:1", "a", true],
      ["ts:2:2", "b", true],
    ],
  },
  "a block inside a plain block": { text: "```\n```ts:1:1\na\n```\n```\n", blocks: [["", "```ts:1:1\na\n```", true]] },
  "a lone carriage return in a body": { text: "```ts:1:1\na\rb\n```\n", blocks: [["ts:1:1", "a\rb", true]] },
  "an empty text": { text: "", blocks: [] },
  emoji: { text: "😀\n```ts:1:1\n😀\n```\n", blocks: [["ts:1:1", "😀", true]] },
};

describe("the fence scanner", () => {
  for (const [name, { text, blocks: expected }] of Object.entries(FIXTURES)) {
    it(`reads ${name}`, () => {
      assert.deepEqual(
        blocks(text).map(({ info, body, closed }) => [info, body.join("\n"), closed]),
        expected,
      );
    });

    it(`reads ${name} the same wherever it is cut`, () => {
      const whole = scan(text);
      for (let at = 0; at <= text.length; at++) assert.deepEqual(scan(text, [text.slice(0, at), text.slice(at)]), whole, `cut at ${at}`);
      assert.deepEqual(scan(text, text.split("")), whole);
    });
  }

  it("gives the place of each block in the text", () => {
    const text = "Hi\n  ```ts:3:9\nx\n  ```  \nBye";
    assert.deepEqual(pluck(blocks(text), "raw"), ["  ```ts:3:9\nx\n  ```  "]);
  });

  it("ignores a closing fence at a cut-off end, as the line may go on", () => {
    const scanner = new FenceScanner();
    const events = scanner.push("```ts:1:1\na\n```");
    assert.deepEqual([...events, ...scanner.flush(true)].at(-1), { type: "unclosed", end: 15 });
  });

  it("gives the same events for any text and any cut", () => {
    const word = fc.constantFrom("```", "~~~", "````", "ts:1:2", " ", "   ", "\n", "\n", "\r\n", "x", "`", "\r", "js", "");
    const text = fc.array(word, { maxLength: 40 }).map((words) => words.join(""));
    fc.assert(
      fc.property(text, fc.array(fc.nat({ max: 60 }), { maxLength: 8 }), (value, cuts) => {
        const points = [0, ...cuts.filter((cut) => cut < value.length).sort((a, b) => a - b), value.length];
        const pieces = points.slice(1).map((end, index) => value.slice(points[index] ?? 0, end));
        const events = scan(value, pieces);
        assert.deepEqual(events, scan(value));
        let last = 0;
        for (const event of events) {
          const offset = event.type === "open" ? event.start : event.type === "line" ? last : event.end;
          assert.ok(offset >= last && offset <= value.length);
          last = offset;
        }
      }),
      { numRuns: 2000 },
    );
  });

  it("accounts for every character of any text as prose, fence or line", () => {
    const word = fc.constantFrom("```", "~~~", "````", "ts:1:2", " ", "   ", "\n", "\n", "\n", "\r\n", "x", "`", "js", "é😀");
    const text = fc.array(word, { maxLength: 60 }).map((words) => words.join(""));
    fc.assert(
      fc.property(text, (value) => {
        let rest = value;
        let prose = "";
        for (const { raw, info, body, closed } of blocks(value)) {
          const at = rest.indexOf(raw);
          assert.ok(at >= 0);
          prose += rest.slice(0, at);
          rest = rest.slice(at + raw.length);
          assert.deepEqual(
            blocks(raw).map((block) => ({ info: block.info, body: block.body, closed: block.closed })),
            [{ info, body, closed }],
          );
          const inner = raw.split(/\r?\n/).slice(1, closed ? -1 : undefined);
          const complete = raw.endsWith("\n") && !closed ? inner.slice(0, -1) : inner;
          assert.deepEqual(
            body.map((line) => line.trimStart()),
            complete.map((line) => line.trimStart().replace(/\r$/, "")),
          );
        }
        prose += rest;
        assert.equal(prose.length + blocks(value).reduce((sum, { raw }) => sum + raw.length, 0), value.length);
      }),
      { numRuns: 1000 },
    );
  });

  it("follows CommonMark without nesting", () => {
    const body = fc.array(fc.constantFrom("a", "", "  b", "``", "    ```", "x```"), { maxLength: 6 });
    fc.assert(
      fc.property(body, fc.constantFrom("`", "~"), fc.integer({ min: 3, max: 6 }), (lines, mark, length) => {
        const fence = mark.repeat(length);
        const text = [`${fence}ts:1:1`, ...lines, fence, ""].join("\n");
        assert.deepEqual(pluck(blocks(text), "body"), [lines]);
      }),
    );
  });
});
