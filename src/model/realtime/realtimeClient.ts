import type { Disposable } from "../../base/disposable.ts";
import { newId } from "../../base/ids.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { type Endpoint, oneLine, parseEndpoint, withoutQuery } from "../endpoint.ts";
import type { ToolCall } from "../message.ts";
import type { ModelClient, ModelRequest, ModelTimeLimits } from "../modelClient.ts";
import { type ModelFailure, modelError } from "../modelFailure.ts";
import { streamedFailure } from "../openai/errorResponse.ts";
import { networkFailure } from "../openai/networkFailure.ts";
import { RequestTimeouts } from "../requestTimeouts.ts";
import type { FinishReason, StreamPart, Usage } from "../streamPart.ts";
import type { RealtimeError, RealtimeEvent, RealtimeItem, RealtimeResponse } from "./realtimeEvent.ts";
import { RealtimeSession } from "./realtimeSession.ts";

/** A WebSocket that is open. Its listeners are set once, before anything arrives. */
export interface RealtimeSocket {
  send(text: string): void;
  onMessage(listener: (text: string) => void): void;
  /** Called once, whoever closed it. */
  onClosed(listener: () => void): void;
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
export interface RealtimeClientOptions {
  readonly baseUrl: string;
  /** Hidden in what a server says; `headers` send it. */
  readonly apiKey: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly limits: ModelTimeLimits;
  readonly openSocket: OpenRealtimeSocket;
  readonly sound: AnswerSound;
}

/** True for a model that has only the Realtime API: OpenAI and others name them all so. */
export function isRealtimeModel(id: string): boolean {
  return /(?:^|[-/])realtime(?:-|$)/.test(id);
}

/** The longest answer in UTF-16 units, and in samples: 10 minutes. */
const MAX_LENGTH = 8_000_000;
const MAX_SAMPLES = 600 * 24_000;
/** Names the requests whose failure changes nothing. */
const HARMLESS = "truncate";

/**
 * A model behind the Realtime API, for the same loop as every other model: it answers when asked, all calls of an answer come out, and
 * sound is held until the answer is over and dropped if it has calls. A conversation that only grew goes on in the open connection.
 */
export function createRealtimeClient(options: RealtimeClientOptions): ModelClient & Disposable {
  const baseUrl = withoutQuery(options.baseUrl);
  let idle: RealtimeSession | null = null;
  return {
    baseUrl,
    async *stream(request, signal) {
      const parsed = parseEndpoint(baseUrl, options.apiKey, request.model);
      if (!parsed.ok) {
        yield { type: "error", error: modelError(parsed.error, { baseUrl: "", model: request.model }) };
        return;
      }
      const endpoint = { ...parsed.value, headers: options.headers };
      const kept = idle;
      idle = null;
      const answer = new RealtimeAnswer(options, endpoint, request, signal);
      try {
        yield* answer.stream(kept);
      } finally {
        if (answer.isClean && idle === null) idle = answer.session;
        else answer.session?.close();
      }
    },
    dispose: () => idle?.close(),
  };
}

interface Call {
  readonly callId: string;
  readonly name: string;
  argsText: string;
  isDone: boolean;
}

class RealtimeAnswer {
  session: RealtimeSession | null = null;
  /** True when the session can take another request. */
  isClean = false;
  private readonly options: RealtimeClientOptions;
  private readonly endpoint: Endpoint;
  private readonly request: ModelRequest;
  private readonly signal: AbortSignal;
  private readonly watch: RequestTimeouts;
  private readonly calls = new Map<string, Call>();
  private readonly sounds: { readonly itemId: string; readonly pcm: Int16Array }[] = [];
  private responseId: string | null = null;
  private text = "";
  private samples = 0;
  private begun = false;

  constructor(options: RealtimeClientOptions, endpoint: Endpoint, request: ModelRequest, signal: AbortSignal) {
    this.options = options;
    this.endpoint = endpoint;
    this.request = request;
    this.signal = signal;
    this.watch = new RequestTimeouts(options.limits, signal);
  }

