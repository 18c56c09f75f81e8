import type { Result } from "../../base/result.ts";
import type { Message, ToolSpec } from "../../model/message.ts";
import type { Asked, ModelRequest } from "../../model/modelClient.ts";
import { newCallNonce } from "../../model/textCalls/textCallScanner.ts";
import type { ToolRouter } from "../../tools/toolRouter.ts";
import type { EmitTurnEvent } from "../../turns/streamRegistry.ts";
import type { TurnError } from "../../turns/turnError.ts";
import type { ModelConnection } from "../chatOptions.ts";
import { textCallPrompt } from "../request/prompts.ts";
import {
  type ImageSupport,
  mayRefusePart,
  type PartSupport,
  type ToolForm,
} from "./partSupport.ts";
import { refusedTools } from "./refusedTools.ts";
import { type RetryPolicy, withRetries } from "./retry.ts";
import { type StreamedAnswer, streamAnswer } from "./streamAnswer.ts";
import type { StreamHub } from "./streamHub.ts";

/** Builds the requests of a turn and keeps them small enough. */
export interface RequestSource {
  /**
   * Asks how large the window is, and gives the tools that the next request offers in this form,
   * none for null.
   */
  offered(form: ToolForm | null): Promise<readonly ToolSpec[]>;
  /**
   * The next request's messages, with everything this turn has emitted, fitted into the context
   * window; the error says why they do not fit. `tools` (null for none) and `images` say what the
   * request carries; `closing` is added last, as the user.
   */
  messages(
    tools: ToolForm | null,
    closing: string | null,
    images: boolean,
  ): Promise<Result<readonly Message[], TurnError>>;
  /** Emits what the next request would take of the context window. */
  tellUse(): void;
  /** Records the server's token count of the last request. */
  measured(inputTokens: number): void;
  /**
   * The server refused the last request as too large; `limit` is what it takes, where it says so.
   * True where the next one can be smaller.
   */
  outgrown(limit: number | null): boolean;
  /**
   * True where the last request may have filled the window that the server has loaded; `counted` is
   * the server's count of it, which proves it.
   */
  mayFillWindow(counted: number | null): boolean;
}

/** What the requests of one turn need. */
export interface RequestContext {
  readonly connection: ModelConnection;
  readonly hub: StreamHub;
  readonly emit: EmitTurnEvent;
  readonly requests: RequestSource;
  readonly retry: RetryPolicy;
  readonly signal: AbortSignal;
  /** Null for requests without tools. */
  tools: ToolRouter | null;
  /** `text` once the server turned out to take no tools. */
  toolForm: ToolForm;
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
  /** The tools that the last request had, and the names of those that the server refused. */
  sentTools?: readonly ToolSpec[];
  leftOut?: readonly string[];
}

/**
 * Streams one answer, with `closing` said last. Asks once without images, or with tools described
 * in the text, where the model may refuse them, and with less where the server refuses the length.
 * Never throws.
 */
export async function askModel(
  asker: RequestContext,
  closing: string | null,
  step: number,
): Promise<StreamedAnswer> {
  asker.emit({ type: "step-start", step });
  asker.hub.messageStart(step);
  let answer = await askWithRetries(asker, closing);
  if (answer.error !== null && !answer.begun)
    answer = await askWithoutTools(asker, answer, closing);
  if (suspicion(asker, answer.error) !== null)
    answer = await askWithoutParts(asker, answer, closing);
  while (isTooLong(asker, answer) && asker.requests.outgrown(statedLimit(answer)))
    answer = await askWithRetries(asker, closing);
  return asker.signal.aborted ? { ...answer, reason: "cancelled", error: null } : answer;
}

/**
 * True where the server refused a request for its length, or where it answered nothing to one that
 * leaves no room in its window, as LM Studio and MiMo do: a smaller one that is answered proves that.
 */
function isTooLong({ requests }: RequestContext, answer: StreamedAnswer): boolean {
  const { begun, empty, error, reason, usage } = answer;
  if (begun) return false;
  if (error) {
    const isEmpty = error.code === "empty" && requests.mayFillWindow(usage?.inputTokens ?? null);
    return error.code === "context-length" || isEmpty;
  }
  if (!empty || reason === "cancelled") return false;
  const hasNoRoom = reason === "length" && usage?.outputTokens === 0;
  return hasNoRoom || requests.mayFillWindow(usage?.inputTokens ?? null);
}

function statedLimit({ error }: StreamedAnswer): number | null {
  return error?.code === "context-length" ? (error.limit ?? null) : null;
}

/**
 * Repeats a failed request without the tools that its refusal is about, as long as it is about
 * others: they are left out for the rest of the turn. Where that does not help, the first error
 * stands.
 */
