import { Deadline } from "../base/deadline.ts";
import { pause } from "../base/pause.ts";
import { err, type Result } from "../base/result.ts";
import { sentence } from "../base/sentence.ts";
import { untilAborted } from "../base/untilAborted.ts";
import type { ToolCall, ToolSpec } from "../model/message.ts";
import type { Approval, ApprovalDecision } from "../ports/approval.ts";
import { KeptResults, partOf } from "./keptResults.ts";
import { parseArguments } from "./parseArguments.ts";
import { createReadResult, readOnNote } from "./readResult.ts";
import type { Effect, PreparedCall, Tool, ToolContext, ToolError, ToolOutcome, ToolResult } from "./tool.ts";

/** The longest result, in UTF-16 units, that the model is given at once. */
export const MAX_RESULT_LENGTH = 60_000;

/** The wait before the first retry, in milliseconds; it doubles with each one. */
const FIRST_RETRY_MS = 100;

const TRY_LESS = "Try again with less at once, such as a smaller folder or fewer files, or go on without it.";

const MAY_BE_DONE = "It had begun, and may be done all the same or in part: look before you rely on either.";

/** The one way from a call of the model to its result. */
export interface ToolRouter {
  /** The tools as the model sees them, in a stable order. */
  readonly specs: readonly ToolSpec[];
  /** The effect of the named tool, or with arguments of this call of it; null for an unknown one. */
  effectOf(name: string, argsText?: string): Effect | null;
  /** True for a call that changes nothing, also not what the user sees, and that nobody is asked about: it may run at any time. */
  onlyLooks(name: string, argsText: string): boolean;
  /**
   * Checks, asks for permission, runs within the time limit, again after a passing failure where the tool allows it, and clips. Never
   * throws and never outlasts an abort: whatever goes wrong is a result. Puts `approval-request`, `approval-decision` and `tool-start`
   * on record; the result is the caller's to emit.
   */
  run(call: ToolCall, context: ToolContext): Promise<ToolOutcome>;
  /** Keeps a result of turn `turnId` of which the model is shown the first `end` UTF-16 units, and gives the note how to read on. */
  keepRest(turnId: string, output: string, end: number): string;
  /** A router with more tools, last in the list; one whose name is taken is left out. What this one keeps to be read on, that one has too. */
  withTools(more: readonly Tool[]): ToolRouter;
}

/** A router over `tools`, whose names are unique, and over `read_result`, which reads on in results that were clipped. */
export function createToolRouter(tools: readonly Tool[], approval: Approval): ToolRouter {
  const kept = new KeptResults();
  return routerOver([...tools, createReadResult(kept)], kept, approval);
}

function routerOver(all: readonly Tool[], kept: KeptResults, approval: Approval): ToolRouter {
  const byName = new Map(all.map((tool) => [tool.name, tool]));
  function effectOf(name: string, argsText?: string): Effect | null {
    const tool = byName.get(name);
    if (!tool || tool.effect === "read" || argsText === undefined) return tool?.effect ?? null;
    const prepared = prepare(tool, { callId: "", name, argsText });
    return prepared.ok ? prepared.value.effect : tool.effect;
  }

  function keepRest(turnId: string, output: string, end: number): string {
    return readOnNote(kept.keep(turnId, output), end, output.length);
  }

  function clipped(output: string, turnId: string): string {
    if (output.length <= MAX_RESULT_LENGTH) return output;
    const { text, end } = partOf(output, 0, MAX_RESULT_LENGTH);
    return text + keepRest(turnId, output, end);
  }

  return {
    specs: all.map(({ name, description, parameters }) => ({ name, description, parameters })),
    effectOf,
    onlyLooks(name, argsText) {
      const category = byName.get(name)?.category;
      return category !== undefined && category !== "ui" && category !== "mcp" && effectOf(name, argsText) === "read";
    },
    async run(call, context) {
      try {
        const tool = byName.get(call.name);
        if (!tool) return neverStarted(unknownTool(call.name, [...byName.keys()]));
        const prepared = prepare(tool, call);
        if (!prepared.ok) return neverStarted(prepared.error);
        const refusal = await askPermission(tool, prepared.value, approval, context);
        if (refusal) return neverStarted(refusal);
        const outcome = await runLimited(tool, prepared.value, context);
        return outcome.ok ? { ...outcome, output: clipped(outcome.output, context.turnId) } : outcome;
      } catch (reason) {
        return neverStarted(crash(call.name, reason));
      }
    },
    keepRest,
    withTools(more) {
      return more.length === 0 ? this : routerOver([...all, ...more.filter(({ name }) => !byName.has(name))], kept, approval);
    },
  };
}

