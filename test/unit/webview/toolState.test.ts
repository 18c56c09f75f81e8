import assert from "node:assert/strict";
import type { ToolCallState } from "../../../src/turns/turn.ts";
import { toolState } from "../../../webview/cards/toolState.ts";

type Call = Parameters<typeof toolState>[0];

const call: Call = { name: "run_command", status: "success", approval: null, question: null, output: "Exit code 0.\nok" };
const asked = (decision: "pending" | "allowed" | "denied"): ToolCallState["approval"] => ({ summary: "", effect: "execute", decision });
const question: ToolCallState["question"] = { kind: "confirm", question: "Go?", options: [] };

describe("the state of a tool call", () => {
  const cases: readonly [what: string, call: Call, inReview: boolean, word: string][] = [
    ["a command that succeeds", call, false, "done"],
    ["a command that fails", { ...call, output: "Exit code 2.\n3 failing" }, false, "exit code 2"],
    ["a command that prints an exit code itself", { ...call, output: "Exit code 0.\nExit code 2.\n" }, false, "done"],
    ["a command that is killed", { ...call, output: "Ended by SIGKILL.\n" }, false, "terminated"],
    [
      "a command that moves to the background",
      { ...call, output: "Still running after 30 s as cmd-1. Look again" },
      false,
      "in background",
    ],
    ["another tool with the same output", { ...call, name: "read_file", output: "Exit code 2.\n" }, false, "done"],
    ["a call that needs permission", { ...call, status: "running", approval: asked("pending") }, false, "needs permission"],
    ["a denied call", { ...call, status: "error", approval: asked("denied") }, false, "denied"],
    ["an allowed call that fails", { ...call, status: "error", approval: asked("allowed") }, false, "failed"],
    ["a call that asks the user", { ...call, name: "ask_user", status: "running", question }, false, "needs an answer"],
    ["a call whose changes are in review", { ...call, name: "patch_source_file", status: "running" }, true, "in review"],
    ["a running call", { ...call, status: "running" }, false, "running"],
  ];
  for (const [what, state, inReview, word] of cases)
    it(`of ${what} is: ${word}`, () => assert.equal(toolState(state, inReview).word, word));
});
