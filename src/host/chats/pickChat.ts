import * as vscode from "vscode";
import { counted } from "../../base/counted.ts";
import type { ChatSessions } from "./chatSessions.ts";
import { deleteChat } from "./deleteChat.ts";
import { exportChat } from "./exportChat.ts";
import type { ListedChat } from "./listChats.ts";
import { renameChat } from "./renameChat.ts";
import { shownTime } from "./shownTime.ts";

interface ChatItem extends vscode.QuickPickItem {
  readonly chatId: string;
}

/** What the buttons beside each chat do. */
const ACTIONS = [
  { button: { iconPath: new vscode.ThemeIcon("edit"), tooltip: "Rename…" }, run: renameChat },
  { button: { iconPath: new vscode.ThemeIcon("export"), tooltip: "Export…" }, run: exportChat },
  { button: { iconPath: new vscode.ThemeIcon("trash"), tooltip: "Delete…" }, run: deleteChat },
];

/** Lists the workspace's chats, the latest first, and shows the one that is chosen. Settles with the sentence that was shown when none was. */
export async function pickChat(sessions: ChatSessions): Promise<string | undefined> {
  const { chats, shownId, busy } = await sessions.list();
  if (chats.length === 0) {
    const none = "There are no earlier chats in this workspace yet.";
    void vscode.window.showInformationMessage(none);
    return none;
  }
  const items = chats.map((chat) => itemOf(chat, chat.chatId === shownId));
  const placeholder = busy ? "Choose a chat; the turn that runs in the shown one is stopped" : "Choose a chat";
  const chatId = await choose(items, placeholder, async (action, item) => {
    await action(sessions, item.chatId);
    return pickChat(sessions);
  });
  return chatId === undefined ? undefined : openChat(sessions, chatId);
}

/** Shows a chat in the panel. Settles with the sentence that was shown when it cannot be opened. */
export async function openChat(sessions: ChatSessions, chatId: string): Promise<string | undefined> {
  const shown = await sessions.show(chatId);
  if (!shown.ok) {
    void vscode.window.showWarningMessage(shown.error);
    return shown.error;
  }
  await vscode.commands.executeCommand("graft.openChat");
  return undefined;
}

type Action = (sessions: ChatSessions, chatId: string) => Promise<unknown>;

/** The chosen chat; undefined where the user left, or took an action on a chat, which `act` runs once the list is gone. */
function choose(
  items: readonly ChatItem[],
  placeholder: string,
  act: (action: Action, item: ChatItem) => Promise<unknown>,
): Promise<string | undefined> {
  const picker = vscode.window.createQuickPick<ChatItem>();
  picker.title = "Open an earlier chat";
  picker.placeholder = placeholder;
  picker.matchOnDescription = true;
  picker.items = items;
  return new Promise((resolve, reject) => {
    let chosen: string | undefined;
    let action: Promise<unknown> = Promise.resolve();
    picker.onDidAccept(() => {
      chosen = picker.selectedItems[0]?.chatId;
      picker.hide();
    });
    picker.onDidTriggerItemButton(({ button, item }) => {
      const pressed = ACTIONS.find((each) => each.button === button);
      if (pressed) action = act(pressed.run, item);
    });
    picker.onDidHide(() => {
      picker.dispose();
      action.then(() => resolve(chosen), reject);
    });
    picker.show();
  });
}

function itemOf({ chatId, title, requests, changedAt }: ListedChat, shown: boolean): ChatItem {
  const about = [shownTime(changedAt), counted(requests, "request"), shown ? "shown" : ""];
  return {
    chatId,
    label: title || "A chat without a request",
    description: about.filter((text) => text !== "").join(", "),
    buttons: ACTIONS.map(({ button }) => button),
  };
}
