import type { OpenAI } from "openai";
import { err, ok, type Result } from "../../base/result.ts";
import { type Endpoint, parseEndpoint } from "../endpoint.ts";
import type { ModelClient, ModelRequest, ModelTimeLimits } from "../modelClient.ts";
import { type ModelFailure, modelError } from "../modelFailure.ts";
import type { StreamPart } from "../streamPart.ts";
import { ChunkDecoder } from "./chunkDecoder.ts";
import { type ErrorResponse, responseFailure, streamedFailure } from "./errorResponse.ts";
import { networkFailure } from "./networkFailure.ts";
import { openaiMessages, openaiTools } from "./openaiMessages.ts";
import { type ChunksEnd, type ReadText, readAll, readChunks, textReader } from "./readChunks.ts";
import { RequestTimeouts } from "./requestTimeouts.ts";

/** What a client needs; `fetch` replaces the global one. */
interface OpenaiClientOptions {
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly fetch?: typeof fetch;
  readonly limits: ModelTimeLimits;
}

/** The longest answer (text, reasoning and arguments together) in UTF-16 units, and what each call adds. */
const MAX_LENGTH = 8_000_000;
const CALL_LENGTH = 8_000;
/** How much of an error response is read, in UTF-16 units. */
const MAX_REFUSAL = 100_000;
const MAX_REDIRECTS = 3;

/** Optional parts of a request, as refusals name them. A client collects the refused ones of its endpoint. */
const STREAM_OPTIONS = /stream_options/;
const PROVIDER_DATA = /reasoning_content|reasoning_details|extra_content|thought_signature/;
type Refused = Set<RegExp>;

/** A model behind any OpenAI-compatible endpoint. */
export function createOpenaiClient(options: OpenaiClientOptions): ModelClient {
  const refused: Refused = new Set();
  return { baseUrl: options.baseUrl, stream: (request, signal) => streamAnswer(options, refused, request, signal) };
}

