import type { Chat } from "../../agent/chat/chat.ts";
import { type Disposable, DisposableStack, disposable } from "../../base/disposable.ts";
import { Emitter } from "../../base/emitter.ts";
import { visibleLine } from "../../base/text/visibleText.ts";
import type { EventLogStorage } from "../../ports/eventLog.ts";
import { chatTitle } from "./chatTitle.ts";
import { listChats } from "./listChats.ts";
import type { OpenChats } from "./openChats.ts";

/** What the workspace's chats are called, open or not. */
export interface ChatTitles extends Disposable {
  /** "" for a chat without a title, or while that is read. */
  of(chatId: string): string;
  /** Calls `listener` when {@link of} may give another title. */
  onChange(listener: () => void): Disposable;
}

/** Reads the titles of closed chats in `storage` once they are asked for; `opened` has the others. */
export function watchChatTitles(
  opened: Promise<Pick<OpenChats<Chat>, "each" | "find">>,
  storage: EventLogStorage,
): ChatTitles {
  const stack = new DisposableStack();
  const changes = new Emitter<void>();
  const closed = new Map<string, string>();
  let chats: Pick<OpenChats<Chat>, "find"> | null = null;
  void opened.then((open) => {
    chats = open;
    stack.add(
      open.each((chat) => {
        const named = chat.onEvent(({ type }) => {
          if (type === "chat-title" || type === "turn-start") changes.fire();
        });
        return disposable(() => {
          named.dispose();
          closed.set(chat.chatId, chatTitle(chat.tree));
        });
      }),
    );
    changes.fire();
  });
  const read = async (chatId: string) => {
    closed.set(chatId, "");
    const found = (await listChats(storage)).find((chat) => chat.chatId === chatId);
    if (!found || found.title === "") return;
    closed.set(chatId, visibleLine(found.title));
    changes.fire();
  };
  return {
    of(chatId) {
      const open = chats?.find(chatId);
      if (open) return chatTitle(open.tree);
      // A chat that cannot be read has no title.
      if (!closed.has(chatId)) void read(chatId).catch(() => undefined);
      return closed.get(chatId) ?? "";
    },
    onChange: (listener) => changes.on(listener),
    ...disposable(() => stack.dispose()),
  };
}
