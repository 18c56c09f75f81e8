import type { Attachment, AttachmentRef } from "../../turns/attachment.ts";
import { type ChatMode, DEFAULT_MODE } from "../../turns/plan/chatMode.ts";
import type { TurnTree } from "../../turns/turn.ts";
import type { QueuedMessage } from "../../turns/turnEvent.ts";
import type { StreamHub } from "../loop/streamHub.ts";

/** A message as the user wrote or said it. */
export interface WrittenMessage {
  readonly text: string;
  readonly attached?: readonly AttachmentRef[] | undefined;
  /** The attachments of the request that it replaces. */
  readonly earlier?: readonly Attachment[];
  readonly id?: string;
  readonly spoken?: boolean | undefined;
}

/** The messages of a chat that wait to be sent. They are on record, so a reload keeps them. */
export class MessageQueue {
  private readonly hub: StreamHub;
  private readonly tree: TurnTree;

  constructor(hub: StreamHub, tree: TurnTree) {
    this.hub = hub;
    this.tree = tree;
  }

  get messages(): readonly QueuedMessage[] {
    return this.tree.queued;
  }

  /** Adds a message that is to be answered in `mode`. */
  add({ text, attached = [], spoken }: WrittenMessage, id: string, mode: ChatMode): void {
    const message = {
      id,
      text,
      ...(attached.length > 0 && { attached: [...attached] }),
      ...(spoken && { spoken: true as const }),
      ...(mode !== DEFAULT_MODE && { mode }),
    };
    this.record([...this.messages, message]);
  }

  /** The messages from the first on that are in `mode`: later ones wait, so that their order stays. */
  inMode(mode: ChatMode): readonly QueuedMessage[] {
    const other = this.messages.findIndex((message) => modeOf(message) !== mode);
    return other === -1 ? this.messages : this.messages.slice(0, other);
  }

  /** The messages that one request can send: those in the mode of the first. */
  next(): { readonly mode: ChatMode; readonly messages: readonly QueuedMessage[] } {
    const [first] = this.messages;
    const mode = first ? modeOf(first) : DEFAULT_MODE;
    return { mode, messages: this.inMode(mode) };
  }

  /** Takes a message out and returns it; null where it was already sent. */
  take(id: string): QueuedMessage | null {
    const found = this.messages.find((message) => message.id === id);
    if (!found) return null;
    this.remove([found]);
    return found;
  }

  /** Takes messages out that are recorded as sent. */
  remove(sent: readonly QueuedMessage[]): void {
    if (sent.length > 0) this.record(this.messages.filter((message) => !sent.includes(message)));
  }

  private record(messages: readonly QueuedMessage[]): void {
    this.hub.emit("", { type: "queue", messages: [...messages] });
  }
}

function modeOf({ mode = DEFAULT_MODE }: QueuedMessage): ChatMode {
  return mode;
}
