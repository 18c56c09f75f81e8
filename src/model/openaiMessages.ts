import type { Message, ToolCall, ToolSpec } from "./message.ts";
import { CALL_FIELDS, MESSAGE_FIELDS, type ProviderData, pickFields } from "./providerData.ts";

/** A tool call on the wire; `arguments` always holds a JSON object, since some servers refuse the request otherwise. */
export interface WireToolCall {
  id: string;
  type: "function";
  function: { name: string; arguments: string };
}

/** A message on the wire (https://platform.openai.com/docs/api-reference/chat/create). */
export type WireMessage =
  | { role: "system" | "user"; content: string }
  | { role: "assistant"; content: string | null; tool_calls?: WireToolCall[] }
  | { role: "tool"; tool_call_id: string; content: string };

/** A tool on the wire. */
export interface WireTool {
  type: "function";
  function: { name: string; description: string; parameters: Record<string, unknown> };
}

/** The conversation as the API wants it; what a provider wants back goes to `source` only. An assistant message with neither text nor calls is left out: servers refuse it. */
export function openaiMessages(messages: readonly Message[], source: string | null = null): WireMessage[] {
  return messages
    .filter((message) => message.role !== "assistant" || message.text !== "" || message.toolCalls.length > 0)
    .map((message) => wireMessage(message, source));
}

/** The tools as the API wants them. */
export function openaiTools(tools: readonly ToolSpec[]): WireTool[] {
  return tools.map(({ name, description, parameters }) => ({ type: "function", function: { name, description, parameters } }));
}

function wireMessage(message: Message, source: string | null): WireMessage {
  if (message.role === "tool") return { role: "tool", tool_call_id: message.callId, content: message.text };
  if (message.role !== "assistant") return { role: message.role, content: message.text };
  const data = message.providerData?.source === source ? message.providerData : undefined;
  const fields = data ? pickFields(data.message, MESSAGE_FIELDS) : {};
  if (message.toolCalls.length === 0) return { ...fields, role: "assistant", content: message.text };
  // Thinking that led to no call is of no use any more.
  if (data?.reasoningField && message.reasoning !== undefined) fields[data.reasoningField] = message.reasoning;
  const calls = message.toolCalls.map((call) => wireToolCall(call, data));
  return { ...fields, role: "assistant", content: message.text || null, tool_calls: calls };
}

function wireToolCall({ callId, name, argsText }: ToolCall, data: ProviderData | undefined): WireToolCall {
  const call: WireToolCall = { id: callId, type: "function", function: { name, arguments: jsonObject(argsText) } };
  return data ? { ...pickFields(data.calls[callId] ?? {}, CALL_FIELDS), ...call } : call;
}

/** The arguments as the model wrote them where they are a JSON object, else an object that shows what it wrote. */
function jsonObject(argsText: string): string {
  if (argsText.trim() === "") return "{}";
  try {
    const value: unknown = JSON.parse(argsText);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return argsText;
  } catch {
    // Falls through to the wrapped text.
  }
  return JSON.stringify({ malformed_arguments: argsText });
}
