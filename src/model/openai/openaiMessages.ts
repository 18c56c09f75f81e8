import type { OpenAI } from "openai";
import { toBase64 } from "../../base/text/base64.ts";
import { userParts } from "../imageParts.ts";
import type { RequestPart } from "../learnedCapabilities.ts";
import type { Message, ToolCall, ToolSpec } from "../message.ts";
import { CALL_FIELDS, MESSAGE_FIELDS, type ProviderData, pickFields } from "../providerData.ts";
import { wireJson } from "../wireText.ts";

const NOTHING_REFUSED: ReadonlySet<RequestPart> = new Set();

/**
 * The conversation as the API wants it, with the bytes of `images`, and without the ways to write it
 * that are `refused`. Provider data goes to its `source` only. Servers refuse empty assistant
 * messages.
 */
export function openaiMessages(
  messages: readonly Message[],
  source: string | null = null,
  images?: ReadonlyMap<string, Uint8Array>,
  refused: ReadonlySet<RequestPart> = NOTHING_REFUSED,
): OpenAI.ChatCompletionMessageParam[] {
  const sent = messages.filter(
    (message) =>
      message.role !== "assistant" || message.text !== "" || message.toolCalls.length > 0,
  );
  const spoken = refused.has("system-role") ? withoutSystem(sent) : sent;
  const apart = refused.has("text-with-calls") ? spoken.flatMap(textApart) : spoken;
  const single = refused.has("parallel-calls") ? oneCallEach(apart) : apart;
  return single.map((message) =>
    message.role === "user"
      ? wireUserMessage(message, images)
      : wireMessage(message, source, refused.has("null-content")),
  );
}

/** The instructions as the beginning of the first message of the user. */
function withoutSystem(messages: readonly Message[]): readonly Message[] {
  const system = messages.filter(({ role }) => role === "system").map(({ text }) => text);
  const others = messages.filter(({ role }) => role !== "system");
  const first = others.findIndex(({ role }) => role === "user");
  if (system.length === 0) return messages;
  const text = system.join("\n\n");
  if (first !== 0) return [{ role: "user", text }, ...others];
  return others.map((message, index) =>
    index === 0 ? { ...message, text: `${text}\n\n${message.text}` } : message,
  );
}

/** A message with text and calls as two: what was said, then the calls. */
function textApart(message: Message): readonly Message[] {
  if (message.role !== "assistant" || message.text === "" || message.toolCalls.length === 0)
    return [message];
  const { text } = message;
  return [
    { role: "assistant", text, toolCalls: [] },
    { ...message, text: "" },
  ];
}

/** Each call in a message of its own, followed by its result. */
function oneCallEach(messages: readonly Message[]): readonly Message[] {
  const results = new Map<string, Message>();
  for (const message of messages) if (message.role === "tool") results.set(message.callId, message);
  const moved = new Set<Message>();
  const split = messages.flatMap((message): readonly Message[] => {
    if (message.role !== "assistant" || message.toolCalls.length < 2) return [message];
    return message.toolCalls.flatMap((call, index) => {
      const result = results.get(call.callId);
      if (result) moved.add(result);
      const text = index === 0 ? message.text : "";
      return [{ ...message, text, toolCalls: [call] }, ...(result ? [result] : [])];
    });
  });
  const seen = new Set<Message>();
  return split.filter((message) => {
    const isRepeated = moved.has(message) && seen.has(message);
    seen.add(message);
    return !isRepeated;
  });
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
  noNull: boolean,
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
  const content = message.text || (noNull ? "" : null);
  return { ...fields, role: "assistant", content, tool_calls: calls };
}

function wireToolCall(
  { callId, name, argsText }: ToolCall,
  data: ProviderData | undefined,
): OpenAI.ChatCompletionMessageFunctionToolCall {
  const extra = pickFields(data?.calls[callId] ?? {}, CALL_FIELDS);
  return {
    ...extra,
    id: callId,
    type: "function",
    function: { name, arguments: wireJson(argsText) },
  };
}
