import assert from "node:assert/strict";
import type { EditStatus } from "../../../src/turns/editBlock.ts";
import { isUndecided, shownStatus, stateLabels } from "../../../webview/cards/editState.ts";
import { decisionNote } from "../../../webview/cards/messages.ts";

describe("the state of an edit block", () => {
  it("is undecided until the user decides, conflicts included", () => {
    assert.equal(isUndecided({ status: "pending" }), true);
    assert.equal(isUndecided({ status: "conflict", undecided: true }), true);
    assert.equal(isUndecided({ status: "conflict" }), false);
    assert.equal(isUndecided({ status: "applied" }), false);
  });

  const states: readonly [EditStatus, word: string, tone: string][] = [
    ["streaming", "streaming…", "busy"],
    ["captured", "received", "busy"],
    ["pending", "pending", "wait"],
    ["applied", "applied", "good"],
    ["partly-applied", "partly applied", "good"],
    ["rejected", "rejected", "off"],
    ["ignored", "ignored", "bad"],
    ["refused", "refused", "bad"],
    ["held", "needs a look", "wait"],
    ["incomplete", "incomplete", "bad"],
    ["stopped", "stopped", "off"],
    ["conflict", "conflict", "bad"],
  ];
  for (const [status, word, tone] of states)
    it(`is a word with its reason: ${word}`, () => {
      assert.deepEqual([stateLabels[status].word, stateLabels[status].tone], [word, tone]);
      const note = decisionNote({
        ...{ target: "lines 3-4", status, warnings: [] },
        reason: { code: "write-failed", error: { code: "read-only", path: "a.ts" } },
      });
      assert.match(note ?? "", /^a\.ts is read-only/);
      const isFaulty = status === "refused" || status === "ignored";
      assert.equal(note?.includes("Graft tells the model, which can try again."), isFaulty);
    });

  it("is not rejected where the review took nothing of it", () => {
    const shown = (code: "being-written" | "review-closed") =>
      shownStatus({ status: "rejected", reason: { code } });
    assert.equal(shown("being-written"), "refused");
    assert.equal(shown("review-closed"), "rejected");
  });

  it("has the user's reason for rejecting it", () => {
    const rejected = { target: "lines 3-4", status: "rejected", warnings: [] } as const;
    const note = decisionNote({ ...rejected, reason: null, rejection: "Keep the name" });
    assert.equal(note, "Your reason: Keep the name");
    assert.equal(decisionNote({ ...rejected, reason: null }), null);
  });
});
