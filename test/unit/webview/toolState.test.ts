import assert from "node:assert/strict";
import type { ToolCallState } from "../../../src/turns/turn.ts";
import { elapsedText } from "../../../webview/duration.ts";
import { toolState } from "../../../webview/toolState.ts";

type Call = Parameters<typeof toolState>[0];

const call: Call = { name: "run_command", status: "success", approval: null, question: null, output: "Exit code 0.\nok" };
const asked = (decision: "pending" | "allowed" | "denied"): ToolCallState["approval"] => ({ summary: "", effect: "execute", decision });
const question: ToolCallState["question"] = { kind: "confirm", question: "Go?", options: [] };

describe("the state of a tool call in words", () => {
  const cases: readonly [what: string, call: Call, inReview: boolean, word: string][] = [
    ["a command that went well", call, false, "done"],
    ["a command that failed", { ...call, output: "Exit code 2.\n3 failing" }, false, "exit code 2"],
    ["a command whose own output speaks of a code", { ...call, output: "Exit code 0.\nExit code 2.\n" }, false, "done"],
    ["a command that was ended", { ...call, output: "Ended by SIGKILL.\n" }, false, "ended early"],
    ["a command that goes on", { ...call, output: "Still running after 30 s as cmd-1. Look again" }, false, "in background"],
    ["another tool", { ...call, name: "read_file", output: "Exit code 2.\n" }, false, "done"],
    ["one that asks for permission", { ...call, status: "running", approval: asked("pending") }, false, "asks"],
    ["one that was denied", { ...call, status: "error", approval: asked("denied") }, false, "denied"],
    ["one that was allowed and failed", { ...call, status: "error", approval: asked("allowed") }, false, "failed"],
    ["one that asks the user", { ...call, name: "ask_user", status: "running", question }, false, "asks"],
    ["one whose changes wait", { ...call, name: "patch_source_file", status: "running" }, true, "in review"],
    ["one that runs", { ...call, status: "running" }, false, "running"],
  ];
  for (const [what, state, inReview, word] of cases) it(`${what}: ${word}`, () => assert.equal(toolState(state, inReview).word, word));
});

describe("elapsedText", () => {
  it("is in whole seconds, and nothing for a moment", () => {
    assert.deepEqual([0, 1_999, 2_000, 6_900, 12_500, 185_000].map(elapsedText), ["", "", "2 s", "6 s", "12 s", "3 min 5 s"]);
  });
});
