import * as vscode from "vscode";
import type { Chat } from "../../agent/chat/chat.ts";
import { chatTitle } from "../../review/chats/chatTitle.ts";
import { chatProblemMessage } from "../../review/chats/messages.ts";
import type { App } from "../app.ts";
import { t } from "../localize.ts";
import { showPanel } from "./chatView.ts";

/** The type of the editor that shows a chat; package.json activates Graft for it. */
const CHAT_TAB = "graft.chatTab";

/** Chats as editors, which VS Code moves, splits and gives a window of their own. */
export interface ChatTabs extends vscode.Disposable {
  /** Shows a chat in an editor, once. */
  open(app: App, chatId: string): Promise<void>;
}

/** Brings back the tabs of the last session; `app` is built for the first one. */
export function createChatTabs(extensionUri: vscode.Uri, app: () => Promise<App>): ChatTabs {
  const shown = new Map<string, vscode.WebviewPanel>();

  async function fill(graft: App, panel: vscode.WebviewPanel, chatId: string): Promise<void> {
    shown.set(chatId, panel);
    let isGone = false;
    panel.onDidDispose(() => {
      isGone = true;
      if (shown.get(chatId) === panel) shown.delete(chatId);
    });
    const tab = await graft.chats.hold(chatId, () => panel.dispose());
    if (!tab) {
      void vscode.window.showWarningMessage(chatProblemMessage(t, "turn-elsewhere"));
      panel.dispose();
      return;
    }
    if (isGone) return tab.dispose();
    const { chat } = tab;
    const { connect, dispose } = graft.openTab(chat);
    const connection = showPanel(panel, extensionUri, { kind: "tab", kept: chatId }, connect);
    const named = chat.onEvent(({ type }) => {
      if (type === "chat-title" || type === "turn-start") panel.title = tabTitle(chat);
    });
    panel.title = tabTitle(chat);
    panel.iconPath = vscode.Uri.joinPath(extensionUri, "media", "icon.png");
    const follow = async () => {
      tab.toFront(panel.active);
      if (!panel.visible) (await connection).hide();
    };
    panel.onDidChangeViewState(follow);
    panel.onDidDispose(() => {
      named.dispose();
      dispose();
      tab.dispose();
    });
    await follow();
  }

  const restoring = vscode.window.registerWebviewPanelSerializer(CHAT_TAB, {
    async deserializeWebviewPanel(panel, state) {
      const chatId = keptChat(state);
      if (chatId === null) panel.dispose();
      else await fill(await app(), panel, chatId);
    },
  });
  return {
    async open(graft, chatId) {
      const known = shown.get(chatId);
      if (known) return known.reveal();
      const options = { enableScripts: true };
      const place = vscode.ViewColumn.Active;
      const panel = vscode.window.createWebviewPanel(CHAT_TAB, t("Chat"), place, options);
      await fill(graft, panel, chatId);
    },
    dispose: () => restoring.dispose(),
  };
}

/** The chat that the page kept over a reload; null without one. */
function keptChat(state: unknown): string | null {
  if (typeof state !== "object" || state === null || !("chatId" in state)) return null;
  const { chatId } = state;
  return typeof chatId === "string" && /^chat-[a-z0-9-]{1,40}$/.test(chatId) ? chatId : null;
}

function tabTitle({ tree }: Pick<Chat, "tree">): string {
  return chatTitle(tree) || t("Chat");
}
