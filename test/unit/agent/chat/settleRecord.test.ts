import assert from "node:assert/strict";
import { settleRecord } from "../../../../src/agent/chat/settleRecord.ts";
import { createPendingReviewer } from "../../../../src/edits/review/pendingReviewer.ts";
import type { AgentTurn, TurnTree } from "../../../../src/turns/turn.ts";
import type { TurnEventBody } from "../../../../src/turns/turnEvent.ts";
import { emptyTree } from "../../../../src/turns/turnReducer.ts";

describe("commands of a chat that is opened again", () => {
  it("ended with their window, unless they run or have ended before", () => {
    const codes = { gone: "running", runs: "running", over: "exited" } as const;
    const calls = Object.entries(codes).map(([callId, code]) => [
      callId,
      { callId, command: code === "running" ? { code } : { code, exitCode: 0 } },
    ]);
    const turn = {
      id: "t1",
      role: "agent",
      edits: new Map(),
      toolCalls: new Map(calls as never),
    } as unknown as AgentTurn;
    const tree: TurnTree = { ...emptyTree(), turns: new Map([["t1", turn]]) };
    const told: [string, TurnEventBody][] = [];
    settleRecord(
      tree,
      {
        reviewer: createPendingReviewer(),
        isRunning: (turnId, callId) => turnId === "t1" && callId === "runs",
      },
      (turnId, event) => told.push([turnId, event]),
    );
    assert.deepEqual(told, [
      ["t1", { type: "command-ended", callId: "gone", command: { code: "lost" } }],
    ]);
  });
});
