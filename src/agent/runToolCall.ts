import type { ToolCall } from "../model/message.ts";
import { type ToolContext, type ToolMetadata, type ToolResult, toolResultText } from "../tools/tool.ts";
import type { ToolRouter } from "../tools/toolRouter.ts";
import type { EmitTurnEvent } from "../turns/streamRegistry.ts";

/** Runs between the end of a call and its result, which waits for it; must not reject. */
export type HoldResult = (call: ToolCall, output: string) => Promise<void>;

/** Runs one call, puts its result on record, once `hold` lets it, and gives what the model is told. Never throws. */
export async function runToolCall(call: ToolCall, router: ToolRouter, context: ToolContext, hold?: HoldResult): Promise<string> {
  const outcome = await router.run(call, context);
  const output = toolResultText(outcome);
  await hold?.(call, output);
  emitToolResult(context.emit, call.callId, outcome, outcome.metadata);
  return output;
}

/** Puts `result` of a call on record. */
export function emitToolResult(emit: EmitTurnEvent, callId: string, result: ToolResult, metadata: ToolMetadata): void {
  const { executionTimeMs: durationMs, retriesUsed } = metadata;
  const common = { type: "tool-result" as const, callId, output: toolResultText(result), durationMs };
  const counted = retriesUsed > 0 ? { ...common, retries: retriesUsed } : common;
  if (result.ok) {
    emit({ ...counted, ...(result.views?.length && { views: [...result.views] }), status: "success", error: null });
  } else {
    const { category, message } = result.error;
    emit({ ...counted, status: category === "cancelled" ? "cancelled" : "error", error: { category, message } });
  }
}
