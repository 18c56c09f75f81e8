import { type Disposable, disposable } from "./disposable.ts";

/** A list of listeners for one kind of event, called in the order they came. */
export class Emitter<T> {
  private readonly listeners = new Set<(event: T) => void>();

  /** Calls `listener` for every later event until the returned value is disposed of. */
  on(listener: (event: T) => void): Disposable {
    this.listeners.add(listener);
    return disposable(() => this.listeners.delete(listener));
  }

  /** Calls every listener, but none that another listener removes. */
  fire(event: T): void {
    for (const listener of [...this.listeners]) if (this.listeners.has(listener)) listener(event);
  }
}
