import * as vscode from "vscode";
import { t } from "../localize.ts";
import type { ChatProblem, ChatSessions } from "./chatSessions.ts";
import type { ListedChat } from "./listChats.ts";
import { listedTime, requestCount } from "./messages.ts";

/** What can be done with a chat besides opening it. */
export interface ChatActions {
  rename(chatId: string | undefined, title?: string): Promise<ChatProblem | undefined>;
  remove(chatId: string | undefined): Promise<ChatProblem | undefined>;
  export(chatId: string | undefined, format?: string): Promise<ChatProblem | undefined>;
}

interface ChatItem extends vscode.QuickPickItem {
  readonly chatId: string;
}

/**
 * Lists the chats, the latest first, with a button for each action. Gives the chosen id, undefined
 * for none, null without any chat.
 */
export async function pickChat(
  sessions: ChatSessions,
  actions: ChatActions,
): Promise<string | null | undefined> {
  const { chats, shownId, busy } = await sessions.list();
  if (chats.length === 0) return null;
  const buttons = [
    { iconPath: new vscode.ThemeIcon("edit"), tooltip: t("Rename…"), run: actions.rename },
    { iconPath: new vscode.ThemeIcon("export"), tooltip: t("Export…"), run: actions.export },
    { iconPath: new vscode.ThemeIcon("trash"), tooltip: t("Delete…"), run: actions.remove },
  ];
  const picker = vscode.window.createQuickPick<ChatItem>();
  picker.title = t("Open an earlier chat");
  picker.placeholder = busy ? t("Choose a chat. The running turn is stopped.") : t("Choose a chat");
  picker.matchOnDescription = true;
  picker.items = chats.map((chat) => ({ ...itemOf(chat, chat.chatId === shownId), buttons }));
  const picked = await new Promise<
    { readonly chatId: string; readonly button?: vscode.QuickInputButton } | undefined
  >((resolve) => {
    picker.onDidAccept(() => resolve(picker.selectedItems[0]));
    picker.onDidTriggerItemButton(({ button, item: { chatId } }) => resolve({ chatId, button }));
    picker.onDidHide(() => resolve(undefined));
    picker.show();
  });
  // Also hides it.
  picker.dispose();
  const action = buttons.find((button) => button === picked?.button);
  if (!action) return picked?.chatId;
  await action.run(picked?.chatId);
  return pickChat(sessions, actions);
}

function itemOf({ chatId, title, requests, changedAt }: ListedChat, shown: boolean): ChatItem {
  const about = [listedTime(changedAt), requestCount(t, requests), shown ? t("shown") : ""];
  return {
    chatId,
    label: title || t("Empty chat"),
    description: about.filter((text) => text !== "").join(", "),
  };
}
