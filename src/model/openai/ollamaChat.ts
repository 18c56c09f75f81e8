import type { OpenAI } from "openai";
import * as z from "zod/mini";
import { parseJson } from "../../base/text/parseJson.ts";
import type { ModelFailure } from "../modelFailure.ts";
import { type ChunksEnd, MAX_EVENT, type ReadText } from "./readChunks.ts";

/** The parts of a chat completions request that Ollama's own API has too. */
interface CompletionsRequest {
  readonly model: string;
  readonly messages: readonly OpenAI.ChatCompletionMessageParam[];
  readonly stream: boolean;
  readonly temperature?: number;
  readonly reasoning_effort?: unknown;
  readonly tools?: readonly OpenAI.ChatCompletionFunctionTool[];
}

/** Ollama's levels of thinking; `none` is false there. */
const LEVELS: ReadonlySet<unknown> = new Set(["low", "medium", "high"]);

/**
 * A request as Ollama's own API takes it, which loads the model with a window of `numCtx` tokens:
 * its OpenAI-compatible API cannot be told (https://docs.ollama.com/api/chat).
 */
export function ollamaRequest(request: CompletionsRequest, numCtx: number) {
  const { model, messages, stream, temperature, reasoning_effort: effort, tools } = request;
  const called = new Map<string, string>();
  return {
    model,
    messages: messages.map((message) => ollamaMessage(message, called)),
    stream,
    options: { num_ctx: numCtx, ...(temperature !== undefined && { temperature }) },
    ...(effort === "none" && { think: false }),
    ...(LEVELS.has(effort) && { think: effort }),
    ...(tools && { tools }),
  };
}

/** `called` has the names of the calls so far, by id. */
function ollamaMessage(
  message: OpenAI.ChatCompletionMessageParam,
  called: Map<string, string>,
): Record<string, unknown> {
  const { role } = message;
  const parts = typeof message.content === "string" ? message.content : (message.content ?? "");
  if (role === "tool") {
    const name = called.get(message.tool_call_id);
    return { role, content: textOf(parts), ...(name !== undefined && { tool_name: name }) };
  }
  if (role === "user") {
    const images = imagesOf(parts);
    return { role, content: textOf(parts), ...(images.length > 0 && { images }) };
  }
  if (role !== "assistant") return { role, content: textOf(parts) };
  const calls = (message.tool_calls ?? []).flatMap((call) => {
    if (call.type !== "function") return [];
    called.set(call.id, call.function.name);
    const args = parseJson(call.function.arguments);
    return [{ id: call.id, function: { name: call.function.name, arguments: args ?? {} } }];
  });
  return { role, content: textOf(parts), ...(calls.length > 0 && { tool_calls: calls }) };
}

type MessageContent = string | readonly { readonly type: string }[];

function textOf(content: MessageContent): string {
  if (typeof content === "string") return content;
  return content
    .flatMap((part) => ("text" in part && typeof part.text === "string" ? [part.text] : []))
    .join("\n");
}

const imageSchema = z.object({ image_url: z.object({ url: z.string() }) });

/** The images' bytes in base64, which come as addresses `data:TYPE;base64,BYTES`. */
function imagesOf(content: MessageContent): readonly string[] {
  if (typeof content === "string") return [];
  return content.flatMap((part) => {
    const url = imageSchema.safeParse(part).data?.image_url.url;
    return url === undefined ? [] : [url.slice(url.indexOf(",") + 1)];
  });
}

const count = z.optional(z.nullable(z.number()));
const text = z.optional(z.nullable(z.string()));
const callSchema = z.object({
  id: text,
  function: z.object({ name: z.string(), arguments: z.optional(z.unknown()) }),
});
const lineSchema = z.object({
  error: z.optional(z.unknown()),
  message: z.optional(
    z.nullable(
      z.object({
        content: text,
        thinking: text,
        tool_calls: z.optional(z.nullable(z.array(callSchema))),
      }),
    ),
  ),
  done: z.optional(z.nullable(z.boolean())),
  done_reason: text,
  prompt_eval_count: count,
  eval_count: count,
});

/**
 * Reads an answer of Ollama's own API, a JSON object a line, as chunks of a chat completion. Gives
 * `undefined` for a line that is not JSON.
 */
export async function* readOllamaChunks(
  read: ReadText,
): AsyncGenerator<unknown, ChunksEnd, undefined> {
  let rest = "";
  let calls = 0;
  let complete = false;
  let invalid: ModelFailure | null = null;
  for (let more = await read(); ; more = await read()) {
    rest += more ?? "\n";
    if (rest.length > MAX_EVENT) return { code: "overlong" };
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line.trim() === "" || complete) continue;
      const { data } = lineSchema.safeParse(parseJson(line));
      if (!data) {
        if (line.trimStart().startsWith("<")) return { code: "web-page" };
        invalid ??= { code: "invalid-json", said: line };
        yield undefined;
        continue;
      }
      const { error } = data;
      if (error) return { error: typeof error === "string" ? { message: error } : error };
      yield chunkOf(data, calls);
      calls += data.message?.tool_calls?.length ?? 0;
      complete = data.done ?? false;
    }
    if (more === null) return invalid ?? (complete ? null : { code: "interrupted" });
  }
}

/** A line as a chunk, after `before` calls. */
function chunkOf(
  { message, done, done_reason, prompt_eval_count, eval_count }: z.infer<typeof lineSchema>,
  before: number,
): unknown {
  const calls = message?.tool_calls ?? [];
  const delta = {
    content: message?.content ?? "",
    reasoning: message?.thinking ?? "",
    tool_calls: calls.map(({ id, function: called }, at) => ({
      index: before + at,
      ...(id && { id }),
      function: { name: called.name, arguments: JSON.stringify(called.arguments ?? {}) },
    })),
  };
  const isStop = done_reason === "stop" || !done_reason;
  const reason = isStop && before + calls.length > 0 ? "tool_calls" : (done_reason ?? "stop");
  return {
    choices: [{ index: 0, delta, finish_reason: done ? reason : null }],
    ...(done && { usage: { prompt_tokens: prompt_eval_count, completion_tokens: eval_count } }),
  };
}
