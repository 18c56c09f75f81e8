import assert from "node:assert/strict";
import fc from "fast-check";
import { claimsOfOne } from "../../../../src/edits/answer/openSessions.ts";
import { BlockCapture } from "../../../../src/edits/propose/blockCapture.ts";
import type { Proposal } from "../../../../src/ports/review.ts";
import { editBlock } from "../../../fakes/turns/applyTo.ts";
import { openFile } from "../../../fakes/turns/openFile.ts";
import { openDocument } from "../../syntax/openDocument.ts";

const TEXT =
  "class Shape {\n  width = 1;\n\n  area() {\n    return 1;\n  }\n\n  name() {\n    return 'shape';\n  }\n}\n";

/** The proposals of a message, as a preview asks for them. */
async function proposalsOf(
  text: string,
  message: string,
  chunk: number,
  path = "a.ts",
): Promise<Proposal[]> {
  const language = path.endsWith("py") ? "python" : "typescript";
  const document = await openDocument(language, text.replace("\uFEFF", ""));
  const file = openFile(path, text, document);
  const capture = new BlockCapture({
    callId: "call",
    file,
    mode: null,
    claims: claimsOfOne(file),
    onBlock() {},
  });
  const proposals: Proposal[] = [];
  capture.startMessage(1);
  for (let at = 0; at < message.length; at += chunk)
    if (capture.push(message.slice(at, at + chunk))) proposals.push(capture.proposal());
  return proposals;
}

/** The lines of the only block. */
function ownLines({ text, blocks: [block] }: Proposal): string[] {
  return text
    .slice(block?.start, block?.end)
    .replace(/^\n|\n$/g, "")
    .split("\n");
}

describe("a growing proposal", () => {
  it("says how its text came from the one before, whenever it is asked", async () => {
    const line = fc.constantFrom(
      "  width = 1;",
      "",
      "  area() {",
      "    return 2;",
      "  }",
      "  name() {}",
      "// a",
      "\treturn 1;",
    );
    const body = fc.array(line, { maxLength: 8 }).map((lines) => lines.join("\n"));
    const lines = fc.constantFrom(
      "2:2",
      "4:6",
      "4:6:before",
      "8:9:after",
      "1:11",
      "11:11:after",
      "12:12",
      "4:4",
    );
    const elements = fc.constantFrom(
      "ast-path:Shape-area",
      "ast-path:Shape:append",
      "ast-path:Shape-name:before",
      "ast-path:@file:append",
    );
    const addresses = fc
      .constantFrom(lines, elements)
      .chain((address) => fc.array(fc.tuple(address, body), { maxLength: 3 }));
    const eol = fc.constantFrom("\n", "\r\n");
    let steps = 0;
    await fc.assert(
      fc.asyncProperty(
        addresses,
        eol,
        fc.integer({ min: 1, max: 40 }),
        fc.boolean(),
        fc.boolean(),
        async (blocks, lineEnd, chunk, marked, ended) => {
          const text =
            (marked ? "\uFEFF" : "") + (ended ? TEXT : TEXT.trimEnd()).replaceAll("\n", lineEnd);
          const message = blocks.map(([address, lines]) => editBlock(address, lines)).join("\n");
          const proposals = await proposalsOf(text, message, chunk);
          for (const { blocks: placed, change, text: after } of proposals) {
            assert.ok(
              placed.every(({ start, end }) => start <= end && end <= after.length),
              "a block lies beyond the text",
            );
            if (!change) continue;
            const { before, start, oldText, newText } = change;
            if (proposals.some(({ text }) => text === before)) steps += 1;
            assert.equal(before.slice(start, start + oldText.length), oldText);
            assert.equal(
              before.slice(0, start) + newText + before.slice(start + oldText.length),
              after,
            );
          }
        },
      ),
      { numRuns: 300 },
    );
    assert.ok(steps > 100, `${steps} steps are known`);
  });

  const python = "class A:\n    def f(self):\n        one()\n        two()\n\nend = 1\n";

  for (const [what, path, text, address, body, certain] of [
    [
      "an indented block's first line",
      "a.py",
      python,
      "A-f",
      "def f(self):\n        three()\n        four()\n        five()",
      2,
    ],
    [
      "the line that closes the declaration",
      "a.ts",
      TEXT,
      "Shape-area",
      "area() {\n    three();\n    four();\n  }",
      4,
    ],
    [
      "the line that closes an inserted one",
      "a.ts",
      TEXT,
      "Shape-area:after",
      "next() {\n    three();\n    four();\n  }",
      4,
    ],
    [
      "the first line, where all are alike",
      "a.ts",
      TEXT,
      "Shape-area",
      "area() {\n  three();\n  four();\n}",
      1,
    ],
    [
      "the first line nearer to the margin",
      "a.ts",
      TEXT,
      "Shape-area",
      "    // a\n  area() {\n    three();\n  }",
      2,
    ],
    [
      "the first line, where it is one of others",
      "a.ts",
      "const f = { a: 1, b: 2 };\n",
      "f",
      "  const f = {\n    a: 2,\n  };",
      1,
    ],
  ] as const) {
    it(`shows where its lines will stand from ${what} on`, async () => {
      const message = editBlock(`ast-path:${address}`, body);
      const written = body.split("\n");
      const shown = (await proposalsOf(text, message, 1, path)).map(ownLines);
      const lines = shown.at(-1) ?? [];
      assert.ok(lines.length === written.length && shown.length > lines.length);
      for (let count = certain; count <= lines.length; count++) {
        assert.ok(
          shown.some((now) => now.join("\n") === lines.slice(0, count).join("\n")),
          `${count} of its lines are never shown as they will stand`,
        );
      }
    });
  }

  it("keeps an inserted block's lines as they are while its brackets are open", async () => {
    const message = editBlock(
      "ast-path:Shape-area:after",
      "next() {\n    three();\n    four();\n}",
    );
    const proposals = await proposalsOf(TEXT, message, 1);
    const shown = proposals.map((proposal) => ownLines(proposal)[1]);
    assert.deepEqual([...new Set(shown)], [undefined, "      three();"]);
  });
});

