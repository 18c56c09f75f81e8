import type { OpenAI } from "openai";
import type { Message, ToolCall, ToolSpec } from "../message.ts";
import { CALL_FIELDS, MESSAGE_FIELDS, type ProviderData, pickFields } from "../providerData.ts";

/** The conversation as the API wants it. Provider data goes to its `source` only. Servers refuse empty assistant messages. */
export function openaiMessages(messages: readonly Message[], source: string | null = null): OpenAI.ChatCompletionMessageParam[] {
  return messages
    .filter((message) => message.role !== "assistant" || message.text !== "" || message.toolCalls.length > 0)
    .map((message) => wireMessage(message, source));
}

/** The tools as the API wants them. */
export function openaiTools(tools: readonly ToolSpec[]): OpenAI.ChatCompletionFunctionTool[] {
  return tools.map(({ name, description, parameters }) => ({ type: "function", function: { name, description, parameters } }));
}

function wireMessage(message: Message, source: string | null): OpenAI.ChatCompletionMessageParam {
  if (message.role === "tool") return { role: "tool", tool_call_id: message.callId, content: message.text };
  if (message.role !== "assistant") return { role: message.role, content: message.text };
  const data = message.providerData?.source === source ? message.providerData : undefined;
  const fields = data ? pickFields(data.message, MESSAGE_FIELDS) : {};
  if (message.toolCalls.length === 0) return { ...fields, role: "assistant", content: message.text };
  if (data?.reasoningField && message.reasoning !== undefined) fields[data.reasoningField] = message.reasoning;
  const calls = message.toolCalls.map((call) => wireToolCall(call, data));
  return { ...fields, role: "assistant", content: message.text || null, tool_calls: calls };
}

function wireToolCall({ callId, name, argsText }: ToolCall, data: ProviderData | undefined): OpenAI.ChatCompletionMessageFunctionToolCall {
  const extra = pickFields(data?.calls[callId] ?? {}, CALL_FIELDS);
  return { ...extra, id: callId, type: "function", function: { name, arguments: argsText } };
}
