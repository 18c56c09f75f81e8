import { firstPart, lastPart } from "../base/text/clip.ts";
import type { ProviderData } from "../model/providerData.ts";
import type { Usage } from "../model/streamPart.ts";
import { type EditBlock, toldOf } from "./editBlock.ts";
import { DEFAULT_MODE } from "./plan/chatMode.ts";
import {
  type AgentTurn,
  appendText,
  applyToCommand,
  endCandidate,
  hasEnded,
  isOfCommand,
  type KeptType,
  restoredEdit,
  restoredEdits,
  serveProposals,
  type ToolCallState,
  type Turn,
  type TurnPart,
  type TurnTree,
  textToReasoning,
} from "./turn.ts";
import type { ToolOrigin, TurnEndReason, TurnEvent } from "./turnEvent.ts";

/** How much is kept of the end of what the user heard, in UTF-16 units. */
const LAST_WORDS = 80;
/** The most calls that a running call remembers having run beside. */
const MOST_BESIDE = 50;

/** A chat without turns. */
export function emptyTree(): TurnTree {
  return {
    turns: new Map(),
    children: new Map(),
    chosen: new Map(),
    headTurnId: null,
    queued: [],
    offers: null,
    mode: null,
    title: null,
    messages: new Set(),
    lastSeq: 0,
  };
}

/**
 * Applies one event to `tree`, in place and in constant time (`head` walks its branch, `speech-end`
 * and `text-was-reasoning` their turn, `files-restored` the turns from its own on, a command on the
 * proposals all). Total and deterministic: ignores an event that was already applied, that names an
 * unknown turn or call, or that comes after its turn's end.
 */
export function applyTurnEvent(tree: TurnTree, event: TurnEvent): void {
  if (event.seq <= tree.lastSeq) return;
  tree.lastSeq = event.seq;
  for (const id of messagesOf(event)) tree.messages.add(id);
  if (event.type === "turn-start") startTurn(tree, event);
  else if (event.type === "head") showBranch(tree, event.turnId);
  else if (event.type === "chat-mode") tree.mode = event.mode;
  else if (event.type === "chat-title") tree.title = event.title;
  else if (event.type === "queue") tree.queued = event.messages;
  else if (event.type === "agent-offers") tree.offers = event;
  else {
    const turn = tree.turns.get(event.turnId);
    if (turn?.role === "agent") applyToAgentTurn(turn, event);
    const isOnProposals = "onProposals" in event && event.onProposals !== undefined;
    if (isOnProposals && event.type !== "approval-request") serveProposals(tree);
    if (event.type === "files-restored")
      for (const { turn: of, edit } of restoredEdits(tree, event))
        of.edits.set(edit.blockId, restoredEdit(edit, event));
  }
}

/** The ids of the messages that `event` puts on record. */
function messagesOf(event: TurnEvent): readonly string[] {
  if (event.type === "queue") return event.messages.map(({ id }) => id);
  if (event.type === "user-message") return event.id === undefined ? [] : [event.id];
  return event.type === "turn-start" ? (event.messages ?? []) : [];
}

function startTurn(tree: TurnTree, event: TurnEvent & { type: "turn-start" }): void {
  if (tree.turns.has(event.turnId)) return;
  const known = event.parentTurnId !== null && tree.turns.has(event.parentTurnId);
  const turn = newTurn(event, known ? event.parentTurnId : null);
  tree.turns.set(turn.id, turn);
  if (event.within) {
    const outer = tree.turns.get(event.within.turnId);
    const call = outer?.role === "agent" ? outer.toolCalls.get(event.within.callId) : undefined;
    if (call && event.role === "agent") call.agentTurnId = turn.id;
    return;
  }
  const siblings = tree.children.get(turn.parentTurnId);
  if (siblings) siblings.push(turn.id);
  else tree.children.set(turn.parentTurnId, [turn.id]);
  tree.chosen.set(turn.parentTurnId, turn.id);
  tree.headTurnId = turn.id;
}

function showBranch(tree: TurnTree, turnId: string): void {
  if (!tree.turns.has(turnId)) return;
  tree.headTurnId = turnId;
  for (
    let turn = tree.turns.get(turnId);
    turn;
    turn = turn.parentTurnId === null ? undefined : tree.turns.get(turn.parentTurnId)
  ) {
    tree.chosen.set(turn.parentTurnId, turn.id);
  }
}

