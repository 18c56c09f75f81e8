import * as vscode from "vscode";
import type { Chat } from "../../agent/chat/chat.ts";
import type { ChatNotice } from "../../review/chats/chatNotices.ts";
import { chatTitle } from "../../review/chats/chatTitle.ts";
import { chatNoticeMessage } from "../../review/chats/messages.ts";
import { t } from "../localize.ts";

/** Tells of a chat by a notification, from which the user can go there. */
export async function showNotice({ chatId, tree }: Chat, notice: ChatNotice): Promise<void> {
  const go = notice === "asks" ? t("Answer") : t("Show chat");
  const title = chatTitle(tree) || t("Chat");
  const chosen = await vscode.window.showInformationMessage(
    chatNoticeMessage(t, notice, title),
    go,
  );
  if (chosen === go) await vscode.commands.executeCommand("graft.openEarlierChat", chatId);
}
