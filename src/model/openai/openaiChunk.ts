import * as z from "zod/mini";
import { CALL_FIELDS, pickFields } from "../providerData.ts";
import type { Usage } from "../streamPart.ts";
import { isErrorEvent } from "./errorText.ts";
import { unwrapChunk, wrappedFields } from "./wrappedChunk.ts";

/**
 * A field that providers omit, null or get wrong reads as null. Nullish is no caught error, because
 * catching costs ten times as much.
 */
export function lenient<Schema extends z.ZodMiniType>(schema: Schema) {
  return z.catch(z.nullish(schema), null);
}

/** A list, or the only item of one, as some servers send it. */
function listOf<Item extends z.ZodMiniType>(item: Item) {
  return z.union([
    z.array(item),
    z.pipe(
      item,
      z.transform((only) => [only]),
    ),
  ]);
}

const text = lenient(z.string());
// Sums of counts and of costs stay numbers that JSON has.
const count = lenient(z.int().check(z.nonnegative(), z.maximum(1_000_000_000_000)));
const dollars = z.number().check(z.nonnegative(), z.maximum(1_000_000));
/** Ticks of a dollar: https://docs.x.ai/developers/cost-tracking */
const TICKS = 10_000_000_000;
const anything = z.optional(z.unknown());
const fields = lenient(z.record(z.string(), z.unknown()));
const usageSchema = lenient(
  z.object({
    prompt_tokens: count,
    completion_tokens: count,
    // mlx-vlm and gateways with Anthropic's names; Bedrock's own.
    input_tokens: count,
    output_tokens: count,
    inputTokens: count,
    outputTokens: count,
    // OpenAI and most others; xAI and Perplexity beside the counts.
    completion_tokens_details: lenient(z.object({ reasoning_tokens: count })),
    reasoning_tokens: count,
    // OpenAI and most others; DeepSeek; Anthropic behind gateways; Moonshot.
    prompt_tokens_details: lenient(z.object({ cached_tokens: count })),
    prompt_cache_hit_tokens: count,
    cache_read_input_tokens: count,
    cache_creation_input_tokens: count,
    cached_tokens: count,
    /** In US dollars: https://openrouter.ai/docs/use-cases/usage-accounting */
    cost: lenient(z.union([dollars, z.object({ total_cost: dollars })])),
    // DeepInfra.
    estimated_cost: lenient(dollars),
    cost_in_usd_ticks: lenient(z.number().check(z.nonnegative(), z.maximum(1e16))),
  }),
);
const contentPartSchema = z.looseObject({
  type: text,
  text,
  thinking: anything,
  // Gemini's own.
  thought: anything,
});

/** What is called with what; `parameters` and `input` are other makers' names for the arguments. */
const calledFields = { name: text, arguments: anything, parameters: anything, input: anything };
const toolCallSchema = z.looseObject({
  index: count,
  id: text,
  call_id: text,
  function: lenient(z.object(calledFields)),
  // Gateways that leave out the layer between.
  ...calledFields,
});
const toolCallsSchema = lenient(listOf(lenient(toolCallSchema)));
/** A call among the parts of content: Anthropic's kind, and what gateways make of it. */
const callPartSchema = z.extend(toolCallSchema, {
  type: z.enum(["tool_use", "tool_call", "function_call", "function"]),
});

const messageSchema = z.looseObject({
  content: anything,
  refusal: text,
  reasoning_content: anything,
  reasoning: anything,
  reasoning_details: lenient(listOf(fields)),
  extra_content: fields,
  tool_calls: anything,
  /** The call of an answer before there were several; some servers still send it. */
  function_call: lenient(z.object(calledFields)),
});

const choiceSchema = z.object({
  index: count,
  delta: lenient(messageSchema),
  message: lenient(messageSchema),
  /** As of the API before chats: https://github.com/mudler/LocalAI/issues/648 */
  text,
  finish_reason: text,
  usage: usageSchema,
});

const chunkSchema = z.object({
  choices: lenient(z.array(lenient(choiceSchema))),
  usage: usageSchema,
  x_groq: lenient(z.object({ usage: usageSchema })),
});

/**
 * A piece of a tool call in a choice. `args` is JSON text; `extra` is what the provider wants back
 * with the call.
 */
export type ToolCallDelta = ReturnType<typeof toolCallDelta> & { readonly choice: number };

/** A chunk of a streamed chat completion. Empty strings and nulls stand for what was not sent. */
export type OpenaiChunk = ReturnType<typeof readOpenaiChunk>;

/**
 * Reads any provider's chunk. A whole completion reads as one chunk, but not after deltas: MiniMax
 * repeats the answer at the end.
 */
