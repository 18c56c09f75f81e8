/** Runs tasks one at a time, in order. A task that throws does not stop the following ones. */
export class SerialQueue {
  private tail: Promise<unknown> = Promise.resolve();

  /** Queues `task` and settles with its outcome. */
  run<T>(task: () => Promise<T>): Promise<T> {
    const turn = this.tail.then(task, task);
    this.tail = turn.catch(() => undefined);
    return turn;
  }

  /** Settles after all tasks queued so far have run. */
  async idle(): Promise<void> {
    await this.tail;
  }
}
