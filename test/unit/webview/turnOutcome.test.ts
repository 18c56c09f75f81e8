import assert from "node:assert/strict";
import { turnOutcome } from "../../../webview/answer/turnOutcome.ts";

describe("turnOutcome", () => {
  const actions = (kind: string): readonly string[] =>
    turnOutcome({ endReason: "error", error: { code: "edit-mode-refused", kind, retryable: false, said: "m" }, edits: new Map() })
      ?.actions ?? [];

  it("offers the actions that help with an error, by default a retry", () => {
    assert.deepEqual(actions("no-key"), ["set-api-key", "retry", "open-settings"]);
    assert.deepEqual(actions("network"), ["retry", "open-settings"]);
    assert.deepEqual(actions("context-length"), ["retry", "open-settings"]);
    assert.deepEqual(actions("server"), ["retry"]);
    assert.deepEqual(actions("constructor"), ["retry"]);
  });

  it("is null for a turn that runs or finished", () => {
    assert.equal(turnOutcome({ endReason: "done", error: null, edits: new Map() }), null);
    assert.equal(turnOutcome({ endReason: null, error: null, edits: new Map() }), null);
  });
});
