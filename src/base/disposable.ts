/**
 * A resource that can be released, such as a listener, a timer or a parser. Calling `dispose` twice
 * is harmless.
 */
export interface Disposable {
  dispose(): void;
}

/** Wraps `release` so that it runs at most once. */
export function disposable(release: () => void): Disposable {
  let done = false;
  return {
    dispose() {
      if (done) return;
      done = true;
      release();
    },
  };
}

/**
 * Disposes of its items in reverse order. An item added after disposal is disposed of immediately.
 */
export class DisposableStack implements Disposable {
  private readonly items: Disposable[] = [];
  private ended = false;

  /** Takes ownership of `item` and returns it. */
  add<T extends Disposable>(item: T): T {
    if (this.ended) item.dispose();
    else this.items.push(item);
    return item;
  }

  dispose(): void {
    this.ended = true;
    for (let item = this.items.pop(); item; item = this.items.pop()) item.dispose();
  }
}