async function* streamAnswer(
  { baseUrl, apiKey, limits, fetch: send = globalThis.fetch }: OpenaiClientOptions,
  refused: Refused,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<StreamPart, void, undefined> {
  const parsed = parseEndpoint(baseUrl, apiKey, request.model);
  if (!parsed.ok) {
    yield { type: "error", error: modelError(parsed.error, { baseUrl: "", model: request.model }) };
    return;
  }
  const endpoint = parsed.value;
  const parts = new ChunkDecoder(request);
  const watch = new RequestTimeouts(limits, signal, (probing) => isReachable(send, endpoint, probing));
  const withTools = request.tools.length > 0;
  let begun = false;
  let length = 0;
  let failure: ModelFailure | null = null;
  try {
    const opened = await openAnswer(send, endpoint, watch, refused, request);
    if (opened.ok) {
      const chunks = readChunks(opened.value);
      let next = await watch.wait(chunks.next());
      for (; !next.done && length <= MAX_LENGTH; next = await watch.wait(chunks.next())) {
        const got = parts.push(next.value);
        if (got.length > 0) {
          begun = true;
          watch.pause();
          yield* got;
          for (const part of got) length += lengthOf(part);
        }
        if (parts.finished) watch.enter("finishing");
        else if (begun) watch.enter("idle-timeout");
      }
      failure = next.done ? endOf(next.value, parts, begun, endpoint, withTools) : { code: "overlong", begun };
    } else failure = responseFailure(opened.error, endpoint, withTools);
  } catch (thrown) {
    failure = networkFailure(thrown, begun, endpoint);
  } finally {
    watch.dispose();
  }
  if (signal.aborted) failure = { code: "aborted" };
  else if (parts.finished) failure = null;
  else if (watch.timeout) failure = { ...watch.timeout, begun };
  if (failure === null) {
    yield* parts.finish(sourceOf(endpoint));
  } else {
    yield* parts.breakOff();
    yield { type: "error", error: modelError(failure, endpoint) };
  }
}

/** Sends the request, and again without each optional part that the endpoint refuses. */
async function openAnswer(
  send: typeof fetch,
  endpoint: Endpoint,
  watch: RequestTimeouts,
  refused: Refused,
  request: ModelRequest,
): Promise<Result<ReadText, ErrorResponse>> {
  const { model, tools, messages } = request;
  for (;;) {
    const body: OpenAI.ChatCompletionCreateParamsStreaming = {
      model,
      messages: openaiMessages(messages, refused.has(PROVIDER_DATA) ? null : sourceOf(endpoint)),
      stream: true,
      ...(refused.has(STREAM_OPTIONS) ? {} : { stream_options: { include_usage: true } }),
      ...(tools.length === 0 ? {} : { tools: openaiTools(tools) }),
    };
    watch.connecting();
    const response = await watch.wait(post(send, endpoint, body, watch.signal));
    watch.connected();
    const read = response.body && textReader(response.body, watch.signal, () => watch.received());
    if (response.ok && read) return ok(read);
    // A browser hides where a redirect leads.
    const status = response.type === "opaqueredirect" ? 307 : response.status;
    const said = read ? await watch.wait(readAll(read, MAX_REFUSAL)) : "";
    const part = [STREAM_OPTIONS, PROVIDER_DATA].find((each) => !refused.has(each) && each.test(said));
    if (part === undefined || (status !== 400 && status !== 422)) {
      return err({ status, body: said, retryAfter: response.headers.get("retry-after"), location: response.headers.get("location") });
    }
    refused.add(part);
  }
}

/** Sends only the headers the API needs: in a browser, any other can fail the CORS check. */
function post(
  send: typeof fetch,
  { baseUrl, query, apiKey }: Endpoint,
  body: OpenAI.ChatCompletionCreateParamsStreaming,
  signal: AbortSignal,
): Promise<Response> {
  const headers = {
    Accept: "application/json",
    "Content-Type": "application/json",
    ...(apiKey === null ? {} : { Authorization: `Bearer ${apiKey}` }),
  };
  return guardedFetch(send, `${baseUrl}/chat/completions${query}`, { method: "POST", headers, body: JSON.stringify(body), signal });
}

/** Sends a request. Follows redirects on the same server only, so the request and its key reach no other. */
async function guardedFetch(send: typeof fetch, url: string, init: RequestInit): Promise<Response> {
  let current = new URL(url);
  for (let redirects = 0; ; redirects++) {
    const response = await send(current.href, { ...init, redirect: "manual" });
    const location = response.headers.get("location");
    if ((response.status !== 307 && response.status !== 308) || location === null || redirects === MAX_REDIRECTS) return response;
    const next = URL.canParse(location, current.href) ? new URL(location, current.href) : null;
    if (next?.origin !== current.origin) return response;
    await response.body?.cancel();
    current = next;
  }
}

/** True if the server answers a harmless request without a key, with any status. */
async function isReachable(send: typeof fetch, { baseUrl }: Endpoint, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await send(`${baseUrl}/models`, { signal });
    await response.body?.cancel();
    return true;
  } catch {
    return false;
  }
}

/** Why an answer without finish reason is not complete; null if it is. */
function endOf(end: ChunksEnd, parts: ChunkDecoder, begun: boolean, endpoint: Endpoint, withTools: boolean): ModelFailure | null {
  if (end && "error" in end) return streamedFailure(end.error, begun, endpoint, withTools);
  if (end && end.code !== "interrupted") return begun && end.code === "unreadable" ? { code: "interrupted", begun } : { ...end, begun };
  if (parts.failureReason !== null) return { code: "provider-failure", detail: parts.failureReason, begun };
  if (!parts.hasContent) return { code: "empty" };
  return end && { ...end, begun };
}

function lengthOf(part: StreamPart): number {
  if (part.type === "tool-call-start") return CALL_LENGTH;
  if (part.type === "tool-call-delta") return part.argsText.length;
  return "text" in part ? part.text.length : 0;
}

/** Names the endpoint and model that data a provider wants back belongs to. */
function sourceOf({ baseUrl, model }: Endpoint): string {
  return `${baseUrl} ${model}`;
}
