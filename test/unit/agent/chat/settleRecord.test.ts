import assert from "node:assert/strict";
import { settleRecord } from "../../../../src/agent/chat/settleRecord.ts";
import { createPendingReviewer } from "../../../../src/edits/review/pendingReviewer.ts";
import { branch } from "../../../../src/turns/branch.ts";
import { separateMessages } from "../../../../src/turns/conversation.ts";
import type { AgentTurn, TurnTree } from "../../../../src/turns/turn.ts";
import type { TurnEventBody } from "../../../../src/turns/turnEvent.ts";
import { applyTurnEvent, emptyTree } from "../../../../src/turns/turnReducer.ts";
import { TurnScript } from "../../../fakes/turns/turnScript.ts";

describe("commands of a chat that is opened again", () => {
  it("ended with their window, unless they run or have ended before", () => {
    const codes = { gone: "running", runs: "running", over: "exited" } as const;
    const calls = Object.entries(codes).map(([callId, code]) => [
      callId,
      {
        callId,
        input: { command: `run ${callId}` },
        command: code === "running" ? { code } : { code, exitCode: 0 },
      },
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
      ["t1", { type: "notice", level: "info", code: "commands-lost", commands: ["run gone"] }],
    ]);
  });

  it("are named to the model where they began and at the end of the chat, once each", () => {
    const tree = emptyTree();
    const script = new TurnScript().ask("Serve it.");
    script.call("c", "run_command", { command: "npm start" }, "Runs.", 1).end();
    for (const event of script.events)
      if (event.type === "tool-result") event.command = { code: "running" };
    script.ask("And now?").text("Nothing.").end();
    for (const event of script.events) applyTurnEvent(tree, event);
    const settle = () =>
      settleRecord(tree, { reviewer: createPendingReviewer() }, (turnId, event) =>
        applyTurnEvent(tree, { seq: tree.lastSeq + 1, at: 0, turnId, ...event }),
      );
    settle();
    const turns = branch(tree, tree.headTurnId);
    const sent = JSON.stringify(separateMessages(turns, true)).split("- `npm start`");
    assert.equal(sent.length - 1, 2);
    assert.match(sent[0] ?? "", /closed or reloaded, which ended/);
    settle();
    assert.equal(
      JSON.stringify(separateMessages(turns, true)).split("- `npm start`").length - 1,
      2,
    );
  });
});
