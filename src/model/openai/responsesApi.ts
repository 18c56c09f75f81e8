import * as z from "zod/mini";
import type { openaiMessages, openaiTools } from "./openaiMessages.ts";
import type { ChunksEnd } from "./readChunks.ts";

type CompletionsMessage = ReturnType<typeof openaiMessages>[number];

/** The parts of a chat completions request that the Responses API has too. */
interface CompletionsRequest {
  readonly model: string;
  readonly messages: readonly CompletionsMessage[];
  readonly stream: boolean;
  readonly temperature?: number;
  readonly reasoning_effort?: unknown;
  readonly max_tokens?: unknown;
  readonly max_completion_tokens?: unknown;
  readonly tools?: ReturnType<typeof openaiTools>;
}

/** How a reasoning item, and the phase of a text, are marked among what a provider wants back. */
const REASONING_ITEM = "graft.responses.reasoning";
const PHASE = "graft.responses.phase";

/**
 * A request as the Responses API takes it (https://platform.openai.com/docs/api-reference/responses).
 * Nothing is stored there and no tool of its own is on: with `keepsReasoning`, reasoning comes back
 * encrypted, and goes back with the calls it led to.
 */
export function responsesRequest(request: CompletionsRequest, keepsReasoning: boolean) {
  const { model, messages, stream, temperature, reasoning_effort: effort, tools = [] } = request;
  const limit = request.max_completion_tokens ?? request.max_tokens;
  return {
    model,
    input: messages.flatMap((message) => inputItems(message, keepsReasoning)),
    stream,
    store: false,
    ...(keepsReasoning && { include: ["reasoning.encrypted_content"] }),
    ...(temperature !== undefined && { temperature }),
    ...(effort !== undefined && { reasoning: { effort } }),
    ...(limit !== undefined && { max_output_tokens: limit }),
    ...(tools.length > 0 && {
      tools: tools.map(({ function: { name, description, parameters } }) => ({
        type: "function",
        ...{ name, description, parameters },
        strict: false,
      })),
    }),
  };
}

const detailsSchema = z.object({
  reasoning_details: z.array(
    z.object({
      type: z.string(),
      item: z.optional(z.record(z.string(), z.unknown())),
      /** How many texts and calls came before it. */
      after: z._default(z.number(), 0),
      phase: z.optional(z.string()),
    }),
  ),
});
const partSchema = z.union([
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("image_url"), image_url: z.object({ url: z.string() }) }),
]);

function inputItems(
  message: CompletionsMessage,
  keepsReasoning: boolean,
): readonly Record<string, unknown>[] {
  const { role } = message;
  const parts: readonly unknown[] =
    typeof message.content === "string"
      ? [{ type: "text", text: message.content }]
      : (message.content ?? []);
  const content = parts.flatMap((part) => partSchema.safeParse(part).data ?? []);
  const text = content.map((part) => (part.type === "text" ? part.text : "")).join("");
  if (role === "tool")
    return [{ type: "function_call_output", call_id: message.tool_call_id, output: text }];
  if (role === "user")
    return [
      {
        role,
        content: content.map((part) =>
          part.type === "text"
            ? { type: "input_text", text: part.text }
            : { type: "input_image", image_url: part.image_url.url, detail: "auto" },
        ),
      },
    ];
  if (role !== "assistant") return [{ role, content: text }];
  const details = detailsSchema.safeParse(message).data?.reasoning_details ?? [];
  const phase = details.find(({ type }) => type === PHASE)?.phase;
  const calls = (message.tool_calls ?? []).flatMap((call) =>
    call.type === "function" ? [{ call_id: call.id, ...call.function }] : [],
  );
  const said = [
    ...(text === "" ? [] : [{ role, content: text, ...(phase !== undefined && { phase }) }]),
    ...calls.map((call) => ({ type: "function_call", ...call })),
  ];
  // Each reasoning item goes before what it led to: without that it is refused.
  return said.flatMap((item, index) => [
    ...(keepsReasoning ? details : []).flatMap((detail) =>
      detail.type === REASONING_ITEM && detail.item && detail.after === index ? [detail.item] : [],
    ),
    item,
  ]);
}

const text = z.catch(z.string(), "");
const itemSchema = z.looseObject({
  type: text,
  call_id: text,
  name: text,
  arguments: text,
  phase: text,
  content: z.catch(z.array(z.object({ text, refusal: text })), []),
});
const count = z.catch(z.optional(z.number()), undefined);
const responseSchema = z.object({
  object: text,
  status: text,
  error: z.optional(z.unknown()),
  incomplete_details: z.catch(z.object({ reason: text }), { reason: "" }),
  output: z.catch(z.array(itemSchema), []),
  usage: z.catch(
    z.optional(
      z.looseObject({
        input_tokens: count,
        output_tokens: count,
        input_tokens_details: z.catch(z.object({ cached_tokens: count }), {}),
        output_tokens_details: z.catch(z.object({ reasoning_tokens: count }), {}),
      }),
    ),
    undefined,
  ),
});
const eventSchema = z.object({
  type: text,
  delta: text,
  output_index: z.catch(z.number(), 0),
  item: z.catch(z.optional(itemSchema), undefined),
  response: z.catch(z.optional(responseSchema), undefined),
});

