import { abortable } from "../base/abortable.ts";
import { Deadline } from "../base/deadline.ts";
import type { Disposable } from "../base/disposable.ts";
import type { ModelTimeLimits } from "./modelClient.ts";
import type { ModelFailure } from "./modelFailure.ts";

/** The longest time the reachability check may add to `connectMs`. */
const MAX_PROBE_MS = 5_000;
/** How long to wait for usage after the finish reason if the server does not end its answer. */
const GRACE_MS = 2_000;

/**
 * What a request waits for, named after its time-out; `finishing` is the time after the finish
 * reason.
 */
type Phase = "connect-timeout" | "first-token-timeout" | "idle-timeout" | "finishing";

/**
 * Applies the time limits to one request. Closes its connection on abort, time-out and `dispose`.
 */
export class RequestTimeouts implements Disposable {
  private readonly limits: Readonly<Record<Phase, number>>;
  private readonly probe: (signal: AbortSignal) => Promise<boolean>;
  private readonly deadline: Deadline;
  private phase: Phase = "connect-timeout";
  private probeTimer: ReturnType<typeof setTimeout> | undefined;

  /** `probe` tells whether the server is reachable; without it, `connectMs` is final. */
  constructor(
    limits: ModelTimeLimits,
    signal: AbortSignal,
    probe: (signal: AbortSignal) => Promise<boolean> = async () => false,
  ) {
    const { connectMs, firstTokenMs, idleMs } = limits;
    const finishing = Math.min(idleMs, GRACE_MS);
    this.limits = {
      "connect-timeout": connectMs,
      "first-token-timeout": firstTokenMs,
      "idle-timeout": idleMs,
      finishing,
    };
    this.probe = probe;
    this.deadline = new Deadline(signal);
  }

  /** Aborts when the connection must close. */
  get signal(): AbortSignal {
    return this.deadline.signal;
  }

  /** The time-out that ended the request, or null. */
  get timeout(): ModelFailure | null {
    const { phase } = this;
    return this.deadline.expired && phase !== "finishing"
      ? { code: phase, limitMs: this.limits[phase] }
      : null;
  }

  /** A request is sent. */
  connecting(): void {
    const connectMs = this.limits["connect-timeout"];
    this.phase = "connect-timeout";
    this.deadline.restart(connectMs + Math.min(connectMs, MAX_PROBE_MS));
    clearTimeout(this.probeTimer);
    // `fetch` cannot tell an unreachable server from one that is still loading its model.
    const look = async () => (await this.probe(this.signal)) && this.connected();
    this.probeTimer = setTimeout(() => void look(), connectMs);
  }

  /** The server responded. */
  connected(): void {
    clearTimeout(this.probeTimer);
    if (this.phase === "connect-timeout") this.enter("first-token-timeout");
  }

  /** Data arrived; keep-alive comments count. */
  received(): void {
    if (this.phase === "idle-timeout") this.enter("idle-timeout");
  }

  /** Counts the limit of a phase from now. */
  enter(phase: Phase): void {
    this.phase = phase;
    this.deadline.restart(this.limits[phase]);
  }

  /** Stops the clock while the reader is busy. */
  pause(): void {
    this.deadline.pause();
  }

  /** Waits for `work`, but no longer than the connection lives. */
  wait<T>(work: PromiseLike<T>): Promise<T> {
    return abortable(work, this.signal);
  }

  dispose(): void {
    clearTimeout(this.probeTimer);
    this.deadline.dispose();
  }
}
