import { type Disposable, disposable } from "../../src/base/disposable.ts";
import type { LeaseClock } from "../../src/host/storage/lease.ts";

interface Timer {
  readonly ms: number;
  readonly task: () => void;
  dueAt: number;
}

/** A clock that stands still until the test moves it. */
export class ManualClock implements LeaseClock {
  private time = 1_700_000_000_000;
  private paused = false;
  private timers = new Set<Timer>();

  now(): number {
    return this.time;
  }

  every(ms: number, task: () => void): Disposable {
    const timer = { ms, task, dueAt: this.time + ms };
    this.timers.add(timer);
    return disposable(() => this.timers.delete(timer));
  }

  /** Moves on; timers that are due run once. */
  advance(ms: number): void {
    this.time += ms;
    if (this.paused) return;
    for (const timer of [...this.timers]) {
      if (timer.dueAt > this.time) continue;
      timer.dueAt = this.time + timer.ms;
      timer.task();
    }
  }

  /** Moves on, in steps of half a second, until `work` settles. */
  async until<T>(work: Promise<T>): Promise<T> {
    let settled = false;
    const done = () => {
      settled = true;
    };
    work.then(done, done);
    while (!settled) {
      this.advance(500);
      // Files answer after this.
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return work;
  }

  /** What a crash does: no timer runs any more. */
  stopTimers(): void {
    this.timers = new Set();
  }

  /** What sleep does: no timer runs until {@link resumeTimers}. */
  pauseTimers(): void {
    this.paused = true;
  }

  resumeTimers(): void {
    this.paused = false;
  }
}
