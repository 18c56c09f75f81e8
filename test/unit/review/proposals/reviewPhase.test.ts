import assert from "node:assert/strict";
import {
  nextReviewPhase,
  type ReviewEnd,
  type ReviewPhase,
} from "../../../../src/review/proposals/reviewPhase.ts";

/** The phase after `withdrawn`, `settled` and `dropped`. */
const TABLE: Readonly<Record<ReviewPhase, readonly [ReviewPhase, ReviewPhase, ReviewPhase]>> = {
  open: ["stopping", "decided", "dropped"],
  stopping: ["stopping", "decided", "dropped"],
  decided: ["decided", "decided", "decided"],
  dropped: ["dropped", "dropped", "dropped"],
};
const EVENTS: readonly ReviewEnd[] = ["withdrawn", "settled", "dropped"];
const PHASES = ["open", "stopping", "decided", "dropped"] as const;

describe("the phases of a file's review", () => {
  for (const phase of PHASES)
    it(`lead on from ${phase}, and an event that comes late or twice changes nothing`, () => {
      const next = EVENTS.map((event) => nextReviewPhase(phase, event));
      assert.deepEqual(next, TABLE[phase]);
      EVENTS.forEach((event, index) => {
        const after = next[index] ?? phase;
        assert.equal(nextReviewPhase(after, event), after);
      });
    });
});
