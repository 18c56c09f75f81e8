import assert from "node:assert/strict";
import { MarkdownStream } from "../../../webview/markdown/markdownStream.ts";
import { campaignRuns } from "../../fakes/campaignRuns.ts";

const LENGTH = campaignRuns(20_000, 120_000);
/** So many characters of each are streamed: the square of them is far beyond the limit. */
const STREAMED = campaignRuns(3_000, 40_000);
const repeat = (text: string) => text.repeat(Math.ceil(LENGTH / text.length));
const ladder = (step: (depth: number) => string) =>
  Array.from({ length: 400 }, (_, depth) => step(depth)).join("\n");

const bombs: readonly (readonly [what: string, text: string])[] = [
  ...[
    ">",
    "> ",
    "- ",
    "1. ",
    "+ ",
    "> - ",
    "- > ",
    "_a",
    "*a",
    "**a",
    "__a",
    "*a_b",
    "***a",
    "~~a",
    "~a ",
    "a_b_",
    "*.",
    "_._",
    "a*",
    "[",
    "[a",
  ].map((text): readonly [string, string] => [text, repeat(text)]),
  ...[
    "![a",
    "[a](",
    "[a][b",
    "`a",
    "<a ",
    "<",
    "<!--",
    "<?a",
    "&",
    "a@",
    "http://a",
    "https://a.b/(",
    "|",
    ">a\nb\n",
    "a\n-\n",
    "- a\n",
    "[a]: b\n",
    "$",
    "$a",
    "$ a ",
    "a$b$ ",
    "$$",
    "$$a\n",
    "$$\n",
    "$$\na\n# b\n",
    "\\(",
    "\\[\n",
    "<details>\n\n",
    "<details><summary>",
  ].map((text): readonly [string, string] => [text, repeat(text)]),
  [
    "emphasis that opens, then closes",
    repeat("_a ").slice(0, LENGTH / 2) + repeat("b_ ").slice(0, LENGTH / 2),
  ],
  ["stars around a letter", `${"*".repeat(LENGTH / 2)}a${"*".repeat(LENGTH / 2)}`],
  ["brackets that open, then close", "[".repeat(LENGTH / 2) + "]".repeat(LENGTH / 2)],
  ["links in links", `${"[".repeat(LENGTH / 6)}a${"](b)".repeat(LENGTH / 6)}`],
  [
    "a wide table with many rows",
    `${"|a".repeat(LENGTH / 8)}|\n${"|-".repeat(LENGTH / 8)}|\n${"|\n".repeat(LENGTH / 4)}`,
  ],
  ["a list in a list in a list", ladder((depth) => `${"  ".repeat(depth)}- a`)],
  ["quotes in quotes", ladder((depth) => `${">".repeat(depth + 1)}a`)],
];

describe("Markdown that would take long to read", () => {
  for (const [what, text] of bombs) {
    it(`is drawn all the same: ${what}`, () => {
      const markdown = new MarkdownStream();
      markdown.push(`Before.\n\n${text}\n\n**After.**\n`);
      const pieces = [...markdown.update().pieces, ...markdown.finish().pieces];
      const shown = pieces
        .map((piece) =>
          piece.type === "block" ? piece.token.raw : "text" in piece ? piece.text : "",
        )
        .join("\n");
      assert.match(shown, /^Before\./);
      assert.match(shown, /\*\*After\.\*\*/);
    });

    it(`streams: ${what}`, () => {
      const markdown = new MarkdownStream();
      for (let at = 0; at < STREAMED; at += 40) {
        markdown.push(text.slice(at, at + 40));
        markdown.update();
      }
      markdown.finish();
    });
  }

  it("leaves the blocks around it as they are", () => {
    const markdown = new MarkdownStream();
    markdown.push(
      `# Title\n\n\`\`\`js\na\n\nb\n\`\`\`\n\n${"_a".repeat(20_000)}\n\n- one\n- two\n`,
    );
    const types = [...markdown.update().pieces, ...markdown.finish().pieces].map((piece) =>
      piece.type === "block" ? piece.token.type : piece.type,
    );
    assert.deepEqual(types, ["heading", "code-open", "code-text", "code-close", "plain", "list"]);
  });
});
