import assert from "node:assert/strict";
import { modelError } from "../../../src/model/modelFailure.ts";
import type { TurnError } from "../../../src/turns/turnError.ts";
import { turnOutcome } from "../../../webview/answer/turnOutcome.ts";

describe("turnOutcome", () => {
  const actions = (error: TurnError): readonly string[] =>
    turnOutcome({ endReason: "error", error, edits: new Map() })?.actions ?? [];
  const endpoint = { baseUrl: "https://api.example.com/v1", model: "m" };

  it("offers the actions that help with an error", () => {
    const cause = modelError({ code: "context-length" }, endpoint);
    assert.deepEqual(actions(modelError({ code: "no-key" }, endpoint)), [
      "set-api-key",
      "choose-model",
      "retry",
    ]);
    assert.deepEqual(actions(modelError({ code: "connection-refused" }, endpoint)), [
      "retry",
      "choose-model",
      "test-connection",
    ]);
    assert.deepEqual(actions(modelError({ code: "web-page" }, endpoint)), [
      "open-connections",
      "choose-model",
      "retry",
    ]);
    assert.deepEqual(actions(cause), ["compact", "new-chat", "choose-model", "retry"]);
    assert.deepEqual(
      actions({ code: "compaction-failed", kind: "context-length", retryable: false, cause })[0],
      "compact",
    );
    assert.deepEqual(actions({ code: "internal", kind: "internal", retryable: false, said: "m" }), [
      "retry",
    ]);
  });

  it("is null for a turn that runs or finished", () => {
    assert.equal(turnOutcome({ endReason: "done", error: null, edits: new Map() }), null);
    assert.equal(turnOutcome({ endReason: null, error: null, edits: new Map() }), null);
  });
});
