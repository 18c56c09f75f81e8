/** Runs tasks one at a time, in order; a task that throws does not stop the next ones. */
export class SerialQueue {
  private tail: Promise<unknown> = Promise.resolve();

  /** Queues `task`; the promise settles with its outcome. */
  run<T>(task: () => Promise<T>): Promise<T> {
    const turn = this.tail.then(task, task);
    this.tail = turn.catch(() => undefined);
    return turn;
  }

  /** Settles when everything queued so far has run. */
  async idle(): Promise<void> {
    await this.tail;
  }
}