function newTurn(event: TurnEvent & { type: "turn-start" }, parentTurnId: string | null): Turn {
  const common = { id: event.turnId, parentTurnId, startedAt: event.at };
  if (event.role === "user") {
    const { editFile, activeFile, editor, attachments, spoken, within } = event;
    return {
      ...common,
      role: "user",
      text: event.text ?? "",
      editFile,
      activeFile,
      editor,
      attachments,
      spoken,
      ...(within && { within }),
    };
  }
  return {
    ...common,
    role: "agent",
    model: event.model ?? "",
    mode: event.mode ?? DEFAULT_MODE,
    ...(event.within && { within: event.within }),
    parts: [],
    toolCalls: new Map(),
    edits: new Map(),
    candidates: [],
    told: new Map(),
    providerData: new Map(),
    processing: null,
    retryAt: null,
    compacting: false,
    step: 0,
    inputTokens: 0,
    outputTokens: 0,
    cachedInputTokens: 0,
    reasoningTokens: 0,
    cost: null,
    estimatesTokens: false,
    estimatesCost: false,
    contextUse: null,
    endedAt: null,
    endReason: null,
    error: null,
  };
}

function applyToAgentTurn(turn: AgentTurn, event: TurnEvent): void {
  const { step } = turn;
  if (event.type === "edit-update") {
    turn.edits.set(event.edit.blockId, event.edit);
    const call = turn.toolCalls.get(event.edit.callId);
    if (call) call.hasProposed = true;
  } else if (isKeptAnyTime(event)) {
    turn.parts.push(keptPart(event, step));
    if (event.type === "aside" && event.usage) addUsage(turn, event.usage);
  } else if (event.type === "edit-report") {
    turn.parts.push(keptPart(event, step));
    tellEdits(turn, ({ callId }) => event.callIds?.includes(callId) ?? true);
  } else if (event.type === "speech-end") endSpeech(turn, event);
  else if (isOfCommand(event)) applyToCommand(turn.toolCalls.get(event.callId), event);
  else if (turn.endReason === null) applyToRunningTurn(turn, event);
}

/** Also after the turn's end. */
function isKeptAnyTime(
  event: TurnEvent,
): event is TurnEvent & { type: "notice" | "files-restored" | "aside" } {
  return event.type === "notice" || event.type === "files-restored" || event.type === "aside";
}

/**
 * Keeps where the user stopped hearing. The part belongs to the latest step, so that requests only
 * grow at their end.
 */
function endSpeech(
  turn: AgentTurn,
  { step, heard, total, reason }: TurnEvent & { type: "speech-end" },
): void {
  if (reason === "done" || heard >= total) return;
  const text = turn.parts
    .map((part) => (part.type === "text" && part.step === step ? part.text : ""))
    .join("");
  turn.parts.push({
    type: "unheard",
    step: turn.step,
    last: lastPart(firstPart(text, Math.max(0, heard)).trimEnd(), LAST_WORDS),
    reason,
  });
}

/** The model has just been told what became of edits. */
function tellEdits(turn: AgentTurn, isTold: (edit: EditBlock) => boolean): void {
  for (const edit of turn.edits.values())
    if (isTold(edit)) turn.told.set(edit.blockId, toldOf(edit));
}

function keptPart(
  { seq, turnId, at, ...body }: TurnEvent & { type: KeptType | "notice" },
  step: number,
): TurnPart {
  return { ...body, step };
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
    case "reasoning-delta":
      appendText(turn, event.type === "text-delta" ? "text" : "reasoning", event.text);
      return;
    case "text-was-reasoning":
      textToReasoning(turn, event.callIds);
      return;
    case "tool-call-start":
      callOf(turn, event);
      return;
    case "tool-call-delta":
      addArguments(turn.toolCalls.get(event.callId), event.argsText);
      return;
    case "tool-call": {
      const call = callOf(turn, event);
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
    case "decisions":
    case "compaction":
    case "answer-image":
    case "todos":
    case "rules":
      turn.parts.push(keptPart(event, step));
      return;
    case "provider-data":
      turn.providerData.set(step, providerDataOf(event));
      return;
    case "usage":
      addUsage(turn, event.usage);
      return;
    case "context-use":
      turn.contextUse = event.use;
      return;
    case "candidates":
      turn.candidates = event.candidates.map((candidate) => ({ ...candidate, end: null }));
      return;
    case "candidate-end":
      endCandidate(turn, event);
      return;
    case "turn-end":
      endTurn(turn, event);
      return;
    default:
      applyToCall(turn, event);
      return;
  }
}

function addArguments(call: ToolCallState | undefined, argsText: string): void {
  if (call && call.input === undefined) call.argsText += argsText;
}

