import type { ProviderData } from "../model/providerData.ts";
import type { AgentTurn, ToolCallState, Turn, TurnPart, TurnTree } from "./turn.ts";
import type { EditBlock, TurnEndReason, TurnEvent } from "./turnEvent.ts";

/** A chat without turns. */
export function emptyTree(): TurnTree {
  return {
    turns: new Map(),
    children: new Map(),
    chosen: new Map(),
    headTurnId: null,
    queued: [],
    textOnly: new Set(),
    title: null,
    lastSeq: 0,
  };
}

/**
 * Applies one event to `tree`, in place and in constant time (`head` walks its branch). Total and deterministic: ignores an event
 * that was already applied, that names an unknown turn or call, or that comes after its turn's end.
 */
export function applyTurnEvent(tree: TurnTree, event: TurnEvent): void {
  if (event.seq <= tree.lastSeq) return;
  tree.lastSeq = event.seq;
  if (event.type === "turn-start") startTurn(tree, event);
  else if (event.type === "head") showBranch(tree, event.turnId);
  else if (event.type === "chat-title") tree.title = event.title;
  else if (event.type === "queue") tree.queued = event.messages;
  else if (event.type === "tools-refused") tree.textOnly.add(event.address);
  else {
    const turn = tree.turns.get(event.turnId);
    if (turn?.role === "agent") applyToAgentTurn(turn, event);
  }
}

function startTurn(tree: TurnTree, event: TurnEvent & { type: "turn-start" }): void {
  if (tree.turns.has(event.turnId)) return;
  const known = event.parentTurnId !== null && tree.turns.has(event.parentTurnId);
  const turn = newTurn(event, known ? event.parentTurnId : null);
  tree.turns.set(turn.id, turn);
  const siblings = tree.children.get(turn.parentTurnId);
  if (siblings) siblings.push(turn.id);
  else tree.children.set(turn.parentTurnId, [turn.id]);
  tree.chosen.set(turn.parentTurnId, turn.id);
  tree.headTurnId = turn.id;
}

function showBranch(tree: TurnTree, turnId: string): void {
  if (!tree.turns.has(turnId)) return;
  tree.headTurnId = turnId;
  for (let turn = tree.turns.get(turnId); turn; turn = turn.parentTurnId === null ? undefined : tree.turns.get(turn.parentTurnId)) {
    tree.chosen.set(turn.parentTurnId, turn.id);
  }
}

function newTurn(event: TurnEvent & { type: "turn-start" }, parentTurnId: string | null): Turn {
  const common = { id: event.turnId, parentTurnId, startedAt: event.at };
  if (event.role === "user") {
    const { editFile, activeFile, editor } = event;
    return { ...common, role: "user", text: event.text ?? "", editFile, activeFile, ...(editor && { editor }) };
  }
  return {
    ...common,
    role: "agent",
    model: event.model ?? "",
    parts: [],
    toolCalls: new Map(),
    edits: new Map(),
    told: new Map(),
    providerData: new Map(),
    processing: null,
    retryAt: null,
    compacting: false,
    step: 0,
    inputTokens: 0,
    outputTokens: 0,
    endedAt: null,
    endReason: null,
    error: null,
  };
}

function applyToAgentTurn(turn: AgentTurn, event: TurnEvent): void {
  const { step } = turn;
  if (event.type === "edit-update") turn.edits.set(event.edit.blockId, event.edit);
  else if (event.type === "notice") turn.parts.push(noticeOf(event, step));
  else if (event.type === "edit-report") {
    turn.parts.push({ type: "edit-report", step, text: event.text });
    tellEdits(turn, () => true);
  } else if (event.type === "files-restored") turn.parts.push(restoredPart(step, event));
  else if (turn.endReason === null) applyToRunningTurn(turn, event);
}

/** The model has just been told what became of edits. */
function tellEdits(turn: AgentTurn, isTold: (edit: EditBlock) => boolean): void {
  for (const edit of turn.edits.values()) if (isTold(edit)) turn.told.set(edit.blockId, edit.status);
}

function noticeOf({ seq, turnId, at, ...notice }: TurnEvent & { type: "notice" }, step: number): TurnPart {
  return { ...notice, step };
}

function restoredPart(step: number, { request, files, undone = false }: TurnEvent & { type: "files-restored" }): TurnPart {
  return { type: "files-restored", step, request, files, undone };
}

