import { failureMessage } from "./messages.ts";
import type { ModelError } from "./streamPart.ts";

/** What each failure means to callers: the kind of error, and whether the same request may succeed later. */
export const OUTCOMES = {
  "invalid-url": ["bad-request", false],
  "url-with-credentials": ["bad-request", false],
  "invalid-key": ["auth", false],
  "no-key": ["no-key", false],
  "key-rejected": ["auth", false],
  forbidden: ["auth", false],
  "model-not-found": ["not-found", false],
  "api-not-found": ["not-found", false],
  "web-page": ["not-found", false],
  redirected: ["not-found", false],
  "no-credit": ["bad-request", false],
  rejected: ["bad-request", false],
  "tools-refused": ["tools-refused", false],
  "context-length": ["context-length", false],
  "rate-limited": ["rate-limit", true],
  "quota-spent": ["rate-limit", false],
  "server-error": ["server", true],
  "stream-error": ["server", true],
  "provider-failure": ["server", true],
  unreadable: ["server", true],
  empty: ["server", true],
  overlong: ["server", false],
  interrupted: ["interrupted", true],
  aborted: ["aborted", true],
  "connect-timeout": ["connect-timeout", true],
  "first-token-timeout": ["first-token-timeout", true],
  "idle-timeout": ["idle-timeout", true],
  "connection-refused": ["network", true],
  "connection-closed": ["network", true],
  "unknown-host": ["network", true],
  "no-route": ["network", true],
  tls: ["network", false],
  unreachable: ["network", true],
} as const satisfies Record<string, readonly [ModelError["kind"], boolean]>;

/** What exactly happened. */
export type FailureCode = keyof typeof OUTCOMES;

/** Why there is no complete answer, as data. */
export interface ModelFailure {
  readonly code: FailureCode;
  /** The HTTP status. */
  readonly status?: number;
  /** What the server or the system said, on one line and without the key. */
  readonly said?: string;
  /** Where a redirect leads, what TLS reported, or why the provider stopped. */
  readonly detail?: string;
  /** The time limit that was reached, in milliseconds. */
  readonly limitMs?: number;
  /** How long the server asks to wait, in milliseconds. */
  readonly retryAfterMs?: number;
  /** True when part of the answer had arrived. */
  readonly begun?: boolean;
}

/** The error for a failure at an endpoint. A server that fails in the middle of its answer interrupts it. */
export function modelError(failure: ModelFailure, endpoint: { readonly baseUrl: string; readonly model: string }): ModelError {
  const { code, status, retryAfterMs, begun = false } = failure;
  const [kind, retryable] = OUTCOMES[code];
  return {
    kind: begun && kind === "server" ? "interrupted" : kind,
    message: failureMessage(failure, endpoint),
    status: status ?? null,
    retryable,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    failure,
  };
}

/** The error after the caller aborted. */
export function abortedError(): ModelError {
  return modelError({ code: "aborted" }, { baseUrl: "", model: "" });
}
