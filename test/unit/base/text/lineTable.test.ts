import assert from "node:assert/strict";
import fc from "fast-check";
import { countLines } from "../../../../src/base/text/lines.ts";
import { editedLineStarts, lineAt, lineStarts } from "../../../../src/base/text/lineTable.ts";

const text = fc.array(fc.constantFrom("a", "😀", "\n", "\r", "\r\n"), { maxLength: 20 }).map((pieces) => pieces.join(""));

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

  it("equals a new table after any edit", () => {
    fc.assert(
      fc.property(text, text, fc.nat(), fc.nat(), (before, inserted, at, length) => {
        const start = at % (before.length + 1);
        const end = Math.min(before.length, start + (length % 5));
        const after = before.slice(0, start) + inserted + before.slice(end);
        const edited = editedLineStarts(lineStarts(before), after, { start, end }, start + inserted.length);
        assert.deepEqual(edited, lineStarts(after));
      }),
      { numRuns: 1000 },
    );
  });
});
