import { Deadline } from "../../base/deadline.ts";
import { sentence } from "../../base/text/sentence.ts";
import type { ToolCall } from "../../model/message.ts";
import { modelError } from "../../model/modelFailure.ts";
import type { Question } from "../../ports/question.ts";
import type { InnerAgents } from "../../tools/tool.ts";
import type { ReadCall } from "../../tools/toolArguments.ts";
import { cancelledResult, type ToolRouter } from "../../tools/toolRouter.ts";
import type { EmitTurnEvent } from "../../turns/streamRegistry.ts";
import type { TurnError } from "../../turns/turnError.ts";
import type { TurnEndReason } from "../../turns/turnEvent.ts";
import { notRunError } from "../messages.ts";
import {
  CUT_OFF_PROMPT,
  EMPTY_PROMPT,
  LOST_CALL_PROMPT,
  SUM_UP_PROMPT,
} from "../request/prompts.ts";
import { askModel, type RequestContext } from "./askModel.ts";
import {
  CostLimit,
  confirmRepeatedCalls,
  RepeatedCalls,
  type TurnBudget,
} from "./askToContinue.ts";
import type { ToolForm } from "./partSupport.ts";
import { emitToolResult, runToolCalls, type ShowImage } from "./runToolCalls.ts";
import type { StreamedAnswer } from "./streamAnswer.ts";

/** One turn of the agent. */
export interface AgentTurnOptions extends RequestContext {
  readonly turnId: string;
  /**
   * Runs before the first request, when tools can already register for the stream; an error ends
   * the turn.
   */
  begin(): Promise<TurnError | null>;
  /**
   * Reports on edit blocks in the answer `step` that came while no file was in edit mode; null for
   * none. `hadTools` says whether the model could turn it on.
   */
  unclaimed?(step: number, hadTools: boolean): string | null;
  /** Looks at an answer without calls to a request that offered tools in this form. */
  answeredInText?(step: number, form: ToolForm): void;
  /** Absent or null where images of results are not kept. */
  readonly showImage?: ShowImage | null;
  /** Records the queued messages as part of the turn; called between two steps. */
  tellQueued(): void | Promise<void>;
  /**
   * Asks the user about a model that repeats itself or costs too much; null when non-interactive.
   */
  readonly question: Question | null;
  /** Runs agents for the turn; null where it may start none. */
  readonly agents?: InnerAgents | null;
  /** Null without a limit. */
  readonly budget: TurnBudget | null;
  /** Model answers, not counting the final summary; at least 1. */
  readonly maxSteps: number;
}

interface TurnEnd {
  readonly reason: TurnEndReason;
  readonly error: TurnError | null;
}

/**
 * Asks the model, runs the tools it calls, returns the results and the reports on its edits, and
 * repeats until nothing is left to report. Emits everything but the `turn-start`. Exactly one
 * `turn-end` comes last, when no tool receives the stream any longer. Never throws.
 */
export async function runAgentTurn(options: AgentTurnOptions): Promise<TurnEndReason> {
  const { hub, emit, signal } = options;
  hub.turnStart(options.turnId);
  let outcome: TurnEnd;
  try {
    const error = await options.begin();
    if (signal.aborted) outcome = ended("cancelled");
    else outcome = error ? failedEnd(error) : await runSteps(options);
  } catch (reason) {
    outcome = failedEnd(internalError(reason));
  }
  hub.turnEnd();
  options.requests.tellUse();
  emit({ type: "turn-end", ...outcome });
  return outcome.reason;
}

/** The error for an exception inside Graft. */
export function internalError(thrown: unknown): TurnError {
  return { code: "internal", kind: "internal", retryable: true, said: sentence(thrown) };
}

/** What the steps of a turn share. */
interface RunningTurn extends AgentTurnOptions {
  readonly repeated: RepeatedCalls;
  readonly costs: CostLimit;
  /** The user does not want the model to continue. */
  endedByUser: boolean;
  /** The model has said something, or proposed edits. */
  hasSaid: boolean;
}

async function runSteps(options: AgentTurnOptions): Promise<TurnEnd> {
  const turn: RunningTurn = {
    ...options,
    repeated: new RepeatedCalls(),
    costs: new CostLimit(options.budget),
    endedByUser: false,
    hasSaid: false,
  };
  let closing: string | null = null;
  for (let step = 0; ; step++) {
    const { answer, reports } = await runStep(turn, step, closing);
    if (isBrokenOff(answer)) return brokenOffEnd(answer);
    if (turn.signal.aborted || turn.endedByUser) return ended("cancelled");
    if (answer.calls.length === 0 && reports === 0) {
      const mayAskAgain = closing === null && step + 1 < turn.maxSteps;
      const end = lastEnd(turn, answer, mayAskAgain);
      if (end !== null) return end;
      closing = isCallLost(answer) ? LOST_CALL_PROMPT : EMPTY_PROMPT;
      continue;
    }
    closing = null;
    turn.hasSaid ||= answer.hasText || reports > 0;
    if (step + 1 >= turn.maxSteps) return sumUp(turn, step + 1);
    await turn.tellQueued();
  }
}

/**
 * How a turn ends with this answer; null where it was empty, or its calls were lost, and the model is
 * asked once more. A turn that said nothing at all failed, and one that did not get its calls.
 */
