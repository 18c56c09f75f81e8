import assert from "node:assert/strict";
import fc from "fast-check";
import { type MarkdownPiece, MarkdownStream } from "../../../webview/markdown/markdownStream.ts";
import { campaignRuns } from "../../fakes/campaignRuns.ts";

/** Blocks by their source, code by its text. */
function outline(pieces: readonly MarkdownPiece[]): string[] {
  const lines: string[] = [];
  let code: string | null = null;
  for (const piece of pieces) {
    if (piece.type === "block") lines.push(`${piece.token.type}: ${piece.token.raw.trim()}`);
    else if (piece.type === "code-open") code = `code ${piece.info}: `;
    else if (piece.type === "code-text") code += piece.text;
    else lines.push((code ?? "").trimEnd());
  }
  return lines;
}

function stream(chunks: readonly string[]): string[] {
  const markdown = new MarkdownStream();
  const pieces: MarkdownPiece[] = [];
  for (const chunk of chunks) {
    markdown.push(chunk);
    pieces.push(...markdown.update().pieces);
  }
  return outline([...pieces, ...markdown.finish().pieces]);
}

function cut(text: string, sizes: readonly number[]): string[] {
  const chunks: string[] = [];
  let at = 0;
  for (let index = 0; at < text.length; index++) {
    const size = sizes[index % sizes.length] ?? 1;
    chunks.push(text.slice(at, at + size));
    at += size;
  }
  return chunks;
}

const line = fc.constantFrom(
  ...[
    "Some words",
    "more words.",
    "",
    "",
    "# Title",
    "- item",
    "- other",
    "  inside",
    "1. first",
    "> quoted",
    "---",
    "***",
    "`code`",
  ],
  ...[
    "```ts",
    "```",
    "````",
    "~~~",
    "~~~js",
    "    indented",
    "| a | b |",
    "|---|---|",
    "| 1 | 2 |",
    "<div>",
    "[a]: http://x.y",
    "[a]",
  ],
  ...["$$", "$$a$$", "$a$ and \\(b\\)", "\\[", "\\]", "- $x$"],
  ...[
    "<details>",
    "<summary>T</summary>",
    "</details>",
    "<details><summary>T</summary>w</details>",
  ],
);

/** So many paragraphs or items are streamed: much longer than the tail may get. */
const UNITS = campaignRuns(500, 2_000);

const NOTHING_READ = { pieces: [], tail: null };

