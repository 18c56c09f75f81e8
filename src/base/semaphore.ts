/** FIFO semaphore. */
export class Semaphore {
  private free: number;
  private readonly waiting: (() => void)[] = [];

  constructor(count: number) {
    this.free = count;
  }

  /** Takes a slot if one is free. */
  tryTake(): boolean {
    if (this.free === 0) return false;
    this.free -= 1;
    return true;
  }

  /** Settles once a slot is taken. */
  take(): Promise<void> {
    return this.tryTake() ? Promise.resolve() : new Promise((resolve) => this.waiting.push(resolve));
  }

  /** Returns a slot, to the longest-waiting taker if there is one. */
  give(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.free += 1;
  }
}
