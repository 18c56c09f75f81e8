import type { PanelMessage } from "../../protocol/messages.ts";

/** A message that the user sent in the panel. */
export type SentMessage = PanelMessage & { readonly type: "send" };

/** What {@link MessageInbox} needs of a chat. */
interface InboxChat {
  readonly tree: { readonly messages: ReadonlySet<string> };
}

interface InboxSources<Chat> {
  /** Runs `action` with that chat, shown first; false when it cannot be shown. Actions run in the order of the calls. */
  withChat(chatId: string, action: (chat: Chat) => Promise<void>): Promise<boolean>;
  /** Does what the message asks for in `chat`; resolves to how that ends: false where nothing was done. */
  start(message: SentMessage, chat: Chat): Promise<{ readonly done: Promise<boolean> }>;
  settled(id: string, refused: boolean): void;
  failed(error: unknown): void;
}

/** Takes each message once, in order, for the chat that it names, and tells the panel when it is done with or refused. */
export class MessageInbox<Chat extends InboxChat> {
  private readonly sources: InboxSources<Chat>;
  /** The messages that were taken; true where one is not refused. */
  private readonly taken = new Map<string, Promise<boolean>>();

  constructor(sources: InboxSources<Chat>) {
    this.sources = sources;
  }

  async receive(message: SentMessage): Promise<void> {
    const { id } = message;
    const taken = this.taken.get(id) ?? this.take(message);
    this.taken.set(id, taken);
    const isKept = await taken;
    // What was refused can be sent again.
    if (!isKept) this.taken.delete(id);
    this.sources.settled(id, !isKept);
  }

  private async take(message: SentMessage): Promise<boolean> {
    const { withChat, start, failed } = this.sources;
    let isOnRecord = () => false;
    let done = Promise.resolve(false);
    try {
      await withChat(message.chatId, async (chat) => {
        isOnRecord = () => chat.tree.messages.has(message.id);
        if (!isOnRecord()) ({ done } = await start(message, chat));
      });
      return (await done) || isOnRecord();
    } catch (error) {
      failed(error);
      return isOnRecord();
    }
  }
}
