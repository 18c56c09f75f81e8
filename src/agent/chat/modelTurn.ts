import { newId } from "../../base/ids.ts";
import { pause } from "../../base/pause.ts";
import { untilAborted } from "../../base/untilAborted.ts";
import { unclaimedReport } from "../../edits/propose/editReport.ts";
import type { Asked, ServerWindow } from "../../model/modelClient.ts";
import type { ToolContext } from "../../tools/tool.ts";
import { cancelledResult } from "../../tools/toolRouter.ts";
import type { EmitTurnEvent } from "../../turns/streamRegistry.ts";
import type { TurnTree, UserTurn } from "../../turns/turn.ts";
import type { TurnError } from "../../turns/turnError.ts";
import type { TurnEndReason } from "../../turns/turnEvent.ts";
import { type ChatOptions, DEFAULT_CONTEXT_WINDOW, type ModelConnection } from "../chatOptions.ts";
import { type AgentTurnOptions, internalError, runAgentTurn } from "../loop/agentLoop.ts";
import type { TurnBudget } from "../loop/askToContinue.ts";
import {
  hasCalled,
  hasNotice,
  imageSupport,
  type ToolForm,
  tellToolsRefused,
  toolFormOf,
  toolSupport,
} from "../loop/partSupport.ts";
import { DEFAULT_RETRY } from "../loop/retry.ts";
import { emitToolResult, type ShowImage } from "../loop/runToolCalls.ts";
import { storeAnswerImage } from "../loop/storeAnswerImage.ts";
import { TurnRequests } from "../loop/turnRequests.ts";
import { hasUnreadCall } from "../loop/unreadCalls.ts";
import { ContextWindow } from "../request/contextWindow.ts";
import { chatPrompt, editModePrompt, textToolsPrompt } from "../request/prompts.ts";
import type { AnsweringTurn, AnswerParts } from "./answeringTurn.ts";
import type { ChatTools } from "./chatTools.ts";

/** How often in a turn a model is told that its blocks reach no file. */
const MAX_UNCLAIMED_REPORTS = 2;

/** Has the model answer, in steps. */
export function runModelTurn(turn: AnsweringTurn): Promise<TurnEndReason> {
  return runAgentTurn(turnOptions(turn));
}

/** Summarizes the turns so far, and nothing else. */
export async function compactNow(turn: AnsweringTurn): Promise<TurnEndReason> {
  const requests = requestsOf(turn);
  const compacted = await requests.compact();
  requests.tellUse();
  const reason = compacted.ok ? "done" : turn.signal.aborted ? "cancelled" : "error";
  turn.emit({
    type: "turn-end",
    reason,
    error: compacted.ok || reason === "cancelled" ? null : compacted.error,
  });
  return reason;
}

const PROMPTS = { native: chatPrompt, text: textToolsPrompt };

function requestsOf(turn: AnsweringTurn): TurnRequests {
  const { options, turnId, tree, emit, connection, router, tools, support, asked, signal } = turn;
  const { workspace, retry = DEFAULT_RETRY } = options;
  const byPatch = (options.editFormat?.() ?? null) === null && support.learned.best === "patch";
  return new TurnRequests({
    turnId,
    tree,
    emit,
    connection,
    window: contextWindow(turn, connection),
    workspace,
    seen: tools.edits.workspace,
    tools: router.specs,
    toolForm: toolFormOf(support),
    retry,
    forgetViews: () => tools.edits.shown.forget(),
    readOn: (text, end) => router.keepRest(turnId, text, end),
    systemPrompt: (form, specs) =>
      asked.editFile === null
        ? PROMPTS[form](specs, byPatch, turn.instructions)(workspace.folders, workspace.trusted)
        : editModePrompt(),
    signal,
  });
}

function turnOptions(turn: AnsweringTurn): AgentTurnOptions {
  const { options, hub, tree, tools, asked, turnId, emit, connection, support, signal } = turn;
  const { editFile } = asked;
  const toolForm = toolFormOf(support);
  return {
    turnId,
    connection,
    hub,
    emit,
    tools: editFile === null ? turn.router : null,
    toolForm,
    unclaimed: unclaimedReporter(turn),
    answeredInText: (step, form) => warnOfUnreadCall(turn, step, form),
    requests: requestsOf(turn),
    retry: options.retry ?? DEFAULT_RETRY,
    question: options.question ?? null,
    budget: turnBudget(turn, turnId),
    maxSteps: turn.maxSteps,
    agents: turn.agents,
    signal,
    async begin() {
      if (editFile !== null)
        return activateForUser(tools, editFile, { turnId, signal, emit, streams: hub });
      if (toolForm === "text") tellToolsRefused(support);
      return null;
    },
    asked: () => askedLast(tree, asked, turnId),
    sent: () => void warmGrammar(options, asked.activeFile, signal),
    toolSupport: toolSupport(support),
    images: options.images ? imageSupport(support, options.images, options.chatId) : null,
    showImage: imageShower(options, emit),
    // The user writes to the chat, not to an agent that it started.
    tellQueued: () => (asked.within ? undefined : tellQueued(turn)),
  };
}

/** Shows images of results; null where none are kept. One that cannot be read is left out. */
function imageShower({ images, chatId }: ChatOptions, emit: EmitTurnEvent): ShowImage | null {
  if (!images) return null;
  return async (data) => {
    const attachment = await storeAnswerImage(images, chatId, data);
    if (attachment) emit({ type: "answer-image", attachment });
  };
}

