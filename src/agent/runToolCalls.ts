import type { ToolCall } from "../model/message.ts";
import type { ToolContext, ToolResult } from "../tools/tool.ts";
import { toolResultText } from "../tools/toolResultText.ts";
import type { ToolRouter } from "../tools/toolRouter.ts";
import type { EmitTurnEvent } from "../turns/streamRegistry.ts";

/**
 * Runs the calls of one message and puts a result of each on record: neighbouring reads together, everything else alone and in
 * order, so that a read that follows a write sees what was written. Never throws; after an abort the rest is answered as cancelled.
 */
export async function runToolCalls(calls: readonly ToolCall[], router: ToolRouter, context: Omit<ToolContext, "callId">): Promise<void> {
  for (const group of callGroups(calls, router)) {
    await Promise.all(group.map((call) => runToolCall(call, router, { ...context, callId: call.callId })));
  }
}

/** Puts `result` of a call on record; `startedAt` is in milliseconds since 1970. */
export function emitToolResult(emit: EmitTurnEvent, callId: string, result: ToolResult, startedAt: number): void {
  const output = toolResultText(result);
  const durationMs = Date.now() - startedAt;
  if (result.ok) {
    emit({ type: "tool-result", callId, status: "success", output, error: null, durationMs });
  } else {
    const { category, message } = result.error;
    const status = category === "cancelled" ? "cancelled" : "error";
    emit({ type: "tool-result", callId, status, output, error: { category, message }, durationMs });
  }
}

async function runToolCall(call: ToolCall, router: ToolRouter, context: ToolContext): Promise<void> {
  let startedAt = Date.now();
  const emit: EmitTurnEvent = (body) => {
    // The time the user took to allow the call is not the tool's.
    if (body.type === "tool-start") startedAt = Date.now();
    context.emit(body);
  };
  emitToolResult(context.emit, call.callId, await router.run(call, { ...context, emit }), startedAt);
}

function callGroups(calls: readonly ToolCall[], router: ToolRouter): ToolCall[][] {
  const groups: ToolCall[][] = [];
  let reads: ToolCall[] | null = null;
  for (const call of calls) {
    const reading = (router.effectOf(call.name) ?? "read") === "read";
    if (reading && reads) reads.push(call);
    else {
      groups.push([call]);
      reads = reading ? (groups.at(-1) ?? null) : null;
    }
  }
  return groups;
}
