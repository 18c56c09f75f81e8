import type { Disposable } from "./disposable.ts";
import type { Result } from "./result.ts";
import { untilAborted } from "./untilAborted.ts";

/** The longest delay of a timer, in milliseconds. A longer limit never expires. */
const LONGEST_TIMER_MS = 2_147_483_647;

/**
 * Combines a caller's signal with a time limit. `signal` aborts with the caller's signal, when the
 * limit expires, or on `dispose`. There is no limit until `restart`.
 */
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

  /** Whether the time limit aborted the signal. */
  get expired(): boolean {
    return this.over;
  }

  /** Starts a limit of `ms` milliseconds from now and replaces any earlier one. */
  restart(ms: number): void {
    this.pause();
    if (this.signal.aborted || ms > LONGEST_TIMER_MS) return;
    this.timer = setTimeout(() => {
      this.over = true;
      this.end(new DOMException("The time limit is over.", "TimeoutError"));
    }, ms);
  }

  /** Suspends the limit until the next `restart`. */
  pause(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  /** Aborts `signal` and releases the timer and the caller's signal. */
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
 * Runs `work` for at most `ms` milliseconds. Gives its value, or `aborted` on timeout or when
 * `parent` aborts.
 * Node.js may garbage-collect an `AbortSignal.timeout` that only `AbortSignal.any` references, and
 * then it never aborts.
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
