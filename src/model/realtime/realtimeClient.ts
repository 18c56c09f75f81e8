import { err, ok, type Result } from "../../base/result.ts";
import { type Endpoint, oneLine, parseEndpoint, withoutQuery } from "../endpoint.ts";
import type { ModelClient, ModelRequest, ModelServer } from "../modelClient.ts";
import { type ModelFailure, modelError } from "../modelFailure.ts";
import { ChunkDecoder } from "../openai/chunkDecoder.ts";
import { streamedFailure } from "../openai/errorResponse.ts";
import { networkFailure } from "../openai/networkFailure.ts";
import { readAnswer } from "../readAnswer.ts";
import { RequestTimeouts } from "../requestTimeouts.ts";
import type { StreamPart } from "../streamPart.ts";
import {
  parseRealtimeEvent,
  type RealtimeError,
  type RealtimeEvent,
  type RealtimeItem,
  type RealtimeResponse,
  soundOf,
} from "./realtimeEvent.ts";
import { realtimeRequest } from "./realtimeRequest.ts";

/** A WebSocket that is open. */
export interface RealtimeSocket {
  send(text: string): void;
  /** What arrives until it is closed, read once. */
  readonly messages: AsyncIterator<string>;
  close(): void;
}

/** Opens a WebSocket; rejects with what the system says. */
export type OpenRealtimeSocket = (url: string, headers: Readonly<Record<string, string>>, signal: AbortSignal) => Promise<RealtimeSocket>;

/** Takes the sound of answers. */
export interface AnswerSound {
  /** The server's name of the voice to answer with, null where the answer is only read. Asked before each request. */
  voice(): string | null;
  /** The sound of an answer that is over and has no calls. */
  answer(pcm: readonly Int16Array[]): void;
}

/** What a Realtime client needs. */
export interface RealtimeClientOptions extends ModelServer {
  readonly openSocket: OpenRealtimeSocket;
  readonly sound: AnswerSound;
}

/** True for a model that has only the Realtime API: OpenAI and others name them all so. */
export function isRealtimeModel(id: string): boolean {
  return /(?:^|[-/])realtime(?:-|$)/.test(id);
}

/** The longest sound of an answer in samples: 10 minutes. */
const MAX_SAMPLES = 600 * 24_000;

/**
 * A model behind the Realtime API, for the same loop as every other model: each request has a connection of its own with the whole
 * conversation, all calls of an answer come out, and sound is held until the answer is over and dropped if it has calls.
 */
export function createRealtimeClient(options: RealtimeClientOptions): ModelClient {
  return { baseUrl: withoutQuery(options.baseUrl), stream: (request, signal) => streamAnswer(options, request, signal) };
}

