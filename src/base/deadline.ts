import type { Disposable } from "./disposable.ts";
import type { Result } from "./result.ts";
import { untilAborted } from "./untilAborted.ts";

/** The longest wait a timer can hold, in milliseconds; a longer limit never expires. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** A caller's signal with a time limit: `signal` aborts with the caller's, after the limit, or on `dispose`. At first without a limit. */
export class Deadline implements Disposable {
  private readonly controller = new AbortController();
  private readonly parent: AbortSignal;
  private readonly followParent = () => this.end(this.parent.reason);
  private timer: ReturnType<typeof setTimeout> | null = null;
  private over = false;

  constructor(parent: AbortSignal) {
    this.parent = parent;
    if (parent.aborted) this.end(parent.reason);
    else parent.addEventListener("abort", this.followParent);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** True when the time limit aborted. */
  get expired(): boolean {
    return this.over;
  }

  /** Counts `ms` milliseconds from now, in place of any earlier limit. */
  restart(ms: number): void {
    this.pause();
    if (this.signal.aborted || ms > LONGEST_TIMER_MS) return;
    this.timer = setTimeout(() => {
      this.over = true;
      this.end(new DOMException("The time limit is over.", "TimeoutError"));
    }, ms);
  }

  /** Takes the limit away until the next `restart`. */
  pause(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  /** Aborts `signal` unless it is aborted, and lets go of the timer and the caller's signal. */
  dispose(): void {
    this.end(new DOMException("The deadline was disposed of.", "AbortError"));
  }

  private end(reason: unknown): void {
    this.pause();
    this.parent.removeEventListener("abort", this.followParent);
    if (!this.signal.aborted) this.controller.abort(reason);
  }
}

/**
 * The value of `work`, or `aborted` after `ms` milliseconds or with `parent`. Node.js may collect an `AbortSignal.timeout` that only
 * `AbortSignal.any` refers to, which then never aborts.
 */
export async function withDeadline<T>(
  parent: AbortSignal,
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<Result<T, "aborted">> {
  const limit = new Deadline(parent);
  limit.restart(ms);
  try {
    return await untilAborted(work(limit.signal), limit.signal);
  } finally {
    limit.dispose();
  }
}
