import assert from "node:assert/strict";
import fc from "fast-check";
import { documentLineEnd, withDocumentLineEnds } from "../../../src/edits/text/lineEnds.ts";

const block = (start: number, end: number) => ({ blockId: "b", start, end, warnings: [] });

describe("a proposal's line ends", () => {
  it("follow the document's, and blocks stay on their text", () => {
    const proposal = { text: "a\r\nnew\nb\r\n", blocks: [block(3, 7)] };
    const crlf = withDocumentLineEnds(proposal, "\r\n");
    assert.equal(crlf.text, "a\r\nnew\r\nb\r\n");
    assert.equal(crlf.text.slice(crlf.blocks[0]?.start, crlf.blocks[0]?.end), "new\r\n");
    const lf = withDocumentLineEnds(proposal, "\n");
    assert.equal(lf.text, "a\nnew\nb\n");
    assert.equal(lf.text.slice(lf.blocks[0]?.start, lf.blocks[0]?.end), "new\n");
  });

  it("leave a proposal unchanged that already fits", () => {
    const proposal = { text: "a\r\nb\r\n", blocks: [block(0, 3)] };
    assert.deepEqual(withDocumentLineEnds(proposal, "\r\n"), proposal);
  });

  it("are the more frequent kind, as in VS Code", () => {
    assert.equal(documentLineEnd("a\r\nb\nc\r\n"), "\r\n");
    assert.equal(documentLineEnd("a\r\nb\n"), "\n");
    assert.equal(documentLineEnd("a"), "\n");
  });

  it("become one kind, and nothing else changes", () => {
    const text = fc
      .array(fc.constantFrom("a", "b", "\n", "\r", "\r\n"), { maxLength: 20 })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(
        text,
        fc.nat(20),
        fc.nat(20),
        fc.constantFrom("\n" as const, "\r\n" as const),
        (source, a, b, lineEnd) => {
          const start = Math.min(a, b, source.length);
          const end = Math.min(Math.max(a, b), source.length);
          const { text: result, blocks } = withDocumentLineEnds(
            { text: source, blocks: [block(start, end)] },
            lineEnd,
          );
          assert.equal(result, source.replaceAll(/\r\n|\r|\n/g, lineEnd));
          const letters = (part: string) => part.replaceAll(/[\r\n]/g, "");
          assert.equal(
            letters(result.slice(blocks[0]?.start, blocks[0]?.end)),
            letters(source.slice(start, end)),
          );
        },
      ),
    );
  });

  it("come without lone surrogates, which VS Code cannot show", () => {
    assert.equal(
      withDocumentLineEnds({ text: "a\ud83d\n\u{1f600}\n", blocks: [] }, "\n").text,
      "a\ufffd\n\u{1f600}\n",
    );
  });
});