function addUsage(turn: AgentTurn, usage: Usage): void {
  turn.inputTokens += usage.inputTokens ?? 0;
  turn.outputTokens += usage.outputTokens ?? 0;
  turn.cachedInputTokens += usage.cachedInputTokens ?? 0;
  turn.reasoningTokens += usage.reasoningTokens ?? 0;
  turn.estimatesTokens ||= usage.estimated === "tokens";
  turn.estimatesCost ||= usage.estimated !== undefined && usage.cost !== undefined;
  if (usage.cost !== undefined) turn.cost = (turn.cost ?? 0) + usage.cost;
}

function applyToCall(turn: AgentTurn, event: TurnEvent): void {
  const call = "callId" in event ? turn.toolCalls.get(event.callId) : undefined;
  if (!call || hasEnded(call)) return;
  switch (event.type) {
    case "tool-start":
      for (const other of turn.toolCalls.values()) {
        if (other.status !== "running" || other === call) continue;
        if (other.beside.length < MOST_BESIDE) other.beside = [...other.beside, call.callId];
        if (call.beside.length < MOST_BESIDE) call.beside = [...call.beside, other.callId];
      }
      call.status = "running";
      call.startedAt = event.at;
      return;
    case "approval-request":
      call.approval = pendingApproval(event);
      return;
    case "approval-decision":
      if (call.approval) call.approval.decision = event.allowed ? "allowed" : "denied";
      return;
    case "question":
      call.question = {
        kind: event.kind,
        question: event.question,
        options: event.options,
        ...(event.about && { about: event.about }),
      };
      return;
    case "tool-progress":
      call.progress = event.text;
      call.copied = event.copied ?? null;
      return;
    case "tool-result":
      call.status = event.status;
      call.progress = "";
      call.copied = null;
      call.question = null;
      call.retries = event.retries ?? 0;
      call.output = event.output;
      call.views = event.views ?? [];
      // It may have ended while its result was on its way.
      call.command ??= event.command ?? null;
      call.onProposals = event.onProposals ?? null;
      call.hits = event.hits ?? null;
      call.error = event.error;
      call.durationMs = event.durationMs;
      tellEdits(turn, ({ callId }) => callId === call.callId);
      return;
  }
}

function pendingApproval({
  seq,
  turnId,
  at,
  type,
  callId,
  tool,
  ...request
}: TurnEvent & { type: "approval-request" }): ToolCallState["approval"] {
  return { ...request, decision: "pending" };
}

function providerDataOf({
  seq,
  turnId,
  at,
  type,
  ...data
}: TurnEvent & { type: "provider-data" }): ProviderData {
  return data;
}

function retryNotice(
  { attempt, maxAttempts, waitMs, error }: TurnEvent & { type: "retry" },
  step: number,
): TurnPart {
  const told = { attempt, maxAttempts, waitMs, error };
  return { type: "notice", level: "warning", code: "retry", step, ...told };
}

type StartedCall = Pick<ToolCallState, "callId" | "name"> & {
  readonly origin?: ToolOrigin | null | undefined;
};

/** The call of this id, which a server may only name when it is complete. */
function callOf(turn: AgentTurn, { callId, name, origin = null }: StartedCall): ToolCallState {
  const existing = turn.toolCalls.get(callId);
  if (existing) return existing;
  const call: ToolCallState = {
    callId,
    name,
    origin,
    argsText: "",
    input: undefined,
    status: "pending",
    output: null,
    progress: "",
    copied: null,
    question: null,
    error: null,
    startedAt: null,
    durationMs: null,
    retries: 0,
    agentTurnId: null,
    beside: [],
    views: [],
    command: null,
    onProposals: null,
    hasProposed: false,
    hits: null,
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
    if (!hasEnded(call)) call.status = "cancelled";
  }
  for (const edit of turn.edits.values())
    turn.edits.set(edit.blockId, settledEdit(edit, event.reason));
}

function settledEdit(edit: EditBlock, reason: TurnEndReason): EditBlock {
  if (edit.status === "streaming" && reason === "cancelled") {
    return { ...edit, status: "stopped", reason: edit.reason ?? { code: "stopped" } };
  }
  if (edit.status === "streaming")
    return { ...edit, status: "incomplete", reason: edit.reason ?? { code: "turn-ended" } };
  if (edit.status === "captured") {
    return { ...edit, status: "rejected", reason: edit.reason ?? { code: "turn-ended" } };
  }
  return edit;
}
