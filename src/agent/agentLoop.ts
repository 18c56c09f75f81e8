import { Deadline } from "../base/deadline.ts";
import type { Result } from "../base/result.ts";
import { sentence } from "../base/sentence.ts";
import type { Message, ToolCall } from "../model/message.ts";
import type { ModelError } from "../model/streamPart.ts";
import type { Question } from "../ports/question.ts";
import type { ToolError } from "../tools/tool.ts";
import { cancelledResult, type ToolRouter } from "../tools/toolRouter.ts";
import type { EmitTurnEvent } from "../turns/streamRegistry.ts";
import type { TurnEndReason } from "../turns/turnEvent.ts";
import { askToGoOn } from "./askToGoOn.ts";
import type { ModelConnection } from "./chatOptions.ts";
import { EarlyReads } from "./earlyReads.ts";
import { CUT_OFF_PROMPT, SUM_UP_PROMPT, WITHOUT_TOOLS } from "./prompts.ts";
import { RepeatedCalls } from "./repeatedCalls.ts";
import type { RetryPolicy } from "./retryPolicy.ts";
import { emitToolResult } from "./runToolCall.ts";
import { runToolCalls } from "./runToolCalls.ts";
import { answered, brokenOff, callsMayRun, type StepOutcome, stepLimit } from "./stopCondition.ts";
import { type Answer, streamAnswer } from "./streamAnswer.ts";
import type { StreamHub } from "./streamHub.ts";
import { withRetries } from "./withRetries.ts";

/** Why a turn ended with `error`, in words for the user. */
export interface TurnError {
  readonly kind: string;
  readonly message: string;
  readonly retryable: boolean;
}

/** One turn of the agent. */
export interface AgentTurnOptions {
  readonly turnId: string;
  readonly connection: ModelConnection;
  readonly hub: StreamHub;
  /** Null for a turn whose requests carry no tools. */
  readonly router: ToolRouter | null;
  /**
   * The next request's messages, with all that this turn has emitted, made to fit; the error says why they cannot be. `tools` says
   * whether it carries tools, `closing` is said last, as the user.
   */
  messages(tools: boolean, closing: string | null): Promise<Result<readonly Message[], ModelError>>;
  /** Called whenever a request is on its way. */
  sent?(): void;
  /** The server counted so many tokens for the last request. */
  measured(inputTokens: number): void;
  /** The server found the last request too large. True where the next one can be made smaller. */
  outgrown(): boolean;
  /** Runs before the first request, when requests can already register for the stream; an error ends the turn. */
  begin(): Promise<TurnError | null>;
  /** Called when the model turned out to take no tools; the rest of the turn goes on without them. */
  toolsRefused(): void;
  /** Puts what the user wrote meanwhile on record as part of the turn; called where another step follows. */
  tellQueued(): void;
  /** Asks the user when the model goes round in circles; null where nobody can be asked. */
  readonly question: Question | null;
  readonly retry: RetryPolicy;
  /** Answers of the model, the last one that sums up not counted; at least 1. */
  readonly maxSteps: number;
  readonly signal: AbortSignal;
}

interface TurnOutcome {
  readonly reason: TurnEndReason;
  readonly error: TurnError | null;
}

/**
 * Asks the model, runs the tools it calls, tells it the results and the reports on its edits, and again until nothing is left to
 * tell. Emits everything but the `turn-start`; exactly one `turn-end` comes last, when no request receives the stream any more.
 * Never throws.
 */
export async function runAgentTurn(options: AgentTurnOptions): Promise<TurnEndReason> {
  const { hub, turnId } = options;
  hub.turnStart();
  let outcome: TurnOutcome;
  try {
    const error = await options.begin();
    if (options.signal.aborted) outcome = ended("cancelled");
    else outcome = error ? { reason: "error", error } : await runSteps(options, hub.emitter(turnId));
  } catch (reason) {
    const message = `Graft failed: ${sentence(reason)}`;
    outcome = { reason: "error", error: { kind: "internal", message, retryable: true } };
  }
  hub.turnEnd();
  hub.emit(turnId, { type: "turn-end", ...outcome });
  return outcome.reason;
}

