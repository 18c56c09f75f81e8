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
  const ordered = refused.has("user-after-calls") ? single.flatMap(afterAnAnswer) : single;
  const form = { source, refused, ...callForms(ordered, refused) };
  return ordered.map((message) =>
    message.role === "user" ? wireUserMessage(message, images) : wireMessage(message, form),
  );
}

/** What stands for an answer, or for a text, that a server does not do without. */
const PLACEHOLDER = "…";
/** What Google takes for calls of other models (https://ai.google.dev/gemini-api/docs/thought-signatures). */
const NO_SIGNATURE = {
  extra_content: { google: { thought_signature: "skip_thought_signature_validator" } },
};

/** How a request writes what is not the user's. */
interface WireForm {
  /** Whose provider data is sent back. */
  readonly source: string | null;
  readonly refused: ReadonlySet<RequestPart>;
  /** The id of a call as it is sent. */
  idOf(callId: string): string;
  /** The tool of a call; null where no name is sent. */
  nameOf(callId: string): string | null;
}

function callForms(
  messages: readonly Message[],
  refused: ReadonlySet<RequestPart>,
): Pick<WireForm, "idOf" | "nameOf"> {
  const calls = messages.flatMap((each) => (each.role === "assistant" ? each.toolCalls : []));
  const names = new Map(calls.map(({ callId, name }) => [callId, name]));
  const order = [...names.keys()];
  return {
    idOf: (callId) =>
      refused.has("call-ids") ? `c${String(order.indexOf(callId) + 1).padStart(8, "0")}` : callId,
    nameOf: (callId) => (refused.has("tool-names") ? (names.get(callId) ?? null) : null),
  };
}

/** A message of the user, after an answer where a result comes before it. */
function afterAnAnswer(
  message: Message,
  index: number,
  messages: readonly Message[],
): readonly Message[] {
  return message.role === "user" && messages[index - 1]?.role === "tool"
    ? [{ role: "assistant", text: PLACEHOLDER, toolCalls: [] }, message]
    : [message];
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
  form: WireForm,
): OpenAI.ChatCompletionMessageParam {
  const { source, refused } = form;
  const textOf = (text: string) =>
    text.trim() === "" && refused.has("empty-content") ? PLACEHOLDER : text;
  if (message.role === "tool") {
    const name = form.nameOf(message.callId);
    return {
      role: "tool",
      tool_call_id: form.idOf(message.callId),
      content: textOf(message.text),
      ...(name !== null && { name }),
    };
  }
  if (message.role !== "assistant") return { role: message.role, content: message.text };
  const data = message.providerData?.source === source ? message.providerData : undefined;
  const fields = {
    ...(refused.has("no-reasoning-content") && { reasoning_content: message.reasoning ?? " " }),
    ...(data && pickFields(data.message, MESSAGE_FIELDS)),
  };
  if (message.toolCalls.length === 0)
    return { ...fields, role: "assistant", content: message.text };
  if (data?.reasoningField && message.reasoning !== undefined)
    fields[data.reasoningField] = message.reasoning;
  const calls = message.toolCalls.map((call) => wireToolCall(call, data, form));
  const content = textOf(message.text) || (refused.has("null-content") ? "" : null);
  return { ...fields, role: "assistant", content, tool_calls: calls };
}

function wireToolCall(
  { callId, name, argsText }: ToolCall,
  data: ProviderData | undefined,
  { refused, idOf }: WireForm,
): OpenAI.ChatCompletionMessageFunctionToolCall {
  const extra = pickFields(data?.calls[callId] ?? {}, CALL_FIELDS);
  const isSigned = Object.keys(extra).length > 0;
  return {
    ...(refused.has("unsigned-calls") && !isSigned && NO_SIGNATURE),
    ...extra,
    id: idOf(callId),
    type: "function",
    function: { name, arguments: wireJson(argsText) },
  };
}
