import assert from "node:assert/strict";
import { PanelApproval } from "../../../src/host/panelApproval.ts";
import type { ApprovalRequest } from "../../../src/ports/approval.ts";

const request: ApprovalRequest = {
  turnId: "t",
  callId: "c1",
  tool: "edit_mode",
  effect: "write",
  reviewed: true,
  summary: "Propose edits to a.ts",
};

function approval(writePermission: "allow" | "ask" | "deny", trusted = true) {
  const panel = new PanelApproval({ trusted: () => trusted, writePermission: () => writePermission });
  const asked: ApprovalRequest[] = [];
  panel.onAsked((question) => asked.push(question));
  return { panel, asked };
}

describe("approval", () => {
  it("follows the settings without a question", async () => {
    assert.deepEqual(await approval("allow").panel.request(request, new AbortController().signal), {
      allowed: true,
      by: "settings",
      reason: null,
    });
    const denied = await approval("deny").panel.request(request, new AbortController().signal);
    assert.equal(denied.allowed, false);
    assert.match(denied.reason ?? "", /graft\.permissions\.write/);
  });

  it("is denied in an untrusted workspace, whatever the settings say", async () => {
    const decision = await approval("allow", false).panel.request(request, new AbortController().signal);
    assert.equal(decision.allowed, false);
    assert.match(decision.reason ?? "", /not trusted/);
  });

  it("waits for the user's answer to the very question", async () => {
    const { panel, asked } = approval("ask");
    const decision = panel.request(request, new AbortController().signal);
    assert.deepEqual(asked, [request]);
    panel.answer("another", false);
    panel.answer("c1", true);
    panel.answer("c1", false);
    assert.deepEqual(await decision, { allowed: true, by: "user", reason: null });
  });

  it("tells the model when the user denies", async () => {
    const { panel } = approval("ask");
    const decision = panel.request(request, new AbortController().signal);
    panel.answer("c1", false);
    assert.match((await decision).reason ?? "", /user denied/);
  });

  it("ends with a denial when the turn is stopped, before or while the user is asked", async () => {
    const { panel, asked } = approval("ask");
    const stop = new AbortController();
    const decision = panel.request(request, stop.signal);
    stop.abort();
    assert.equal((await decision).allowed, false);
    assert.equal((await panel.request(request, stop.signal)).allowed, false);
    assert.equal(asked.length, 1);
  });

  it("asks before something is written at once, without a review, unless the settings deny it", async () => {
    const deletion = { ...request, tool: "delete_file", reviewed: false };
    const { panel, asked } = approval("allow");
    const decision = panel.request(deletion, new AbortController().signal);
    assert.deepEqual(asked, [deletion]);
    panel.answer("c1", true);
    assert.equal((await decision).by, "user");
    assert.equal((await approval("deny").panel.request(deletion, new AbortController().signal)).by, "settings");
  });

  it("always asks before something is executed", () => {
    const { panel, asked } = approval("allow");
    void panel.request({ ...request, effect: "execute" }, new AbortController().signal);
    assert.equal(asked.length, 1);
  });
});
