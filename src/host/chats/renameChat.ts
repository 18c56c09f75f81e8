import * as vscode from "vscode";
import { type ChatSessions, MAX_TITLE_CHARS } from "./chatSessions.ts";

/** Gives a chat a title, which the user is asked for where none is given. Settles with the sentence that was shown when it could not. */
export async function renameChat(sessions: ChatSessions, chatId: string, given?: string): Promise<string | undefined> {
  const title = given ?? (await askTitle(sessions, chatId));
  if (title === undefined) return undefined;
  const renamed = await sessions.rename(chatId, title);
  if (renamed.ok) return undefined;
  void vscode.window.showWarningMessage(renamed.error);
  return renamed.error;
}

async function askTitle(sessions: ChatSessions, chatId: string): Promise<string | undefined> {
  const { chats } = await sessions.list();
  return vscode.window.showInputBox({
    title: "Rename the chat",
    prompt: "Leave it empty to name the chat by its first request again.",
    value: chats.find((chat) => chat.chatId === chatId)?.title ?? "",
    validateInput: (text) => (text.length > MAX_TITLE_CHARS ? `At most ${MAX_TITLE_CHARS} characters.` : null),
  });
}
