import type { ModelFailure } from "./modelFailure.ts";
import type { ProviderData } from "./providerData.ts";

/** Tokens counted by the server; null if it did not say. */
export interface Usage {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
}

/** Why the model stopped; `length` means cut off, `unknown` that the provider gave no reason. */
export type FinishReason = "stop" | "length" | "tool-calls" | "content-filter" | "unknown";

/** Why there is no complete answer. */
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
    /** The server refused the request because of its tools. */
    | "tools-refused"
    /** The request is larger than the model's context window. */
    | "context-length"
    | "aborted";
  /** For the user: what happened, why, what to do. Never contains the key. */
  readonly message: string;
  readonly status: number | null;
  /** True if the same request may succeed later. */
  readonly retryable: boolean;
  /** How long the server asks to wait before that, in milliseconds. */
  readonly retryAfterMs?: number;
  /** What exactly happened, if the model client reports it. */
  readonly failure?: ModelFailure;
}

/** One step of a streamed answer. A stream ends with exactly one `finish` or `error`. */
export type StreamPart =
  | { readonly type: "text-delta"; readonly text: string }
  | { readonly type: "reasoning-delta"; readonly text: string }
  | { readonly type: "tool-call-start"; readonly callId: string; readonly name: string }
  | { readonly type: "tool-call-delta"; readonly callId: string; readonly argsText: string }
  /** With `more`, the answer continued after the call, so the call is complete even if the answer is cut off. */
  | { readonly type: "tool-call-end"; readonly callId: string; readonly name: string; readonly argsText: string; readonly more?: true }
  | { readonly type: "provider-data"; readonly data: ProviderData }
  | { readonly type: "usage"; readonly usage: Usage }
  | { readonly type: "finish"; readonly reason: FinishReason }
  | { readonly type: "error"; readonly error: ModelError };
