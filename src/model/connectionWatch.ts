import { abortable } from "../base/abortable.ts";
import { Deadline } from "../base/deadline.ts";
import type { Disposable } from "../base/disposable.ts";
import type { Endpoint } from "./endpoint.ts";
import type { ModelTimeLimits } from "./modelClient.ts";
import { timeoutError } from "./modelErrors.ts";
import { type Exchange, observedFetch } from "./observedFetch.ts";
import type { ModelError } from "./streamPart.ts";

/** The longest that the reachability check may take beyond `connectMs`. */
const PROBE_MS = 5_000;
/** How long to wait for usage after the finish reason, where the server does not end its answer. */
const GRACE_MS = 2_000;

type Phase = "connect-timeout" | "first-token-timeout" | "idle-timeout" | "finishing";

/** Holds one request's connection to its time limits, and closes it on abort, on time-out and on `dispose`. */
export class ConnectionWatch implements Disposable {
  private readonly send: typeof fetch;
  private readonly endpoint: Endpoint;
  private readonly limits: ModelTimeLimits;
  private readonly deadline: Deadline;
  private phase: Phase = "connect-timeout";
  private probeTimer: ReturnType<typeof setTimeout> | null = null;
  private latest: Exchange | null = null;

  constructor(send: typeof fetch, endpoint: Endpoint, limits: ModelTimeLimits, signal: AbortSignal) {
    this.send = send;
    this.endpoint = endpoint;
    this.limits = limits;
    this.deadline = new Deadline(signal);
  }

  /** Aborts when the connection must close. */
  get signal(): AbortSignal {
    return this.deadline.signal;
  }

  /** What is known of the latest request. */
  get exchange(): Exchange | null {
    return this.latest;
  }

  /** The time limit that is over, or null. */
  get timeout(): ModelError | null {
    const { phase } = this;
    return this.deadline.expired && phase !== "finishing" ? timeoutError(phase, this.limitOf(phase), this.endpoint) : null;
  }

  /** A request begins: gives the `fetch` to make it with. */
  begin(): typeof fetch {
    const { connectMs } = this.limits;
    const answered = () => {
      this.stopProbe();
      if (this.phase === "connect-timeout") this.enter("first-token-timeout");
    };
    const observed = observedFetch(this.send, {
      headers: answered,
      bytes: () => {
        if (this.phase === "idle-timeout") this.enter("idle-timeout");
      },
    });
    this.latest = observed.exchange;
    this.phase = "connect-timeout";
    this.deadline.restart(connectMs + Math.min(connectMs, PROBE_MS));
    this.stopProbe();
    // `fetch` does not tell a server that cannot be reached from one that is busy reading a long prompt or loading its model.
    this.probeTimer = setTimeout(() => void this.isReachable().then((reachable) => reachable && answered()), connectMs);
    return observed.fetch;
  }

  /** Waits for `work`, but no longer than the connection lives. */
  wait<T>(work: PromiseLike<T>): Promise<T> {
    return abortable(work, this.signal);
  }

  /** Stops the clock while the reader is busy, for which the server is not to blame. */
  pause(): void {
    this.deadline.pause();
  }

  /** The answer has begun: from now on, data must arrive. */
  answering(): void {
    this.enter("idle-timeout");
  }

  /** The model has finished: the server has little time to say anything else. */
  finishing(): void {
    this.enter("finishing");
  }

  dispose(): void {
    this.stopProbe();
    this.deadline.dispose();
  }

  private enter(phase: Phase): void {
    this.phase = phase;
    this.deadline.restart(this.limitOf(phase));
  }

  private limitOf(phase: Phase): number {
    const { connectMs, firstTokenMs, idleMs } = this.limits;
    const finishing = Math.min(idleMs, GRACE_MS);
    return { "connect-timeout": connectMs, "first-token-timeout": firstTokenMs, "idle-timeout": idleMs, finishing }[phase];
  }

  private stopProbe(): void {
    if (this.probeTimer !== null) clearTimeout(this.probeTimer);
    this.probeTimer = null;
  }

  /** True when the server answers anything at all to a harmless request, which carries no key. */
  private async isReachable(): Promise<boolean> {
    try {
      const response = await this.send(`${this.endpoint.baseUrl}/models`, { signal: this.signal });
      await response.body?.cancel();
      return true;
    } catch {
      return false;
    }
  }
}
