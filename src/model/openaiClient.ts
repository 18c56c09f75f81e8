import type { OpenAI } from "openai";
import * as z from "zod/mini";
import { ConnectionWatch } from "./connectionWatch.ts";
import { contextRefusal, streamedContextRefusal } from "./contextRefusal.ts";
import { type Endpoint, parseEndpoint } from "./endpoint.ts";
import { eventError, fieldError } from "./eventError.ts";
import type { Message } from "./message.ts";
import type { ModelClient, ModelRequest, ModelTimeLimits } from "./modelClient.ts";
import {
  abortedError,
  emptyAnswerError,
  interruptedError,
  networkError,
  overlongError,
  providerFailure,
  type RefusedAnswer,
  statusError,
  streamedError,
  unreadableError,
  unsentError,
} from "./modelErrors.ts";
import { openaiMessages, openaiTools } from "./openaiMessages.ts";
import { OpenaiParts } from "./openaiParts.ts";
import type { ModelError, StreamPart } from "./streamPart.ts";
import { streamedToolsRefusal, toolsRefusal } from "./toolsRefusal.ts";

/** What a client needs to know; `fetch` stands in for the global one. */
export interface OpenaiClientOptions {
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly fetch?: typeof fetch;
  readonly limits: ModelTimeLimits;
}

/** An event of a stream, as the package reads it; `raw` has its lines, with those of what was no event before it. */
interface ServerSentEvent {
  readonly data: string;
  readonly raw: readonly string[];
}

/** The longest answer, text, reasoning and arguments together, in UTF-16 units; a call counts for what it costs to run. */
const MAX_LENGTH = 8_000_000;
const CALL_LENGTH = 8_000;

/** What gateways send to keep a connection alive: events without data, or with a comment for data. */
const NOTHING = /^\s*(?::|$)/;

const thrownSchema = z.object({ error: z.unknown() });

/** What a client learns about its endpoint from one request to the next. */
interface Quirks {
  refusesStreamOptions: boolean;
  /** It does not want back what it sent beside its answers. */
  refusesProviderData: boolean;
}

/**
 * A model behind any OpenAI-compatible endpoint. Of the package `openai`, the types and the reader of event streams are used, which is
 * a tenth of it; it is loaded with the first request.
 */
export function createOpenaiClient(options: OpenaiClientOptions): ModelClient {
  const quirks: Quirks = { refusesStreamOptions: false, refusesProviderData: false };
  return { baseUrl: options.baseUrl, stream: (request, signal) => streamAnswer(options, quirks, request, signal) };
}

async function* streamAnswer(
  options: OpenaiClientOptions,
  quirks: Quirks,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<StreamPart, void, undefined> {
  const parsed = parseEndpoint(options.baseUrl, options.apiKey, request.model);
  if (!parsed.ok) {
    yield { type: "error", error: parsed.error };
    return;
  }
  const endpoint = parsed.value;
  const parts = new OpenaiParts(callIds(request.messages), request.tools, request.blocksAreContent);
  const watch = new ConnectionWatch(options.fetch ?? globalThis.fetch, endpoint, options.limits, signal);
  let begun = false;
  let length = 0;
  let thrown: unknown = null;
  try {
    const chunks = await openChunks(endpoint, watch, quirks, request);
    for (let next = await watch.wait(chunks.next()); !next.done; next = await watch.wait(chunks.next())) {
      const got = parts.push(next.value);
      if (got.length > 0) {
        begun = true;
        watch.pause();
        yield* got;
        for (const part of got) length += lengthOf(part);
        if (length > MAX_LENGTH) break;
      }
      if (parts.finished && !parts.callsMayFollow) watch.finishing();
      else if (begun) watch.answering();
    }
  } catch (error) {
    thrown = error;
  } finally {
    watch.dispose();
  }
  const overlong = length > MAX_LENGTH || watch.exchange?.overlong === true;
  const failure = () => (overlong ? overlongError(begun, endpoint) : failureOf(thrown, begun, request, parts, watch, endpoint));
  const error = signal.aborted ? abortedError() : parts.finished ? null : failure();
  if (error === null) {
    yield* parts.finish(sourceOf(endpoint));
  } else {
    yield* parts.breakOff();
    yield { type: "error", error };
  }
}

/** Sends the request; an endpoint that refuses a field it need not know is asked once more without it. */
async function openChunks(
  endpoint: Endpoint,
  watch: ConnectionWatch,
  quirks: Quirks,
  request: ModelRequest,
): Promise<AsyncIterator<unknown>> {
  const { _iterSSEMessages: serverSentEvents } = await import("openai/core/streaming");
  const attempt = async () => {
    const body: OpenAI.ChatCompletionCreateParamsStreaming = {
      model: request.model,
      messages: openaiMessages(request.messages, quirks.refusesProviderData ? null : sourceOf(endpoint)),
      stream: true,
      ...(quirks.refusesStreamOptions ? {} : { stream_options: { include_usage: true } }),
      ...(request.tools.length === 0 ? {} : { tools: openaiTools(request.tools) }),
    };
    const response = await watch.wait(post(watch.begin(), endpoint, body, watch.signal));
    if (!response.ok) throw new Error(`The endpoint answered with status ${response.status}.`);
    return chunksOf(serverSentEvents(response, new AbortController()));
  };
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!learns(quirks, watch.exchange?.refused ?? null)) throw error;
    }
  }
}

