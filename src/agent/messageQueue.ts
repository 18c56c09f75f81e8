import type { Disposable } from "../base/disposable.ts";
import { Emitter } from "../base/emitter.ts";
import { newId } from "../base/ids.ts";

/** What the user wrote while a turn was running. */
export interface QueuedMessage {
  readonly id: string;
  readonly text: string;
}

/** The messages that wait to be sent, in the order they were written. */
export class MessageQueue {
  private queued: readonly QueuedMessage[] = [];
  private readonly changes = new Emitter<readonly QueuedMessage[]>();

  get messages(): readonly QueuedMessage[] {
    return this.queued;
  }

  /** Calls `listener` with the whole queue whenever it changed. */
  onChange(listener: (messages: readonly QueuedMessage[]) => void): Disposable {
    return this.changes.on(listener);
  }

  add(text: string): void {
    this.change([...this.queued, { id: newId("message"), text }]);
  }

  /** Takes one out and gives its text; null where it is not there any more. */
  remove(id: string): string | null {
    const found = this.queued.find((message) => message.id === id);
    if (!found) return null;
    this.change(this.queued.filter((message) => message !== found));
    return found.text;
  }

  /** Takes all of them out. */
  takeAll(): readonly string[] {
    const texts = this.queued.map(({ text }) => text);
    if (texts.length > 0) this.change([]);
    return texts;
  }

  private change(messages: readonly QueuedMessage[]): void {
    this.queued = messages;
    this.changes.fire(messages);
  }
}
