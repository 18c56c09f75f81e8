import assert from "node:assert/strict";
import * as fc from "fast-check";
import { english } from "../../../src/base/localize.ts";
import { Speakable, type SpokenSentence } from "../../../src/voice/speakable.ts";

function sentences(pieces: readonly string[]): SpokenSentence[] {
  const speakable = new Speakable(english);
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
        "a | b\n--- | :-:\nc | d\n",
        "---\n",
        "***",
        "- ",
        "1. ",
        "## ",
        "> ",
        "    ",
        "$$",
        "\\[",
        "\\]\n",
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

  it("read like a person: no hashes, formulas, code and folders, and signs as they are", () => {
    for (const [written, heard] of [
      ["2 * 3 * 4 is 24, and 2*3*4 too.", "2 * 3 * 4 is 24, and 2*3*4 too."],
      ["**3** of *them*, ***all***, **un", "3 of them, all, un"],
      ["See /home/me/shop/src/cart.ts:12.", "See cart.ts, line 12."],
      ["See `C:\\work\\shop\\cart.ts` and cart.ts:7:3.", "See cart.ts and cart.ts, line 7."],
      ["It is in ./src/base/ok.ts and/or /usr/local/bin.", "It is in ok.ts and/or bin."],
      ["Commit 9f86d081884c7d65 fixed it.", "Commit fixed it."],
      ["Its id (550e8400-e29b-41d4-a716-446655440000) is new.", "Its id is new."],
      ["The area is $\\pi r^2$, or \\(a^2\\).", "The area is, or."],
      ["It costs $5 or $6.", "It costs $5 or $6."],
      ["Call `area()`, then `xs.map((x) => x * 2)`.", "Call area, then."],
      ["Run `npm test` in 1234567 of 2024.", "Run npm test in 1234567 of 2024."],
      ["A defaced facade.", "A defaced facade."],
      ["a*b*c is a**2 times (x+1)*(y).", "a*b*c is a**2 times (x+1)*(y)."],
      ["See ~/notes.txt, /tmp and C:\\x.ts.", "See notes.txt, tmp and x.ts."],
      ["See src/cart.ts#L12-L18 and cart.ts:7-9.", "See cart.ts, line 12 and cart.ts, line 7."],
      [
        "It listens at localhost:3000 and example.com:8080.",
        "It listens at localhost:3000 and example.com:8080.",
      ],
      ["Open vscode://file/a/b.ts or github.com/a/b/pull/3 now.", "Open or now."],
      [
        "TCP/IP, @types/node and 3/4 of v1.2.3-beta.4.",
        "TCP/IP, @types/node and 3/4 of v1.2.3-beta.4.",
      ],
      ["Node 20.12 reads 1,234.5 MB in 2024-05-06.", "Node 20.12 reads 1,234.5 MB in 2024-05-06."],
      ["Done ✅ and fast 🚀👩‍💻, see 1️⃣.", "Done and fast, see 1."],
      ["It works[^1] as [the docs][2] say.", "It works as the docs say."],
      ["[docs]: https://a.b/c", ""],
      [
        "The variable $x$ is $\\alpha_1$, of \\begin{align} a &= b \\end{align} here.",
        "The variable is, of here.",
      ],
      ["Set $HOME_DIR and $PATH.", "Set $HOME_DIR and $PATH."],
      [
        "Its key is sha512-9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08==.",
        "Its key is.",
      ],
      [
        "It is at 0x7fff5fbff8c0 in convertUtf8StringToArrayBufferView.",
        "It is at in convertUtf8StringToArrayBufferView.",
      ],
      ["It is fixed (commit `3f9ac21`).", "It is fixed (commit)."],
      ["First a → b, then c -> d.", "First a, b, then c, d."],
      ["See [it](https://en.wikipedia.org/wiki/A_(b)) &nbsp; &amp; more.", "See it & more."],
    ] as const)
      assert.deepEqual(spoken(written), heard === "" ? [] : [heard], written);
  });

  it("leave out blocks in lists and quotes, and formulas of several lines", () => {
    for (const [lines, heard] of [
      [
        ["> Note.", "> ```ts", "> Hidden. Really.", "> ```", "> Last."],
        ["Note.", "Last."],
      ],
      [["1. ```bash", "   Hidden. Run.", "   ```", "2. Shown"], ["Shown"]],
      [
        [
          "- One",
          "  - Two",
          "    - [x] Three",
          "      ~~~",
          "      Hidden.",
          "      ~~~",
          "• Four",
        ],
        ["One", "Two", "Three", "Four"],
      ],
      [["> | a | b |", "> |---|---|", "Shown."], ["Shown."]],
      [
        ["So it is", "a | b", ":-- | ---", "Hidden. | x", "y | z", "", "Shown."],
        ["So it is", "Shown."],
      ],
      [
        ["So:", "$$", "x = 1. Hidden.", "y", "$$", "Shown."],
        ["So:", "Shown."],
      ],
      [["\\[ a = b. Hidden.", "c \\]", "Shown."], ["Shown."]],
      [
        ["$$x$$", "$$y$$ is the area.", "$$ never closed", "", "Shown."],
        ["is the area.", "Shown."],
      ],
      [
        ["## Title ##", "> [!NOTE]", "> It is so."],
        ["Title", "It is so."],
      ],
      [
        ["Text[^1].", "", "[^1]: See the docs."],
        ["Text.", "See the docs."],
      ],
    ] as const)
      assert.deepEqual(spoken(...lines), heard, lines.join("\n"));
  });

  it("come as soon as the next one begins, long before the paragraph ends", () => {
    const speakable = new Speakable(english);
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
