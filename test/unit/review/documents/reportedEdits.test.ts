import assert from "node:assert/strict";
import fc from "fast-check";
import { applyEdits } from "../../../../src/edits/text/changeSet.ts";
import { reportedEdits, splitEdits } from "../../../../src/review/documents/reportedEdits.ts";

describe("a change that VS Code reports", () => {
  it("becomes sorted edits of the text before, from any order", () => {
    const changes = [
      { rangeOffset: 4, rangeLength: 1, text: "X" },
      { rangeOffset: 0, rangeLength: 0, text: ">" },
    ];
    assert.deepEqual(reportedEdits("abcdef", changes, ">abcdXf"), [
      { start: 0, end: 0, newText: ">" },
      { start: 4, end: 5, newText: "X" },
    ]);
  });

  it("becomes the difference of the texts when several changes were merged", () => {
    const changes = [
      { rangeOffset: 0, rangeLength: 0, text: "1" },
      { rangeOffset: 1, rangeLength: 0, text: "2" },
    ];
    const edits = reportedEdits("ab", changes, "12ab");
    assert.equal(applyEdits(edits, "ab"), "12ab");
  });

  it("always leads to the document's text", () => {
    const change = fc.record({
      rangeOffset: fc.nat(12),
      rangeLength: fc.nat(5),
      text: fc.string({ maxLength: 4 }),
    });
    fc.assert(
      fc.property(
        fc.string({ maxLength: 12 }),
        fc.array(change, { maxLength: 4 }),
        fc.string({ maxLength: 12 }),
        (before, changes, after) => {
          assert.equal(applyEdits(reportedEdits(before, changes, after), before), after);
        },
      ),
    );
  });

  it("leaves out unchanged lines of a reloaded file", () => {
    const before = "one\ntwo\nthree\nfour\n";
    const edits = splitEdits(before, [{ start: 0, end: 18, newText: "zero\none\ntwo\nthree\n4" }]);
    assert.deepEqual(edits, [
      { start: 0, end: 0, newText: "zero\n" },
      { start: 14, end: 18, newText: "4" },
    ]);
  });

  it("has the same result after it was split", () => {
    const text = fc
      .array(fc.constantFrom("a", "b", "\n", "\r\n"), { maxLength: 30 })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const edits = splitEdits(before, [{ start: 0, end: before.length, newText: after }]);
        assert.equal(applyEdits(edits, before), after);
      }),
    );
  });
});
