import assert from "node:assert/strict";
import {
  type DocumentEvent,
  type DocumentPhase,
  nextPhase,
} from "../../../../src/review/documents/documentPhase.ts";

/** The phase after `completed`, `decided` and `disposed`. */
const TABLE: Readonly<
  Record<DocumentPhase, readonly [DocumentPhase, DocumentPhase, DocumentPhase]>
> = {
  streaming: ["editable", "withdrawn", "over"],
  editable: ["editable", "finishing", "over"],
  finishing: ["finishing", "finishing", "over"],
  withdrawn: ["withdrawn", "withdrawn", "over"],
  over: ["over", "over", "over"],
};
const EVENTS: readonly DocumentEvent[] = ["completed", "decided", "disposed"];
const PHASES = ["streaming", "editable", "finishing", "withdrawn", "over"] as const;

describe("the phases of a proposal's document", () => {
  for (const phase of PHASES)
    it(`lead on from ${phase}, and an event that comes late or twice changes nothing`, () => {
      const next = EVENTS.map((event) => nextPhase(phase, event));
      assert.deepEqual(next, TABLE[phase]);
      EVENTS.forEach((event, index) => {
        const after = next[index] ?? phase;
        assert.equal(nextPhase(after, event), after);
      });
    });
});