describe("MarkdownStream", () => {
  it("produces the same blocks for every split", () => {
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 14 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
        fc.constantFrom("\n", "\r\n"),
        (lines, sizes, newline) => {
          const text = lines.join(newline);
          assert.deepEqual(stream(cut(text, sizes)), stream(cut(text, [1])));
        },
      ),
      { numRuns: 500 },
    );
  });

  it("parses streamed text like the whole text", () => {
    const text =
      "# Plan\n\nFirst *this*.\nThen that.\n\n- a\n- b\n\n  more\n\n```ts\nconst a = 1;\n\nconst b = 2;\n```\nAnd `done`.\n\n> so\nit goes\n";
    assert.deepEqual(stream(cut(text, [1])), stream([text]));
    assert.deepEqual(stream([text]), [
      "heading: # Plan",
      "paragraph: First *this*.\nThen that.",
      "list: - a\n- b\n\n  more",
      "code ts: const a = 1;\n\nconst b = 2;",
      "paragraph: And `done`.",
      "blockquote: > so\nit goes",
    ]);
  });

  it("returns open code at once and never twice", () => {
    const markdown = new MarkdownStream();
    markdown.push("Look:\n\n```py\nimport os\n");
    assert.deepEqual(outline([...markdown.update().pieces, { type: "code-close" }]), [
      "paragraph: Look:",
      "code py: import os",
    ]);
    markdown.push("print(");
    assert.deepEqual(markdown.update().pieces, [{ type: "code-text", text: "print(" }]);
    markdown.push("1)\n``");
    assert.deepEqual(markdown.update().pieces, [{ type: "code-text", text: "1)\n" }]);
    markdown.push("`\nDone");
    const { pieces, tail } = markdown.update();
    assert.deepEqual(pieces, [{ type: "code-close" }]);
    assert.equal(tail?.tokens.map((token) => token.raw).join(""), "Done");
  });

  it("holds a fence back until the line after it is complete", () => {
    const markdown = new MarkdownStream();
    let settled = "";
    const shown = (): string => {
      const { pieces, tail } = markdown.update();
      settled += outline(pieces).join("\n");
      return (
        settled +
        (tail?.tokens ?? [])
          .map((token) => token.raw)
          .join("")
          .trim() +
        (tail?.plain ?? "")
      );
    };
    markdown.push("Here:\n");
    assert.equal(shown().replace("paragraph: ", ""), "Here:");
    markdown.push("``");
    assert.equal(shown().replace("paragraph: ", ""), "Here:");
    markdown.push("`ts:3:5\n");
    assert.equal(shown().replace("paragraph: ", ""), "Here:");
    markdown.push("const a");
    assert.equal(shown().replace("paragraph: ", ""), "Here:");
    assert.equal(markdown.cut(6), "```ts:3:5\nconst a");
  });

  it("cuts only what is not final", () => {
    const markdown = new MarkdownStream();
    markdown.push("One.\n\nTwo.\n\nThree");
    markdown.update();
    assert.equal(markdown.cut(2), null);
    assert.equal(markdown.cut(14), "ree");
    assert.deepEqual(outline(markdown.finish().pieces), ["paragraph: Two.", "paragraph: Th"]);
  });

  it("keeps the tail small over many paragraphs and an endless list", () => {
    for (const unit of [
      "A paragraph of words.\n\n",
      "- an item of a long list\n",
      "- an item\n\n",
    ]) {
      const markdown = new MarkdownStream();
      let most = 0;
      for (let index = 0; index < UNITS; index++) {
        markdown.push(unit);
        const { tail } = markdown.update();
        most = Math.max(
          most,
          (tail?.tokens ?? []).reduce((sum, token) => sum + token.raw.length, 0) +
            (tail?.plain.length ?? 0),
        );
      }
      assert.ok(most < 3000, `the end grew to ${most} characters with ${JSON.stringify(unit)}`);
    }
  });

  it("parses an endless paragraph less and less often", () => {
    const markdown = new MarkdownStream();
    let read = 0;
    let before: unknown = null;
    for (let index = 0; index < 20_000; index++) {
      markdown.push("word ");
      const { tail } = markdown.update();
      if (tail && tail.tokens !== before)
        read += tail.tokens.reduce((sum, token) => sum + token.raw.length, 0);
      before = tail?.tokens ?? before;
    }
    assert.ok(read < 100_000 * 40, `${read} characters were read for 100,000`);
  });

  it("ends a paragraph within an endless line, at the same places whatever the pieces are", () => {
    const line = `${"word ".repeat(20_000)}end`;
    const blocks = [1, 3_333, line.length].map((size) => {
      const markdown = new MarkdownStream();
      const drawn: string[] = [];
      for (let at = 0; at < line.length; at += size) {
        markdown.push(line.slice(at, at + size));
        const { pieces, tail } = size === 1 && at % 997 > 0 ? NOTHING_READ : markdown.update();
        drawn.push(...pieces.map((piece) => (piece.type === "block" ? piece.token.raw : "")));
        assert.ok((tail?.plain.length ?? 0) < 17_000);
      }
      drawn.push(
        ...markdown.finish().pieces.map((each) => (each.type === "block" ? each.token.raw : "")),
      );
      return drawn;
    });
    assert.equal(blocks[0]?.join(""), line);
    assert.ok((blocks[0]?.length ?? 0) > 5);
    assert.deepEqual(blocks[1], blocks[0]);
    assert.deepEqual(blocks[2], blocks[0]);
  });

  it("keeps a code block of one endless line whole", () => {
    const markdown = new MarkdownStream();
    const pieces = ["```js\n", "a();".repeat(10_000), "b();".repeat(10_000), "\n```\n\nDone."];
    const drawn = pieces.flatMap((piece) => {
      markdown.push(piece);
      return markdown.update().pieces;
    });
    const all = [...drawn, ...markdown.finish().pieces];
    assert.deepEqual(
      all.map(({ type }) => type).filter((type, at, types) => type !== types[at - 1]),
      ["code-open", "code-text", "code-close", "block"],
    );
  });

  it("gives what folds as its beginning, title, content and end", () => {
    const text =
      "<details open>\n<summary>More <b>of</b> it</summary>\n\n**Words**\n\n```ts\na\n```\n\n</details>\n\nAfter\n<details><summary>T</summary>\nall in one\n</details>\n\n<details class='x'>no fold</details>";
    const markdown = new MarkdownStream();
    markdown.push(text);
    const shown = markdown.finish().pieces.map((piece) => {
      if (piece.type === "fold-open") return piece.isOpen ? "open fold" : "fold";
      if (piece.type === "fold-title") return `title ${piece.text}`;
      return piece.type === "block" ? piece.token.type : piece.type;
    });
    assert.deepEqual(shown, [
      ...["open fold", "title More <b>of</b> it", "paragraph"],
      ...["code-open", "code-text", "code-close", "fold-close", "paragraph"],
      ...["fold", "title T", "paragraph", "fold-close", "plain"],
      // Of nothing that is open: the view ignores it.
      "fold-close",
    ]);
  });

  it("resolves link references of earlier blocks", () => {
    const markdown = new MarkdownStream();
    markdown.push("[docs]: https://example.org\n\nWords.\n\nMore words.\n\n");
    markdown.update();
    markdown.push("See [docs].\n");
    const [piece] = markdown.finish().pieces.slice(-1);
    assert.match(JSON.stringify(piece), /"href":"https:\/\/example.org"/);
  });
});
