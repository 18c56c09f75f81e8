import { untilAborted } from "./untilAborted.ts";

/**
 * Settles like `work`, or rejects with the signal's reason as soon as `signal` aborts. The outcome
 * of abandoned work is ignored.
 */
export async function abortable<T>(work: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  const outcome = await untilAborted(Promise.resolve(work), signal);
  if (outcome.ok) return outcome.value;
  throw signal.reason;
}
