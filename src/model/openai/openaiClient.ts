import { err, ok, type Result } from "../../base/result.ts";
import { besideV1, type Endpoint, parseEndpoint, redactedLine, withoutQuery } from "../endpoint.ts";
import {
  type LearnedCapabilities,
  learnedCapabilities,
  memoryStore,
  type RequestPart,
} from "../learnedCapabilities.ts";
import type { ModelClient, ModelRequest, ModelServer } from "../modelClient.ts";
import { type ModelFailure, modelError } from "../modelFailure.ts";
import { providerSource } from "../providerData.ts";
import { type AnswerSource, readAnswer } from "../readAnswer.ts";
import { RequestTimeouts } from "../requestTimeouts.ts";
import { requestTokens } from "../requestTokens.ts";
import type { StreamPart } from "../streamPart.ts";
import { wireValue } from "../wireText.ts";
import type { ApiRequest } from "./askServer.ts";
import { ChunkDecoder } from "./chunkDecoder.ts";
import {
  type ErrorResponse,
  isModelMissing,
  refusalWords,
  responseFailure,
  streamedFailure,
  streamedRefusal,
} from "./errorResponse.ts";
import type { SentSize } from "./lengthRefusal.ts";
import { networkFailure } from "./networkFailure.ts";
import { ollamaRequest, readOllamaChunks } from "./ollamaChat.ts";
import { openaiMessages, openaiTools, withCacheMarks } from "./openaiMessages.ts";
import { type ChunksEnd, type ReadText, readChunks, textReader } from "./readChunks.ts";
import { isRefusal, suspectedParts, unnamedParts } from "./requestParts.ts";
import { readResponses, responsesRequest } from "./responsesApi.ts";
import { sendRequest } from "./sendRequest.ts";

/**
 * What a client needs; `fetch` replaces the global one. Without `headers`, the key is sent as
 * `Authorization: Bearer`.
 */
interface OpenaiClientOptions extends ModelServer {
  readonly fetch?: typeof fetch;
  /** What the user set for this connection; absent fields are not sent. */
  readonly request?: {
    readonly temperature?: number | undefined;
    readonly reasoningEffort?: string | undefined;
    readonly cacheControl?: boolean;
    /**
     * The context window that Ollama shall load the model with, in tokens: then the request goes to
     * its own API.
     */
    readonly numCtx?: number | undefined;
    /** Whether the server is an Ollama, which takes `numCtx`; absent where that is known. */
    readonly isOllama?: (signal: AbortSignal) => Promise<boolean>;
    /** Which of OpenAI's APIs is asked; absent for chat completions until a server wants the other. */
    readonly api?: "chat" | "responses" | undefined;
  };
  /** Asks the server which window the model has. */
  readonly window?: ModelClient["window"];
  /** What this endpoint and model turned out to refuse; remembered by the caller. */
  readonly learned?: LearnedCapabilities;
}

/** The longest answer in tokens that is asked for where a server wants to be told. */
const MAX_TOKENS = 4_096;

/** A model behind any OpenAI-compatible endpoint. */
export function createOpenaiClient(options: OpenaiClientOptions): ModelClient {
  const baseUrl = withoutQuery(options.baseUrl);
  const learned = options.learned ?? learnedCapabilities(memoryStore(), baseUrl, "");
  const { window, request = {} } = options;
  return {
    baseUrl,
    ...((window || request.numCtx !== undefined) && {
      async window(signal: AbortSignal) {
        const numCtx = learned.refused.has("ollama-chat")
          ? null
          : await takenNumCtx(request, signal);
        // Ollama loads the model anew with the window that it is asked for.
        if (numCtx !== null) return { tokens: numCtx, isLoaded: false };
        return (await window?.(signal)) ?? null;
      },
    }),
    stream: (request, signal) => streamAnswer({ ...options, learned }, request, signal),
  };
}

/** The window that the server shall load the model with; null where it cannot be told. */
async function takenNumCtx(
  { numCtx, isOllama }: NonNullable<OpenaiClientOptions["request"]>,
  signal: AbortSignal,
): Promise<number | null> {
  if (numCtx === undefined) return null;
  return isOllama === undefined || (await isOllama(signal)) ? numCtx : null;
}