/** The result of a call that was cancelled before it had one. */
export function cancelledResult(name: string): ToolResult {
  return failure(cancelled(name));
}

function prepare(tool: Tool, call: ToolCall): Result<PreparedCall, ToolError> {
  const input = parseArguments(call.argsText);
  if (input.ok) return tool.prepare(input.value);
  return err({ category: "validation", message: input.error, recovery: `Call ${call.name} again with one JSON object.` });
}

async function askPermission(tool: Tool, call: PreparedCall, approval: Approval, context: ToolContext): Promise<ToolError | null> {
  const { callId, turnId, signal, emit } = context;
  const { effect, summary, command, server, eachTime } = call;
  const { name, reviewed, unasked } = tool;
  if ((effect === "read" || unasked) && server === undefined) return null;
  const about = { ...(command && { command }), ...(server !== undefined && { server }), ...(eachTime && { eachTime }) };
  const wanted = { callId, tool: name, effect, summary, ...about };
  emit({ type: "approval-request", ...wanted });
  const decision = await untilAborted(approval.request({ turnId, reviewed, ...wanted }, signal), signal);
  const { allowed, by, rule, scope }: ApprovalDecision = decision.ok ? decision.value : { allowed: false, by: "cancel", reason: null };
  emit({ type: "approval-decision", callId, allowed, by, ...(rule !== undefined && { rule }), ...(scope && { scope }) });
  if (!decision.ok) return cancelled(name);
  if (decision.value.allowed) return null;
  const message = decision.value.reason ?? `The user did not allow ${name}.`;
  return { category: "permission", message, recovery: "Do not try the same again; go on without it or ask the user." };
}

async function runLimited(tool: Tool, call: PreparedCall, context: ToolContext): Promise<ToolOutcome> {
  if (context.signal.aborted) return neverStarted(cancelled(tool.name));
  const limit = new Deadline(context.signal);
  limit.restart(tool.timeoutMs);
  const startedAt = performance.now();
  let retriesUsed = 0;
  try {
    context.emit({ type: "tool-start", callId: context.callId });
    let result = await runOnce(tool, call, { ...context, signal: limit.signal });
    while (retriesUsed < tool.maxRetries && !limit.signal.aborted && mayPass(result)) {
      await pause(FIRST_RETRY_MS * 2 ** retriesUsed, limit.signal);
      if (limit.signal.aborted) break;
      retriesUsed += 1;
      result = await runOnce(tool, call, { ...context, signal: limit.signal });
    }
    if (context.signal.aborted) result = failure(cancelled(tool.name, call.effect === "read" ? null : MAY_BE_DONE));
    else if (limit.expired) result = failure(timedOut(tool));
    return { ...result, metadata: { executionTimeMs: Math.round(performance.now() - startedAt), retriesUsed } };
  } finally {
    limit.dispose();
  }
}

async function runOnce(tool: Tool, call: PreparedCall, context: ToolContext): Promise<ToolResult> {
  try {
    const result = await untilAborted(call.run(context), context.signal);
    return result.ok ? result.value : failure(cancelled(tool.name));
  } catch (reason) {
    return failure(crash(tool.name, reason));
  }
}

/** A failure that another run may not meet again. */
function mayPass(result: ToolResult): boolean {
  return !result.ok && (result.error.category === "execution" || result.error.category === "network");
}

function neverStarted(error: ToolError): ToolOutcome {
  return { ok: false, error, metadata: { executionTimeMs: 0, retriesUsed: 0 } };
}

function failure(error: ToolError): ToolResult {
  return { ok: false, error };
}

function unknownTool(name: string, names: readonly string[]): ToolError {
  return {
    category: "not-found",
    message: `There is no tool named ${JSON.stringify(name)}.`,
    recovery: `The tools are: ${names.join(", ")}.`,
  };
}

function cancelled(name: string, recovery: string | null = null): ToolError {
  return { category: "cancelled", message: `${name} was cancelled because the turn was stopped.`, recovery };
}

function timedOut({ name, timeoutMs, timeoutRecovery = TRY_LESS }: Tool): ToolError {
  const message = `${name} was stopped because it took longer than ${timeoutMs / 1000} seconds.`;
  return { category: "timeout", message, recovery: timeoutRecovery };
}

function crash(name: string, reason: unknown): ToolError {
  return { category: "execution", message: `${name} failed: ${sentence(reason)}`, recovery: null };
}
