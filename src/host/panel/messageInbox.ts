import type { PanelMessage } from "../../protocol/messages.ts";
import type { ChatBridge } from "./chatBridge.ts";

/** A message that the user sent in the panel. */
export type SentMessage = PanelMessage & { readonly type: "send" };

/** The part of a chat that {@link MessageInbox} needs. */
interface InboxChat {
  readonly tree: { readonly messages: ReadonlySet<string> };
  /** Settles when everything is stored. */
  flush(): Promise<void>;
}

/** Opens a chat and runs `action` with it; false if it cannot be opened. In call order. */
interface InboxChats<Chat> {
  withChat(chatId: string, action: (chat: Chat) => Promise<void>): Promise<boolean>;
}

/**
 * Carries out the message in `chat` and resolves once it has started. `done` tells whether it had
 * an effect.
 */
type StartMessage<Chat> = (
  message: SentMessage,
  chat: Chat,
) => Promise<{ readonly done: Promise<boolean> }>;

/**
 * Handles each message exactly once, in order, in the chat that it names. Tells its panel whether
 * it was handled, and is stored, or refused. What a panel sends again after a reload is refused
 * where neither this host nor the record has it: nothing of an ended session is sent unasked.
 */
export class MessageInbox<Chat extends InboxChat> {
  private readonly chats: InboxChats<Chat>;
  private readonly start: StartMessage<Chat>;
  private readonly failed: (error: unknown) => void;
  /** The messages being handled or already handled, by ID. False if refused. */
  private readonly taken = new Map<string, Promise<boolean>>();

  constructor(
    chats: InboxChats<Chat>,
    start: StartMessage<Chat>,
    failed: (error: unknown) => void,
  ) {
    this.chats = chats;
    this.start = start;
    this.failed = failed;
  }

  async receive(message: SentMessage, panel: Pick<ChatBridge, "settled">): Promise<void> {
    const { id } = message;
    const taken = this.taken.get(id) ?? this.take(message);
    this.taken.set(id, taken);
    const isKept = await taken;
    // A refused message can be sent again.
    if (!isKept) this.taken.delete(id);
    panel.settled(id, !isKept);
  }

  private async take(message: SentMessage): Promise<boolean> {
    let isOnRecord = () => false;
    let flush = async () => {};
    let done = Promise.resolve(false);
    try {
      await this.chats.withChat(message.chatId, async (chat) => {
        isOnRecord = () => chat.tree.messages.has(message.id);
        flush = () => chat.flush();
        if (!isOnRecord() && !message.again) ({ done } = await this.start(message, chat));
      });
      const isDone = await done;
      await flush();
      return isDone || isOnRecord();
    } catch (error) {
      this.failed(error);
      return isOnRecord();
    }
  }
}