type Item = z.infer<typeof itemSchema>;
type Response = z.infer<typeof responseSchema>;

/** Makes chunks of a chat completion of an answer of the Responses API, which `events` reads. */
export async function* readResponses(
  events: AsyncGenerator<unknown, ChunksEnd, undefined>,
): AsyncGenerator<unknown, ChunksEnd, undefined> {
  /** The calls whose arguments came in pieces. */
  const pieced = new Set<number>();
  const so = new AnswerSoFar();
  for (let next = await events.next(); ; next = await events.next()) {
    if (next.done) return next.value;
    const whole = responseSchema.safeParse(next.value).data;
    if (whole?.object === "response") {
      if (whole.error) return { error: whole.error };
      yield* so.whole(whole.output);
      yield endChunk(whole, so.calls);
      return null;
    }
    const { data: event } = eventSchema.safeParse(next.value);
    if (!event) {
      yield undefined;
      continue;
    }
    const { type, delta, output_index: index, item, response } = event;
    if (type === "response.output_text.delta" || type === "response.refusal.delta")
      yield so.text(delta);
    else if (/^response\.reasoning(?:_summary)?_text\.delta$/.test(type))
      yield chunk({ reasoning: delta });
    else if (type === "response.output_item.added" && item?.type === "function_call")
      yield so.call({ ...item, arguments: "" }, index);
    else if (type === "response.function_call_arguments.delta") {
      pieced.add(index);
      yield chunk({ tool_calls: [{ index, function: { arguments: delta } }] });
    } else if (type === "response.output_item.done" && item?.type === "function_call") {
      if (!pieced.has(index))
        yield chunk({ tool_calls: [{ index, function: { arguments: item.arguments } }] });
    } else if (type === "response.output_item.done" && item?.type === "reasoning")
      yield so.reasoning(item);
    else if (type === "response.output_item.done" && item?.type === "message")
      yield phaseChunk(item);
    else if (type === "response.failed" && response?.error) return { error: response.error };
    else if (/^response\.(?:completed|incomplete|failed)$/.test(type)) {
      // Some servers stream nothing but the end.
      if (response && so.isEmpty) yield* so.whole(response.output);
      if (response) yield endChunk(response, so.calls);
      return null;
    }
  }
}

/** Counts what one answer has said and called: by that the place of its reasoning is kept. */
class AnswerSoFar {
  calls = 0;
  private hasText = false;

  get isEmpty(): boolean {
    return this.calls === 0 && !this.hasText;
  }

  text(content: string): unknown {
    this.hasText ||= content !== "";
    return chunk({ content });
  }

  call({ call_id: id, name, arguments: args }: Item, index: number): unknown {
    this.calls += 1;
    return chunk({ tool_calls: [{ index, id, function: { name, arguments: args } }] });
  }

  /** A reasoning item as the next request takes it. */
  reasoning({ type, id, summary, encrypted_content: encrypted }: Item): unknown {
    const item = { type, id, summary: summary ?? [], encrypted_content: encrypted };
    const after = this.calls + (this.hasText ? 1 : 0);
    return chunk({ reasoning_details: [{ type: REASONING_ITEM, item, after }] });
  }

  *whole(output: readonly Item[]): Generator<unknown> {
    for (const [index, item] of output.entries()) {
      if (item.type === "reasoning") yield this.reasoning(item);
      else if (item.type === "function_call") yield this.call(item, index);
      else {
        yield this.text(item.content.map((part) => part.text || part.refusal).join(""));
        yield phaseChunk(item);
      }
    }
  }
}

/** The phase of a text, which the API wants back with it. */
function phaseChunk({ phase }: Item): unknown {
  return chunk(phase === "" ? {} : { reasoning_details: [{ type: PHASE, phase }] });
}

function endChunk({ status, incomplete_details, usage }: Response, calls: number): unknown {
  const { reason } = incomplete_details;
  const cut = reason === "content_filter" ? "content_filter" : "length";
  const finish_reason = status === "incomplete" ? cut : calls > 0 ? "tool_calls" : "stop";
  return {
    choices: [{ index: 0, delta: {}, finish_reason }],
    ...(usage && {
      usage: {
        ...usage,
        prompt_tokens: usage.input_tokens,
        completion_tokens: usage.output_tokens,
        prompt_tokens_details: usage.input_tokens_details,
        completion_tokens_details: usage.output_tokens_details,
      },
    }),
  };
}

function chunk(delta: Record<string, unknown>): unknown {
  return { choices: [{ index: 0, delta, finish_reason: null }] };
}