/** The JSON of each event. An error among them is thrown as `{ error }`. The package's own reader would write what it cannot parse to the console. */
async function* chunksOf(events: AsyncIterable<ServerSentEvent>): AsyncGenerator<unknown, void, undefined> {
  let done = false;
  for await (const { data, raw } of events) {
    if (done) continue;
    const said = fieldError(raw);
    if (said !== null) throw { error: said };
    done = data.trimStart().startsWith("[DONE]");
    if (done || NOTHING.test(data)) continue;
    const value: unknown = JSON.parse(data);
    const chunk: unknown = Array.isArray(value) ? value[0] : value;
    const error = eventError(chunk);
    if (error !== null) throw { error };
    yield chunk;
  }
}

/** Only the headers the API needs: in a browser each further one can fail the CORS check. */
function post(send: typeof fetch, { baseUrl, query, apiKey }: Endpoint, body: object, signal: AbortSignal): Promise<Response> {
  const url = new URL(`${baseUrl}/chat/completions`);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const headers = {
    Accept: "application/json",
    "Content-Type": "application/json",
    ...(apiKey === null ? {} : { Authorization: `Bearer ${apiKey}` }),
  };
  return send(url.href, { method: "POST", headers, body: JSON.stringify(body), signal });
}

function lengthOf(part: StreamPart): number {
  if (part.type === "tool-call-start") return CALL_LENGTH;
  if (part.type === "tool-call-delta") return part.argsText.length;
  return "text" in part ? part.text.length : 0;
}

/** Notes which field a refusal names; false where there is nothing new to leave out. */
function learns(quirks: Quirks, refused: RefusedAnswer | null): boolean {
  if (refused?.status !== 400 && refused?.status !== 422) return false;
  if (!quirks.refusesStreamOptions && refused.body.includes("stream_options")) {
    quirks.refusesStreamOptions = true;
    return true;
  }
  if (!quirks.refusesProviderData && /reasoning_content|reasoning_details|extra_content|thought_signature/.test(refused.body)) {
    quirks.refusesProviderData = true;
    return true;
  }
  return false;
}

/** What the data that an endpoint wants back is filed under. */
function sourceOf({ baseUrl, model }: Endpoint): string {
  return `${baseUrl} ${model}`;
}

/** Why the answer is not complete; null when it is, although the provider did not say why it ended. */
function failureOf(
  thrown: unknown,
  begun: boolean,
  request: ModelRequest,
  parts: OpenaiParts,
  watch: ConnectionWatch,
  endpoint: Endpoint,
): ModelError | null {
  const { timeout, exchange } = watch;
  if (timeout) return timeout;
  if (exchange === null) return unsentError(thrown, endpoint);
  const withTools = request.tools.length > 0 && !begun;
  const { refused } = exchange;
  if (refused)
    return (withTools ? toolsRefusal(refused, endpoint) : null) ?? contextRefusal(refused, endpoint) ?? statusError(refused, endpoint);
  if (exchange.failure) return networkError(exchange.failure, begun, endpoint);
  if (thrown instanceof SyntaxError) return unreadableError(begun, endpoint);
  if (thrown !== null) {
    const sent = thrownSchema.safeParse(thrown);
    if (!sent.success || sent.data.error === undefined) return networkError(thrown, begun, endpoint);
    const { error } = sent.data;
    const refusal = (withTools ? streamedToolsRefusal(error, endpoint) : null) ?? (begun ? null : streamedContextRefusal(error, endpoint));
    return refusal ?? streamedError(error, begun, endpoint);
  }
  if (parts.failureReason !== null) return providerFailure(parts.failureReason, begun, endpoint);
  if (!parts.hasContent) return emptyAnswerError(endpoint);
  return exchange.endMarked ? null : interruptedError(endpoint);
}

function callIds(messages: readonly Message[]): string[] {
  return messages.flatMap((message) => (message.role === "assistant" ? message.toolCalls.map(({ callId }) => callId) : []));
}
