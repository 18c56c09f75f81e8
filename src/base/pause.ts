import { untilAborted } from "./untilAborted.ts";

/** Waits `ms` milliseconds, or until `signal` aborts. Clears its timer. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  await untilAborted(
    new Promise((resolve) => (timer = setTimeout(() => resolve(null), ms))),
    signal,
  );
  clearTimeout(timer);
}
