import type { Disposable } from "./disposable.ts";

/** The longest wait a timer can hold, in milliseconds; a longer limit never expires. */
const LONGEST_TIMER_MS = 2_147_483_647;

/**
 * Combines a caller's signal with a time limit: `signal` aborts when the caller's does, when the limit is over, or on `dispose`.
 * A new deadline has no limit yet. Restarting the limit costs next to nothing, so it may happen for every chunk of a stream.
 */
export class Deadline implements Disposable {
  private readonly controller = new AbortController();
  private readonly parent: AbortSignal;
  private readonly followParent = () => this.end(this.parent.reason);
  private timer: ReturnType<typeof setTimeout> | null = null;
  private timerDueAt = 0;
  private dueAt = Number.POSITIVE_INFINITY;
  private over = false;

  constructor(parent: AbortSignal) {
    this.parent = parent;
    if (parent.aborted) this.end(parent.reason);
    else parent.addEventListener("abort", this.followParent);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** True when it was the time limit that aborted. */
  get expired(): boolean {
    return this.over;
  }

  /** Counts `ms` milliseconds from now, in place of any earlier limit. */
  restart(ms: number): void {
    if (this.signal.aborted) return;
    this.dueAt = ms > LONGEST_TIMER_MS ? Number.POSITIVE_INFINITY : performance.now() + ms;
    // A timer that fires too early looks again; only one that would fire too late must be replaced.
    if (Number.isFinite(this.dueAt) && (this.timer === null || this.timerDueAt > this.dueAt)) this.arm();
  }

  /** Takes the limit away until the next `restart`. */
  pause(): void {
    this.dueAt = Number.POSITIVE_INFINITY;
  }

  /** Aborts `signal` if nothing did so before, and lets go of the timer and the caller's signal. */
  dispose(): void {
    this.end(new DOMException("The deadline was disposed of.", "AbortError"));
  }

  private arm(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timerDueAt = this.dueAt;
    this.timer = setTimeout(() => this.look(), Math.max(0, this.dueAt - performance.now()));
  }

  private look(): void {
    this.timer = null;
    if (!Number.isFinite(this.dueAt)) return;
    if (performance.now() < this.dueAt) {
      this.arm();
      return;
    }
    this.over = true;
    this.end(new DOMException("The time limit is over.", "TimeoutError"));
  }

  private end(reason: unknown): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.parent.removeEventListener("abort", this.followParent);
    if (!this.signal.aborted) this.controller.abort(reason);
  }
}
