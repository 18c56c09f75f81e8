import * as z from "zod/mini";

/** What the user can do about a failure. */
export type FailureRemedy =
  | "retry"
  | "set-api-key"
  | "choose-model"
  | "test-connection"
  | "compact"
  | "new-chat"
  | "open-connections"
  | "open-network-settings";

const RETRY = ["retry"] as const;
const NO_SERVER = ["retry", "choose-model", "test-connection"] as const;
const KEY = ["set-api-key", "choose-model", "retry"] as const;
const ADDRESS = ["open-connections", "choose-model", "retry"] as const;
const GONE = ["choose-model", "open-connections", "retry"] as const;
const OTHER_MODEL = ["choose-model", "retry"] as const;
const LATER = ["retry", "choose-model"] as const;
const ODD_ANSWER = ["retry", "test-connection", "choose-model"] as const;
const NETWORK = ["open-network-settings", "retry"] as const;
/** What helps where a request is too long. */
export const TOO_LONG = ["compact", "new-chat", "choose-model", "retry"] as const;

/**
 * What each failure means to callers: the kind of error, whether the same request may succeed
 * later, and what helps, the most useful first.
 */
export const OUTCOMES = {
  "invalid-url": ["bad-request", false, ADDRESS],
  "url-with-credentials": ["bad-request", false, ADDRESS],
  "invalid-key": ["auth", false, KEY],
  "no-key": ["no-key", false, KEY],
  "connection-gone": ["not-found", false, GONE],
  "connection-moved": ["not-found", false, GONE],
  "not-allowed": ["not-found", false, OTHER_MODEL],
  "choice-unreadable": ["not-found", false, OTHER_MODEL],
  "no-model-list": ["not-found", false, ADDRESS],
  "no-model": ["not-found", false, OTHER_MODEL],
  "no-voice": ["not-found", false, RETRY],
  "unencrypted-key": ["not-found", false, ADDRESS],
  "key-rejected": ["auth", false, KEY],
  forbidden: ["auth", false, KEY],
  "model-not-found": ["not-found", false, OTHER_MODEL],
  "api-not-found": ["not-found", false, ADDRESS],
  "web-page": ["not-found", false, ADDRESS],
  redirected: ["not-found", false, ADDRESS],
  "no-credit": ["bad-request", false, OTHER_MODEL],
  rejected: ["bad-request", false, OTHER_MODEL],
  "content-filter": ["content-filter", false, OTHER_MODEL],
  "tools-refused": ["tools-refused", false, OTHER_MODEL],
  "context-length": ["context-length", false, TOO_LONG],
  "rate-limited": ["rate-limit", true, LATER],
  "quota-spent": ["rate-limit", false, OTHER_MODEL],
  "server-error": ["server", true, LATER],
  "stream-error": ["server", true, LATER],
  "provider-failure": ["server", true, LATER],
  unreadable: ["server", true, ODD_ANSWER],
  "invalid-json": ["server", true, ODD_ANSWER],
  empty: ["server", true, ODD_ANSWER],
  "lost-call": ["server", true, ODD_ANSWER],
  overlong: ["server", false, LATER],
  overtime: ["interrupted", true, LATER],
  interrupted: ["interrupted", true, RETRY],
  aborted: ["aborted", true, RETRY],
  "connect-timeout": ["connect-timeout", true, NO_SERVER],
  "first-token-timeout": ["first-token-timeout", true, NO_SERVER],
  "idle-timeout": ["idle-timeout", true, LATER],
  "connection-refused": ["network", true, NO_SERVER],
  "connection-closed": ["network", true, NO_SERVER],
  "unknown-host": ["network", true, NO_SERVER],
  "no-route": ["network", true, NO_SERVER],
  tls: ["network", false, NETWORK],
  "proxy-refused": ["network", false, NETWORK],
  "proxy-login": ["network", false, NETWORK],
  "browser-refused": ["network", true, NO_SERVER],
  unreachable: ["network", true, NO_SERVER],
  "no-transcription": ["not-found", false, RETRY],
  "no-speech": ["not-found", false, RETRY],
  "no-voice-model": ["not-found", false, RETRY],
  "unreadable-transcript": ["server", true, RETRY],
  "unreadable-audio": ["server", true, RETRY],
  "lm-not-permitted": ["permission", false, LATER],
  "lm-model-gone": ["not-found", false, OTHER_MODEL],
  "lm-blocked": ["rate-limit", false, OTHER_MODEL],
  "lm-quota-spent": ["rate-limit", false, OTHER_MODEL],
  "lm-rate-limited": ["rate-limit", true, LATER],
  "lm-off-topic": ["content-filter", false, OTHER_MODEL],
} as const satisfies Record<
  string,
  readonly [kind: string, retryable: boolean, remedies: readonly FailureRemedy[]]
>;

/** What kind of error a failure is; callers and the user's remedies depend on it. */
type Kind = (typeof OUTCOMES)[keyof typeof OUTCOMES][0];
const KINDS: ReadonlySet<unknown> = new Set(Object.values(OUTCOMES).map(([kind]) => kind));

const failureSchema = z.object({
  /** What exactly happened. */
  code: z.custom<keyof typeof OUTCOMES>(
    (value) => typeof value === "string" && Object.hasOwn(OUTCOMES, value),
  ),
  /** The HTTP status. */
  status: z.optional(z.number()),
  /** What the server or the system said, on one line and without the key. */
  said: z.optional(z.string()),
  /** Where a redirect leads, what TLS reported, or why the provider stopped. */
  detail: z.optional(z.string()),
  /** The most tokens that a request may have, as the server said. */
  limit: z.optional(z.number()),
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

/**
 * The error for a failure at an endpoint. A server that fails in the middle of its answer
 * interrupts it.
 */
export function modelError(
  failure: ModelFailure,
  endpoint: Pick<ModelError, "baseUrl" | "model">,
): ModelError {
  const [kind, retryable] = OUTCOMES[failure.code];
  const { baseUrl, model } = endpoint;
  return {
    ...failure,
    kind: failure.begun && kind === "server" ? "interrupted" : kind,
    retryable,
    baseUrl,
    model,
  };
}

/** The error after the caller aborted. */
export function abortedError(): ModelError {
  return modelError({ code: "aborted" }, { baseUrl: "", model: "" });
}
