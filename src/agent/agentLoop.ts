import type { Message } from "../model/message.ts";
import type { ToolError } from "../tools/tool.ts";
import { cancelledResult, type ToolRouter } from "../tools/toolRouter.ts";
import type { EmitTurnEvent } from "../turns/streamRegistry.ts";
import type { TurnEndReason } from "../turns/turnEvent.ts";
import type { ModelConnection } from "./chatOptions.ts";
import { CUT_OFF_PROMPT, SUM_UP_PROMPT } from "./prompts.ts";
import { emitToolResult, runToolCalls } from "./runToolCalls.ts";
import { answered, brokenOff, callsMayRun, type StepOutcome, stepLimit } from "./stopCondition.ts";
import { type Answer, streamAnswer } from "./streamAnswer.ts";
import type { StreamHub } from "./streamHub.ts";

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
  /** The next request's messages, with all that this turn has emitted; `tools` says whether it carries tools, `closing` is said last, as the user. */
  messages(tools: boolean, closing: string | null): readonly Message[];
  /** Runs before the first request, when requests can already register for the stream; an error ends the turn. */
  begin(): Promise<TurnError | null>;
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
    const message = `Graft failed: ${reason instanceof Error ? reason.message : String(reason)}`;
    outcome = { reason: "error", error: { kind: "internal", message, retryable: true } };
  }
  hub.turnEnd();
  hub.emit(turnId, { type: "turn-end", ...outcome });
  return outcome.reason;
}

async function runSteps(options: AgentTurnOptions, emit: EmitTurnEvent): Promise<TurnOutcome> {
  const usedCallIds = new Set<string>();
  const atLimit = stepLimit(options.maxSteps);
  for (let step = 0; ; step++) {
    const { answer, outcome } = await runStep(options, step, usedCallIds, emit);
    if (brokenOff(outcome)) return brokenOffEnd(answer);
    if (options.signal.aborted) return ended("cancelled");
    if (answered(outcome)) {
      if (answer.empty) emit({ type: "notice", level: "warning", text: "The model answered with nothing." });
      return ended(outcome.reason === "length" ? "length" : "done");
    }
    if (atLimit(outcome)) return sumUp(options, step + 1, usedCallIds, emit);
  }
}

async function runStep(
  options: AgentTurnOptions,
  step: number,
  usedCallIds: Set<string>,
  emit: EmitTurnEvent,
): Promise<{ readonly answer: Answer; readonly outcome: StepOutcome }> {
  const { hub, router, signal } = options;
  const answer = await ask(options, router, null, step, usedCallIds, emit);
  const { calls, reason } = answer;
  const runnable = router !== null && callsMayRun(reason);
  const listened = hub.activeRequests > 0;
  const reports = [...(await hub.messageEnd({ reason, moreCalls: runnable && calls.length > 0 }, signal))];
  if (reason === "length" && listened && reports.length === 0) reports.push(CUT_OFF_PROMPT);
  for (const text of reports) emit({ type: "edit-report", text });
  if (runnable) await runToolCalls(calls, router, { turnId: options.turnId, signal, emit, streams: hub });
  else refuseCalls(answer, emit);
  return { answer, outcome: { step, reason, calls: calls.length, reports: reports.length } };
}

/** The last request of a turn that has used up its steps: without tools, and with nobody left to capture edits. */
async function sumUp(options: AgentTurnOptions, step: number, usedCallIds: Set<string>, emit: EmitTurnEvent): Promise<TurnOutcome> {
  options.hub.releaseRequests();
  const steps = step === 1 ? "its limit of one step" : `its limit of ${step} steps`;
  emit({ type: "notice", level: "warning", text: `The turn reached ${steps}. Send another message to go on.` });
  const answer = await ask(options, null, SUM_UP_PROMPT, step, usedCallIds, emit);
  refuseCalls(answer, emit);
  return brokenOff({ step, reason: answer.reason, calls: 0, reports: 0 }) ? brokenOffEnd(answer) : ended("step-limit");
}

function ask(
  options: AgentTurnOptions,
  router: ToolRouter | null,
  closing: string | null,
  step: number,
  usedCallIds: Set<string>,
  emit: EmitTurnEvent,
): Promise<Answer> {
  const { client, model } = options.connection;
  const messages = options.messages(router !== null, closing);
  emit({ type: "step-start", step });
  options.hub.messageStart(step);
  return streamAnswer(client, { model, messages, tools: router?.specs ?? [] }, usedCallIds, emit, options.signal);
}

/** Calls that cannot run still get a result each. */
function refuseCalls(answer: Answer, emit: EmitTurnEvent): void {
  for (const { callId, name } of answer.calls) {
    const error: ToolError = {
      category: "execution",
      message: `${name} was not run because the answer was cut off or tools are not available.`,
      recovery: answer.reason === "length" ? "Call it again in a shorter message." : null,
    };
    const result = answer.reason === "cancelled" ? cancelledResult(name) : { ok: false as const, error };
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
