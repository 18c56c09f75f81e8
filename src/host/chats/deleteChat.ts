import * as vscode from "vscode";
import type { ChatSessions } from "./chatSessions.ts";

/** Deletes a chat when the user has confirmed it. Settles with the sentence that was shown when it could not. */
export async function deleteChat(sessions: ChatSessions, chatId: string): Promise<string | undefined> {
  const { chats, shownId, busy } = await sessions.list();
  const title = chats.find((chat) => chat.chatId === chatId)?.title || "this chat";
  const running = busy && chatId === shownId ? " What runs in it is stopped." : "";
  const detail = `Its files stay as they are, but they can no longer be restored to before its turns.${running} This cannot be undone.`;
  const confirmed = await vscode.window.showWarningMessage(`Delete ${JSON.stringify(title)}?`, { modal: true, detail }, "Delete");
  if (confirmed !== "Delete") return undefined;
  const removed = await sessions.remove(chatId);
  if (removed.ok) return undefined;
  void vscode.window.showWarningMessage(removed.error);
  return removed.error;
}
