import type { AttachmentRef } from "../../turns/attachment.ts";
import type { QueuedMessage } from "../../turns/turnEvent.ts";

/** The messages that wait to be sent, in order. */
export class MessageQueue {
  private waiting: readonly QueuedMessage[];
  private readonly record: (messages: readonly QueuedMessage[]) => void;

  /** `waiting` was queued before a reload; `record` receives the whole queue after every change. */
  constructor(waiting: readonly QueuedMessage[], record: (messages: readonly QueuedMessage[]) => void) {
    this.waiting = waiting;
    this.record = record;
  }

  get messages(): readonly QueuedMessage[] {
    return this.waiting;
  }

  add(text: string, attached: readonly AttachmentRef[], spoken: boolean, id: string): void {
    const more = { ...(attached.length > 0 && { attached: [...attached] }), ...(spoken && { spoken: true as const }) };
    this.change([...this.waiting, { id, text, ...more }]);
  }

  /** Removes messages that are recorded as sent, or that the user took back. */
  remove(messages: readonly QueuedMessage[]): void {
    if (messages.length > 0) this.change(this.waiting.filter((message) => !messages.includes(message)));
  }

  private change(messages: readonly QueuedMessage[]): void {
    this.waiting = messages;
    this.record(messages);
  }
}