/** Reports on edit blocks that reach no file, a bounded number of times. */
function unclaimedReporter(
  turn: AnsweringTurn,
): (step: number, hadTools: boolean) => string | null {
  const { tree, tools, turnId, asked } = turn;
  if (!turn.router.specs.some(({ name }) => name === tools.editMode.tool.name)) return () => null;
  const knowsFile = (name: string) => tools.edits.shown.latest(name, turnId) !== null;
  let reports = 0;
  return (step, hadTools) => {
    if (reports >= MAX_UNCLAIMED_REPORTS) return null;
    const text = answerText(tree, turnId, step);
    const turnsOn = asked.editFile === null && hadTools ? "model" : "user";
    const report = unclaimedReport(text, knowsFile, turnsOn);
    if (report !== null) reports += 1;
    return report;
  };
}

function warnOfUnreadCall(
  { tree, turnId, connection: { model }, router, emit }: AnsweringTurn,
  step: number,
  form: ToolForm,
): void {
  if (hasCalled(tree, model) || hasNotice(tree, model, "unread-call")) return;
  if (!hasUnreadCall(answerText(tree, turnId, step), router.specs)) return;
  const taught = form === "text";
  emit({ type: "notice", level: "warning", code: "unread-call", model, taught });
}

/** Records the queued messages that are in the turn's mode as part of it. */
async function tellQueued({
  turnId,
  queue,
  mode,
  tools,
  emit,
  signal,
}: AnsweringTurn): Promise<void> {
  const messages = queue.inMode(mode);
  const attached = await Promise.all(
    messages.map((message) => tools.attach(turnId, message.attached ?? [], signal)),
  );
  if (signal.aborted) return;
  messages.forEach((message, index) => {
    // The user may have taken it back meanwhile.
    if (!queue.messages.includes(message)) return;
    const attachments = attached[index] ?? [];
    const { id, text, spoken } = message;
    emit({
      type: "user-message",
      text,
      id,
      ...(attachments.length > 0 && { attachments }),
      ...(spoken && { spoken }),
    });
  });
  queue.remove(messages);
}

/**
 * What the user asked last, in the message that began the turn or in one that reached it, and what
 * the turn did since.
 */
function askedLast({ turns }: TurnTree, asked: UserTurn, turnId: string): Asked {
  const turn = turns.get(turnId);
  const parts = turn?.role === "agent" ? turn.parts : [];
  const at = parts.findLastIndex(({ type }) => type === "user-message");
  const last = parts[at]?.type === "user-message" ? parts[at] : asked;
  const since = parts.slice(at + 1);
  const attached = (last.attachments ?? []).flatMap(({ path }) => path ?? []);
  return {
    text: last.text,
    editFile: asked.editFile,
    files: [...attached, ...(asked.activeFile === null ? [] : [asked.activeFile])],
    called: since.flatMap((part) =>
      part.type === "tool-call" && turn?.role === "agent"
        ? (turn.toolCalls.get(part.callId)?.name ?? [])
        : [],
    ),
    reported: since.some(({ type }) => type === "edit-report"),
  };
}

/** The text of an answer of the running turn. */
function answerText(tree: TurnTree, turnId: string, step: number): string {
  const turn = tree.turns.get(turnId);
  if (turn?.role !== "agent") return "";
  return turn.parts
    .map((part) => (part.type === "text" && part.step === step ? part.text : ""))
    .join("");
}

function turnBudget({ options, tree }: AnswerParts, turnId: string): TurnBudget | null {
  const limit = options.maxTurnCost?.() ?? null;
  const turn = tree.turns.get(turnId);
  return limit === null || turn?.role !== "agent" ? null : { limit, spent: () => turn.cost ?? 0 };
}

function contextWindow(
  { options, windows }: AnswerParts,
  { client, model, info }: ModelConnection,
): ContextWindow {
  const address = `${client.baseUrl} ${model} ${info?.contextWindow}`;
  const size = (server: ServerWindow | null) => {
    const set = options.contextWindow?.(model) ?? null;
    // What a server has loaded is all that it takes, whatever the settings say.
    if (server?.isLoaded) return Math.min(set ?? server.tokens, server.tokens);
    return set ?? server?.tokens ?? info?.contextWindow ?? DEFAULT_CONTEXT_WINDOW;
  };
  const window = windows.get(address) ?? new ContextWindow(size);
  windows.set(address, window);
  return window;
}

/**
 * Turns on edit mode for a file the user named, as if the model had called the tool: the call and
 * its result are recorded, and the model sees the result. The error, if any, ends the turn.
 */
async function activateForUser(
  { editMode }: ChatTools,
  path: string,
  context: Omit<ToolContext, "callId">,
): Promise<TurnError | null> {
  const { emit, signal } = context;
  const { name } = editMode.tool;
  const callId = newId("call");
  const input = { file_path: path };
  emit({ type: "tool-call", callId, name, argsText: JSON.stringify(input), input });
  emit({ type: "tool-start", callId });
  const startedAt = Date.now();
  const activated = await untilAborted(editMode.activate(input, { ...context, callId }), signal);
  const result = activated.ok ? activated.value : cancelledResult(name);
  emitToolResult(emit, callId, result, { executionTimeMs: Date.now() - startedAt, retriesUsed: 0 });
  if (result.ok) return null;
  const { category: kind, file: error, message } = result.error;
  return error
    ? { code: "edit-mode-refused", kind, retryable: false, error }
    : internalError(message);
}

/**
 * Loads the grammar that the answer is likely to need while waiting for the first token. Sending
 * the request comes first.
 */
async function warmGrammar(
  { syntax }: ChatOptions,
  path: string | null,
  signal: AbortSignal,
): Promise<void> {
  await pause(0, signal);
  if (path !== null && !signal.aborted) syntax.warm?.(path);
}
