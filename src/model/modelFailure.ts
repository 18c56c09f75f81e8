import * as z from "zod/mini";

/** What each failure means to callers: the kind of error, and whether the same request may succeed later. */
export const OUTCOMES = {
  "invalid-url": ["bad-request", false],
  "url-with-credentials": ["bad-request", false],
  "invalid-key": ["auth", false],
  "no-key": ["no-key", false],
  "no-model": ["not-found", false],
  "unencrypted-key": ["not-found", false],
  "key-rejected": ["auth", false],
  forbidden: ["auth", false],
  "model-not-found": ["not-found", false],
  "api-not-found": ["not-found", false],
  "web-page": ["not-found", false],
  redirected: ["not-found", false],
  "no-credit": ["bad-request", false],
  rejected: ["bad-request", false],
  "content-filter": ["content-filter", false],
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
  overtime: ["interrupted", true],
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
} as const satisfies Record<string, readonly [kind: string, retryable: boolean]>;

/** What kind of error a failure is; callers and the user's remedies depend on it. */
type Kind = (typeof OUTCOMES)[keyof typeof OUTCOMES][0];
const KINDS: ReadonlySet<unknown> = new Set(Object.values(OUTCOMES).map(([kind]) => kind));

const failureSchema = z.object({
  /** What exactly happened. */
  code: z.custom<keyof typeof OUTCOMES>((value) => typeof value === "string" && Object.hasOwn(OUTCOMES, value)),
  /** The HTTP status. */
  status: z.optional(z.number()),
  /** What the server or the system said, on one line and without the key. */
  said: z.optional(z.string()),
  /** Where a redirect leads, what TLS reported, or why the provider stopped. */
  detail: z.optional(z.string()),
  /** The time limit that was reached, in milliseconds. */
  limitMs: z.optional(z.number()),
  /** How long the server asks to wait, in milliseconds. */
  retryAfterMs: z.optional(z.number()),
  /** True when part of the answer had arrived. */
  begun: z.optional(z.boolean()),
});

/** A {@link ModelError} in a history file. */
export const modelErrorSchema = z.extend(failureSchema, {
  kind: z.custom<Kind>((value) => KINDS.has(value)),
  /** True if the same request may succeed later. */
  retryable: z.boolean(),
  baseUrl: z.string(),
  model: z.string(),
});

/** Why there is no complete answer. Never contains the key. */
export type ModelFailure = Readonly<z.infer<typeof failureSchema>>;
/** A failure at an endpoint, and what it means to callers. */
export type ModelError = Readonly<z.infer<typeof modelErrorSchema>>;
/** What exactly happened. */
export type FailureCode = ModelFailure["code"];

/** The error for a failure at an endpoint. A server that fails in the middle of its answer interrupts it. */
export function modelError(failure: ModelFailure, endpoint: Pick<ModelError, "baseUrl" | "model">): ModelError {
  const [kind, retryable] = OUTCOMES[failure.code];
  const { baseUrl, model } = endpoint;
  return { ...failure, kind: failure.begun && kind === "server" ? "interrupted" : kind, retryable, baseUrl, model };
}

/** The error after the caller aborted. */
export function abortedError(): ModelError {
  return modelError({ code: "aborted" }, { baseUrl: "", model: "" });
}
