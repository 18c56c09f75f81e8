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
    else if (event.type !== "supposed-close") {
      found.push({ info, body, closed: event.type === "close", raw: text.slice(start, event.end) });
      body = [];
    }
  }
  return found;
}

const FIXTURES: Readonly<
  Record<
    string,
    { readonly text: string; readonly blocks: readonly (readonly [string, string, boolean])[] }
  >
> = {
  "a plain block": { text: "Hi\n```ts\na\n\nb\n```\nBye", blocks: [["ts", "a\n\nb", true]] },
  "an address": { text: "```ts:3:9\nx\n```\n", blocks: [["ts:3:9", "x", true]] },
  "an empty body": { text: "```ts:3:9\n```\n", blocks: [["ts:3:9", "", true]] },
  tildes: { text: "~~~ts:3:9\n```\n~~~\n", blocks: [["ts:3:9", "```", true]] },
  "a longer fence": {
    text: "````md:1:2\n```js\na\n```\n````\n",
    blocks: [["md:1:2", "```js\na\n```", true]],
  },
  "a longer fence around an unbalanced one": {
    text: "````md:1:2\n```js\n````\n",
    blocks: [["md:1:2", "```js", true]],
  },
  "a nested fence of the same length": {
    text: "```md:1:2\n```js\na\n```\nb\n```\n",
    blocks: [["md:1:2", "```js\na\n```\nb", true]],
  },
  "nested fences of the other kind": {
    text: "```md:1:2\n~~~sh\n```\n~~~\n```\n",
    blocks: [["md:1:2", "~~~sh\n```\n~~~", true]],
  },
  "two levels of nesting": {
    text: "```md\n```a\n```b\nx\n```\n```\n```\n",
    blocks: [["md", "```a\n```b\nx\n```\n```", true]],
  },
  "a nested longer fence": {
    text: "```md\n`````a\n```\n`````\n```\n",
    blocks: [["md", "`````a\n```\n`````", true]],
  },
  "an indented block": {
    text: "1. Do:\n   ```ts:1:1\n     a\n   b\n c\n   ```\n",
    blocks: [["ts:1:1", "  a\nb\nc", true]],
  },
  "a closing fence with another indent": {
    text: "  ```ts:1:1\n  a\n```\n",
    blocks: [["ts:1:1", "a", true]],
  },
  "an indent of four, which is no fence": { text: "    ```ts:1:1\n    a\n    ```\n", blocks: [] },
  "an address at an indent of four in a list": {
    text: "1. Do:\n\n    ```ts:1:1\n      a\n    ```\n",
    blocks: [["ts:1:1", "  a", true]],
  },
  "an address after a list mark": {
    text: "* ```ts:1:1\n    a\n  ```\n",
    blocks: [["ts:1:1", "  a", true]],
  },
  "an address after a list mark, with its block at the margin": {
    text: "- ```ts:1:1\n  a\n```\n",
    blocks: [["ts:1:1", "  a", true]],
  },
  "a sample after a list mark": { text: "* ```ts\n  a\n  ```\n", blocks: [["ts", "a", true]] },
  "backticks in the path of an address": {
    text: "```md:ast-path:Use `npm`:5:6\nx\n```\n",
    blocks: [["md:ast-path:Use `npm`:5:6", "x", true]],
  },
  "an address in bold": { text: "**```ts:1:1**\na\n```\n", blocks: [["ts:1:1", "a", true]] },
  "a block in bold": { text: "__```ts:1:1\na\n```__\nb\n", blocks: [["ts:1:1", "a", true]] },
  "a bare fence in bold inside a block that is not": {
    text: "```md:1:1\n**```**\n```\n",
    blocks: [["md:1:1", "**```**", true]],
  },
  "an address in backticks": {
    text: "```ts:`ast-path:a:after`\na\n```\n",
    blocks: [["ts:ast-path:a:after", "a", true]],
  },
  "lines in backticks": { text: '```ts `3:4` "a"\na\n```\n', blocks: [['ts 3:4 "a"', "a", true]] },
  "an address as an attribute": {
    text: '```ts ast-path="a-b"\na\n```\n',
    blocks: [["ts ast-path:a-b", "a", true]],
  },
  CRLF: {
    text: "Hi\r\n```ts:1:1\r\na\r\n\r\nb\r\n```\r\nBye\r\n",
    blocks: [["ts:1:1", "a\n\nb", true]],
  },
  "a last line without a newline": { text: "```ts:1:1\na\n```", blocks: [["ts:1:1", "a", true]] },
  "a last line with a carriage return only": {
    text: "```ts:1:1\r\na\r\n```\r",
    blocks: [["ts:1:1", "a", true]],
  },
  "an unclosed block": { text: "```ts:1:1\na\nb", blocks: [["ts:1:1", "a\nb", false]] },
  "an unclosed opener": { text: "Hi\n```ts:1:1", blocks: [["ts:1:1", "", false]] },
  "a closing fence that is longer": {
    text: "```ts:1:1\na\n`````  \n",
    blocks: [["ts:1:1", "a", true]],
  },
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
  "a block inside a plain block": {
    text: "```\n```ts:1:1\na\n```\n```\n",
    blocks: [["", "```ts:1:1\na\n```", true]],
  },
  "a lone carriage return in a body": {
    text: "```ts:1:1\na\rb\n```\n",
    blocks: [["ts:1:1", "a\rb", true]],
  },
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
      for (let at = 0; at <= text.length; at++)
        assert.deepEqual(scan(text, [text.slice(0, at), text.slice(at)]), whole, `cut at ${at}`);
      assert.deepEqual(scan(text, text.split("")), whole);
    });
  }

  describe("in a block for a Markdown file", () => {
    const FILE = "# T\n\nRun:\n```\nnpm install\n```\nThen go.\n";
    const F = "```";
    const cases: readonly [
      name: string,
      text: string,
      bodies: readonly string[],
      unclear?: boolean,
    ][] = [
      ["closes at a fence without another one", `${F}md:1:2\nA\n${F}\nNo more.\n`, ["A"]],
      [
        "closes before a block with a language",
        `${F}md:1:2\nA\n${F}\nRun:\n${F}sh\nx\n${F}\n`,
        ["A", "x"],
      ],
      ["closes before a sample", `${F}md:1:2\nA\n${F}\n\nRun:\n${F}\nx\n${F}\n`, ["A", "x"]],
      ["closes before the next edit", `${F}md:1:2\nA\n${F}\n${F}md:4:5\nB\n${F}\n`, ["A", "B"]],
      [
        "continues over a nested block",
        `${F}md:1:2\nA\n\n${F}\nx\n${F}\n\nB\n${F}\n`,
        [`A\n\n${F}\nx\n${F}\n\nB`],
      ],
      [
        "continues over a nested block at its end",
        `${F}md:1:2\nA\n${F}\nx\n${F}\n${F}\nDone.\n`,
        [`A\n${F}\nx\n${F}`],
      ],
      [
        "continues over two",
        `${F}md:1:2\n${F}\nx\n${F}\n\n${F}\ny\n${F}\n\nB\n${F}\n`,
        [`${F}\nx\n${F}\n\n${F}\ny\n${F}\n\nB`],
      ],
      [
        "continues where the file has the fence and the line after it",
        `${F}md:1:2\nRun this:\n${F}\nnpm install\n${F}\nThen go.\n${F}\n`,
        [`Run this:\n${F}\nnpm install\n${F}\nThen go.`],
      ],
      [
        "is unclear where both readings remain",
        `${F}md:1:2\nRun:\n${F}\nnpm ci\n${F}\nThen go.\n${F}\n`,
        ["Run:", "Then go."],
        true,
      ],
      ["is unclear with a fence left over", `${F}md:1:2\nA\n${F}\n\nB\n${F}\n`, ["A", ""], true],
    ];
    const fileOf = (info: string) =>
      info.startsWith("md:") ? { text: FILE, isProse: true } : null;
    const events = (text: string, size: number) => {
      const scanner = new FenceScanner(fileOf);
      const found: FenceEvent[] = [];
      for (let at = 0; at < text.length; at += size)
        found.push(...scanner.push(text.slice(at, at + size)));
      return [...found, ...scanner.flush()];
    };

    for (const [name, text, bodies, unclear = false] of cases) {
      it(name, () => {
        const found = events(text, text.length);
        assert.deepEqual(
          blocks(text, found).map(({ body }) => body.join("\n")),
          bodies,
        );
        assert.equal(
          found.some((event) => event.type === "close" && event.unclear === "bare-fence"),
          unclear,
        );
        for (const size of [1, 2, 5]) assert.deepEqual(events(text, size), found);
      });
    }

    it("gives the same events for any text and any cut", () => {
      const word = fc.constantFrom(
        "```\n",
        "```\n",
        "```md:1:2\n",
        "```sh\n",
        "~~~\n",
        "a\n",
        "npm install\n",
        "\n",
        "  ```\n",
        "* ```md:1:1\n",
        "    b\n",
      );
      const text = fc.array(word, { maxLength: 30 }).map((words) => words.join(""));
      fc.assert(
        fc.property(text, fc.integer({ min: 1, max: 9 }), (value, size) => {
          const found = events(value, Math.max(1, value.length));
          assert.deepEqual(events(value, size), found);
          const opened = found.filter(({ type }) => type === "open").length;
          assert.equal(
            found.filter(({ type }) => type === "close" || type === "unclosed").length,
            opened,
          );
        }),
        { numRuns: 1500 },
      );
    });
  });

  describe("in a block for a file whose fences stand in strings, comments and deeper lines", () => {
    const F = "```";
    const fileOf = (info: string) => (info.startsWith("x:") ? { text: "", isProse: false } : null);
    const events = (text: string, size = text.length) => {
      const scanner = new FenceScanner(fileOf);
      const found: FenceEvent[] = [];
      for (let at = 0; at < text.length; at += Math.max(1, size))
        found.push(...scanner.push(text.slice(at, at + Math.max(1, size))));
      return [...found, ...scanner.flush()];
    };
    const pair = `${F}\na\n${F}`;
    const inside: readonly [name: string, body: string][] = [
      ["a docstring", `"""\n${pair}\n"""\nx`],
      ["a docstring with a pair and a block", `"""\n${F}sh\na\n${F}\n\n${pair}\nb\n"""\nx`],
      ["a docstring with two pairs", `'''\n${pair}\nor\n${pair}\n'''\nx`],
      ["a docstring with one fence", `"""\nBegin with\n${F}\nand go on.\n"""\nx`],
      ["a comment", `/*\n${pair}\n*/\nx`],
      ["a here-document", `cat <<EOF\n${pair}\nEOF\nx`],
      ["a string of plain quotes", `A="\n${pair}\n"\nx`],
      ["a raw string", `auto a = R"md(\n${pair}\n)md";\nx`],
      ["a here-document in quotes", `cat <<'md'\n${pair}\nmd\nx`],
      ["deeper lines", `a: |\n  ${F}\n  a\n  ${F}\nb: 1`],
      ["deeper lines without a pair", `a: |\n  ${F}\n  a\nb: 1`],
      ["deeper lines with a blank one", `a: |\n  ${F}\n\n  a\n  ${F}\n\nb: 1`],
    ];
    for (const [name, body] of inside)
      for (const after of ["", "\nDone.\n", `\n\nRun:\n\n${pair}\n`])
        it(`takes them in ${name} as text, before ${JSON.stringify(after)}`, () => {
          const text = `${F}x:1:1\n${body}\n${F}${after}`;
          const found = events(text);
          assert.equal(blocks(text, found)[0]?.body.join("\n"), body);
          for (const size of [1, 7]) assert.deepEqual(events(text, size), found);
        });

    for (const body of ['x = """a"""', 'x = "src/*"', 'x // """', "x << 3", "# '''"])
      it(`closes the block right before a bare sample, where a grammar says so: ${body}`, () => {
        const text = `${F}x:1:1\n${body}\n${F}\nRun:\n${pair}\nand so on.\n`;
        const found = events(text);
        assert.deepEqual(
          blocks(text, found).map((block) => block.body.join("\n")),
          [body, "a"],
        );
        assert.deepEqual(
          found.flatMap((event) => (event.type === "close" ? [event.unclear ?? null] : [])),
          ["unproven", null],
        );
      });

    it("says that it is unclear where neither reading is proven", () => {
      const text = `${F}x:1:1\n"""\n${pair}\nb\n${F}\nand so on.\n`;
      const closed = events(text).find((event) => event.type === "close");
      assert.equal(closed?.type === "close" && closed.unclear, "bare-fence");
    });

    it("gives the same events for any text and any cut", () => {
      const word = fc.constantFrom(
        ...["```\n", "```\n", "```x:1:2\n", "```sh\n", "  ```\n", '"""\n', "/*\n", "*/\n"],
        ...["a\n", "\n", "  a\n", "- ```x:1:1\n", "  b\n", "<<EOF\n", "EOF\n"],
      );
      const text = fc.array(word, { maxLength: 30 }).map((words) => words.join(""));
      fc.assert(
        fc.property(text, fc.integer({ min: 1, max: 9 }), (value, size) => {
          const found = events(value);
          assert.deepEqual(events(value, size), found);
          const count = (...types: FenceEvent["type"][]) =>
            found.filter(({ type }) => types.includes(type)).length;
          assert.equal(count("close", "unclosed"), count("open"));
        }),
        { numRuns: 1000 },
      );
    });
  });

  it("says what stands in the line above a block, but not the end of a list", () => {
    const above = (text: string) =>
      scan(text).flatMap((event) => (event.type === "open" ? [event.above] : []));
    assert.deepEqual(
      above("a\n\n**x.ts**\n\n```\n```\n```\n```\n- a\n- b\n\n```\n```\n1. c\n```\n```\n"),
      ["**x.ts**", "", "", "1. c"],
    );
  });

  it("says that the lines of a block in a list have not its indent", () => {
    const unclear = (text: string) =>
      scan(text).flatMap((event) => (event.type === "close" ? [event.unclear ?? null] : []));
    assert.deepEqual(unclear("* ```ts:1:1\na\n  ```\n* ```ts:1:1\n  a\n  ```\n"), ["indent", null]);
  });

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
    const word = fc.constantFrom(
      "```",
      "~~~",
      "````",
      "ts:1:2",
      " ",
      "   ",
      "\n",
      "\n",
      "\r\n",
      "x",
      "`",
      "\r",
      "js",
      "",
    );
    const text = fc.array(word, { maxLength: 40 }).map((words) => words.join(""));
    fc.assert(
      fc.property(text, fc.array(fc.nat({ max: 60 }), { maxLength: 8 }), (value, cuts) => {
        const points = [
          0,
          ...cuts.filter((cut) => cut < value.length).sort((a, b) => a - b),
          value.length,
        ];
        const pieces = points.slice(1).map((end, index) => value.slice(points[index] ?? 0, end));
        const events = scan(value, pieces);
        assert.deepEqual(events, scan(value));
        let last = 0;
        for (const event of events) {
          const offset =
            event.type === "open" ? event.start : event.type === "line" ? last : event.end;
          assert.ok(offset >= last && offset <= value.length);
          last = offset;
        }
      }),
      { numRuns: 2000 },
    );
  });

  it("accounts for every character of any text as prose, fence or line", () => {
    const word = fc.constantFrom(
      "```",
      "~~~",
      "````",
      "ts:1:2",
      " ",
      "   ",
      "\n",
      "\n",
      "\n",
      "\r\n",
      "x",
      "`",
      "js",
      "é😀",
    );
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
            blocks(raw).map((block) => ({
              info: block.info,
              body: block.body,
              closed: block.closed,
            })),
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
        assert.equal(
          prose.length + blocks(value).reduce((sum, { raw }) => sum + raw.length, 0),
          value.length,
        );
      }),
      { numRuns: 1000 },
    );
  });

  it("follows CommonMark without nesting", () => {
    const body = fc.array(fc.constantFrom("a", "", "  b", "``", "    ```", "x```"), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(
        body,
        fc.constantFrom("`", "~"),
        fc.integer({ min: 3, max: 6 }),
        (lines, mark, length) => {
          const fence = mark.repeat(length);
          const text = [`${fence}ts:1:1`, ...lines, fence, ""].join("\n");
          assert.deepEqual(pluck(blocks(text), "body"), [lines]);
        },
      ),
    );
  });
});
