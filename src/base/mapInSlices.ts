import { pause } from "./pause.ts";

/** How long a slice may take, in milliseconds: half a frame. */
const SLICE_MS = 8;

/** Maps many items without holding up the thread for longer than half a frame. Stops early, with what it has, when `signal` aborts. */
export async function mapInSlices<T, R>(items: readonly T[], map: (item: T) => R, signal: AbortSignal): Promise<R[]> {
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