async function* streamAnswer(
  options: RealtimeClientOptions,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<StreamPart, void, undefined> {
  const parsed = parseEndpoint(options, request.model);
  if (!parsed.ok) {
    yield { type: "error", error: modelError(parsed.error, { baseUrl: "", model: request.model }) };
    return;
  }
  const endpoint = parsed.value;
  const decoder = new ChunkDecoder(request);
  const watch = new RequestTimeouts(options.limits, signal);
  const sound: Int16Array[] = [];
  const parts = readAnswer(
    {
      endpoint,
      decoder,
      watch,
      async open() {
        const opened = await openSession(options, endpoint, request, watch);
        return opened.ok ? ok(chunksOf(opened.value, endpoint, sound)) : opened;
      },
      ended(end, begun) {
        if ("code" in end) return { ...end, begun };
        if (end.reason === "stop" && !decoder.hasContent) return { code: "empty" };
        decoder.push(chunk({}, end.reason));
        return null;
      },
      thrown: (reason, begun) => networkFailure(reason, begun, endpoint),
    },
    signal,
  );
  for await (const part of parts) {
    if (part.type === "finish" && part.reason === "stop" && sound.length > 0) options.sound.answer(sound);
    yield part;
  }
}

type ReadEvent = () => Promise<RealtimeEvent | null>;

/** Connects, tells the server the conversation and asks for an answer. Gives what reads its events, up to null at their end. */
async function openSession(
  { openSocket, sound }: RealtimeClientOptions,
  endpoint: Endpoint,
  request: ModelRequest,
  watch: RequestTimeouts,
): Promise<Result<ReadEvent, ModelFailure>> {
  const voice = request.blocksAreContent ? null : sound.voice();
  watch.connecting();
  const socket = await watch.wait(openSocket(socketUrl(endpoint), endpoint.headers ?? {}, watch.signal));
  watch.signal.addEventListener("abort", () => socket.close(), { once: true });
  const read: ReadEvent = async () => {
    for (;;) {
      const { done, value } = await socket.messages.next();
      if (done) return null;
      watch.received();
      const event = parseRealtimeEvent(value);
      if (event) return event;
    }
  };
  for (;;) {
    const event = await watch.wait(read());
    if (event === null) return err({ code: "connection-closed" });
    if (event.type === "error") return err(failureOf(event.error, endpoint));
    if (event.type !== "session.created") continue;
    watch.connected();
    const isBeta = event.session.modalities !== undefined;
    for (const message of realtimeRequest(request, voice, isBeta)) socket.send(JSON.stringify(message));
    return ok(read);
  }
}

/** How an answer ended: with a reason of the OpenAI API, or with a failure. */
type End = { readonly reason: "stop" | "length" | "content_filter" } | ModelFailure;

/** An answer as chunks of the OpenAI API; its sound goes to `sound`. */
async function* chunksOf(read: ReadEvent, endpoint: Endpoint, sound: Int16Array[]): AsyncGenerator<unknown, End, undefined> {
  const calls = new Set<string>();
  let samples = 0;
  let hasText = false;
  for (let event = await read(); event !== null; event = await read()) {
    switch (event.type) {
      case "response.output_text.delta":
      case "response.output_audio_transcript.delta":
        hasText = true;
        yield chunk({ content: event.delta });
        break;
      case "response.output_audio.delta": {
        const pcm = soundOf(event.delta) ?? new Int16Array(0);
        sound.push(pcm);
        samples += pcm.length;
        if (samples > MAX_SAMPLES) return { code: "overlong" };
        break;
      }
      case "response.output_item.done":
        yield* callChunks(event.item, calls);
        break;
      case "error":
        return failureOf(event.error, endpoint);
      case "response.done": {
        const { status, output = [], usage } = event.response;
        // The last word on what is in the answer, also for a server that left events out.
        const said = output.flatMap(({ content = [] }) => content.map(({ text, transcript }) => text ?? transcript ?? ""));
        if (!hasText) yield chunk({ content: said.join("") });
        if (status === "completed") for (const item of output) yield* callChunks(item, calls);
        if (usage) yield { usage: usageOf(usage) };
        return endOf(event.response, endpoint);
      }
    }
  }
  return { code: hasText || calls.size > 0 ? "interrupted" : "connection-closed" };
}

/** A call as a chunk, unless it came before. Some servers tell a call twice. */
function* callChunks({ type, id, call_id, name, arguments: args }: RealtimeItem, calls: Set<string>): Generator<unknown> {
  const key = id ?? call_id ?? "";
  if (type !== "function_call" || !name || calls.has(key)) return;
  yield chunk({ tool_calls: [{ index: calls.size, id: call_id, function: { name, arguments: args } }] });
  calls.add(key);
}

function chunk(delta: object, finishReason?: string): unknown {
  return { choices: [{ index: 0, delta, finish_reason: finishReason }] };
}

function usageOf({ input_tokens, output_tokens, input_token_details }: NonNullable<RealtimeResponse["usage"]>): unknown {
  return { prompt_tokens: input_tokens, completion_tokens: output_tokens, prompt_tokens_details: input_token_details };
}

function endOf({ status, status_details: details }: RealtimeResponse, endpoint: Endpoint): End {
  if (status === "completed") return { reason: "stop" };
  if (status === "incomplete") return { reason: details?.reason === "content_filter" ? "content_filter" : "length" };
  return details?.error ? failureOf(details.error, endpoint) : { code: "interrupted" };
}

function failureOf({ code, message }: RealtimeError, endpoint: Endpoint): ModelFailure {
  const said = oneLine(message ?? "", endpoint);
  if (/insufficient_quota/.test(code ?? "")) return { code: "quota-spent", said };
  if (/rate_limit/.test(code ?? "")) return { code: "rate-limited", said };
  if (/invalid_api_key/.test(code ?? "")) return { code: "key-rejected", said };
  if (/model_not_found/.test(code ?? "")) return { code: "model-not-found", said };
  return streamedFailure({ message: message ?? "" }, false, endpoint);
}

function socketUrl({ baseUrl, query, model }: Endpoint): string {
  const url = new URL(`${baseUrl.replace(/^http/, "ws")}/realtime${query}`);
  url.searchParams.set("model", model);
  return url.href;
}
