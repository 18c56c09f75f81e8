import type { ProviderData } from "./providerData.ts";

/** Tokens counted by the server; null where it did not say. */
export interface Usage {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
}

/** Why the model stopped: `stop`, `length` (cut off), `tool-calls`, `content-filter`, or `unknown` where the provider gave none. */
export type FinishReason = "stop" | "length" | "tool-calls" | "content-filter" | "unknown";

/** Why no (complete) answer came. `message` is for the user: what happened, why, what to do. It never holds the key. */
export interface ModelError {
  readonly kind:
    | "no-key"
    | "auth"
    | "not-found"
    | "bad-request"
    | "rate-limit"
    | "server"
    | "network"
    | "connect-timeout"
    | "first-token-timeout"
    | "idle-timeout"
    | "interrupted"
    /** The request was refused because of the tools in it. */
    | "tools-refused"
    /** The request is larger than the model's context window. */
    | "context-length"
    | "aborted";
  readonly message: string;
  readonly status: number | null;
  /** True when the same request may succeed later. */
  readonly retryable: boolean;
  /** How long the server asks to wait before that, in milliseconds; absent where it does not say. */
  readonly retryAfterMs?: number;
}

/** One step of a streamed answer. A stream ends with exactly one `finish` or one `error`, and nothing follows it. */
export type StreamPart =
  | { readonly type: "text-delta"; readonly text: string }
  | { readonly type: "reasoning-delta"; readonly text: string }
  | { readonly type: "tool-call-start"; readonly callId: string; readonly name: string }
  | { readonly type: "tool-call-delta"; readonly callId: string; readonly argsText: string }
  /** `more`: the answer went on behind the call, which is complete, however the answer may end. */
  | { readonly type: "tool-call-end"; readonly callId: string; readonly name: string; readonly argsText: string; readonly more?: true }
  | { readonly type: "provider-data"; readonly data: ProviderData }
  | { readonly type: "usage"; readonly usage: Usage }
  | { readonly type: "finish"; readonly reason: FinishReason }
  | { readonly type: "error"; readonly error: ModelError };
