import assert from "node:assert/strict";
import * as fc from "fast-check";
import { branch } from "../../../src/turns/branch.ts";
import type { EditBlock } from "../../../src/turns/editBlock.ts";
import { mergeTurnEvent } from "../../../src/turns/mergeTurnEvent.ts";
import type { AgentTurn, TurnTree } from "../../../src/turns/turn.ts";
import type { TurnEvent, TurnEventBody } from "../../../src/turns/turnEvent.ts";
import { applyTurnEvent, emptyTree } from "../../../src/turns/turnReducer.ts";
import { pluck } from "../../fakes/pluck.ts";
import { TurnScript } from "../../fakes/turns/turnScript.ts";
import { arbitraryTurnEvents } from "./arbitraryTurnEvents.ts";

function reduced(events: readonly TurnEvent[]): TurnTree {
  const tree = emptyTree();
  for (const event of events) applyTurnEvent(tree, event);
  return tree;
}

function agentTurn(bodies: readonly TurnEventBody[]): AgentTurn {
  const start = {
    type: "turn-start",
    role: "agent",
    parentTurnId: null,
    text: null,
    model: "m",
    editFile: null,
    activeFile: null,
  } as const;
  const tree = reduced(
    [start, ...bodies].map((body, index) => ({
      ...body,
      seq: index + 1,
      turnId: "a",
      at: index * 10,
    })),
  );
  const turn = tree.turns.get("a");
  assert.ok(turn?.role === "agent");
  return turn;
}

