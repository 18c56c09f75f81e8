import assert from "node:assert/strict";
import type { ToolCallState } from "../../../src/turns/turn.ts";
import { toolState } from "../../../webview/cards/toolState.ts";

type Call = Parameters<typeof toolState>[0];

const call: Call = {
  status: "success",
  approval: null,
  question: null,
  command: { code: "exited", exitCode: 0 },
};
const asked = (decision: "pending" | "allowed" | "denied"): ToolCallState["approval"] => ({
  summary: "",
  effect: "execute",
  decision,
});
const question: ToolCallState["question"] = { kind: "confirm", question: "Go?", options: [] };

describe("the state of a tool call", () => {
  const cases: readonly [what: string, call: Call, word: string | undefined][] = [
    ["a command that succeeds", call, undefined],
    ["a command that fails", { ...call, command: { code: "exited", exitCode: 2 } }, "exit code 2"],
    ["a command that is killed", { ...call, command: { code: "killed" } }, "terminated"],
    [
      "a command that moves to the background",
      { ...call, command: { code: "running" } },
      "in background",
    ],
    ["another tool", { ...call, command: null }, undefined],
    [
      "a call that needs permission",
      { ...call, status: "running", approval: asked("pending") },
      "needs permission",
    ],
    ["a denied call", { ...call, status: "error", approval: asked("denied") }, "denied"],
    [
      "an allowed call that fails",
      { ...call, status: "error", approval: asked("allowed") },
      "failed",
    ],
    ["a call that asks the user", { ...call, status: "running", question }, "needs an answer"],
    ["a running call", { ...call, status: "running" }, "running"],
  ];
  for (const [what, state, word] of cases)
    it(`of ${what} is: ${word ?? "not shown"}`, () => assert.equal(toolState(state)?.word, word));
});