/** What the steps of a turn share. */
interface Turn extends AgentTurnOptions {
  readonly emit: EmitTurnEvent;
  readonly repeated: RepeatedCalls;
  /** Null once the model turned out to take no tools. */
  tools: ToolRouter | null;
  /** The user does not want the model to go on. */
  endedByUser: boolean;
}

async function runSteps(options: AgentTurnOptions, emit: EmitTurnEvent): Promise<TurnOutcome> {
  const state = { emit, repeated: new RepeatedCalls(), tools: options.router, endedByUser: false };
  const turn: Turn = { ...options, ...state };
  const atLimit = stepLimit(turn.maxSteps);
  for (let step = 0; ; step++) {
    const { answer, outcome } = await runStep(turn, step);
    if (brokenOff(outcome)) return brokenOffEnd(answer);
    if (turn.signal.aborted || turn.endedByUser) return ended("cancelled");
    if (answered(outcome)) {
      if (answer.empty) emit({ type: "notice", level: "warning", text: "The model answered with nothing." });
      return ended(outcome.reason === "length" ? "length" : "done");
    }
    if (atLimit(outcome)) return sumUp(turn, step + 1);
    turn.tellQueued();
  }
}

async function runStep(turn: Turn, step: number): Promise<{ readonly answer: Answer; readonly outcome: StepOutcome }> {
  const { hub, signal, emit, turnId, repeated } = turn;
  const running = new Deadline(signal);
  const context = { turnId, signal: running.signal, emit, streams: hub };
  const mayStart = (call: ToolCall) => repeated.isNewRead(call) && hub.activeRequests === 0;
  const early = turn.tools && new EarlyReads(turn.tools, context, mayStart);
  try {
    const answer = await ask(turn, null, step, early);
    const { calls, reason } = answer;
    const runnable = turn.tools !== null && callsMayRun(reason);
    const listened = hub.activeRequests > 0;
    const reports = [...(await hub.messageEnd({ reason, moreCalls: runnable && calls.length > 0 }, signal))];
    if (reason === "length" && listened && reports.length === 0) reports.push(CUT_OFF_PROMPT);
    for (const text of reports) emit({ type: "edit-report", text });
    const outcome = { step, reason, calls: calls.length, reports: reports.length };
    if (brokenOff(outcome)) running.dispose();
    const toRun = runnable ? calls : calls.filter(({ callId }) => early?.outputOf(callId) !== undefined);
    const refused = calls.filter((call) => !toRun.includes(call));
    refuseCalls(refused, reason, emit);
    if (turn.tools && early) await processCalls(turn, turn.tools, toRun, early, running);
    return { answer, outcome };
  } finally {
    running.dispose();
    await early?.settled();
  }
}

/**
 * Runs the calls of a message that have no result yet; the user is asked about a model that repeats itself, and his no answers the rest
 * as cancelled.
 */
async function processCalls(
  turn: Turn,
  router: ToolRouter,
  calls: readonly ToolCall[],
  early: EarlyReads,
  running: Deadline,
): Promise<void> {
  const { turnId, emit, hub, repeated, question } = turn;
  const { signal } = running;
  const context = { turnId, signal, emit, streams: hub };
  const callIds = calls.map(({ callId }) => callId).filter((callId) => !early.isAnswered(callId));
  if (callIds.length > 0) emit({ type: "tool-processing-start", callIds });
  try {
    const hold = async (call: ToolCall, output: string) => {
      if (signal.aborted || !repeated.isRepeated(call, output) || !question) return;
      if (await askToGoOn(call, question, context)) return;
      turn.endedByUser = true;
      running.dispose();
    };
    await runToolCalls(calls, router, context, hold, early);
  } finally {
    if (callIds.length > 0) emit({ type: "tool-processing-complete" });
  }
}

