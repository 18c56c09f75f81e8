import assert from "node:assert/strict";
import { err, ok } from "../../../../src/base/result.ts";
import { createAutoReviewer } from "../../../../src/edits/review/autoReviewer.ts";
import type { Proposal } from "../../../../src/ports/review.ts";
import { fileSnapshot } from "../../../fakes/workspace/fileSnapshot.ts";

const SNAPSHOT = fileSnapshot("a.txt", "one\ntwo\nthree\nfour\n");
const PROPOSAL: Proposal = {
  text: "ONE\ntwo\nthree\nFOUR\n",
  blocks: [
    { blockId: "a", start: 0, end: 4, warnings: [] },
    { blockId: "b", start: 14, end: 19, warnings: [{ code: "syntax" }] },
  ],
};
const ORIGIN = { chatId: "chat", turnId: "turn", callId: "call" };

describe("a review without a user", () => {
  it("accepts and writes every hunk without a warning", async () => {
    const written: string[] = [];
    const reviewer = createAutoReviewer("all", async (_, text) => {
      written.push(text);
      return ok(null);
    });
    const outcome = await reviewer.open(SNAPSHOT, ORIGIN).propose(PROPOSAL, false);
    assert.deepEqual(written, ["ONE\ntwo\nthree\nfour\n"]);
    assert.deepEqual(outcome, {
      text: "ONE\ntwo\nthree\nfour\n",
      blocks: [
        { blockId: "a", status: "applied", reason: null },
        { blockId: "b", status: "rejected", reason: { code: "not-accepted-automatically" } },
      ],
    });
  });

  it("rejects everything and writes nothing", async () => {
    const reviewer = createAutoReviewer("none", async () => assert.fail("nothing may be written"));
    const outcome = await reviewer.open(SNAPSHOT, ORIGIN).propose(PROPOSAL, false);
    assert.equal(outcome.text, SNAPSHOT.text);
    assert.deepEqual(
      outcome.blocks.map(({ status, reason }) => [status, reason]),
      [
        ["rejected", { code: "rejected-by-user" }],
        ["rejected", { code: "rejected-by-user" }],
      ],
    );
  });

  it("applies nothing of a stopped answer", async () => {
    const reviewer = createAutoReviewer("all", async () => assert.fail("nothing may be written"));
    const outcome = await reviewer.open(SNAPSHOT, ORIGIN).propose(PROPOSAL, true);
    assert.equal(outcome.text, SNAPSHOT.text);
  });

  it("says why the file could not be written", async () => {
    const reviewer = createAutoReviewer("all", async () =>
      err({ code: "changed-meanwhile", path: "a.txt" }),
    );
    const outcome = await reviewer.open(SNAPSHOT, ORIGIN).propose(PROPOSAL, false);
    assert.deepEqual(outcome.blocks[0], {
      blockId: "a",
      status: "conflict",
      reason: { code: "write-failed", error: { code: "changed-meanwhile", path: "a.txt" } },
    });
    assert.equal(outcome.text, SNAPSHOT.text);
  });

  it("creates a file, and has no text for a rejected one", async () => {
    const proposal = { text: "x\n", blocks: [{ blockId: "a", start: 0, end: 2, warnings: [] }] };
    const snapshot = fileSnapshot("new.txt", null);
    const all = createAutoReviewer("all", async () => ok(null));
    assert.equal((await all.open(snapshot, ORIGIN).propose(proposal, false)).text, "x\n");
    const none = createAutoReviewer("none", async () => ok(null));
    assert.equal((await none.open(snapshot, ORIGIN).propose(proposal, false)).text, null);
  });

  it("creates an empty file", async () => {
    const proposal = { text: "", blocks: [{ blockId: "a", start: 0, end: 0, warnings: [] }] };
    const written: string[] = [];
    const all = createAutoReviewer("all", async (_, text) => {
      written.push(text);
      return ok(null);
    });
    const outcome = await all.open(fileSnapshot("new.txt", null), ORIGIN).propose(proposal, false);
    assert.deepEqual(written, [""]);
    assert.equal(outcome.text, "");
  });
});