function lastEnd(turn: RunningTurn, answer: StreamedAnswer, mayAskAgain: boolean): TurnEnd | null {
  const failed = (code: "empty" | "lost-call") => {
    const { client, model } = turn.connection;
    return failedEnd(modelError({ code }, { baseUrl: client.baseUrl, model }));
  };
  if (answer.reason === "length") return ended("length");
  if (isCallLost(answer)) {
    if (!mayAskAgain) return failed("lost-call");
    turn.emit({ type: "notice", level: "warning", code: "lost-call" });
    return null;
  }
  if (!answer.empty) return ended("done");
  const thought = answer.begun && { thought: true as const };
  const again = mayAskAgain && { again: true as const };
  turn.emit({ type: "notice", level: "warning", code: "empty-response", ...thought, ...again });
  if (mayAskAgain) return null;
  return turn.hasSaid ? ended("done") : failed("empty");
}

/** The server announced calls, of which none arrived. */
function isCallLost({ reason, calls }: StreamedAnswer): boolean {
  return reason === "tool-calls" && calls.length === 0;
}

/** Runs one step; `reports` counts what the model has not seen yet. */
async function runStep(
  turn: RunningTurn,
  step: number,
  closing: string | null,
): Promise<{ readonly answer: StreamedAnswer; readonly reports: number }> {
  const { hub, signal, emit } = turn;
  const answer = await askModel(turn, closing, step);
  const { calls, reason } = answer;
  const router =
    reason === "stop" || reason === "tool-calls" || reason === "unknown" ? turn.tools : null;
  const listened = hub.activeRequests > 0;
  const reports = [
    ...(await hub.messageEnd({ reason, moreCalls: router !== null && calls.length > 0 }, signal)),
  ];
  if (reason === "length" && listened && reports.length === 0) reports.push(CUT_OFF_PROMPT);
  const hadTools = turn.toolForm === "text" || turn.sentTools?.length !== 0;
  const unclaimed =
    listened || isBrokenOff(answer) ? null : (turn.unclaimed?.(step, hadTools) ?? null);
  if (unclaimed !== null) reports.push(unclaimed);
  for (const text of reports) emit({ type: "edit-report", text });
  if (router !== null && calls.length === 0) turn.answeredInText?.(step, turn.toolForm);
  if (router === null) refuseCalls(calls, reason, emit);
  else if (calls.length > 0) await processCalls(turn, router, calls);
  return { answer, reports: reports.length };
}

/**
 * Runs the calls of a message. Where the user does not want the model to go on, the rest is
 * canceled.
 */
async function processCalls(
  turn: RunningTurn,
  router: ToolRouter,
  calls: readonly ReadCall[],
): Promise<void> {
  const { turnId, emit, hub, repeated, costs, question } = turn;
  const running = new Deadline(turn.signal);
  const { signal } = running;
  const { agents } = turn;
  const context = { turnId, signal, emit, streams: hub, ...(agents && { agents }) };
  emit({ type: "tool-processing-start", callIds: calls.map(({ callId }) => callId) });
  try {
    const hold = async (call: ReadCall, output: string) => {
      if (signal.aborted) return;
      const isRepeated = repeated.isRepeated(call, output);
      if (!question) return;
      const mayRepeat = !isRepeated || (await confirmRepeatedCalls(call, question, context));
      if (mayRepeat && (await costs.mayContinue(call, question, context))) return;
      turn.endedByUser = true;
      running.dispose();
    };
    await runToolCalls(calls, router, context, hold, turn.showImage);
  } finally {
    running.dispose();
    emit({ type: "tool-processing-complete" });
  }
}

/** The last request of a turn that has used up its steps: without tools and edits. */
async function sumUp(turn: RunningTurn, steps: number): Promise<TurnEnd> {
  turn.hub.releaseRequests();
  turn.tools = null;
  turn.emit({ type: "notice", level: "warning", code: "step-limit", steps });
  const answer = await askModel(turn, SUM_UP_PROMPT, steps);
  refuseCalls(answer.calls, answer.reason, turn.emit);
  return isBrokenOff(answer) ? brokenOffEnd(answer) : ended("step-limit");
}

/** Calls that cannot run still get a result each. */
function refuseCalls(
  calls: readonly ToolCall[],
  reason: StreamedAnswer["reason"],
  emit: EmitTurnEvent,
): void {
  for (const { callId, name } of calls) {
    const result =
      reason === "cancelled"
        ? cancelledResult(name)
        : { ok: false as const, error: notRunError(name, reason === "length") };
    emitToolResult(emit, callId, result, { executionTimeMs: 0, retriesUsed: 0 });
  }
}

/** The answer is incomplete: nothing can be built on it. */
function isBrokenOff({ reason }: StreamedAnswer): boolean {
  return reason === "error" || reason === "cancelled" || reason === "content-filter";
}

function brokenOffEnd({ reason, error }: StreamedAnswer): TurnEnd {
  if (reason === "cancelled" || error?.kind === "aborted") return ended("cancelled");
  return failedEnd(error ?? modelError({ code: "content-filter" }, { baseUrl: "", model: "" }));
}

function failedEnd(error: TurnError): TurnEnd {
  return { reason: "error", error };
}

function ended(reason: TurnEndReason): TurnEnd {
  return { reason, error: null };
}