  async *stream(kept: RealtimeSession | null): AsyncGenerator<StreamPart, void, undefined> {
    let failure: ModelFailure | null = null;
    try {
      const session = await this.open(kept);
      if (session.ok) {
        this.session = session.value;
        const done = yield* this.read(session.value);
        if (done.ok) {
          yield* this.finish(session.value, done.value);
          return;
        }
        failure = done.error;
      } else failure = session.error;
    } catch (reason) {
      failure = networkFailure(reason, this.begun, this.endpoint);
    } finally {
      this.watch.dispose();
    }
    if (this.signal.aborted) failure = { code: "aborted" };
    else if (this.watch.timeout) failure = { ...this.watch.timeout, begun: this.begun };
    yield { type: "error", error: modelError(failure, this.endpoint) };
  }

  /** The open connection where its conversation goes on, else a new one. */
  private async open(kept: RealtimeSession | null): Promise<Result<RealtimeSession, ModelFailure>> {
    const { options, endpoint, request, watch } = this;
    const [first, ...rest] = request.messages;
    const messages = first?.role === "system" ? rest : request.messages;
    const instructions = first?.role === "system" ? first.text : "";
    const voice = request.blocksAreContent ? null : options.sound.voice();
    watch.connecting();
    let session = kept?.continues(messages) ? kept : null;
    if (!session) {
      kept?.close();
      const opened = await watch.wait(options.openSocket(socketUrl(endpoint), this.options.headers ?? {}, watch.signal));
      session = new RealtimeSession(opened);
      this.session = session;
      for (let event = await watch.wait(session.next()); event?.type !== "session"; event = await watch.wait(session.next())) {
        if (event === null) return err({ code: "connection-closed" });
        if (event.type === "error") return err(this.failureOf(event.error));
      }
    }
    watch.connected();
    session.ask(instructions, messages, request.tools, voice);
    return ok(session);
  }

  /** Reads until the response is over. */
  private async *read(session: RealtimeSession): AsyncGenerator<StreamPart, Result<RealtimeResponse, ModelFailure>, undefined> {
    for (;;) {
      const event = await this.watch.wait(session.next());
      if (event === null) return err(this.begun ? { code: "interrupted", begun: true } : { code: "connection-closed" });
      if (event.type === "error") {
        if (event.error.event_id?.startsWith(HARMLESS)) continue;
        return err(this.failureOf(event.error));
      }
      if (event.type === "session" || !this.isOwn(session, event)) continue;
      this.watch.pause();
      if (event.type === "done") {
        if (event.responseId !== null) session.finished.add(event.responseId);
        return ok(event.response);
      }
      yield* this.take(event);
      if (this.text.length > MAX_LENGTH || this.samples > MAX_SAMPLES) return err({ code: "overlong", begun: true });
      if (this.begun) this.watch.enter("idle-timeout");
      else this.watch.enter("first-token-timeout");
    }
  }

  /** Late events of an earlier response belong to nobody. */
  private isOwn(session: RealtimeSession, event: Exclude<RealtimeEvent, { type: "session" | "error" }>): boolean {
    if (event.responseId !== null && session.finished.has(event.responseId)) return false;
    if (event.type === "created") this.responseId ??= event.responseId;
    return event.responseId === null || this.responseId === null || event.responseId === this.responseId;
  }

  private *take(event: Exclude<RealtimeEvent, { type: "session" | "error" | "done" }>): Generator<StreamPart> {
    if (event.type === "created") return;
    this.begun = true;
    if (event.type === "text") {
      this.text += event.text;
      yield { type: "text-delta", text: event.text };
    } else if (event.type === "audio") {
      this.samples += event.pcm.length;
      this.sounds.push(event);
    } else if (event.type === "item") yield* this.takeItem(event.item, event.isDone);
    else {
      const call = this.calls.get(event.itemId);
      if (!call || call.isDone) return;
      call.argsText += event.text;
      yield { type: "tool-call-delta", callId: call.callId, argsText: event.text };
    }
  }

  private *takeItem(item: RealtimeItem, isDone: boolean): Generator<StreamPart> {
    if (item.type !== "function_call" || !item.name) return;
    const key = item.id ?? item.call_id ?? "";
    let call = this.calls.get(key);
    if (!call) {
      const isTaken = [...this.calls.values()].some(({ callId }) => callId === item.call_id);
      call = { callId: item.call_id && !isTaken ? item.call_id : newId("call"), name: item.name, argsText: "", isDone: false };
      this.calls.set(key, call);
      yield { type: "tool-call-start", callId: call.callId, name: call.name };
    }
    if (!isDone || call.isDone) return;
    call.argsText = item.arguments ?? call.argsText;
    yield endOf(call);
  }

