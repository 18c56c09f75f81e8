import type { OpenAI } from "openai";
import { toBase64 } from "../../base/text/base64.ts";
import { userParts } from "../imageParts.ts";
import type { Message, ToolCall, ToolSpec } from "../message.ts";
import { CALL_FIELDS, MESSAGE_FIELDS, type ProviderData, pickFields } from "../providerData.ts";

/**
 * The conversation as the API wants it, with the bytes of `images`. Provider data goes to its
 * `source` only. Servers refuse empty assistant messages.
 */
export function openaiMessages(
  messages: readonly Message[],
  source: string | null = null,
  images?: ReadonlyMap<string, Uint8Array>,
): OpenAI.ChatCompletionMessageParam[] {
  return messages
    .filter(
      (message) =>
        message.role !== "assistant" || message.text !== "" || message.toolCalls.length > 0,
    )
    .map((message) =>
      message.role === "user" ? wireUserMessage(message, images) : wireMessage(message, source),
    );
}

/**
 * Marks the instructions and the end of the conversation, up to which a provider such as Anthropic
 * caches (https://openrouter.ai/docs/features/prompt-caching). Its own OpenAI-compatible API has no
 * caching.
 */
export function withCacheMarks(
  messages: readonly OpenAI.ChatCompletionMessageParam[],
): OpenAI.ChatCompletionMessageParam[] {
  return messages.map((message, index) => {
    if (index < messages.length - 1 && message.role !== "system") return message;
    if (message.role === "user") {
      const { content } = message;
      if (typeof content === "string") return { ...message, content: markedText(content) };
      return {
        ...message,
        content: content.map((part, at) =>
          at < content.length - 1 ? part : { ...part, ...CACHE_MARK },
        ),
      };
    }
    if (
      (message.role !== "tool" && message.role !== "system") ||
      typeof message.content !== "string"
    )
      return message;
    return { ...message, content: markedText(message.content) };
  });
}

const CACHE_MARK = { cache_control: { type: "ephemeral" } };

function markedText(text: string): OpenAI.ChatCompletionContentPartText[] {
  return [{ type: "text", text, ...CACHE_MARK }];
}

/** The tools as the API wants them. */
export function openaiTools(tools: readonly ToolSpec[]): OpenAI.ChatCompletionFunctionTool[] {
  return tools.map(({ name, description, parameters }) => ({
    type: "function",
    function: { name, description, parameters },
  }));
}

/** A text alone is no list of parts: servers without images may take none. */
function wireUserMessage(
  message: Message & { readonly role: "user" },
  images: ReadonlyMap<string, Uint8Array> | undefined,
): OpenAI.ChatCompletionUserMessageParam {
  const parts = userParts(message, images);
  if (parts.every(({ type }) => type === "text")) {
    return {
      role: "user",
      content: parts.map((part) => (part.type === "text" ? part.text : "")).join(""),
    };
  }
  const content = parts.map((part): OpenAI.ChatCompletionContentPart => {
    if (part.type === "text") return part;
    return {
      type: "image_url",
      image_url: { url: `data:${part.mimeType};base64,${toBase64(part.data)}` },
    };
  });
  return { role: "user", content };
}

function wireMessage(
  message: Exclude<Message, { readonly role: "user" }>,
  source: string | null,
): OpenAI.ChatCompletionMessageParam {
  if (message.role === "tool")
    return { role: "tool", tool_call_id: message.callId, content: message.text };
  if (message.role !== "assistant") return { role: message.role, content: message.text };
  const data = message.providerData?.source === source ? message.providerData : undefined;
  const fields = data ? pickFields(data.message, MESSAGE_FIELDS) : {};
  if (message.toolCalls.length === 0)
    return { ...fields, role: "assistant", content: message.text };
  if (data?.reasoningField && message.reasoning !== undefined)
    fields[data.reasoningField] = message.reasoning;
  const calls = message.toolCalls.map((call) => wireToolCall(call, data));
  return { ...fields, role: "assistant", content: message.text || null, tool_calls: calls };
}

function wireToolCall(
  { callId, name, argsText }: ToolCall,
  data: ProviderData | undefined,
): OpenAI.ChatCompletionMessageFunctionToolCall {
  const extra = pickFields(data?.calls[callId] ?? {}, CALL_FIELDS);
  return { ...extra, id: callId, type: "function", function: { name, arguments: argsText } };
}