export function readOpenaiChunk(wire: unknown, afterDeltas = false) {
  const { choices, usage, x_groq } = chunkSchema.safeParse(wire).data ?? {};
  const all = (choices ?? []).flatMap((choice, at) => (choice ? [{ choice, at }] : []));
  const read = all.map(({ choice, at }) => readChoice(choice, at, afterDeltas));
  // Groq and Moonshot have their own places for usage.
  const tokens = usage ?? x_groq?.usage ?? all.find(({ choice }) => choice.usage)?.choice.usage;
  return {
    isDelta: all.some(({ choice }) => choice.delta),
    /** Nobody asks for several answers: what comes in other choices belongs to the same one. */
    choices: read.map(({ index, content, finishReason }) => ({ index, content, finishReason })),
    reasoning: read.map(({ reasoning }) => reasoning).join(""),
    /** True if the thinking came in the field `reasoning_content`. */
    reasoningContent: read.some(
      ({ message }) => thinkingIn(message?.reasoning_content, MAX_DEPTH) !== "",
    ),
    reasoningDetails: read
      .flatMap(({ message }) => message?.reasoning_details ?? [])
      .filter((detail) => detail !== null && detail !== undefined),
    extraContent:
      read.find(({ message }) => message?.extra_content)?.message?.extra_content ?? null,
    /** Each choice counts its calls from 0. */
    toolCalls: read.flatMap(({ index, message }) =>
      callsOf(message).map((call) => ({ ...call, choice: index })),
    ),
    /** True if there are calls in a form that is not known. */
    losesCalls: read.some(({ message }) => losesCalls(message)),
    usage: tokens ? usageOf(tokens) : null,
  };
}

function readChoice(choice: z.infer<typeof choiceSchema>, at: number, afterDeltas: boolean) {
  // Perplexity repeats the message so far next to each delta.
  const message = choice.delta ?? (afterDeltas ? null : choice.message);
  const parts = contentParts(message?.content);
  return {
    index: choice.index ?? at,
    message,
    content: parts.content + (message?.refusal ?? "") + (message ? "" : (choice.text ?? "")),
    reasoning: (message ? reasoningText(message) : "") + parts.reasoning,
    finishReason: choice.finish_reason ?? "",
  };
}

function usageOf(tokens: NonNullable<z.infer<typeof usageSchema>>): Usage {
  const places = [
    tokens.prompt_tokens_details?.cached_tokens,
    tokens.prompt_cache_hit_tokens,
    tokens.cache_read_input_tokens,
    tokens.cached_tokens,
  ];
  const cached = Math.max(0, ...places.map((place) => place ?? 0));
  const input = inputOf(tokens, cached);
  const output = tokens.completion_tokens ?? tokens.output_tokens ?? tokens.outputTokens ?? null;
  const reasoning = tokens.completion_tokens_details?.reasoning_tokens ?? tokens.reasoning_tokens;
  const named = typeof tokens.cost === "object" ? tokens.cost?.total_cost : tokens.cost;
  const ticks = tokens.cost_in_usd_ticks;
  const cost = named ?? tokens.estimated_cost ?? (typeof ticks === "number" ? ticks / TICKS : null);
  return {
    inputTokens: input,
    outputTokens: output,
    ...(input !== null && cached > 0 && { cachedInputTokens: cached }),
    ...(reasoning && { reasoningTokens: reasoning }),
    ...(typeof cost === "number" && { cost }),
  };
}

/** All tokens of the input: some gateways leave out what came from the cache. */
function inputOf(tokens: NonNullable<z.infer<typeof usageSchema>>, cached: number): number | null {
  const counted = tokens.prompt_tokens ?? null;
  if (counted !== null) return cached > counted ? counted + cached : counted;
  // Anthropic counts the cache apart (https://docs.anthropic.com/en/docs/build-with-claude/prompt-caching).
  const { cache_read_input_tokens: read, cache_creation_input_tokens: written } = tokens;
  const apart = (read ?? 0) + (written ?? 0);
  const named = tokens.input_tokens ?? tokens.inputTokens ?? null;
  return named === null ? null : named + apart;
}

/** Fields that hold thinking, by their names, and those that only say something of it. */
const THINKING = /reason|think|thought/i;
const ABOUT_THINKING =
  /signature|encrypted|redacted|(?:^|_)(?:has|is|enabled|effort|budget|tokens?|ids?|type|status|format|level|mode|time|duration|finish(?:ed)?|stop)(?:_|$)|^finish/i;
/** How deep lists of thinking are read. */
const MAX_DEPTH = 3;
/** Providers often send the same thinking in two fields; the first of these counts. */
const FIRST_THINKING = ["reasoning_content", "reasoning", "reasoning_details"] as const;

function reasoningText(message: z.infer<typeof messageSchema>): string {
  for (const name of [...FIRST_THINKING, ...Object.keys(message)])
    if (THINKING.test(name) && !ABOUT_THINKING.test(name)) {
      const text = thinkingIn(message[name], MAX_DEPTH);
      if (text !== "") return text;
    }
  return "";
}

