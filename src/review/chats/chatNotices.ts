import type { Chat } from "../../agent/chat/chat.ts";
import { type Disposable, DisposableStack } from "../../base/disposable.ts";
import type { OpenChats } from "./openChats.ts";

/** What a user who looks elsewhere wants to know of a chat. */
export type ChatNotice = "done" | "failed" | "asks";

/** Whether the user wants to hear of it: of all, or only of chats that go on no further alone. */
export function isTold(notice: ChatNotice, told: "waiting" | "all" | "never"): boolean {
  return told === "all" || (told === "waiting" && notice !== "done");
}

/** What turns ask, and when that changes. */
interface Asking {
  onChange(listener: (open: readonly { readonly turnId: string }[]) => void): Disposable;
}

/**
 * Calls `tell` when a chat's last turn is over, unless the user stopped it, and when a turn asks
 * something; once for each.
 */
export function watchNotices(
  chats: Pick<OpenChats<Chat>, "each" | "ofTurn">,
  asking: readonly Asking[],
  tell: (chat: Chat, notice: ChatNotice) => void,
): Disposable {
  const stack = new DisposableStack();
  const ended = async (chat: Chat) => {
    // What is queued begins at once.
    await chat.flush();
    const last = [...chat.tree.turns.values()].findLast(({ role }) => role === "agent");
    if (chat.busy || last?.role !== "agent" || last.endReason === "cancelled") return;
    tell(chat, last.endReason === "error" ? "failed" : "done");
  };
  stack.add(
    chats.each((chat) =>
      chat.onBusy((busy) => {
        if (!busy) void ended(chat);
      }),
    ),
  );
  for (const { onChange } of asking) {
    let known = new Set<object>();
    stack.add(
      onChange((open) => {
        const isNew = open.filter((request) => !known.has(request));
        known = new Set(open);
        for (const { turnId } of isNew) {
          const chat = chats.ofTurn(turnId);
          if (chat) tell(chat, "asks");
        }
      }),
    );
  }
  return stack;
}
