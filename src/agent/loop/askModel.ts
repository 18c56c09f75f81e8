import type { Result } from "../../base/result.ts";
import type { Message } from "../../model/message.ts";
import type { Asked, ModelRequest } from "../../model/modelClient.ts";
import type { ToolRouter } from "../../tools/toolRouter.ts";
import type { EmitTurnEvent } from "../../turns/streamRegistry.ts";
import type { TurnError } from "../../turns/turnError.ts";
import type { ModelConnection } from "../chatOptions.ts";
import { type ImageSupport, mayRefusePart, type PartSupport } from "./partSupport.ts";
import { type RetryPolicy, withRetries } from "./retry.ts";
import { type Answer, streamAnswer } from "./streamAnswer.ts";
import type { StreamHub } from "./streamHub.ts";

/** Builds the requests of a turn and keeps them small enough. */
export interface TurnRequests {
  /**
   * The next request's messages, with everything this turn has emitted, fitted into the context window; the error says why they do
   * not fit. `tools` and `images` say whether the request carries them; `closing` is added last, as the user.
   */
  messages(tools: boolean, closing: string | null, images: boolean): Promise<Result<readonly Message[], TurnError>>;
  /** Emits what the next request would take of the context window. */
  tellUse(): void;
  /** Records the server's token count of the last request. */
  measured(inputTokens: number): void;
  /** The server refused the last request as too large. True where the next one can be smaller. */
  outgrown(): boolean;
}

/** What the requests of one turn need. */
export interface RequestContext {
  readonly connection: ModelConnection;
  readonly hub: StreamHub;
  readonly emit: EmitTurnEvent;
  readonly requests: TurnRequests;
  readonly retry: RetryPolicy;
  readonly signal: AbortSignal;
  /** Null for requests without tools, or once the model turned out to support none. */
  tools: ToolRouter | null;
  /** What the user asked last, for demo mode. */
  asked?(): Asked;
  /** Called whenever a request is on its way. */
  sent?(): void;
  /** What is known of the model's tools. */
  readonly toolSupport: PartSupport;
  /** Null or absent where requests have no images, or once the model turned out to take none. */
  images?: ImageSupport | null;
  /** The last request had images. */
  sentImages?: boolean;
}

/**
 * Streams one answer, with `closing` said last. Asks once without tools or images where the model may refuse them, and with less where
 * the server refuses the length. Never throws.
 */
export async function askModel(asker: RequestContext, closing: string | null, step: number): Promise<Answer> {
  asker.emit({ type: "step-start", step });
  asker.hub.messageStart(step);
  let answer = await askWithRetries(asker, closing);
  if (suspicion(asker, answer.error) !== null) answer = await askWithoutParts(asker, answer, closing);
  while (answer.error?.code === "context-length" && !answer.begun && asker.requests.outgrown()) {
    answer = await askWithRetries(asker, closing);
  }
  return asker.signal.aborted ? { ...answer, reason: "cancelled", error: null } : answer;
}

/** What a failed request had that the model is not known to support. */
function suspects({ tools, toolSupport, images, sentImages }: RequestContext, error: TurnError): readonly ("images" | "tools")[] {
  const mayBeImages = images && sentImages && error.code !== "tools-refused" && !images.isCertain();
  return [...(mayBeImages ? (["images"] as const) : []), ...(tools === null || toolSupport.isCertain() ? [] : (["tools"] as const))];
}

/** {@link mayRefusePart} where the request had something to refuse. */
function suspicion(asker: RequestContext, error: TurnError | null): "request" | "server" | null {
  return error === null || suspects(asker, error).length === 0 ? null : mayRefusePart(error);
}

/**
 * Repeats a failed request without images, then without tools, then without either, as far as it had them. Where all of these fail as
 * well, they were not the reason, and the first error stands.
 */
async function askWithoutParts(asker: RequestContext, failed: Answer, closing: string | null): Promise<Answer> {
  const { tools, toolSupport, images = null } = asker;
  const { error } = failed;
  const parts = error ? suspects(asker, error) : [];
  const attempts = [...parts.map((part) => [part]), ...(parts.length > 1 ? [parts] : [])];
  for (const left of attempts) {
    asker.images = left.includes("images") ? null : images;
    asker.tools = left.includes("tools") ? null : tools;
    const answer = await ask(asker, closing);
    if (answer.begun && error && "model" in error) {
      if (left.includes("images")) images?.refused(error);
      if (left.includes("tools")) toolSupport.refused(error);
    }
    if (answer.begun || asker.signal.aborted) return answer;
  }
  Object.assign(asker, { tools, images });
  return failed;
}

async function askWithRetries(asker: RequestContext, closing: string | null): Promise<Answer> {
  const { signal, emit, retry } = asker;
  const transient = ({ begun, error }: Answer) => (begun || suspicion(asker, error) === "request" ? null : error);
  return withRetries(retry, emit, signal, () => ask(asker, closing), transient);
}

async function ask(asker: RequestContext, closing: string | null): Promise<Answer> {
  const { signal, emit, requests, hub, tools, images: source } = asker;
  const { client, model, info } = asker.connection;
  const messages = await requests.messages(tools !== null, closing, Boolean(source));
  if (!messages.ok) return { reason: "error", error: messages.error, ...NOTHING };
  const images = (await source?.load(messages.value)) ?? new Map<string, Uint8Array>();
  asker.sentImages = images.size > 0;
  const told = { model, messages: messages.value, tools: tools?.specs ?? [], images };
  const request: ModelRequest = { ...told, blocksAreContent: hub.activeRequests > 0, ...(asker.asked && { asked: asker.asked() }) };
  const answering = streamAnswer(client, request, info?.price ?? null, emit, signal);
  asker.sent?.();
  const answer = await answering;
  if (answer.usage?.inputTokens) requests.measured(answer.usage.inputTokens);
  return answer;
}

const NOTHING = { calls: [], empty: true, begun: false, usage: null };