/** Fields of a block of thinking, the text before a summary of it. */
const BLOCK_TEXTS = ["thinking", "text", "content", "reasoning", "summary"] as const;

/** The text in a field of thinking: a string, a block such as LiteLLM's, or a list of blocks. */
function thinkingIn(value: unknown, depth: number): string {
  if (typeof value === "string") return value;
  if (depth === 0 || typeof value !== "object" || value === null) return "";
  if (Array.isArray(value)) return value.map((each) => thinkingIn(each, depth - 1)).join("");
  const block: Readonly<Record<string, unknown>> = { ...value };
  for (const name of BLOCK_TEXTS) {
    const text = thinkingIn(block[name], depth - 1);
    if (text !== "") return text;
  }
  return "";
}

/**
 * Content is a string, or a list of text and thinking parts
 * (https://docs.mistral.ai/capabilities/reasoning/).
 */
function contentParts(content: unknown): { content: string; reasoning: string } {
  const read = { content: typeof content === "string" ? content : "", reasoning: "" };
  for (const item of partsOf(content)) {
    const part = contentPartSchema.safeParse(item).data;
    if (part && (part.thought === true || THINKING.test(part.type ?? ""))) {
      read.reasoning += thinkingIn(part, MAX_DEPTH);
      continue;
    }
    read.content += typeof item === "string" ? item : (part?.text ?? "");
    if (part) read.reasoning += contentParts(part.thinking).content;
  }
  return read;
}

/** The calls of a message in the first place that has any: servers send them in two. */
function callsOf(message: z.infer<typeof messageSchema> | null | undefined) {
  const listed = toolCallsSchema.safeParse(message?.tool_calls).data ?? [];
  const calls = listed.flatMap((call) => (call ? [toolCallDelta(call)] : []));
  if (calls.length > 0) return calls;
  const former = message?.function_call;
  if (former) return [toolCallDelta({ function: former })];
  return partsOf(message?.content).flatMap((part) => {
    const call = callPartSchema.safeParse(part).data;
    return call ? [toolCallDelta(call)] : [];
  });
}

/** True where a message has calls in a form that nothing of them was read of. */
function losesCalls(message: z.infer<typeof messageSchema> | null | undefined): boolean {
  const isRead = ({ id, name, args }: ReturnType<typeof toolCallDelta>) => id + name + args !== "";
  return saysSomething(message?.tool_calls, MAX_DEPTH) && !callsOf(message).some(isRead);
}

function saysSomething(value: unknown, depth: number): boolean {
  if (typeof value === "string") return value.trim() !== "";
  if (depth === 0 || typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(
    ([name, each]) => name !== "type" && name !== "index" && saysSomething(each, depth - 1),
  );
}

/** The parts of content that is no text: a list, or the only part. */
function partsOf(content: unknown): readonly unknown[] {
  if (Array.isArray(content)) return content;
  return typeof content === "object" && content !== null ? [content] : [];
}

function toolCallDelta(call: z.infer<typeof toolCallSchema>) {
  const called = call.function ?? call;
  const args = called.arguments ?? called.parameters ?? called.input;
  const isObject = typeof args === "object" && args !== null;
  return {
    index: call.index ?? null,
    id: call.id ?? call.call_id ?? "",
    // vLLM appends tokens of gpt-oss (https://github.com/vllm-project/vllm/issues/32587).
    name: (call.function?.name ?? call.name ?? "").replace(/<\|.*/s, ""),
    args: typeof args === "string" ? args : isObject ? JSON.stringify(args) : "",
    extra: pickFields(call, CALL_FIELDS),
  };
}

const eventSchema = z.object({
  error: anything,
  x_groq: lenient(z.object({ error: anything })),
  base_resp: lenient(z.looseObject({ status_code: lenient(z.number()) })),
  choices: lenient(z.array(lenient(z.object({ error: anything })))),
});

/**
 * The error in an event, or in what it wraps, or null. It is in `error`
 * (https://openrouter.ai/docs/api-reference/streaming), there beside a choice, in Groq's `x_groq`, in
 * MiniMax's `base_resp` (https://platform.minimax.io/docs/api-reference/errorcode), or is the event
 * itself (Mistral, older vLLM, Baidu).
 */
export function eventError(event: unknown): unknown {
  const { error, x_groq, base_resp, choices } = eventSchema.safeParse(event).data ?? {};
  const named = error || x_groq?.error || choices?.find((choice) => choice?.error)?.error;
  if (named) return named;
  if (base_resp?.status_code) return base_resp;
  const chunk = unwrapChunk(event);
  if (chunk !== event && readOpenaiChunk(chunk).choices.length > 0) return eventError(chunk);
  if (isErrorEvent(event)) return event;
  const inner = wrappedFields(event);
  return inner && eventError(inner);
}