describe("blocks at one place", () => {
  const [x, y] = ["  x() {}", "  y() {}"];
  for (const [does, message] of [
    [
      "after one element",
      editBlock("ast-path:Shape-area:after", x) + editBlock("ast-path:Shape-area:after", y),
    ],
    [
      "before one element",
      editBlock("ast-path:Shape-area:before", x) + editBlock("ast-path:Shape-area:before", y),
    ],
    [
      "at the end of one",
      editBlock("ast-path:Shape:append", x) + editBlock("ast-path:Shape:append", y),
    ],
    [
      "at the beginning of one",
      editBlock("ast-path:Shape:prepend", x) + editBlock("ast-path:Shape:prepend", y),
    ],
    [
      "after a line of one",
      editBlock("ast-path:Shape:2:2:after", x) + editBlock("ast-path:Shape:2:2:after", y),
    ],
    [
      "before a line of one",
      editBlock("ast-path:Shape:4:4:before", x) + editBlock("ast-path:Shape:4:4:before", y),
    ],
    [
      "after and before lines side by side",
      editBlock("ast-path:Shape:2:2:after", x) + editBlock("ast-path:Shape:3:3:before", y),
    ],
    [
      "in place of an element and after it",
      editBlock("ast-path:Shape-area", x.replace("x", "area")) +
        editBlock("ast-path:Shape-area:after", y),
    ],
  ] as const) {
    it(`are told apart ${does}`, async () => {
      const last = (await proposalsOf(TEXT, message, message.length)).at(-1);
      const texts = last?.blocks.map(({ start, end }) => last.text.slice(start, end).trim());
      assert.deepEqual(
        texts?.map((text) => text.replace("area", "x")),
        ["x() {}", "y() {}"],
      );
    });
  }
});
