import assert from "node:assert/strict";
import { ClippedResults, clipText } from "../../../../src/tools/results/clippedResults.ts";

describe("clipped results", () => {
  it("are forgotten, the oldest first, beyond eight million characters", () => {
    const kept = new ClippedResults();
    const ids = [1, 2, 3].map(() => kept.keep("t", "x".repeat(3_000_000)));
    assert.deepEqual(
      ids.map((id) => kept.read("t", id, 0, 10) !== null),
      [false, true, true],
    );
    const huge = kept.keep("t", "x".repeat(9_000_000));
    assert.ok(kept.read("t", huge, 0, 10), "the newest is kept whatever its size");
  });

  it("are never cut inside a character", () => {
    const { text, end } = clipText("abc😀def", 0, 4);
    assert.deepEqual({ text, end }, { text: "abc", end: 3 });
    assert.deepEqual(clipText("abc😀def", 3, 2).text, "😀");
  });

  it("are cut at a line end where that keeps at least half", () => {
    assert.equal(clipText("one\ntwo\nthree", 0, 10).text, "one\ntwo\n");
    assert.equal(clipText(`a\n${"x".repeat(30)}`, 0, 10).text, "a\nxxxxxxxx");
  });
});
