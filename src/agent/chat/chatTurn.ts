import type { Disposable } from "../../base/disposable.ts";
import { Emitter } from "../../base/emitter.ts";
import { newId } from "../../base/ids.ts";
import type { Logger } from "../../ports/logger.ts";
import type { TurnEndReason } from "../../turns/turnEvent.ts";

/** A turn that was started. */
interface StartedTurn {
  readonly turnId: string;
  /** Settles when it is over. */
  readonly done: Promise<TurnEndReason>;
}

/** The turn of a chat that runs, at most one. */
export class ChatTurn {
  private readonly logger: Logger;
  private readonly changes = new Emitter<boolean>();
  private running: (StartedTurn & { readonly abort: AbortController }) | null = null;

  constructor(logger: Logger) {
    this.logger = logger;
  }

  /** Null while none runs. */
  get turnId(): string | null {
    return this.running?.turnId ?? null;
  }

  /** Settles when the turn that runs is over; null while none does. */
  get done(): Promise<TurnEndReason> | null {
    return this.running?.done ?? null;
  }

  /** Calls `listener` when a turn begins (true) and when it is over (false). */
  onChange(listener: (isRunning: boolean) => void): Disposable {
    return this.changes.on(listener);
  }

  /** Starts a turn; none may run. */
  start(answer: (turnId: string, signal: AbortSignal) => Promise<TurnEndReason>): StartedTurn {
    const abort = new AbortController();
    const turnId = newId("turn");
    const done = Promise.resolve()
      .then(() => answer(turnId, abort.signal))
      .finally(() => {
        this.running = null;
        this.tell();
      });
    this.running = { turnId, abort, done };
    this.tell();
    return { turnId, done };
  }

  stop(): void {
    this.running?.abort.abort();
  }

  private tell(): void {
    try {
      this.changes.fire(this.running !== null);
    } catch (reason) {
      this.logger.error(`A listener failed: ${String(reason)}`);
    }
  }
}
