import type { ModelError } from "../model/streamPart.ts";

/** When a request that failed before anything of its answer came is made again; times in milliseconds. */
export interface RetryPolicy {
  readonly maxRetries: number;
  /** The wait before the first retry; it doubles with each one. */
  readonly firstMs: number;
  /** All waits of one request together. */
  readonly totalMs: number;
  /** From 0 to 1: where in the second half of a wait it ends, so that many who failed together do not return together. */
  jitter(): number;
}

/** Three retries within a minute. */
export const DEFAULT_RETRY: RetryPolicy = { maxRetries: 3, firstMs: 1_000, totalMs: 60_000, jitter: Math.random };

/** Failures that pass by themselves. A model that does not begin to answer has been waited for long enough. */
const PASSING: ReadonlySet<ModelError["kind"]> = new Set(["rate-limit", "server", "network", "connect-timeout"]);

/**
 * How long to wait before the request is made again, or null where it is not: `retries` were made, after `waitedMs` of waiting. A server
 * that asks for a longer wait than is left is not asked again.
 */
export function retryWait(policy: RetryPolicy, error: ModelError, retries: number, waitedMs: number): number | null {
  if (!error.retryable || !PASSING.has(error.kind) || retries >= policy.maxRetries) return null;
  const backoff = policy.firstMs * 2 ** retries * (0.5 + policy.jitter() / 2);
  const wait = Math.max(backoff, error.retryAfterMs ?? 0);
  return waitedMs + wait <= policy.totalMs ? wait : null;
}
