import * as z from "zod/mini";
import { lenient } from "./lenient.ts";
import { CALL_FIELDS, pickFields } from "./providerData.ts";

const text = lenient(z.string());
const count = lenient(z.int().check(z.nonnegative()));
const anything = z.optional(z.unknown());

const fields = lenient(z.record(z.string(), z.unknown()));

const toolCallSchema = z.looseObject({
  index: count,
  id: text,
  function: lenient(z.object({ name: text, arguments: anything })),
});

const usageSchema = z.object({ prompt_tokens: count, completion_tokens: count });

const detailSchema = z.object({ text, summary: text });

const messageSchema = z.object({
  content: anything,
  refusal: text,
  reasoning_content: text,
  reasoning: text,
  reasoning_details: lenient(z.array(fields)),
  extra_content: fields,
  tool_calls: lenient(z.array(lenient(toolCallSchema))),
});

const chunkSchema = z.object({
  choices: lenient(
    z.array(
      lenient(
        z.object({
          index: count,
          delta: lenient(messageSchema),
          message: lenient(messageSchema),
          finish_reason: text,
          usage: lenient(usageSchema),
        }),
      ),
    ),
  ),
  usage: lenient(usageSchema),
  x_groq: lenient(z.object({ usage: lenient(usageSchema) })),
});

const contentPartSchema = z.object({ text, thinking: anything });

/** A piece of a tool call as it came; `args` is JSON text, or the arguments themselves where the provider sends an object. */
export interface ToolCallDelta {
  readonly index: number | null;
  readonly id: string;
  readonly name: string;
  readonly args: string;
  /** What the provider wants back with the call. */
  readonly extra: Readonly<Record<string, unknown>>;
}

/** A chunk of a streamed chat completion, read leniently: empty strings and nulls stand for what was not sent. */
export interface OpenaiChunk {
  /** True for a delta, false for a whole message. */
  readonly isDelta: boolean;
  readonly reasoning: string;
  /** True where the thinking came in the field `reasoning_content`. */
  readonly reasoningContent: boolean;
  /** The pieces of `reasoning_details` as they came. */
  readonly reasoningDetails: readonly Readonly<Record<string, unknown>>[];
  /** The message's `extra_content`. */
  readonly extraContent: Readonly<Record<string, unknown>> | null;
  readonly content: string;
  readonly toolCalls: readonly ToolCallDelta[];
  readonly finishReason: string;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
}

const EMPTY_CHUNK: OpenaiChunk = {
  isDelta: false,
  reasoning: "",
  reasoningContent: false,
  reasoningDetails: [],
  extraContent: null,
  content: "",
  toolCalls: [],
  finishReason: "",
  inputTokens: null,
  outputTokens: null,
};

/**
 * Reads a wire chunk of whatever provider; something that is no chunk reads as an empty one. A whole completion reads as one chunk, but
 * says nothing new where deltas have come: MiniMax ends its streams with one.
 */
export function readOpenaiChunk(wire: unknown, afterDeltas = false): OpenaiChunk {
  const parsed = chunkSchema.safeParse(wire);
  if (!parsed.success) return EMPTY_CHUNK;
  const { choices, usage, x_groq } = parsed.data;
  const choice = choices?.find((one) => one && (one.index ?? 0) === 0) ?? null;
  // A provider that sends both repeats the whole message so far beside the delta.
  const message = choice?.delta ?? (afterDeltas ? null : choice?.message) ?? null;
  // Groq and Moonshot have places of their own for it.
  const tokens = usage ?? x_groq?.usage ?? choice?.usage ?? null;
  const parts = contentParts(message?.content);
  return {
    isDelta: Boolean(choice?.delta),
    reasoning: (message === null ? "" : reasoningText(message)) + parts.reasoning,
    reasoningContent: Boolean(message?.reasoning_content),
    reasoningDetails: (message?.reasoning_details ?? []).filter((detail) => detail !== null && detail !== undefined),
    extraContent: message?.extra_content ?? null,
    content: parts.content + (message?.refusal ?? ""),
    toolCalls: (message?.tool_calls ?? []).flatMap((call) => (call ? [toolCallDelta(call)] : [])),
    finishReason: choice?.finish_reason ?? "",
    inputTokens: tokens?.prompt_tokens ?? null,
    outputTokens: tokens?.completion_tokens ?? null,
  };
}

/** The thinking of a chunk; the same text often comes in two fields, of which one is taken. */
function reasoningText(message: z.infer<typeof messageSchema>): string {
  const details = message.reasoning_details ?? [];
  return message.reasoning_content || message.reasoning || details.map(detailText).join("");
}

function detailText(detail: unknown): string {
  const read = detailSchema.safeParse(detail);
  return read.success ? read.data.text || read.data.summary || "" : "";
}

/** Content is a string, or a list of text and thinking parts (https://docs.mistral.ai/capabilities/reasoning/). */
function contentParts(content: unknown): { content: string; reasoning: string } {
  const read = { content: "", reasoning: "" };
  if (typeof content === "string") read.content = content;
  if (!Array.isArray(content)) return read;
  for (const item of content) {
    const part = contentPartSchema.safeParse(item);
    if (typeof item === "string") read.content += item;
    else if (part.success) {
      read.content += part.data.text ?? "";
      read.reasoning += contentParts(part.data.thinking).content;
    }
  }
  return read;
}

function toolCallDelta(call: z.infer<typeof toolCallSchema>): ToolCallDelta {
  const args = call.function?.arguments;
  const isObject = typeof args === "object" && args !== null;
  return {
    index: call.index ?? null,
    id: call.id ?? "",
    // vLLM leaves tokens of gpt-oss behind it (https://github.com/vllm-project/vllm/issues/32587).
    name: (call.function?.name ?? "").replace(/<\|.*/s, ""),
    args: typeof args === "string" ? args : isObject ? JSON.stringify(args) : "",
    extra: pickFields(call, CALL_FIELDS),
  };
}
