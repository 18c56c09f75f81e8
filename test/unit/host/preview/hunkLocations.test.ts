import assert from "node:assert/strict";
import type { Hunk } from "../../../../src/edits/review/reviewPlan.ts";
import { adjacentHunk, firstLineOf, hunkAt } from "../../../../src/host/preview/hunkLocations.ts";

const hunk = (id: string, start: number, end: number): Hunk => ({
  id,
  real: { start, end: start },
  proposed: { start, end },
  blockIds: [],
  warnings: [],
  conflict: false,
});
const hunks = [hunk("a", 2, 4), hunk("gone", 10, 10), hunk("b", 20, 21)];

describe("the hunk at the cursor", () => {
  it("is the one that contains the line", () => {
    assert.equal(hunkAt(hunks, "proposed", 3)?.id, "a");
    assert.equal(hunkAt(hunks, "proposed", 4), null);
  });

  it("is the deletion next to the line", () => {
    assert.equal(hunkAt(hunks, "proposed", 10)?.id, "gone");
    assert.equal(hunkAt(hunks, "proposed", 9)?.id, "gone");
    assert.equal(hunkAt(hunks, "proposed", 11), null);
  });

  it("is the only one, wherever the cursor is", () => {
    assert.equal(hunkAt([hunk("a", 2, 4)], "proposed", 99)?.id, "a");
  });
});

describe("the next and the previous hunk", () => {
  it("wrap around", () => {
    assert.equal(adjacentHunk(hunks, "proposed", 2, "next")?.id, "gone");
    assert.equal(adjacentHunk(hunks, "proposed", 20, "next")?.id, "a");
    assert.equal(adjacentHunk(hunks, "proposed", 2, "previous")?.id, "b");
    assert.equal(adjacentHunk([], "proposed", 0, "next"), null);
  });
});

describe("the place shown after the last decision", () => {
  it("is the first changed line", () => {
    assert.equal(firstLineOf("a\nb\nc\n", [{ start: 4, end: 5, newText: "x" }]), 2);
    assert.equal(firstLineOf("a\nb\n", []), 0);
  });
});
