import type { ToolCall } from "../model/message.ts";
import type { ToolContext, ToolMetadata, ToolResult } from "../tools/tool.ts";
import { toolResultText } from "../tools/toolResultText.ts";
import type { ToolRouter } from "../tools/toolRouter.ts";
import type { EmitTurnEvent } from "../turns/streamRegistry.ts";

/** More reads at once only get into each other's way. */
const MOST_AT_ONCE = 8;

/**
 * Runs the calls of one message and puts a result of each on record as soon as it is there: neighbouring reads together, up to eight
 * at once, everything else alone and in order, so that a read that follows a write sees what was written. Never throws; after an abort
 * the rest is answered as cancelled. Each result waits for `hold`.
 */
export async function runToolCalls(
  calls: readonly ToolCall[],
  router: ToolRouter,
  context: Omit<ToolContext, "callId">,
  hold: HoldResult,
): Promise<void> {
  for (const group of callGroups(calls, router)) {
    await Promise.all(group.map((call) => runToolCall(call, router, { ...context, callId: call.callId }, hold)));
  }
}

/** Runs between the end of a call and its result, which waits for it; must not reject. */
export type HoldResult = (call: ToolCall, output: string) => Promise<void>;

/** Puts `result` of a call on record. */
export function emitToolResult(emit: EmitTurnEvent, callId: string, result: ToolResult, metadata: ToolMetadata): void {
  const { executionTimeMs: durationMs, retriesUsed } = metadata;
  const common = { type: "tool-result" as const, callId, output: toolResultText(result), durationMs };
  const counted = retriesUsed > 0 ? { ...common, retries: retriesUsed } : common;
  if (result.ok) {
    emit({ ...counted, status: "success", error: null });
  } else {
    const { category, message } = result.error;
    emit({ ...counted, status: category === "cancelled" ? "cancelled" : "error", error: { category, message } });
  }
}

async function runToolCall(call: ToolCall, router: ToolRouter, context: ToolContext, hold: HoldResult): Promise<void> {
  const outcome = await router.run(call, context);
  await hold(call, toolResultText(outcome));
  emitToolResult(context.emit, call.callId, outcome, outcome.metadata);
}

function callGroups(calls: readonly ToolCall[], router: ToolRouter): ToolCall[][] {
  const groups: ToolCall[][] = [];
  let reads: ToolCall[] | null = null;
  for (const call of calls) {
    const reading = (router.effectOf(call.name, call.argsText) ?? "read") === "read";
    if (reading && reads && reads.length < MOST_AT_ONCE) reads.push(call);
    else {
      groups.push([call]);
      reads = reading ? (groups.at(-1) ?? null) : null;
    }
  }
  return groups;
}
