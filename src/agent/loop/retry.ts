import { pause } from "../../base/pause.ts";
import type { EmitTurnEvent } from "../../turns/streamRegistry.ts";
import type { TurnError } from "../../turns/turnError.ts";

/** When a request that failed before its answer began is retried; times in milliseconds. */
export interface RetryPolicy {
  readonly maxRetries: number;
  /** The wait before the first retry; it doubles with each one. */
  readonly firstMs: number;
  /** All waits of one request together. */
  readonly totalMs: number;
  /**
   * From 0 to 1: where in the second half of a wait it ends, so that clients that failed together
   * do not return together.
   */
  jitter(): number;
}

/** Three retries within a minute. */
export const DEFAULT_RETRY: RetryPolicy = {
  maxRetries: 3,
  firstMs: 1_000,
  totalMs: 60_000,
  jitter: Math.random,
};

/** Failures that pass. A model that does not begin its answer has used its own time limit. */
const TRANSIENT: ReadonlySet<TurnError["kind"]> = new Set([
  "rate-limit",
  "server",
  "network",
  "connect-timeout",
]);

/**
 * Makes a request and retries it, each time after a recorded wait, while `transient` returns a
 * failure that may pass and until `signal` aborts. Returns the last answer.
 */
export async function withRetries<Answer>(
  policy: RetryPolicy,
  emit: EmitTurnEvent,
  signal: AbortSignal,
  request: () => Promise<Answer>,
  transient: (answer: Answer) => TurnError | null,
): Promise<Answer> {
  let waitedMs = 0;
  for (let retries = 0; ; retries++) {
    const answer = await request();
    const error = transient(answer);
    const waitMs = error && retryWait(policy, error, retries, waitedMs);
    if (!error || waitMs === null) return answer;
    emit({ type: "retry", attempt: retries + 1, maxAttempts: policy.maxRetries, waitMs, error });
    await pause(waitMs, signal);
    if (signal.aborted) return answer;
    waitedMs += waitMs;
  }
}

/**
 * How long to wait before the next retry, after `retries` of them and `waitedMs` of waiting, or
 * null to give up. A server that asks for a longer wait than is left is not asked again.
 */
export function retryWait(
  policy: RetryPolicy,
  error: TurnError,
  retries: number,
  waitedMs: number,
): number | null {
  if (!error.retryable || !TRANSIENT.has(error.kind) || retries >= policy.maxRetries) return null;
  const backoff = policy.firstMs * 2 ** retries * (0.5 + policy.jitter() / 2);
  const wait = Math.max(backoff, ("retryAfterMs" in error && error.retryAfterMs) || 0);
  return waitedMs + wait <= policy.totalMs ? wait : null;
}
