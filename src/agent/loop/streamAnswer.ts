import { CHARS_PER_TOKEN } from "../../base/text/estimateTokens.ts";
import { untilAborted } from "../../base/untilAborted.ts";
import type { ToolCall } from "../../model/message.ts";
import type { ModelClient, ModelRequest } from "../../model/modelClient.ts";
import type { ModelPrice } from "../../model/modelInfo.ts";
import { requestTokens } from "../../model/requestTokens.ts";
import type { FinishReason, StreamPart, Usage } from "../../model/streamPart.ts";
import { withCost } from "../../model/usageCost.ts";
import { type ReadCall, readCall } from "../../tools/toolArguments.ts";
import type { EmitTurnEvent } from "../../turns/streamRegistry.ts";
import type { TurnError } from "../../turns/turnError.ts";

/** One answer of the model, complete or not. */
export interface StreamedAnswer {
  readonly reason: FinishReason | "error" | "cancelled";
  /** Set when the reason is `error`. */
  readonly error: TurnError | null;
  /** Every call that began, in order; one that was cut off has no arguments. */
  readonly calls: readonly ReadCall[];
  /** True when there was neither text nor a call. */
  readonly empty: boolean;
  readonly hasText: boolean;
  /** True when anything arrived, including thinking. */
  readonly begun: boolean;
  /** The server's token count, or null. */
  readonly usage: Usage | null;
}

/**
 * Streams one answer and emits its parts as they arrive; tokens cost `price`, null where unknown.
 * Calls `onGap` where a piece is missing. Goes on after a piece of text when it is `kept`. Never
 * throws.
 */
export async function streamAnswer(
  client: ModelClient,
  request: ModelRequest,
  price: ModelPrice | null,
  emit: EmitTurnEvent,
  onGap: () => void,
  signal: AbortSignal,
  kept: () => Promise<unknown> | null = () => null,
): Promise<StreamedAnswer> {
  const calls = new Map<string, ReadCall>();
  let usage: Usage | null = null;
  let end: Pick<StreamedAnswer, "reason" | "error"> | null = null;
  let hasText = false;
  let begun = false;
  let length = 0;
  for await (const part of client.stream(request, signal)) {
    if (signal.aborted) break;
    begun ||= isContent(part);
    length += writtenLength(part);
    switch (part.type) {
      case "text-delta":
        hasText ||= part.text.trim() !== "";
        emit(part);
        await untilKept(kept(), signal);
        break;
      case "text-was-reasoning":
        hasText = false;
        for (const callId of part.callIds) calls.delete(callId);
        emit({ type: part.type, callIds: [...part.callIds] });
        break;
      case "reasoning-delta":
      case "text-may-be-reasoning":
      case "tool-call-delta":
        emit(part);
        break;
      case "tool-call-start":
        calls.set(part.callId, readCall({ callId: part.callId, name: part.name, argsText: "" }));
        emit(part);
        break;
      case "tool-call-end":
        calls.set(part.callId, emittedCall(emit, part));
        break;
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
  else if (begun) emit({ type: "usage", usage: estimatedUsage(request, length, price) });
  const empty = !hasText && calls.size === 0;
  const content = { calls: [...calls.values()], empty, hasText, begun, usage };
  if (signal.aborted) return { reason: "cancelled", error: null, ...content };
  return { reason: "unknown", error: null, ...end, ...content };
}

/** Where the server counts nothing. `length` is that of the answer, in UTF-16 units. */
function estimatedUsage(request: ModelRequest, length: number, price: ModelPrice | null): Usage {
  const outputTokens = Math.ceil(length / CHARS_PER_TOKEN);
  const inputTokens = requestTokens(request);
  return withCost({ inputTokens, outputTokens, estimated: "tokens" }, price);
}

function writtenLength(part: StreamPart): number {
  if (part.type === "tool-call-end") return part.argsText.length;
  return "text" in part ? part.text.length : 0;
}

function emittedCall(emit: EmitTurnEvent, { callId, name, argsText }: ToolCall): ReadCall {
  const call = readCall({ callId, name, argsText });
  const input = call.input.ok ? call.input.value : argsText;
  emit({ type: "tool-call", callId, name, argsText, input });
  return call;
}

function isContent({ type }: StreamPart): boolean {
  return type !== "gap" && type !== "usage" && type !== "finish" && type !== "error";
}

async function untilKept(work: Promise<unknown> | null, signal: AbortSignal): Promise<void> {
  if (work) await untilAborted(work, signal);
}
