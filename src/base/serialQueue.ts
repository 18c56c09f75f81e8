/** Runs tasks one after the other in the order of `run`; a task that throws does not stop the ones behind it. */
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
