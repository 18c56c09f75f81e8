import { type Disposable, disposable } from "./disposable.ts";

/** Listeners for one kind of event, called in the order of registration. */
export class Emitter<T> {
  private readonly listeners = new Set<(event: T) => void>();

  /** Calls `listener` for every later event until the result is disposed of. */
  on(listener: (event: T) => void): Disposable {
    this.listeners.add(listener);
    return disposable(() => this.listeners.delete(listener));
  }

  /** Calls every listener, except one that an earlier listener removes. */
  fire(event: T): void {
    for (const listener of [...this.listeners]) if (this.listeners.has(listener)) listener(event);
  }
}
