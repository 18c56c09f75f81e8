import assert from "node:assert/strict";
import fc from "fast-check";
import { countLines } from "../../../../src/base/text/lines.ts";
import { lineAt, lineStarts } from "../../../../src/base/text/lineTable.ts";

const text = fc
  .array(fc.constantFrom("a", "😀", "\n", "\r", "\r\n"), { maxLength: 20 })
  .map((pieces) => pieces.join(""));

describe("the line table", () => {
  it("finds the editor's line of every offset", () => {
    const starts = lineStarts("a\r\nb\rc\n");
    assert.deepEqual(starts, [0, 3, 5, 7]);
    assert.deepEqual(
      [0, 2, 3, 4, 5, 7].map((offset) => lineAt(starts, offset)),
      [0, 0, 1, 1, 2, 3],
    );
  });

  it("has one entry a line of any text", () => {
    fc.assert(fc.property(text, (each) => assert.equal(lineStarts(each).length, countLines(each))));
  });
});