describe("turn reducer", () => {
  it("keeps which models answer beside each other, and how each of them first ended", () => {
    const file = { path: "a.ts", base: "a", text: "b" };
    const end = { chatId: "two", reason: "done", error: null, files: [file], left: [] } as const;
    const turn = agentTurn([
      {
        type: "candidates",
        candidates: [
          { chatId: "one", model: "m1" },
          { chatId: "two", model: "m2" },
        ],
      },
      { type: "candidate-end", ...end, files: [file], left: [] },
      { type: "candidate-end", ...end, reason: "cancelled", files: [], left: [] },
      { type: "candidate-end", ...end, chatId: "unknown", files: [], left: [] },
    ]);
    assert.deepEqual(turn.candidates, [
      { chatId: "one", model: "m1", end: null },
      { chatId: "two", model: "m2", end },
    ]);
  });

  it("appends adjacent deltas to one part and starts a new one after a tool call", () => {
    const turn = agentTurn([
      { type: "step-start", step: 0 },
      { type: "text-delta", text: "Let me " },
      { type: "text-delta", text: "look." },
      { type: "tool-call-start", callId: "c", name: "read_file" },
      { type: "text-delta", text: "Well." },
      { type: "step-start", step: 1 },
      { type: "text-delta", text: "So." },
    ]);
    assert.deepEqual(turn.parts, [
      { type: "text", step: 0, text: "Let me look." },
      { type: "tool-call", step: 0, callId: "c" },
      { type: "text", step: 0, text: "Well." },
      { type: "text", step: 1, text: "So." },
    ]);
  });

  it("shows a result on its call while the text after the call continues in one part", () => {
    const turn = agentTurn([
      { type: "tool-call", callId: "c", name: "read_file", argsText: "{}", input: {} },
      { type: "tool-start", callId: "c" },
      { type: "text-delta", text: "Let me " },
      {
        type: "tool-result",
        callId: "c",
        status: "success",
        output: "fine",
        error: null,
        durationMs: 7,
      },
      { type: "text-delta", text: "look." },
    ]);
    assert.deepEqual(turn.parts, [
      { type: "tool-call", step: 0, callId: "c" },
      { type: "text", step: 0, text: "Let me look." },
    ]);
    const { status, output, startedAt } = turn.toolCalls.get("c") ?? {};
    assert.deepEqual([status, output, startedAt, turn.processing], ["success", "fine", 20, null]);
  });

  it("follows a tool call from its first character to its result", () => {
    const bodies: TurnEventBody[] = [
      { type: "tool-call-start", callId: "c", name: "edit_mode" },
      { type: "tool-call-delta", callId: "c", argsText: '{"file_' },
      { type: "tool-call-delta", callId: "c", argsText: 'path":"a"}' },
      {
        type: "tool-call",
        callId: "c",
        name: "edit_mode",
        argsText: '{"file_path":"a"}',
        input: { file_path: "a" },
      },
      {
        type: "approval-request",
        callId: "c",
        tool: "edit_mode",
        effect: "write",
        summary: "Propose edits to a",
      },
      { type: "approval-decision", callId: "c", allowed: true, by: "user" },
      { type: "tool-start", callId: "c" },
      {
        type: "tool-result",
        callId: "c",
        status: "success",
        output: "fine",
        error: null,
        durationMs: 7,
      },
    ];
    assert.equal(agentTurn(bodies.slice(0, 3)).toolCalls.get("c")?.argsText, '{"file_path":"a"}');
    assert.equal(agentTurn(bodies.slice(0, 5)).toolCalls.get("c")?.approval?.decision, "pending");
    assert.equal(agentTurn(bodies.slice(0, 7)).toolCalls.get("c")?.status, "running");
    assert.deepEqual(agentTurn(bodies).toolCalls.get("c"), {
      callId: "c",
      name: "edit_mode",
      origin: null,
      argsText: '{"file_path":"a"}',
      input: { file_path: "a" },
      status: "success",
      output: "fine",
      progress: "",
      copied: null,
      question: null,
      retries: 0,
      agentTurnId: null,
      beside: [],
      views: [],
      command: null,
      onProposals: null,
      hasProposed: false,
      hits: null,
      error: null,
      startedAt: 70,
      durationMs: 7,
      approval: { summary: "Propose edits to a", effect: "write", decision: "allowed" },
    });
  });

  it("knows what becomes of a command that outlasts its turn", () => {
    const ended = { code: "exited", exitCode: 1, tail: "no" } as const;
    const bodies: TurnEventBody[] = [
      { type: "tool-call-start", callId: "c", name: "run_command" },
      { type: "tool-start", callId: "c" },
      {
        ...{ type: "tool-result", callId: "c", status: "success", output: "", error: null },
        ...{ durationMs: 1, command: { code: "running" }, onProposals: { changed: 0 } },
      },
      { type: "turn-end", reason: "done", error: null },
      { type: "command-outdated", callId: "c", paths: ["a.ts"] },
      { type: "command-restarted", callId: "c" },
      { type: "command-ended", callId: "c", command: ended },
    ];
    const callAt = (count: number) => agentTurn(bodies.slice(0, count)).toolCalls.get("c");
    assert.deepEqual(callAt(5)?.outdated, ["a.ts"]);
    assert.deepEqual([callAt(6)?.command, callAt(6)?.outdated], [{ code: "running" }, []]);
    assert.deepEqual([callAt(7)?.command, callAt(7)?.status], [ended, "success"]);
  });

  it("knows which calls ran at the same time, by the order of their events", () => {
    const result = {
      type: "tool-result" as const,
      status: "success" as const,
      output: "",
      error: null,
      durationMs: 1,
    };
    const turn = agentTurn([
      ...["a", "b", "c"].map((callId) => ({
        type: "tool-call" as const,
        callId,
        name: "read_file",
        argsText: "{}",
        input: {},
      })),
      { type: "tool-start", callId: "a" },
      { type: "tool-start", callId: "b" },
      { ...result, callId: "a" },
      { ...result, callId: "b" },
      { type: "tool-start", callId: "c" },
      { ...result, callId: "c" },
    ]);
    assert.deepEqual(
      [...turn.toolCalls.values()].map(({ beside }) => beside),
      [["b"], ["a"], []],
    );
  });

  it("cancels what was running and settles edits when a turn ends", () => {
    const edit = {
      callId: "c",
      path: "a",
      index: 1,
      target: "lines 1-2",
      op: "replace" as const,
      reason: null,
      warnings: [],
      addedLines: 0,
      removedLines: 0,
      step: 0,
      textStart: 0,
      textEnd: null,
    } satisfies Partial<EditBlock>;
    const turn = agentTurn([
      { type: "tool-call-start", callId: "c", name: "x" },
      { type: "approval-request", callId: "c", tool: "x", effect: "write", summary: "?" },
      { type: "edit-update", edit: { ...edit, blockId: "open", status: "streaming" } },
      { type: "edit-update", edit: { ...edit, blockId: "waiting", status: "pending" } },
      { type: "edit-update", edit: { ...edit, blockId: "done", status: "applied" } },
      { type: "turn-end", reason: "cancelled", error: null },
      { type: "text-delta", text: "too late" },
    ]);
    assert.equal(turn.toolCalls.get("c")?.status, "cancelled");
    assert.equal(turn.toolCalls.get("c")?.approval?.decision, "denied");
    assert.deepEqual(pluck([...turn.edits.values()], "status"), ["stopped", "pending", "applied"]);
    assert.equal(turn.parts.length, 1);
  });

  it("grows a sibling for a retry and shows the newest branch", () => {
    const start = (
      seq: number,
      turnId: string,
      role: "user" | "agent",
      parentTurnId: string | null,
    ): TurnEvent => ({
      ...{
        type: "turn-start",
        seq,
        turnId,
        at: 0,
        role,
        parentTurnId,
        text: turnId,
        model: null,
        editFile: null,
        activeFile: null,
      },
    });
    const tree = reduced([
      start(1, "u", "user", null),
      start(2, "a1", "agent", "u"),
      start(3, "a2", "agent", "u"),
    ]);
    assert.deepEqual(tree.children.get("u"), ["a1", "a2"]);
    assert.deepEqual(pluck(branch(tree, tree.headTurnId), "id"), ["u", "a2"]);
  });

  it("never throws, keeps every child under its parent and applies no event twice, for any events", () => {
    fc.assert(
      fc.property(arbitraryTurnEvents, (events) => {
        const tree = reduced(events);
        const twice = reduced([...events, ...events]);
        assert.deepEqual(twice, tree);
        for (const [parent, children] of tree.children) {
          for (const child of children) assert.equal(tree.turns.get(child)?.parentTurnId, parent);
        }
        for (const turn of tree.turns.values()) assert.equal(branch(tree, turn.id).at(-1), turn);
      }),
    );
  });

  it("marks accepted edits of restored files as undone from the restored turn on, until that is undone", () => {
    const script = new TurnScript().ask("Go");
    const edit = (blockId: string, path: string, more: Partial<EditBlock> = {}) =>
      script.edit({ blockId, path, textStart: 0, textEnd: 0, status: "applied", ...more });
    edit("edit", "a.ts");
    edit("other", "b.ts");
    edit("rejected", "a.ts", { status: "rejected" });
    edit("moved", "old.ts", { op: "rename", target: "c.ts" });
    script.end().ask("On");
    edit("later", "a.ts", { status: "partly-applied" });
    script.end();
    const files = ["a.ts", "c.ts"].map((path) => ({ path, deleted: false }));
    const restored = (undone: boolean): TurnEvent => ({
      ...{ type: "files-restored", request: "Go", files, ...(undone && { undone }) },
      ...{ seq: script.events.length + (undone ? 2 : 1), turnId: "turn-2", at: 0 },
    });
    const undone = (events: readonly TurnEvent[]) =>
      [...reduced(events).turns.values()].flatMap((turn) =>
        turn.role === "user" ? [] : [...turn.edits.values()].filter((each) => each.undone),
      );
    const before = script.events;
    assert.deepEqual(pluck(undone([...before, restored(false)]), "blockId"), [
      "edit",
      "moved",
      "later",
    ]);
    assert.deepEqual(undone([...before, restored(false), restored(true)]), []);
  });

  it("marks only the blocks that undo took back in the editor", () => {
    const script = new TurnScript().ask("Go");
    const edits = ["one", "two"].map((blockId) => ({ turnId: "turn-2", blockId }));
    for (const { blockId } of edits)
      script.edit({ blockId, path: "a.ts", textStart: 0, textEnd: 0, status: "applied" });
    script.end();
    const restored = (undone: boolean): TurnEvent => ({
      ...{ type: "files-restored", request: "Go", files: [{ path: "a.ts", deleted: false }] },
      ...{ ...(undone && { undone }), blocks: edits.slice(1) },
      ...{ seq: script.events.length + (undone ? 2 : 1), turnId: "turn-2", at: 0 },
    });
    const gone = (events: readonly TurnEvent[]) =>
      [...reduced(events).turns.values()].flatMap((turn) =>
        turn.role === "user" ? [] : [...turn.edits.values()].filter((each) => each.undone),
      );
    assert.deepEqual(pluck(gone([...script.events, restored(false)]), "blockId"), ["two"]);
    assert.deepEqual(gone([...script.events, restored(false), restored(true)]), []);
  });

  it("gives the same tree from merged events", () => {
    fc.assert(
      fc.property(arbitraryTurnEvents, (events) => {
        const merged: TurnEvent[] = [];
        for (const event of events) mergeTurnEvent(merged, event);
        assert.deepEqual(reduced(merged), reduced(events));
      }),
    );
  });
});
