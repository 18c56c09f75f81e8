import type { StreamPart } from "../../../src/model/streamPart.ts";

/**
 * The same answer as a stream of the Responses API, piece by piece; null where that API has no way
 * to say it.
 */
export function asResponses(parts: readonly StreamPart[]): string | null {
  const events: object[] = [
    { type: "response.created", response: { object: "response", status: "in_progress" } },
  ];
  const places = new Map<string, number>();
  let usage = {};
  let reason = "";
  for (const part of parts) {
    if (part.type === "text-delta")
      events.push({ type: "response.output_text.delta", output_index: 0, delta: part.text });
    else if (part.type === "reasoning-delta")
      events.push({ type: "response.reasoning_text.delta", output_index: 0, delta: part.text });
    else if (part.type === "tool-call-start") {
      places.set(part.callId, places.size + 1);
      const item = { type: "function_call", call_id: part.callId, name: part.name, arguments: "" };
      events.push({
        ...{ type: "response.output_item.added", output_index: places.get(part.callId), item },
      });
    } else if (part.type === "tool-call-delta")
      events.push({
        type: "response.function_call_arguments.delta",
        output_index: places.get(part.callId),
        delta: part.argsText,
      });
    else if (part.type === "tool-call-end") {
      const { callId: call_id, name, argsText } = part;
      const item = { type: "function_call", call_id, name, arguments: argsText };
      events.push({
        ...{ type: "response.output_item.done", output_index: places.get(call_id), item },
      });
    } else if (part.type === "usage") {
      const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens, cost } = part.usage;
      usage = {
        input_tokens: inputTokens,
        output_tokens: outputTokens,
        input_tokens_details: { cached_tokens: cachedInputTokens },
        output_tokens_details: { reasoning_tokens: reasoningTokens },
        cost,
      };
    } else if (part.type === "finish") reason = part.reason;
    else if (part.type !== "provider-data") return null;
  }
  if (!["stop", "tool-calls", "length", "content-filter"].includes(reason)) return null;
  const isCut = reason === "length" || reason === "content-filter";
  events.push({
    type: isCut ? "response.incomplete" : "response.completed",
    response: {
      status: isCut ? "incomplete" : "completed",
      ...(isCut && {
        incomplete_details: { reason: reason === "length" ? "max_output_tokens" : reason },
      }),
      usage,
    },
  });
  return events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
}
