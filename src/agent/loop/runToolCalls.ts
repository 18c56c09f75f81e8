import type { ToolCall } from "../../model/message.ts";
import { type ToolContext, type ToolMetadata, type ToolResult, toolResultText } from "../../tools/tool.ts";
import type { ToolRouter } from "../../tools/toolRouter.ts";
import type { EmitTurnEvent } from "../../turns/streamRegistry.ts";

/** Reads that run at once. */
const MAX_CONCURRENT = 8;

/** Runs between the end of a call and its result, which waits for it; must not reject. */
type HoldResult = (call: ToolCall, output: string) => Promise<void>;

/**
 * Runs the calls of one message and records each result as soon as it is there and `hold` allows it. Consecutive reads run together;
 * everything else runs alone and in order, so that a read after a write sees the change. Never throws; after an abort the remaining
 * calls are answered as cancelled.
 */
export async function runToolCalls(
  calls: readonly ToolCall[],
  router: ToolRouter,
  context: Omit<ToolContext, "callId">,
  hold: HoldResult,
): Promise<void> {
  const run = async (call: ToolCall) => {
    const outcome = await router.run(call, { ...context, callId: call.callId });
    await hold(call, toolResultText(outcome));
    emitToolResult(context.emit, call.callId, outcome, outcome.metadata);
  };
  for (const { calls: group } of callGroups(calls, router)) await Promise.all(group.map(run));
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

/** Consecutive reads together, up to eight, anything else alone. */
function callGroups(calls: readonly ToolCall[], router: ToolRouter): readonly CallGroup[] {
  const groups: CallGroup[] = [];
  for (const call of calls) {
    const reading = router.effectOf(call) === "read";
    const last = groups.at(-1);
    if (reading && last?.reading && last.calls.length < MAX_CONCURRENT) last.calls.push(call);
    else groups.push({ reading, calls: [call] });
  }
  return groups;
}
