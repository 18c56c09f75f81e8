import type { ChatSessions } from "./chatSessions.ts";
import { deleteChat } from "./deleteChat.ts";
import { exportChat } from "./exportChat.ts";
import { openChat, pickChat } from "./pickChat.ts";
import { renameChat } from "./renameChat.ts";

/** What the commands for chats do. Without a chat's id they mean the one that is shown; each settles with the sentence that was shown when nothing was done. */
export interface ChatCommands {
  /** Lets the user choose a chat where none is given. */
  open(chatId: string | undefined): Promise<string | undefined>;
  rename(chatId: string | undefined, title: string | undefined): Promise<string | undefined>;
  remove(chatId: string | undefined): Promise<string | undefined>;
  export(chatId: string | undefined, format: string | undefined): Promise<string | undefined>;
}

/** The commands over `sessions`; `shownId` gives the id of the chat that the panel shows. */
export function createChatCommands(sessions: ChatSessions, shownId: () => string): ChatCommands {
  return {
    open: (chatId) => (chatId === undefined ? pickChat(sessions) : openChat(sessions, chatId)),
    rename: (chatId = shownId(), title) => renameChat(sessions, chatId, title),
    remove: (chatId = shownId()) => deleteChat(sessions, chatId),
    export: (chatId = shownId(), format) => exportChat(sessions, chatId, format),
  };
}
