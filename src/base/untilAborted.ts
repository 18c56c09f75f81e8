import { err, ok, type Result } from "./result.ts";

/**
 * Gives the value of the promise, or `aborted` once `graceMs` milliseconds have passed since
 * `signal` aborted. Rejects only if the promise rejects first.
 */
export async function untilAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal,
  graceMs = 0,
): Promise<Result<T, "aborted">> {
  let release: () => void = () => undefined;
  const aborted = new Promise<Result<T, "aborted">>((resolve) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const giveUp = () => resolve(err("aborted"));
    const onAbort = () => {
      if (graceMs > 0) timer = setTimeout(giveUp, graceMs);
      else giveUp();
    };
    release = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort);
  });
  try {
    return await Promise.race([promise.then((value) => ok(value)), aborted]);
  } finally {
    release();
  }
}