/** The last request of a turn that has used up its steps: without tools, and with nobody left to capture edits. */
async function sumUp(turn: Turn, step: number): Promise<TurnOutcome> {
  const { emit } = turn;
  turn.hub.releaseRequests();
  turn.tools = null;
  const steps = step === 1 ? "its limit of one step" : `its limit of ${step} steps`;
  emit({ type: "notice", level: "warning", text: `The turn reached ${steps}. Send another message to go on.` });
  const answer = await ask(turn, SUM_UP_PROMPT, step, null);
  refuseCalls(answer.calls, answer.reason, emit);
  return brokenOff({ step, reason: answer.reason, calls: 0, reports: 0 }) ? brokenOffEnd(answer) : ended("step-limit");
}

/** Streams one answer, with `closing` said last; a model that refuses the tools is asked again without them, one that refuses the length with less. */
async function ask(turn: Turn, closing: string | null, step: number, early: EarlyReads | null): Promise<Answer> {
  turn.emit({ type: "step-start", step });
  turn.hub.messageStart(step);
  let answer = await askPatiently(turn, closing, early);
  if (answer.error?.kind === "tools-refused" && turn.tools !== null) {
    turn.tools = null;
    turn.toolsRefused();
    turn.emit({ type: "notice", level: "warning", text: `${answer.error.message} ${WITHOUT_TOOLS}`, action: "start-edit-mode" });
    answer = await askPatiently(turn, closing, early);
  }
  while (isTooLong(answer) && turn.outgrown()) answer = await askPatiently(turn, closing, early);
  return answer;
}

/** True where the server refused the length of the request. */
function isTooLong({ error, begun }: Answer): boolean {
  return error?.kind === "context-length" && error.status !== null && !begun;
}

/** Makes the request again, after a wait, as long as nothing of its answer came and the failure may pass. */
async function askPatiently(turn: Turn, closing: string | null, early: EarlyReads | null): Promise<Answer> {
  const { signal, emit, retry } = turn;
  const { client, model } = turn.connection;
  const request = async () => {
    const messages = await turn.messages(turn.tools !== null, closing);
    if (!messages.ok) return unasked(messages.error);
    const answering = streamAnswer(
      client,
      { model, messages: messages.value, tools: turn.tools?.specs ?? [], blocksAreContent: turn.hub.activeRequests > 0 },
      { emit, early },
      signal,
    );
    turn.sent?.();
    const answer = await answering;
    if (answer.usage?.inputTokens) turn.measured(answer.usage.inputTokens);
    return answer;
  };
  const answer = await withRetries(retry, emit, signal, request, ({ begun, error }) => (begun ? null : error));
  return signal.aborted ? { ...answer, reason: "cancelled", error: null } : answer;
}

/** The answer of a model that was not asked. */
function unasked(error: ModelError): Answer {
  const nothing = { calls: [], empty: true, begun: false, usage: null };
  return error.kind === "aborted" ? { ...nothing, reason: "cancelled", error: null } : { ...nothing, reason: "error", error };
}

/** Calls that cannot run still get a result each. */
function refuseCalls(calls: readonly ToolCall[], reason: Answer["reason"], emit: EmitTurnEvent): void {
  for (const { callId, name } of calls) {
    const error: ToolError = {
      category: "execution",
      message: `${name} was not run because the answer was cut off or tools are not available.`,
      recovery: reason === "length" ? "Call it again in a shorter message." : null,
    };
    const result = reason === "cancelled" ? cancelledResult(name) : { ok: false as const, error };
    emitToolResult(emit, callId, result, { executionTimeMs: 0, retriesUsed: 0 });
  }
}

function brokenOffEnd(answer: Answer): TurnOutcome {
  if (answer.reason === "cancelled") return ended("cancelled");
  if (answer.error) {
    const { kind, message, retryable } = answer.error;
    return { reason: "error", error: { kind, message, retryable } };
  }
  const message = "The provider's content filter stopped the answer. Rephrase the request, or use another model.";
  return { reason: "error", error: { kind: "content-filter", message, retryable: false } };
}

function ended(reason: TurnEndReason): TurnOutcome {
  return { reason, error: null };
}
