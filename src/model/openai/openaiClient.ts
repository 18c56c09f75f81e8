import { err, ok, type Result } from "../../base/result.ts";
import { type Endpoint, parseEndpoint, redactedLine, withoutQuery } from "../endpoint.ts";
import {
  type LearnedCapabilities,
  learnedCapabilities,
  memoryStore,
} from "../learnedCapabilities.ts";
import type { ModelClient, ModelRequest, ModelServer } from "../modelClient.ts";
import { type ModelFailure, modelError } from "../modelFailure.ts";
import { providerSource } from "../providerData.ts";
import { type AnswerSource, readAnswer } from "../readAnswer.ts";
import { RequestTimeouts } from "../requestTimeouts.ts";
import type { StreamPart } from "../streamPart.ts";
import { ChunkDecoder } from "./chunkDecoder.ts";
import { type ErrorResponse, responseFailure, streamedFailure } from "./errorResponse.ts";
import { networkFailure } from "./networkFailure.ts";
import { openaiMessages, openaiTools, withCacheMarks } from "./openaiMessages.ts";
import { type ChunksEnd, type ReadText, readChunks, textReader } from "./readChunks.ts";
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
  };
  /** What this endpoint and model turned out to refuse; remembered by the caller. */
  readonly learned?: LearnedCapabilities;
}

/** Optional fields of a request, as refusals name them. */
const NAMED_PARTS = [
  ["stream-options", /stream_options/],
  ["cache-control", /cache_control/],
  ["provider-data", /reasoning_content|reasoning_details|extra_content|thought_signature/],
] as const;

/** A model behind any OpenAI-compatible endpoint. */
export function createOpenaiClient(options: OpenaiClientOptions): ModelClient {
  const baseUrl = withoutQuery(options.baseUrl);
  const learned = options.learned ?? learnedCapabilities(memoryStore(), baseUrl, "");
  return {
    baseUrl,
    stream: (request, signal) => streamAnswer({ ...options, learned }, request, signal),
  };
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
  const source: AnswerSource<ChunksEnd> = {
    endpoint,
    decoder,
    watch,
    async open() {
      const opened = await openAnswer({ ...options, fetch: send }, endpoint, watch, request);
      return opened.ok
        ? ok(readChunks(opened.value))
        : err(responseFailure(opened.error, endpoint));
    },
    ended: (end, begun) => streamEnd(end, decoder, begun, endpoint),
    thrown: (reason, begun) => networkFailure(reason, begun, endpoint),
  };
  yield* readAnswer(source, signal);
}

/** Sends the request, and again without each optional field that the endpoint refuses. */
async function openAnswer(
  {
    fetch: send,
    learned,
    request: set = {},
  }: OpenaiClientOptions & Required<Pick<OpenaiClientOptions, "fetch" | "learned">>,
  endpoint: Endpoint,
  watch: RequestTimeouts,
  { model, tools, messages, images }: ModelRequest,
): Promise<Result<ReadText, ErrorResponse>> {
  const { temperature, reasoningEffort, cacheControl = false } = set;
  for (;;) {
    const { refused } = learned;
    const sent = openaiMessages(
      messages,
      refused.has("provider-data") ? null : providerSource(endpoint),
      images,
    );
    // Providers have efforts of their own, such as Groq's "default".
    const effort: Readonly<Record<string, unknown>> = { reasoning_effort: reasoningEffort };
    const body = {
      model,
      messages: cacheControl && !refused.has("cache-control") ? withCacheMarks(sent) : sent,
      stream: true as const,
      ...(temperature !== undefined && { temperature }),
      ...effort,
      ...(refused.has("stream-options") ? {} : { stream_options: { include_usage: true } }),
      ...(tools.length === 0 ? {} : { tools: openaiTools(tools) }),
    };
    const response = await sendRequest(endpoint, send, watch, (api) =>
      api.chat.completions.create(body),
    );
    if (response.ok)
      return ok(textReader(response.value.body, watch.signal, () => watch.received()));
    const { status, body: said } = response.error;
    const [part] = NAMED_PARTS.find(([each, name]) => !refused.has(each) && name.test(said)) ?? [];
    if (part === undefined || (status !== 400 && status !== 422)) return response;
    learned.refuse(part);
  }
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
): ModelFailure | null {
  if (end && "error" in end) return streamedFailure(end.error, begun, endpoint);
  if (end?.code === "invalid-json")
    return { ...end, said: redactedLine(end.said ?? "", endpoint), begun };
  if (end && end.code !== "interrupted") return { ...end, begun };
  if (parts.failureReason !== null)
    return { code: "provider-failure", detail: parts.failureReason, begun };
  if (!parts.hasContent) return { code: "empty" };
  return end && { ...end, begun };
}