async function askWithoutTools(
  asker: RequestContext,
  failed: StreamedAnswer,
  closing: string | null,
): Promise<StreamedAnswer> {
  const before = asker.leftOut ?? [];
  const isForeign = (name: string) => asker.tools?.originOf(name) !== undefined;
  let answer = failed;
  let tools: readonly string[] = [];
  for (;;) {
    const refused = refusedTools(answer.error, asker.sentTools ?? [], isForeign);
    if (refused.length === 0 || refused.length === asker.sentTools?.length) break;
    tools = [...tools, ...refused];
    asker.leftOut = [...before, ...tools];
    answer = await askOnce(asker, closing);
    if (answer.begun || asker.signal.aborted) break;
  }
  if (!answer.begun) {
    asker.leftOut = before;
    return asker.signal.aborted ? answer : failed;
  }
  const { error } = failed;
  if (tools.length > 0 && error && "model" in error)
    asker.emit({
      type: "notice",
      level: "warning",
      code: "tools-left-out",
      tools: [...tools],
      error,
    });
  return answer;
}

/** What a failed request had that the model is not known to support. */
function suspects(asker: RequestContext, error: TurnError): readonly ("images" | "tools")[] {
  const { tools, toolForm, toolSupport, images, sentImages } = asker;
  const mayBeImages = images && sentImages && error.code !== "tools-refused" && !images.isCertain();
  const mayBeTools = tools !== null && toolForm === "native" && !toolSupport.isCertain();
  return [
    ...(mayBeImages ? (["images"] as const) : []),
    ...(mayBeTools ? (["tools"] as const) : []),
  ];
}

/** {@link mayRefusePart} where the request had something to refuse. */
function suspicion(asker: RequestContext, error: TurnError | null): "request" | "server" | null {
  return error === null || suspects(asker, error).length === 0 ? null : mayRefusePart(error);
}

/**
 * Repeats a failed request without images, then with tools as text, then with both changes, as far
 * as it had them. Where all of these fail as well, they were not the reason, and the first error
 * stands.
 */
async function askWithoutParts(
  asker: RequestContext,
  failed: StreamedAnswer,
  closing: string | null,
): Promise<StreamedAnswer> {
  const { toolForm, toolSupport, images = null } = asker;
  const { error } = failed;
  const parts = error ? suspects(asker, error) : [];
  const attempts = [...parts.map((part) => [part]), ...(parts.length > 1 ? [parts] : [])];
  for (const left of attempts) {
    asker.images = left.includes("images") ? null : images;
    asker.toolForm = left.includes("tools") ? "text" : toolForm;
    const answer = await askOnce(asker, closing);
    if (answer.begun && error && "model" in error) {
      if (left.includes("images")) images?.refused(error);
      if (left.includes("tools")) toolSupport.refused(error);
    }
    if (answer.begun || asker.signal.aborted) return answer;
  }
  Object.assign(asker, { toolForm, images });
  return failed;
}

async function askWithRetries(
  asker: RequestContext,
  closing: string | null,
): Promise<StreamedAnswer> {
  const { signal, emit, retry } = asker;
  const transient = (answer: StreamedAnswer) => {
    const { begun, error } = answer;
    const lasts = suspicion(asker, error) === "request" || isTooLong(asker, answer);
    return begun || lasts ? null : error;
  };
  return withRetries(retry, emit, signal, () => askOnce(asker, closing), transient);
}

async function askOnce(asker: RequestContext, closing: string | null): Promise<StreamedAnswer> {
  const { signal, emit, requests, hub, tools, toolForm, images: source } = asker;
  const { client, model, info } = asker.connection;
  const all = await requests.offered(tools && toolForm);
  const specs = all.filter(({ name }) => !asker.leftOut?.includes(name));
  asker.sentTools = toolForm === "native" ? specs : [];
  const carried = specs.length > 0 ? toolForm : null;
  const callNonce = carried === "text" ? newCallNonce() : null;
  const last = callNonce === null ? closing : withCallPrompt(closing, callNonce);
  const messages = await requests.messages(carried, last, Boolean(source));
  if (!messages.ok) return { reason: "error", error: messages.error, ...NOTHING };
  const images = (await source?.load(messages.value)) ?? new Map<string, Uint8Array>();
  asker.sentImages = images.size > 0;
  const offered = callNonce === null ? { tools: carried ? specs : [] } : { tools: [], callNonce };
  const told = { model, messages: messages.value, ...offered, images };
  const request: ModelRequest = {
    ...told,
    blocksAreContent: hub.activeRequests > 0,
    ...(asker.asked && { asked: asker.asked() }),
  };
  hub.skipsText = false;
  const onGap = () => {
    hub.skipsText = true;
  };
  const tell: EmitTurnEvent = (event) => {
    const origin = event.type === "tool-call-start" ? tools?.originOf(event.name) : undefined;
    emit({ ...event, ...(origin && { origin }) });
  };
  const answering = streamAnswer(client, request, info?.price ?? null, tell, onGap, signal, () =>
    hub.kept(),
  );
  asker.sent?.();
  const answer = await answering;
  if (answer.usage?.inputTokens) requests.measured(answer.usage.inputTokens);
  return answer;
}

function withCallPrompt(closing: string | null, nonce: string): string {
  return closing === null ? textCallPrompt(nonce) : `${closing}\n\n${textCallPrompt(nonce)}`;
}

const NOTHING = { calls: [], empty: true, hasText: false, begun: false, usage: null };
