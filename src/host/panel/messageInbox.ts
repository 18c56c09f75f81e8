import type { Disposable } from "../../base/disposable.ts";
import type { PanelMessage } from "../../protocol/messages.ts";
import type { ChatBridge } from "./chatBridge.ts";

/** A message that the user sent in the panel. */
export type SentMessage = PanelMessage & { readonly type: "send" };

/** The part of a chat that {@link MessageInbox} needs. */
interface InboxChat {
  readonly tree: { readonly messages: ReadonlySet<string> };
  /** Calls `listener` after each change of `tree`. */
  onEvent(listener: () => void): Disposable;
  /** True once everything so far is stored; false where the chat ends before. */
  stored(): Promise<boolean>;
}

/** Opens a chat and runs `action` with it; false if it cannot be opened. In call order. */
interface InboxChats<Chat> {
  /** True once the window ends: nothing more is taken. */
  readonly isEnding: boolean;
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
 * Handles each message exactly once, in order, in the chat that it names. Tells its panel that it
 * was handled, once it is stored, or that it was refused. What a panel asks about again, or sends
 * before it knows this host, is refused where neither this host nor the record has it: nothing of
 * an ended session is sent unasked. A window that ends refuses nothing.
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

  async receive(
    message: SentMessage,
    panel: Pick<ChatBridge, "settled" | "isKnown">,
  ): Promise<void> {
    const { id } = message;
    const isNew = !message.again && panel.isKnown;
    const taken = this.taken.get(id) ?? this.takeMessage(message, isNew);
    this.taken.set(id, taken);
    const isKept = await taken;
    // A refused message can be sent again.
    if (!isKept) this.taken.delete(id);
    // A panel that outlasts this host asks the next one, which knows what is on record.
    if (!isKept && this.chats.isEnding) return;
    panel.settled(id, !isKept);
  }

  private async takeMessage(message: SentMessage, isNew: boolean): Promise<boolean> {
    let outcome: () => Promise<boolean> = async () => false;
    await this.chats
      .withChat(message.chatId, async (chat) => {
        const isOnRecord = () => chat.tree.messages.has(message.id);
        let listening: Disposable = { dispose: () => undefined };
        const recorded = new Promise<void>((resolve) => {
          listening = chat.onEvent(() => isOnRecord() && resolve());
        });
        let done = Promise.resolve(false);
        outcome = async () => {
          // A turn goes on for long after its message is there.
          const isDone = await Promise.race([done, recorded]).catch(this.failed);
          listening.dispose();
          return isOnRecord() ? chat.stored() : isDone === true;
        };
        if (!isOnRecord() && isNew) ({ done } = await this.start(message, chat));
      })
      .catch(this.failed);
    return outcome();
  }
}