async function* streamAnswer(
  options: OpenaiClientOptions & { readonly learned: LearnedCapabilities },
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<StreamPart, void, undefined> {
  const { limits, fetch: send = globalThis.fetch } = options;
  const parsed = parseEndpoint(options, request.model);
  if (!parsed.ok) {
    yield { type: "error", error: modelError(parsed.error, { baseUrl: "", model: request.model }) };
    return;
  }
  const endpoint = parsed.value;
  const decoder = new ChunkDecoder(request);
  const watch = new RequestTimeouts(limits, signal, (probing) =>
    isReachable(send, endpoint, probing),
  );
  const sent = { tokens: requestTokens(request) };
  const source: AnswerSource<ChunksEnd> = {
    endpoint,
    decoder,
    watch,
    async open() {
      return openAnswer({ ...options, fetch: send }, endpoint, watch, request);
    },
    ended: (end, begun) => streamEnd(end, decoder, begun, endpoint, sent),
    thrown: (reason, begun) => networkFailure(reason, begun, endpoint),
  };
  yield* readAnswer(source, signal);
}

/**
 * Sends the request, and where it is refused again without what the refusal mentions, one part more
 * at a time; where it mentions nothing, without each part that may be meant. What was left out is
 * remembered once that was answered.
 */
async function openAnswer(
  options: OpenaiClientOptions & Required<Pick<OpenaiClientOptions, "fetch" | "learned">>,
  endpoint: Endpoint,
  watch: RequestTimeouts,
  request: ModelRequest,
): Promise<Result<AsyncIterator<unknown, ChunksEnd>, ModelFailure>> {
  const { fetch: send, learned, request: set = {} } = options;
  const { temperature, reasoningEffort, cacheControl = false } = set;
  const { messages, tools } = request;
  const shape = { messages, tools, temperature, reasoningEffort, cacheControl };
  const sent = { tokens: requestTokens(request) };
  const known = withApi(learned.refused, set.api);
  const numCtx = known.has("ollama-chat") ? null : await takenNumCtx(set, watch.signal);
  const tried = new Set<RequestPart>();
  let kept: readonly RequestPart[] = [];
  let trial: RequestPart | null = null;
  let last: ErrorResponse | null = null;
  let unnamed: readonly RequestPart[] | null = null;
  const ask = (without: ReadonlySet<RequestPart>, signal: AbortSignal) => {
    const window = without.has("ollama-chat") ? null : numCtx;
    const body = wireValue(requestBody(request, endpoint, set, without));
    return beginAnswer(endpoint, send, watch, apiCall(body, endpoint, window, without), signal);
  };
  for (;;) {
    const left = [...kept, ...(trial === null ? [] : [trial])];
    const answered = await ask(new Set([...known, ...left]), watch.signal);
    if (answered.ok) {
      const isCertain = last !== null && isRefusal(last);
      for (const part of left) learned.refuse(part, isCertain || unnamed?.includes(part) === true);
      return answered;
    }
    let { refusal, streamed } = answered.error;
    const lacksResponses = trial === "chat-api" && /^40[45]$/.test(String(refusal.status));
    if (lacksResponses && last) [refusal, streamed] = [last, null];
    const failure = streamed
      ? streamedFailure(streamed.error, false, endpoint, sent)
      : responseFailure(refusal, endpoint, sent);
    // Another refusal: without the part, the server came further.
    if (trial !== null && last && refusalWords(refusal) !== refusalWords(last))
      kept = [...kept, trial];
    last = refusal;
    if (failure.code === "context-length" || isModelMissing(refusal)) return err(failure);
    const isOpen = (part: RequestPart) =>
      !known.has(part) && !tried.has(part) && !(part === "chat-api" && set.api === "chat");
    const lacksApi = numCtx !== null && failure.code === "api-not-found";
    const suspected: readonly RequestPart[] = lacksApi
      ? ["ollama-chat"]
      : suspectedParts(refusal, shape);
    if (!suspected.some(isOpen) && unnamed === null && failure.code === "rejected") {
      const parts = unnamedParts(refusal, shape).filter(isOpen);
      const proof = await refusedFor(parts, new Set([...known, ...kept]), ask, watch.signal);
      if (proof.answered) return proof.answered;
      unnamed = proof.parts;
    }
    const next = [...suspected, ...(unnamed ?? [])].find(isOpen);
    if (next === undefined) return err(failure);
    tried.add(next);
    trial = next;
  }
}

type BegunAnswer = Result<AsyncIterator<unknown, ChunksEnd>, Refusal>;

/**
 * Whether a request is refused for one of these parts: without all of them it is answered, which is
 * not read, and whole it still is not. A refusal that passed by itself gives the answer.
 */
async function refusedFor(
  parts: readonly RequestPart[],
  without: ReadonlySet<RequestPart>,
  ask: (without: ReadonlySet<RequestPart>, signal: AbortSignal) => Promise<BegunAnswer>,
  signal: AbortSignal,
): Promise<{
  readonly parts: readonly RequestPart[];
  readonly answered: (BegunAnswer & { readonly ok: true }) | null;
}> {
  if (parts.length === 0) return { parts, answered: null };
  const ended = new AbortController();
  const plain = await ask(new Set([...without, ...parts]), AbortSignal.any([signal, ended.signal]));
  ended.abort();
  if (!plain.ok) return { parts: [], answered: null };
  const whole = await ask(without, signal);
  return { parts, answered: whole.ok ? whole : null };
}

/** How a server refused a request: by its status, or by the first event of a stream. */
interface Refusal {
  readonly refusal: ErrorResponse;
  readonly streamed: { readonly error: unknown } | null;
}

/**
 * Sends a request and reads up to its first chunk, since gateways refuse within a stream too.
 * `signal` ends the answer, also unread.
 */
async function beginAnswer(
  endpoint: Endpoint,
  send: typeof fetch,
  watch: RequestTimeouts,
  call: ApiCall,
  signal: AbortSignal,
): Promise<BegunAnswer> {
  const response = await sendRequest(endpoint, send, watch, call.request);
  if (!response.ok) return err({ refusal: response.error, streamed: null });
  const read = textReader(response.value.body, signal, () => watch.received());
  const chunks = call.chunks(read);
  const first = await watch.wait(chunks.next());
  if (first.done && first.value !== null && "error" in first.value)
    return err({ refusal: streamedRefusal(first.value.error), streamed: first.value });
  return ok(begunWith(first, chunks));
}

/** How one of a server's APIs is asked, and its answer read as chunks of a chat completion. */
interface ApiCall {
  readonly request: ApiRequest;
  chunks(read: ReadText): AsyncGenerator<unknown, ChunksEnd, undefined>;
}

/** With a window by Ollama's own API, else by the one that is not refused. */
function apiCall(
  body: ReturnType<typeof requestBody>,
  { baseUrl }: Endpoint,
  numCtx: number | null,
  without: ReadonlySet<RequestPart>,
): ApiCall {
  if (numCtx !== null) {
    const target = besideV1(baseUrl, "/api/chat");
    const asked = ollamaRequest(body, numCtx);
    return { request: (api) => api.post(target, { body: asked }), chunks: readOllamaChunks };
  }
  if (!without.has("chat-api"))
    return { request: (api) => api.chat.completions.create(body), chunks: readChunks };
  const asked = responsesRequest(body, !without.has("provider-data"));
  return {
    request: (api) => api.post("/responses", { body: asked }),
    chunks: (read) => readResponses(readChunks(read)),
  };
}

/** What is refused, with the API that the user chose. */
function withApi(
  refused: ReadonlySet<RequestPart>,
  api: "chat" | "responses" | undefined,
): ReadonlySet<RequestPart> {
  if (api === undefined) return refused;
  const others = [...refused].filter((part) => part !== "chat-api");
  return new Set(api === "responses" ? [...others, "chat-api"] : others);
}

/** `chunks` whose `first` result was read. */
async function* begunWith(
  first: IteratorResult<unknown, ChunksEnd>,
  chunks: AsyncGenerator<unknown, ChunksEnd, undefined>,
): AsyncGenerator<unknown, ChunksEnd, undefined> {
  if (first.done) return first.value;
  yield first.value;
  return yield* chunks;
}

function requestBody(
  { model, tools, messages, images }: ModelRequest,
  endpoint: Endpoint,
  set: NonNullable<OpenaiClientOptions["request"]>,
  without: ReadonlySet<RequestPart>,
) {
  const { temperature, reasoningEffort, cacheControl = false } = set;
  const source = without.has("provider-data") ? null : providerSource(endpoint);
  const sent = openaiMessages(messages, source, images, without);
  const stream = !without.has("streaming");
  // Providers have efforts of their own, such as Groq's "default".
  const effort: Readonly<Record<string, unknown>> =
    without.has("reasoning-with-tools") && tools.length > 0
      ? { reasoning_effort: "none" }
      : without.has("reasoning-effort")
        ? {}
        : { reasoning_effort: reasoningEffort };
  const limit: Readonly<Record<string, unknown>> = without.has("max-tokens-name")
    ? { max_completion_tokens: MAX_TOKENS }
    : without.has("no-max-tokens")
      ? { max_tokens: MAX_TOKENS }
      : {};
  return {
    model,
    messages: cacheControl && !without.has("cache-control") ? withCacheMarks(sent) : sent,
    stream,
    ...(temperature !== undefined && !without.has("temperature") && { temperature }),
    ...effort,
    ...limit,
    ...(stream && !without.has("stream-options") && { stream_options: { include_usage: true } }),
    ...(tools.length === 0 ? {} : { tools: openaiTools(tools) }),
  };
}

/** True if the server answers a harmless request without a key, with any status. */
async function isReachable(
  send: typeof fetch,
  { baseUrl, model }: Endpoint,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const { askServer } = await import("./askServer.ts");
    const response = await askServer(
      { baseUrl, query: "", apiKey: null, model },
      send,
      signal,
      (api) => api.models.list(),
    );
    await response.body?.cancel();
    return true;
  } catch {
    return false;
  }
}

/** Why an answer without finish reason is not complete; null if it is. */
function streamEnd(
  end: ChunksEnd,
  parts: ChunkDecoder,
  begun: boolean,
  endpoint: Endpoint,
  sent: SentSize,
): ModelFailure | null {
  if (end && "error" in end) return streamedFailure(end.error, begun, endpoint, sent);
  if (end && end.said !== undefined)
    return { ...end, said: redactedLine(end.said, endpoint), begun };
  if (end && end.code !== "interrupted") return { ...end, begun };
  if (parts.failureReason !== null)
    return { code: "provider-failure", detail: parts.failureReason, begun };
  if (parts.foreignJson !== null)
    return { code: "unreadable", said: redactedLine(parts.foreignJson, endpoint), begun };
  if (!parts.hasContent) return { code: "empty" };
  return end && { ...end, begun };
}
