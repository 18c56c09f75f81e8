/** Counts events, and lets others wait for the next one. */
export class EventCount {
  counted = 0;
  private waiting: (() => void)[] = [];

  count(): void {
    this.counted += 1;
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  /** Settles with the next event. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
    });
  }
}
