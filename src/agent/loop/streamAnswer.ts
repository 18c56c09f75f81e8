import { untilAborted } from "../../base/untilAborted.ts";
import type { ToolCall } from "../../model/message.ts";
import type { ModelClient, ModelRequest } from "../../model/modelClient.ts";
import type { ModelPrice } from "../../model/modelInfo.ts";
import type { FinishReason, Usage } from "../../model/streamPart.ts";
import { withCost } from "../../model/usageCost.ts";
import { parseArguments } from "../../tools/toolArguments.ts";
import type { EmitTurnEvent } from "../../turns/streamRegistry.ts";
import type { TurnError } from "../../turns/turnError.ts";

/** One answer of the model, complete or not. */
export interface Answer {
  readonly reason: FinishReason | "error" | "cancelled";
  /** Set when the reason is `error`. */
  readonly error: TurnError | null;
  /** Every call that began, in order; one that was cut off has no arguments. */
  readonly calls: readonly ToolCall[];
  /** True when there was neither text nor a call. */
  readonly empty: boolean;
  /** True when anything arrived, including thinking. */
  readonly begun: boolean;
  /** The server's token count, or null. */
  readonly usage: Usage | null;
}

/**
 * Streams one answer and emits its parts as they arrive; tokens cost `price`, null where unknown. Calls `onGap` where a piece is
 * missing. Goes on after a piece of text when it is `kept`. Never throws.
 */
export async function streamAnswer(
  client: ModelClient,
  request: ModelRequest,
  price: ModelPrice | null,
  emit: EmitTurnEvent,
  onGap: () => void,
  signal: AbortSignal,
  kept: () => Promise<unknown> | null = () => null,
): Promise<Answer> {
  const calls = new Map<string, ToolCall>();
  let usage: Usage | null = null;
  let end: Pick<Answer, "reason" | "error"> | null = null;
  let hasText = false;
  let begun = false;
  for await (const part of client.stream(request, signal)) {
    if (signal.aborted) break;
    begun ||= part.type !== "gap" && part.type !== "usage" && part.type !== "finish" && part.type !== "error";
    switch (part.type) {
      case "text-delta":
        hasText ||= part.text.trim() !== "";
        emit(part);
        await untilKept(kept(), signal);
        break;
      case "reasoning-delta":
      case "tool-call-delta":
        emit(part);
        break;
      case "tool-call-start":
        calls.set(part.callId, { callId: part.callId, name: part.name, argsText: "" });
        emit(part);
        break;
      case "tool-call-end": {
        const { callId, name, argsText } = part;
        const input = parseArguments(argsText);
        calls.set(callId, { callId, name, argsText });
        emit({ type: "tool-call", callId, name, argsText, input: input.ok ? input.value : argsText });
        break;
      }
      case "gap":
        onGap();
        break;
      case "provider-data":
        emit({ ...part.data, type: "provider-data" });
        break;
      case "usage":
        usage = withCost(part.usage, price);
        break;
      case "finish":
        end ??= { reason: part.reason, error: null };
        break;
      case "error":
        end ??= { reason: "error", error: part.error };
        break;
    }
  }
  if (usage) emit({ type: "usage", usage });
  const content = { calls: [...calls.values()], empty: !hasText && calls.size === 0, begun, usage };
  if (signal.aborted) return { reason: "cancelled", error: null, ...content };
  return { reason: "unknown", error: null, ...end, ...content };
}

async function untilKept(work: Promise<unknown> | null, signal: AbortSignal): Promise<void> {
  if (work) await untilAborted(work, signal);
}
