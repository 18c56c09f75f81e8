import assert from "node:assert/strict";
import type { TurnEventBody } from "../../../src/turns/turnEvent.ts";
import { type Activity, activityOf } from "../../../webview/answer/activity.ts";
import { activityText } from "../../../webview/messages.ts";
import { TurnScript } from "../../fakes/turns/turnScript.ts";
import { shownTurn } from "./shownTurn.ts";

const NOW = 1_700_000_000_000;

/** What the running turn of the script does at `now`. */
function activity(script: TurnScript, now = NOW): Activity {
  return activityOf(shownTurn(script), now);
}

describe("activityOf", () => {
  it("prefers what a turn waits for over what it does", () => {
    const script = new TurnScript().ask("x");
    assert.deepEqual(activity(script), { code: "waiting" });
    assert.deepEqual(activity(script.add({ type: "reasoning-delta", text: "hm" })), {
      code: "thinking",
    });
    assert.deepEqual(activity(script.text("Words")), { code: "answering" });
    assert.deepEqual(activity(script.edit({ textStart: 5 })), {
      code: "writing",
      path: "src/shapes.ts",
    });
    script.add(
      { type: "tool-call-start", callId: "c", name: "edit_mode" },
      { type: "tool-start", callId: "c" },
      { type: "approval-request", callId: "c", tool: "edit_mode", effect: "write", summary: "s" },
    );
    assert.deepEqual(activity(script), { code: "needs-permission" });
  });

  it("does not wait for the review of its edits", () => {
    const script = new TurnScript().ask("x").text("Words");
    assert.deepEqual(activity(script.edit({ textStart: 5, textEnd: 9, status: "pending" })), {
      code: "answering",
    });
    const conflict = script.edit({ textStart: 5, textEnd: 9, status: "conflict", undecided: true });
    assert.deepEqual(activity(conflict), { code: "answering" });
  });

  it("names the running tool, or counts several, with the time since the first started", () => {
    const script = new TurnScript()
      .ask("x")
      .add(
        { type: "tool-call-start", callId: "c", name: "read_file" },
        { type: "tool-start", callId: "c" },
      );
    const [began = 0] = script.events.slice(-1).map(({ at }) => at);
    assert.deepEqual(activity(script, began + 12_500), {
      code: "running",
      call: { name: "read_file", origin: null },
      tools: 1,
      elapsedMs: 12_500,
    });
    script.add(
      { type: "tool-call-start", callId: "d", name: "grep" },
      { type: "tool-start", callId: "d" },
    );
    assert.deepEqual(activity(script, began + 65_000), {
      code: "running",
      call: { name: "read_file", origin: null },
      tools: 2,
      elapsedMs: 65_000,
    });
  });

  it("is compacting until the summary is there", () => {
    const script = new TurnScript().ask("x").add({ type: "compaction-start" });
    assert.deepEqual(activity(script), { code: "compacting" });
    assert.deepEqual(activity(script.add({ type: "compaction", summary: "All." })), {
      code: "waiting",
    });
  });

  it("counts down to the next retry until an answer comes", () => {
    const error = { code: "internal", kind: "internal", retryable: true, said: "it" } as const;
    const script = new TurnScript()
      .ask("x")
      .add({ type: "retry", attempt: 1, maxAttempts: 3, waitMs: 4_000, error });
    const [failedAt = 0] = script.events.slice(-1).map(({ at }) => at);
    assert.deepEqual(activity(script, failedAt + 1_000), { code: "retrying", seconds: 3 });
    assert.deepEqual(activity(script.text("Words")), { code: "answering" });
  });

  const call = (...more: readonly TurnEventBody[]) =>
    new TurnScript()
      .ask("x")
      .add(
        { type: "tool-call-start", callId: "c", name: "read_file" },
        { type: "tool-start", callId: "c" },
        ...more,
      );
  const question: TurnEventBody = {
    type: "question",
    callId: "c",
    kind: "confirm",
    question: "Sure?",
    options: [],
  };
  const asked = {
    type: "approval-request",
    callId: "c",
    tool: "read_file",
    effect: "read",
    summary: "s",
  } as const;
  const over = {
    type: "tool-result",
    callId: "c",
    status: "success",
    output: "",
    error: null,
    durationMs: 7,
  } as const;
  const texts: readonly [TurnScript, string][] = [
    [new TurnScript().ask("x"), "Waiting for the model"],
    [call({ type: "text-delta", text: "Meanwhile " }), "Running read file"],
    [call(over, { type: "text-delta", text: "I go on." }), "Answering"],
    [call(question), "Waiting for your answer"],
    [call(question, over), "Waiting for the model"],
    [call(asked), "Waiting for your permission"],
  ];
  for (const [script, text] of texts)
    it(`is in words: ${text}`, () => assert.equal(activityText(activity(script)), text));
});
