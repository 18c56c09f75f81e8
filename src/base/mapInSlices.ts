import { pause } from "./pause.ts";

/** The longest a slice may run, in milliseconds (half a frame). */
const SLICE_MS = 8;

/**
 * Maps many items without blocking the thread for longer than half a frame. When `signal` aborts,
 * it stops and returns the results so far.
 */
export async function mapInSlices<T, R>(
  items: readonly T[],
  map: (item: T) => R,
  signal: AbortSignal,
): Promise<R[]> {
  const results: R[] = [];
  let started = performance.now();
  for (const item of items) {
    results.push(map(item));
    if (results.length % 100 !== 0 || performance.now() - started < SLICE_MS) continue;
    await pause(0, signal);
    if (signal.aborted) break;
    started = performance.now();
  }
  return results;
}
