import { type Disposable, disposable } from "../../base/disposable.ts";
import { thrownText } from "../../base/text/sentence.ts";
import { untilAborted } from "../../base/untilAborted.ts";
import type { Logger } from "../../ports/logger.ts";
import type {
  EmitTurnEvent,
  MessageEnd,
  StreamListener,
  StreamRegistry,
} from "../../turns/streamRegistry.ts";
import type { TurnEvent, TurnEventBody } from "../../turns/turnEvent.ts";
import { requestDropped } from "../messages.ts";

/**
 * Numbers a turn's events and passes each to everybody before the next: the text to the registered
 * requests in order, then the event to the store and to the subscribers. Events that a receiver
 * emits follow the one it received. Receivers may throw.
 */
export class StreamHub implements StreamRegistry {
  /**
   * True once a piece of the answer is missing: requests get no more of its text, so they never
   * capture a block with a hole.
   */
  skipsText = false;
  private readonly requests = new Map<string, StreamListener>();
  private readonly subscribers = new Set<(event: TurnEvent) => void>();
  private readonly queue: TurnEvent[] = [];
  private draining = false;
  private turnRunning = false;
  /** The turn whose text the requests get; null for any. */
  private fedTurnId: string | null = null;
  private readonly failed: string[] = [];
  private lastSeq: number;
  private readonly store: (event: TurnEvent) => void;
  private readonly logger: Logger;
  private readonly stopGraceMs: number;

  /**
   * `lastSeq` numbers the last event in the store; `stopGraceMs` limits how long a request may take
   * to settle after an abort.
   */
  constructor(
    lastSeq: number,
    store: (event: TurnEvent) => void,
    logger: Logger,
    stopGraceMs = 2_000,
  ) {
    this.stopGraceMs = stopGraceMs;
    this.lastSeq = lastSeq;
    this.store = store;
    this.logger = logger;
  }

  /** How many tools receive the stream; 0 when no turn is running. */
  get activeRequests(): number {
    return this.requests.size;
  }

  /** Calls `subscriber` with every later event. */
  subscribe(subscriber: (event: TurnEvent) => void): Disposable {
    this.subscribers.add(subscriber);
    return disposable(() => this.subscribers.delete(subscriber));
  }

  /** Numbers an event of turn `turnId` and passes it on. */
  emit(turnId: string, body: TurnEventBody): void {
    this.lastSeq += 1;
    this.queue.push({ seq: this.lastSeq, turnId, at: Date.now(), ...body });
    if (this.draining) return;
    this.draining = true;
    try {
      for (let event = this.queue.shift(); event; event = this.queue.shift()) this.handOn(event);
    } finally {
      this.draining = false;
    }
  }

  /** {@link emit} for one turn. */
  emitter(turnId: string): EmitTurnEvent {
    return (body) => this.emit(turnId, body);
  }

  register(callId: string, listener: StreamListener): Disposable {
    this.remove(callId, this.requests.get(callId));
    // A tool that returns after its turn must not receive the next one.
    if (this.turnRunning) this.requests.set(callId, listener);
    else this.guarded(callId, () => listener.dispose());
    return disposable(() => {
      if (this.requests.get(callId) === listener) this.requests.delete(callId);
    });
  }

  /** A turn begins: from here on tools can register, and get its text. */
  turnStart(turnId: string | null = null): void {
    this.fedTurnId = turnId;
    this.turnRunning = true;
  }

  /** A message of the model begins. */
  messageStart(step: number): void {
    for (const [callId, listener] of [...this.requests])
      this.feed(callId, listener, () => listener.messageStart(step));
  }

  /**
   * Settles when what the requests have of the text outlasts a crash, or cannot; null where it
   * does.
   */
  kept(): Promise<unknown> | null {
    const waiting = [...this.requests.values()].flatMap(({ kept }) => kept ?? []);
    return waiting.length === 0 ? null : Promise.allSettled(waiting);
  }

  /**
   * The message is over: settles with the reports of all requests, in the order of their
   * registration. A request that fails, or does not settle soon after an abort, is dropped and
   * reported.
   */
  async messageEnd(end: MessageEnd, signal: AbortSignal): Promise<readonly string[]> {
    const reports = await Promise.all(
      [...this.requests].map(([callId, listener]) => this.reportOf(callId, listener, end, signal)),
    );
    return [...this.failed.splice(0), ...reports].filter((report) => report !== null);
  }

  /** The turn is over: disposes of every request. */
  turnEnd(): void {
    this.turnRunning = false;
    this.failed.length = 0;
    this.releaseRequests();
  }

  /** Disposes of every request while the turn continues. */
  releaseRequests(): void {
    for (const [callId, listener] of [...this.requests]) this.remove(callId, listener);
  }

  private async reportOf(
    callId: string,
    listener: StreamListener,
    end: MessageEnd,
    signal: AbortSignal,
  ): Promise<string | null> {
    try {
      const outcome = await untilAborted(
        listener.messageEnd(end, signal),
        signal,
        this.stopGraceMs,
      );
      return outcome.ok ? outcome.value : this.drop(callId, listener, null);
    } catch (reason) {
      return this.drop(callId, listener, thrownText(reason));
    }
  }

  private handOn(event: TurnEvent): void {
    const isFed = this.fedTurnId === null || this.fedTurnId === event.turnId;
    if (event.type === "text-delta" && isFed && !this.skipsText) {
      for (const [callId, listener] of [...this.requests])
        this.feed(callId, listener, () => listener.text(event.text));
    }
    if (event.type === "text-was-reasoning" && isFed) {
      for (const [callId, listener] of [...this.requests])
        this.feed(callId, listener, () => listener.textWasReasoning?.());
    }
    if (event.type === "text-may-be-reasoning" && isFed) {
      for (const [callId, listener] of [...this.requests])
        this.feed(callId, listener, () => listener.textMayBeReasoning?.());
    }
    this.guarded("the store", () => this.store(event));
    for (const subscriber of [...this.subscribers])
      this.guarded("a subscriber", () => subscriber(event));
  }

  private feed(callId: string, listener: StreamListener, action: () => void): void {
    if (this.requests.get(callId) !== listener) return;
    try {
      action();
    } catch (reason) {
      // It missed a piece, so what it captures from here on could be wrong.
      this.failed.push(this.drop(callId, listener, thrownText(reason)));
    }
  }

  private drop(callId: string, listener: StreamListener, reason: string | null): string {
    this.remove(callId, listener);
    const report = requestDropped(callId, reason);
    this.logger.error(report);
    return report;
  }

  private remove(callId: string, listener: StreamListener | undefined): void {
    if (!listener) return;
    if (this.requests.get(callId) === listener) this.requests.delete(callId);
    this.guarded(callId, () => listener.dispose());
  }

  private guarded(name: string, action: () => void): void {
    try {
      action();
    } catch (reason) {
      this.logger.error(`${name} failed: ${thrownText(reason)}`);
    }
  }
}
