import type { Chat } from "../../agent/chat/chat.ts";
import type { OpenChatState } from "../../protocol/messages.ts";
import { chatTitle } from "./chatTitle.ts";
import type { OpenChats } from "./openChats.ts";

/**
 * The open chats in which something is going on, in the order in which they were opened: a turn
 * runs, asks the user, or ended where nobody has seen it. `asked` is all that turns ask.
 */
export function chatStates(
  chats: Pick<OpenChats<Chat>, "all" | "isVisible">,
  asked: readonly { readonly turnId: string }[],
): readonly OpenChatState[] {
  return chats.all.flatMap(({ chatId, tree, busy }) => {
    const isAsking = asked.some(({ turnId }) => tree.turns.has(turnId));
    const isSeen = !busy && chats.isVisible(chatId);
    const state = isAsking ? "waiting" : busy ? "running" : "done";
    return isSeen ? [] : [{ chatId, title: chatTitle(tree), state }];
  });
}
