import * as vscode from "vscode";
import { visibleLine } from "../../base/text/visibleText.ts";
import type { OpenChatState } from "../../protocol/messages.ts";
import type { ChatProblem, ChatSessions } from "../../review/chats/chatSessions.ts";
import type { ListedChat } from "../../review/chats/listChats.ts";
import { chatStateText, listedTime, requestCount } from "../../review/chats/messages.ts";
import { t } from "../localize.ts";

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
  states: () => readonly OpenChatState[],
  actions: ChatActions,
): Promise<string | null | undefined> {
  const { chats, shownId } = await sessions.list();
  if (chats.length === 0) return null;
  const openInEditor = {
    iconPath: new vscode.ThemeIcon("split-horizontal"),
    tooltip: t("Open in editor"),
    run: async (chatId: string | undefined) => {
      await vscode.commands.executeCommand("graft.openChatInEditor", chatId);
    },
  };
  const buttons = [
    openInEditor,
    { iconPath: new vscode.ThemeIcon("edit"), tooltip: t("Rename…"), run: actions.rename },
    { iconPath: new vscode.ThemeIcon("export"), tooltip: t("Export…"), run: actions.export },
    { iconPath: new vscode.ThemeIcon("trash"), tooltip: t("Delete…"), run: actions.remove },
  ];
  const picker = vscode.window.createQuickPick<ChatItem>();
  picker.title = t("Open an earlier chat");
  picker.placeholder = t("Choose a chat");
  picker.matchOnDescription = true;
  picker.items = chats.map((chat) => {
    const state = states().find(({ chatId }) => chatId === chat.chatId)?.state ?? null;
    return { ...itemOf(chat, chat.chatId === shownId, state), buttons };
  });
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
  return action === openInEditor ? undefined : pickChat(sessions, states, actions);
}

const ICONS = { running: "$(sync~spin) ", waiting: "$(question) ", done: "$(circle-filled) " };

function itemOf(
  { chatId, title, requests, changedAt }: ListedChat,
  shown: boolean,
  state: OpenChatState["state"] | null,
): ChatItem {
  const about = [
    state === null ? "" : chatStateText(t, state),
    listedTime(changedAt),
    requestCount(t, requests),
    shown ? t("shown") : "",
  ];
  return {
    chatId,
    label: `${state === null ? "" : ICONS[state]}${visibleLine(title) || t("Empty chat")}`,
    description: about.filter((text) => text !== "").join(", "),
  };
}
