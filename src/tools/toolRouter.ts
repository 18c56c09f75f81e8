import { err, type Result } from "../base/result.ts";
import { untilAborted } from "../base/untilAborted.ts";
import type { ToolCall, ToolSpec } from "../model/message.ts";
import type { Approval } from "../ports/approval.ts";
import { clipText } from "./clipText.ts";
import { parseArguments } from "./parseArguments.ts";
import type { PreparedCall, Tool, ToolContext, ToolError, ToolResult } from "./tool.ts";

/** The longest result, in UTF-16 units, that the model is given. */
export const MAX_RESULT_LENGTH = 60_000;

/** The one way from a call of the model to its result. */
export interface ToolRouter {
  /** The tools as the model sees them, in a stable order. */
  readonly specs: readonly ToolSpec[];
  /** The effect of the named tool; null for an unknown one. */
  effectOf(name: string): Tool["effect"] | null;
  /**
   * Checks, asks for permission, runs within the time limit and clips. Never throws and never outlasts an abort: whatever goes
   * wrong is a result. Puts `approval-request`, `approval-decision` and `tool-start` on record; the result is the caller's to emit.
   */
  run(call: ToolCall, context: ToolContext): Promise<ToolResult>;
}

/** A router over `tools`, whose names are unique. */
export function createToolRouter(tools: readonly Tool[], approval: Approval): ToolRouter {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return {
    specs: tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
    effectOf: (name) => byName.get(name)?.effect ?? null,
    async run(call, context) {
      try {
        const tool = byName.get(call.name);
        if (!tool) return failure(unknownTool(call.name, [...byName.keys()]));
        const prepared = prepare(tool, call);
        if (!prepared.ok) return failure(prepared.error);
        const refusal = await askPermission(tool, prepared.value, approval, context);
        return refusal ? failure(refusal) : clipped(await runLimited(tool, prepared.value, context));
      } catch (reason) {
        return failure(crash(call.name, reason));
      }
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
  if (tool.effect === "read") return null;
  const { effect, name } = tool;
  emit({ type: "approval-request", callId, tool: name, effect, summary: call.summary });
  const asked = approval.request({ turnId, callId, tool: name, effect, summary: call.summary }, signal);
  const decision = await untilAborted(asked, signal);
  emit({
    type: "approval-decision",
    callId,
    allowed: decision.ok && decision.value.allowed,
    by: decision.ok ? decision.value.by : "cancel",
  });
  if (!decision.ok) return cancelled(name);
  if (decision.value.allowed) return null;
  const message = decision.value.reason ?? `The user did not allow ${name}.`;
  return { category: "permission", message, recovery: "Do not try the same again; go on without it or ask the user." };
}

async function runLimited(tool: Tool, call: PreparedCall, context: ToolContext): Promise<ToolResult> {
  const limit = new AbortController();
  const stop = () => limit.abort();
  context.signal.addEventListener("abort", stop);
  if (context.signal.aborted) stop();
  const timer = setTimeout(stop, tool.timeoutMs);
  try {
    if (limit.signal.aborted) return failure(cancelled(tool.name));
    context.emit({ type: "tool-start", callId: context.callId });
    const result = await untilAborted(call.run({ ...context, signal: limit.signal }), limit.signal);
    if (context.signal.aborted) return failure(cancelled(tool.name));
    return result.ok ? result.value : failure(timedOut(tool));
  } finally {
    clearTimeout(timer);
    context.signal.removeEventListener("abort", stop);
  }
}

function clipped(result: ToolResult): ToolResult {
  return result.ok ? { ok: true, output: clipText(result.output, MAX_RESULT_LENGTH) } : result;
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

function cancelled(name: string): ToolError {
  return { category: "cancelled", message: `${name} was cancelled because the turn was stopped.`, recovery: null };
}

function timedOut(tool: Tool): ToolError {
  const message = `${tool.name} was stopped because it took longer than ${tool.timeoutMs / 1000} seconds.`;
  return { category: "timeout", message, recovery: "Try again with a smaller task." };
}

function crash(name: string, reason: unknown): ToolError {
  const detail = reason instanceof Error ? reason.message : String(reason);
  return { category: "execution", message: `${name} failed: ${detail}`, recovery: null };
}
