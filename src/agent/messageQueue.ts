import { newId } from "../base/ids.ts";
import type { QueuedMessage } from "../turns/turnEvent.ts";

/** The messages that wait to be sent, in the order they were written. */
export class MessageQueue {
  private waiting: readonly QueuedMessage[];
  private readonly record: (messages: readonly QueuedMessage[]) => void;

  /** `waiting` is what waited before a reload; `record` is told of the whole queue whenever it changed. */
  constructor(waiting: readonly QueuedMessage[], record: (messages: readonly QueuedMessage[]) => void) {
    this.waiting = waiting;
    this.record = record;
  }

  get messages(): readonly QueuedMessage[] {
    return this.waiting;
  }

  add(text: string): void {
    this.change([...this.waiting, { id: newId("message"), text }]);
  }

  /** Takes messages out: those that are on record as sent, or that the user took back. */
  remove(messages: readonly QueuedMessage[]): void {
    if (messages.length > 0) this.change(this.waiting.filter((message) => !messages.includes(message)));
  }

  private change(messages: readonly QueuedMessage[]): void {
    this.waiting = messages;
    this.record(messages);
  }
}
