import type { ToolCall } from "../../model/message.ts";
import { type ToolContext, type ToolMetadata, type ToolResult, toolResultText } from "../../tools/tool.ts";
import type { ToolRouter } from "../../tools/toolRouter.ts";
import type { EmitTurnEvent } from "../../turns/streamRegistry.ts";
import type { EarlyReads } from "./earlyReads.ts";

/** Runs between the end of a call and its result, which waits for it; must not reject. */
type HoldResult = (call: ToolCall, output: string) => Promise<void>;

/**
 * Runs the calls of one message and records each result as soon as it is there. Consecutive reads run together, up to eight at once;
 * everything else runs alone and in order, so that a read after a write sees the change. Waits for the calls that `early` has
 * started. Never throws; after an abort the remaining calls are answered as cancelled. Each result waits for `hold`, except those
 * of early calls, which `hold` sees in the order of the calls.
 */
export async function runToolCalls(
  calls: readonly ToolCall[],
  router: ToolRouter,
  context: Omit<ToolContext, "callId">,
  hold: HoldResult,
  early: EarlyReads,
): Promise<void> {
  const run = (call: ToolCall) => runToolCall(call, router, { ...context, callId: call.callId }, hold);
  const read = async (call: ToolCall) => {
    await early.slots.take();
    await run(call).finally(() => early.slots.give());
  };
  const holdEarly = async (reads: readonly ToolCall[]) => {
    for (const call of reads) {
      const output = await early.outputOf(call.callId);
      if (output !== undefined) await hold(call, output);
    }
  };
  for (const { reading, calls: group } of callGroups(calls, router)) {
    const rest = group.filter(({ callId }) => early.outputOf(callId) === undefined);
    await Promise.all([holdEarly(group), ...rest.map((call) => (reading ? read(call) : run(call)))]);
  }
}

/** Runs one call, records its result once `hold` allows it, and returns what the model sees. Never throws. */
export async function runToolCall(call: ToolCall, router: ToolRouter, context: ToolContext, hold?: HoldResult): Promise<string> {
  const outcome = await router.run(call, context);
  const output = toolResultText(outcome);
  await hold?.(call, output);
  emitToolResult(context.emit, call.callId, outcome, outcome.metadata);
  return output;
}

/** Records the result of a call. */
export function emitToolResult(emit: EmitTurnEvent, callId: string, result: ToolResult, metadata: ToolMetadata): void {
  const { executionTimeMs: durationMs, retriesUsed } = metadata;
  const common = { type: "tool-result" as const, callId, output: toolResultText(result), durationMs };
  const counted = retriesUsed > 0 ? { ...common, retries: retriesUsed } : common;
  if (result.ok) {
    const { views, command } = result;
    emit({ ...counted, ...(views?.length && { views: [...views] }), ...(command && { command }), status: "success", error: null });
  } else {
    const { category, message } = result.error;
    emit({ ...counted, status: category === "cancelled" ? "cancelled" : "error", error: { category, message } });
  }
}

interface CallGroup {
  readonly reading: boolean;
  readonly calls: ToolCall[];
}

/** Consecutive reads together, anything else alone. */
function callGroups(calls: readonly ToolCall[], router: ToolRouter): readonly CallGroup[] {
  const groups: CallGroup[] = [];
  for (const call of calls) {
    const reading = (router.effectOf(call.name, call.argsText) ?? "read") === "read";
    const last = groups.at(-1);
    if (reading && last?.reading) last.calls.push(call);
    else groups.push({ reading, calls: [call] });
  }
  return groups;
}
