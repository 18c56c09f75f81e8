import type { Result } from "../../base/result.ts";
import type { Message } from "../../model/message.ts";
import type { ToolRouter } from "../../tools/toolRouter.ts";
import type { EmitTurnEvent } from "../../turns/streamRegistry.ts";
import type { TurnError } from "../../turns/turnError.ts";
import type { ModelConnection } from "../chatOptions.ts";
import type { EarlyReads } from "./earlyReads.ts";
import { type RetryPolicy, withRetries } from "./retry.ts";
import { type Answer, streamAnswer } from "./streamAnswer.ts";
import type { StreamHub } from "./streamHub.ts";

/** Builds the requests of a turn and keeps them small enough. */
export interface TurnRequests {
  /**
   * The next request's messages, with everything this turn has emitted, fitted into the context window; the error says why they do
   * not fit. `tools` says whether the request carries tools; `closing` is added last, as the user.
   */
  messages(tools: boolean, closing: string | null): Promise<Result<readonly Message[], TurnError>>;
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
  /** Null once the model turned out to support no tools. */
  tools: ToolRouter | null;
  /** Called whenever a request is on its way. */
  sent?(): void;
  /** Called when the model turns out to support no tools. */
  toolsRefused(): void;
}

/**
 * Streams one answer, with `closing` said last. Asks again without tools where the model refuses them, and with less where the server
 * refuses the length. Never throws.
 */
export async function askModel(asker: RequestContext, closing: string | null, step: number, early: EarlyReads | null): Promise<Answer> {
  asker.emit({ type: "step-start", step });
  asker.hub.messageStart(step);
  let answer = await askWithRetries(asker, closing, early);
  if (answer.error?.code === "tools-refused" && asker.tools !== null) {
    asker.tools = null;
    asker.toolsRefused();
    asker.emit({ type: "notice", level: "warning", code: "tools-refused", error: answer.error });
    answer = await askWithRetries(asker, closing, early);
  }
  while (answer.error?.code === "context-length" && !answer.begun && asker.requests.outgrown()) {
    answer = await askWithRetries(asker, closing, early);
  }
  return answer;
}

async function askWithRetries(asker: RequestContext, closing: string | null, early: EarlyReads | null): Promise<Answer> {
  const { signal, emit, retry, requests, hub, tools } = asker;
  const { client, model } = asker.connection;
  const request = async (): Promise<Answer> => {
    const messages = await requests.messages(tools !== null, closing);
    if (!messages.ok) return { reason: "error", error: messages.error, ...NOTHING };
    const answering = streamAnswer(
      client,
      { model, messages: messages.value, tools: tools?.specs ?? [], blocksAreContent: hub.activeRequests > 0 },
      { emit, early },
      signal,
    );
    asker.sent?.();
    const answer = await answering;
    if (answer.usage?.inputTokens) requests.measured(answer.usage.inputTokens);
    return answer;
  };
  const answer = await withRetries(retry, emit, signal, request, ({ begun, error }) => (begun ? null : error));
  return signal.aborted ? { ...answer, reason: "cancelled", error: null } : answer;
}

const NOTHING = { calls: [], empty: true, begun: false, usage: null };
