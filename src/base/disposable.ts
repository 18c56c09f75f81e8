/** Something with an end: a listener, a timer, a parser. Calling `dispose` twice is harmless. */
export interface Disposable {
  dispose(): void;
}

/** Wraps `release` so that it runs once at most. */
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

/** Disposes of what was added, last first. After its own end it disposes of additions at once. */
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
