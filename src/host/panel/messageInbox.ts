import type { Disposable } from "../../base/disposable.ts";
import type { PanelMessage } from "../../protocol/messages.ts";

/** A message that the user sent in the panel. */
export type SentMessage = PanelMessage & { readonly type: "send" };

/** What {@link MessageInbox} needs of a chat. */
export interface InboxChat {
  readonly tree: { readonly messages: ReadonlySet<string> };
  onEvent(listener: () => void): Disposable;
}

interface InboxSources<Chat> {
  /** Runs `action` with that chat, shown first; false when it cannot be shown. Actions run in the order of the calls. */
  withChat(chatId: string, action: (chat: Chat) => Promise<void>): Promise<boolean>;
  /** Does what the message asks for in `chat`; resolves to how that ends: false where nothing was done. */
  start(message: SentMessage, chat: Chat): Promise<{ readonly done: Promise<boolean> }>;
  settled(id: string, refused: boolean): void;
  failed(error: unknown): void;
}

/** Takes each message once, in order, for the chat that it names, and tells the panel when it is on record or refused. */
export class MessageInbox<Chat extends InboxChat> {
  private readonly sources: InboxSources<Chat>;
  /** The messages that were taken, and whether the panel was told. */
  private readonly taken = new Map<string, boolean>();

  constructor(sources: InboxSources<Chat>) {
    this.sources = sources;
  }

  async receive(message: SentMessage): Promise<void> {
    const { id, chatId } = message;
    if (this.taken.get(id)) this.sources.settled(id, false);
    if (this.taken.has(id)) return;
    this.taken.set(id, false);
    let kept: Promise<boolean> = Promise.resolve(false);
    try {
      await this.sources.withChat(chatId, async (chat) => {
        kept = chat.tree.messages.has(id) ? Promise.resolve(true) : this.kept(chat, id, await this.sources.start(message, chat));
      });
      this.settle(id, await kept);
    } catch (error) {
      this.sources.failed(error);
      this.settle(id, false);
    }
  }

  private settle(id: string, kept: boolean): void {
    // What was refused can be sent again.
    if (kept) this.taken.set(id, true);
    else this.taken.delete(id);
    this.sources.settled(id, !kept);
  }

  /** True once the message is on record, or else what became of it. */
  private async kept(chat: Chat, id: string, { done }: { readonly done: Promise<boolean> }): Promise<boolean> {
    const isOnRecord = () => chat.tree.messages.has(id);
    let recorded: (kept: true) => void = () => undefined;
    const onRecord = new Promise<true>((resolve) => {
      recorded = resolve;
    });
    const look = () => {
      if (isOnRecord()) recorded(true);
    };
    const listening = chat.onEvent(look);
    look();
    const over = done.catch((error: unknown) => {
      this.sources.failed(error);
      return false;
    });
    const kept = await Promise.race([onRecord, over]);
    listening.dispose();
    return kept || isOnRecord();
  }
}
