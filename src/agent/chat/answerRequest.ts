import { newId } from "../../base/ids.ts";
import { pause } from "../../base/pause.ts";
import { err, type Result } from "../../base/result.ts";
import { untilAborted } from "../../base/untilAborted.ts";
import { unclaimedReport } from "../../edits/unclaimedReport.ts";
import { abortedError } from "../../model/modelFailure.ts";
import type { ToolContext } from "../../tools/tool.ts";
import { cancelledResult } from "../../tools/toolRouter.ts";
import type { TurnTree, UserTurn } from "../../turns/turn.ts";
import type { TurnError } from "../../turns/turnError.ts";
import type { TurnEndReason } from "../../turns/turnEvent.ts";
import { type ChatOptions, DEFAULT_CONTEXT_WINDOW, type ModelConnection } from "../chatOptions.ts";
import { internalError, runAgentTurn } from "../loop/agentLoop.ts";
import { DEFAULT_RETRY } from "../loop/retry.ts";
import { emitToolResult } from "../loop/runToolCalls.ts";
import type { StreamHub } from "../loop/streamHub.ts";
import { turnRequests } from "../loop/turnRequests.ts";
import { ContextWindow } from "../request/contextWindow.ts";
import { chatPrompt, editModePrompt, textPrompt } from "../request/prompts.ts";
import type { ChatTools } from "./chatTools.ts";
import type { MessageQueue } from "./messageQueue.ts";

/** How often in a turn a model is told that its blocks reach no file. */
const MAX_UNCLAIMED_REPORTS = 2;

/** The parts of a chat that answer a request. */
export interface AnswerParts {
  readonly options: ChatOptions;
  readonly hub: StreamHub;
  readonly tree: TurnTree;
  readonly tools: ChatTools;
  readonly queue: MessageQueue;
  /** What was learned of each model's context window, by its address. */
  readonly windows: Map<string, ContextWindow>;
}

/** Runs the agent turn `turnId` in answer to `asked`. Never throws. */
export async function answerRequest(parts: AnswerParts, asked: UserTurn, turnId: string, signal: AbortSignal): Promise<TurnEndReason> {
  const { options, hub, tree, tools, queue } = parts;
  const { workspace, retry = DEFAULT_RETRY } = options;
  const { editFile } = asked;
  const emit = hub.emitter(turnId);
  const connected = await connect(options, signal);
  const model = connected.ok ? connected.value.model : "";
  emit({ type: "turn-start", role: "agent", parentTurnId: asked.id, model, text: null, editFile: null, activeFile: null });
  if (!connected.ok) {
    const { error } = connected;
    const reason = error.kind === "aborted" ? "cancelled" : "error";
    emit({ type: "turn-end", reason, error: reason === "error" ? error : null });
    return reason;
  }
  const connection = connected.value;
  const address = `${connection.client.baseUrl} ${model}`;
  const unavailable = (detail: string | null) => emit({ type: "notice", level: "info", code: "tools-unavailable", detail });
  const router = tools.router.withTools(editFile === null ? ((await options.turnTools?.(signal, unavailable)) ?? []) : []);
  const requests = turnRequests({
    turnId,
    tree,
    emit,
    connection,
    window: contextWindow(parts, address, model),
    workspace,
    tools: router.specs,
    retry,
    readOn: (text, end) => router.keepRest(turnId, text, end),
    systemPrompt() {
      if (editFile !== null) return editModePrompt();
      const prompt = tree.textOnly.has(address) ? textPrompt : chatPrompt(router.specs);
      return prompt(workspace.folders, workspace.trusted);
    },
    signal,
  });
  const hasTools = editFile === null && !tree.textOnly.has(address);
  const knowsFile = (name: string) => tools.shown.latest(name, turnId) !== null;
  let unclaimedReports = 0;
  return runAgentTurn({
    turnId,
    connection,
    hub,
    router: hasTools ? router : null,
    unclaimed(step) {
      if (unclaimedReports >= MAX_UNCLAIMED_REPORTS) return null;
      const report = unclaimedReport(answerText(tree, turnId, step), knowsFile, hasTools ? "model" : "user");
      if (report !== null) unclaimedReports += 1;
      return report;
    },
    requests,
    retry,
    question: options.question ?? null,
    maxSteps: Math.max(1, options.maxSteps()),
    signal,
    begin: async () => (editFile === null ? null : activateForUser(tools, editFile, { turnId, signal, emit, streams: hub })),
    sent: () => void warmGrammar(options, asked.activeFile, signal),
    toolsRefused: () => emit({ type: "tools-refused", address }),
    tellQueued() {
      const { messages } = queue;
      for (const { text } of messages) emit({ type: "user-message", text });
      queue.remove(messages);
    },
  });
}

/** The text of an answer of the running turn. */
function answerText(tree: TurnTree, turnId: string, step: number): string {
  const turn = tree.turns.get(turnId);
  if (turn?.role !== "agent") return "";
  return turn.parts.map((part) => (part.type === "text" && part.step === step ? part.text : "")).join("");
}

async function connect(options: ChatOptions, signal: AbortSignal): Promise<Result<ModelConnection, TurnError>> {
  try {
    const connected = await untilAborted(options.connect(), signal);
    return connected.ok ? connected.value : err(abortedError());
  } catch (reason) {
    return err(internalError(reason));
  }
}

function contextWindow({ options, windows }: AnswerParts, address: string, model: string): ContextWindow {
  const window = windows.get(address) ?? new ContextWindow(() => options.contextWindow?.(model) ?? DEFAULT_CONTEXT_WINDOW);
  windows.set(address, window);
  return window;
}

/**
 * Turns on edit mode for a file the user named, as if the model had called the tool: the call and its result are recorded, and the
 * model sees the result. The error, if any, ends the turn.
 */
async function activateForUser({ editMode }: ChatTools, path: string, context: Omit<ToolContext, "callId">): Promise<TurnError | null> {
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
  return { code: "edit-mode-refused", kind: result.error.category, retryable: false, said: result.error.message };
}

/** Loads the grammar that the answer is likely to need while waiting for the first token. Sending the request comes first. */
async function warmGrammar({ syntax }: ChatOptions, path: string | null, signal: AbortSignal): Promise<void> {
  await pause(0, signal);
  if (path !== null && !signal.aborted) syntax.warm?.(path);
}
