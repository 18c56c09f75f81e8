import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { type Disposable, disposable } from "../../src/base/disposable.ts";
import type { LeaseClock } from "../../src/review/storage/lease.ts";

const STEP_MS = 500;
const LIMIT_MS = 3_600_000;
/** Turns of the event loop in which nothing is read or written until all is done. */
const QUIET_TURNS = 4;

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

  /** Moves on by half a second, and lets all that is due be done, however slow the disk is. */
  async step(): Promise<void> {
    this.advance(STEP_MS);
    await filesIdle();
  }

  /** Moves on, step by step, until `work` settles. */
  async until<T>(work: Promise<T>): Promise<T> {
    let isSettled = false;
    const done = () => {
      isSettled = true;
    };
    work.then(done, done);
    for (const until = this.time + LIMIT_MS; !isSettled; await this.step())
      assert.ok(this.time < until, "it takes longer than an hour of the clock");
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

/** Settles once this process reads and writes no file. */
async function filesIdle(): Promise<void> {
  const isBusy = () =>
    process.getActiveResourcesInfo().some((kind) => /^FSReq|^CloseReq/.test(kind));
  for (let quiet = 0; quiet < QUIET_TURNS; quiet++) {
    await setImmediate();
    if (isBusy()) quiet = 0;
  }
}
