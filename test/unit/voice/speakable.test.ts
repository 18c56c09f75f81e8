import assert from "node:assert/strict";
import * as fc from "fast-check";
import { Speakable, type SpokenSentence } from "../../../src/voice/speakable.ts";

function sentences(pieces: readonly string[]): SpokenSentence[] {
  const speakable = new Speakable();
  return [...pieces.flatMap((piece) => speakable.push(piece)), ...speakable.flush()];
}

const spoken = (...lines: string[]) => sentences([lines.join("\n")]).map(({ text }) => text);

const markdown = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "```",
        "````",
        "~~~ts",
        "```ts:lines 1-2\n",
        "\n",
        "\n\n",
        "\r\n",
        "| a | b |\n",
        "---\n",
        "***",
        "- ",
        "1. ",
        "## ",
        "> ",
        "    ",
      ),
      fc.constantFrom(
        "One. ",
        "Is it? Yes! ",
        "e.g. this",
        "**bold** ",
        "`src/a/b.ts`",
        "[link](https://a.b/c)",
        "https://a.b ",
        "😀",
        "。",
        "__init__",
      ),
      fc.string({ maxLength: 20 }),
      fc.string({ minLength: 390, maxLength: 410 }),
    ),
    { maxLength: 25 },
  )
  .map((parts) => parts.join(""));

describe("the sentences of a spoken answer", () => {
  it("leave out code, edit blocks, tables, rules, addresses and marks", () => {
    assert.deepEqual(
      spoken(
        "# What I did",
        "I **renamed** `src/shapes/area.ts`, see [the docs](https://example.com/x). Is that",
        "what you wanted? It is v1.2, e.g. for",
        "now.",
        "```ts:ast-path:Shape",
        "const hidden = 'Never spoken. Really.';",
        "```",
        "",
        "| a | b |",
        "|---|---|",
        "| Hidden. | 2 |",
        "---",
        "1. First _item_",
        "2. Second item <https://example.com/?q=1>",
        "   ````md",
        "   ```js",
        "   Hidden.",
        "   ```",
        "   ````",
        "***",
        "> Last words",
      ),
      [
        "What I did",
        "I renamed area.ts, see the docs.",
        "Is that what you wanted?",
        "It is v1.2, e.g. for now.",
        "First item",
        "Second item",
        "Last words",
      ],
    );
    assert.deepEqual(spoken("```ts", "All of it. Code.", "Without an end."), []);
    assert.deepEqual(spoken("", "***", "…", "😀"), []);
  });

  it("come as soon as the next one begins, long before the paragraph ends", () => {
    const speakable = new Speakable();
    assert.deepEqual(speakable.push("The tests pass. N"), [{ text: "The tests pass.", end: 16 }]);
    assert.deepEqual(speakable.push("ow I"), []);
    assert.deepEqual(speakable.flush(), [{ text: "Now I", end: 21 }]);
  });

  it("are the same for every way to cut the text, in order, short enough, and inside the text", () => {
    fc.assert(
      fc.property(
        markdown,
        fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 8 }),
        (text, cuts) => {
          const pieces: string[] = [];
          for (let at = 0, turn = 0; at < text.length; turn++) {
            const cut = cuts[turn % cuts.length] ?? 1;
            pieces.push(text.slice(at, at + cut));
            at += cut;
          }
          const whole = sentences([text]);
          assert.deepEqual(sentences(pieces), whole);
          let last = 0;
          for (const { text: words, end } of whole) {
            assert.ok(words.length > 0 && words.length <= 401 && !words.includes("\n"));
            assert.ok(end > last && end <= text.length, `${end} after ${last} of ${text.length}`);
            last = end;
          }
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