function applyToRunningTurn(turn: AgentTurn, event: TurnEvent): void {
  const { step } = turn;
  turn.retryAt = null;
  turn.compacting = event.type === "compaction-start";
  switch (event.type) {
    case "step-start":
      turn.step = Math.max(step, event.step);
      return;
    case "text-delta":
      appendText(turn, "text", event.text);
      return;
    case "reasoning-delta":
      appendText(turn, "reasoning", event.text);
      return;
    case "tool-call-start":
      callOf(turn, event.callId, event.name);
      return;
    case "tool-call-delta": {
      const call = turn.toolCalls.get(event.callId);
      if (call && call.input === undefined) call.argsText += event.argsText;
      return;
    }
    case "tool-call": {
      const call = callOf(turn, event.callId, event.name);
      call.argsText = event.argsText;
      call.input = event.input;
      return;
    }
    case "tool-processing-start":
      turn.processing = { startedAt: event.at, callIds: event.callIds };
      return;
    case "tool-processing-complete":
      turn.processing = null;
      return;
    case "retry":
      turn.retryAt = event.at + event.waitMs;
      turn.parts.push(retryNotice(event, step));
      return;
    case "user-message":
      turn.parts.push({ type: "user-message", step, text: event.text });
      return;
    case "decisions":
      turn.parts.push({ type: "decisions", step, text: event.text, told: event.told });
      return;
    case "compaction":
      turn.parts.push({ type: "compaction", step, summary: event.summary });
      return;
    case "rules":
      turn.parts.push({ type: "rules", step, path: event.path, text: event.text });
      return;
    case "provider-data":
      turn.providerData.set(step, providerDataOf(event));
      return;
    case "usage":
      turn.inputTokens += event.usage.inputTokens ?? 0;
      turn.outputTokens += event.usage.outputTokens ?? 0;
      return;
    case "turn-end":
      endTurn(turn, event);
      return;
    default:
      applyToCall(turn, event);
      return;
  }
}

function applyToCall(turn: AgentTurn, event: TurnEvent): void {
  const call = "callId" in event ? turn.toolCalls.get(event.callId) : undefined;
  if (!call || isOver(call)) return;
  switch (event.type) {
    case "tool-start":
      call.status = "running";
      call.startedAt = event.at;
      return;
    case "approval-request":
      call.approval = approvalOf(event);
      return;
    case "approval-decision":
      if (call.approval) call.approval.decision = event.allowed ? "allowed" : "denied";
      return;
    case "question":
      call.question = { kind: event.kind, question: event.question, options: event.options, ...(event.about && { about: event.about }) };
      return;
    case "question-end":
      call.question = null;
      return;
    case "tool-progress":
      call.progress = event.text;
      return;
    case "tool-result":
      call.status = event.status;
      call.progress = "";
      call.question = null;
      call.retries = event.retries ?? 0;
      call.output = event.output;
      call.views = event.views ?? [];
      call.command = event.command ?? null;
      call.error = event.error;
      call.durationMs = event.durationMs;
      tellEdits(turn, ({ callId }) => callId === call.callId);
      return;
  }
}

function approvalOf(request: TurnEvent & { type: "approval-request" }): ToolCallState["approval"] {
  const { summary, effect, command, server, eachTime, pendingFiles } = request;
  const question = { ...(eachTime && { eachTime }), ...(pendingFiles && { pendingFiles }) };
  const about = { ...(command && { command }), ...(server !== undefined && { server }), ...question };
  return { summary, effect, ...about, decision: "pending" };
}

function providerDataOf({ source, message, calls, reasoningField }: ProviderData): ProviderData {
  return { source, message, calls, reasoningField };
}

function retryNotice({ attempt, maxAttempts, waitMs, error }: TurnEvent & { type: "retry" }, step: number): TurnPart {
  return { type: "notice", level: "warning", code: "retry", step, attempt, maxAttempts, waitMs, error };
}

function appendText(turn: AgentTurn, type: "text" | "reasoning", text: string): void {
  const last = turn.parts.at(-1);
  if (last && last.type === type && last.step === turn.step) last.text += text;
  else turn.parts.push({ type, step: turn.step, text });
}

function callOf(turn: AgentTurn, callId: string, name: string): ToolCallState {
  const existing = turn.toolCalls.get(callId);
  if (existing) return existing;
  const call: ToolCallState = {
    callId,
    name,
    argsText: "",
    input: undefined,
    status: "pending",
    output: null,
    progress: "",
    question: null,
    error: null,
    startedAt: null,
    durationMs: null,
    retries: 0,
    views: [],
    command: null,
    approval: null,
  };
  turn.toolCalls.set(callId, call);
  turn.parts.push({ type: "tool-call", step: turn.step, callId });
  return call;
}

function endTurn(turn: AgentTurn, event: TurnEvent & { type: "turn-end" }): void {
  turn.endedAt = event.at;
  turn.processing = null;
  turn.endReason = event.reason;
  turn.error = event.error;
  for (const call of turn.toolCalls.values()) {
    if (call.approval?.decision === "pending") call.approval.decision = "denied";
    call.progress = "";
    call.question = null;
    if (!isOver(call)) call.status = "cancelled";
  }
  for (const edit of turn.edits.values()) turn.edits.set(edit.blockId, settledEdit(edit, event.reason));
}

function settledEdit(edit: EditBlock, reason: TurnEndReason): EditBlock {
  if (edit.status === "streaming" && reason === "cancelled") {
    return { ...edit, status: "stopped", reason: edit.reason ?? { code: "stopped" } };
  }
  if (edit.status === "streaming") return { ...edit, status: "incomplete", reason: edit.reason ?? { code: "turn-ended" } };
  if (edit.status === "captured") {
    return { ...edit, status: "rejected", reason: edit.reason ?? { code: "turn-ended" } };
  }
  return edit;
}

function isOver(call: ToolCallState): boolean {
  return call.status !== "pending" && call.status !== "running";
}