  private async *finish(session: RealtimeSession, response: RealtimeResponse): AsyncGenerator<StreamPart, void, undefined> {
    const { output = [], status = "completed", status_details } = response;
    const isWhole = status === "completed";
    // The last word on what is in the response, also for a server that left events out or sent them in another order.
    if (isWhole) {
      for (const item of output) yield* this.takeItem(item, true);
      for (const call of this.calls.values()) if (!call.isDone) yield endOf(call);
    }
    if (this.text === "") {
      const said = output.flatMap(({ content = [] }) => content.map(({ text, transcript }) => text ?? transcript ?? "")).join("");
      this.text = said;
      if (said !== "") yield { type: "text-delta", text: said };
    }
    const usage = usageOf(response);
    if (usage) yield { type: "usage", usage };
    const calls = [...this.calls.values()];
    const reason = finishReason(response, calls.length > 0);
    if (reason === null) {
      const failure = status_details?.error ? this.failureOf(status_details.error) : { code: "interrupted" as const, begun: this.begun };
      yield { type: "error", error: modelError(this.signal.aborted ? { code: "aborted" } : failure, this.endpoint) };
      return;
    }
    if (this.text.trim() === "" && calls.length === 0 && reason === "stop") {
      yield { type: "error", error: modelError({ code: "empty" }, this.endpoint) };
      return;
    }
    if (isWhole) this.settle(session, calls);
    yield { type: "finish", reason };
  }

  /** Gives the sound away, or takes it back where calls follow: the user never hears it. */
  private settle(session: RealtimeSession, calls: readonly ToolCall[]): void {
    this.isClean = true;
    session.answered({ role: "assistant", text: this.text, toolCalls: calls });
    if (calls.length === 0) {
      if (this.sounds.length > 0) this.options.sound.answer(this.sounds.map(({ pcm }) => pcm));
      return;
    }
    for (const itemId of new Set(this.sounds.map((sound) => sound.itemId))) {
      const event_id = newId(HARMLESS);
      session.send({ type: "conversation.item.truncate", event_id, item_id: itemId, content_index: 0, audio_end_ms: 0 });
    }
  }

  private failureOf(error: RealtimeError): ModelFailure {
    const said = oneLine(error.message ?? "", this.endpoint);
    if (/insufficient_quota/.test(error.code ?? "")) return { code: "quota-spent", said };
    if (/rate_limit/.test(error.code ?? "")) return { code: "rate-limited", said };
    if (/invalid_api_key/.test(error.code ?? "")) return { code: "key-rejected", said };
    if (/model_not_found/.test(error.code ?? "")) return { code: "model-not-found", said };
    if (/session_expired/.test(error.code ?? "")) return { code: "interrupted", said, begun: this.begun };
    return streamedFailure({ message: error.message ?? "" }, this.begun, this.endpoint);
  }
}

function endOf(call: Call): StreamPart {
  call.isDone = true;
  return { type: "tool-call-end", callId: call.callId, name: call.name, argsText: call.argsText };
}

function socketUrl({ baseUrl, query, model }: Endpoint): string {
  const url = new URL(`${baseUrl.replace(/^http/, "ws")}/realtime${query}`);
  url.searchParams.set("model", model);
  return url.href;
}

/** Why the model stopped; null for a response that is no answer. */
function finishReason({ status = "completed", status_details }: RealtimeResponse, hasCalls: boolean): FinishReason | null {
  if (status === "completed") return hasCalls ? "tool-calls" : "stop";
  if (status !== "incomplete") return null;
  return status_details?.reason === "content_filter" ? "content-filter" : "length";
}

function usageOf({ usage }: RealtimeResponse): Usage | null {
  if (!usage) return null;
  const cached = usage.input_token_details?.cached_tokens;
  const counts = { inputTokens: usage.input_tokens ?? null, outputTokens: usage.output_tokens ?? null };
  return { ...counts, ...(cached !== undefined && { cachedInputTokens: cached }) };
}
