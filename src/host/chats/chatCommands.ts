import * as vscode from "vscode";
import { t } from "../localize.ts";
import { type ChatProblem, type ChatSessions, MAX_TITLE_CHARS } from "./chatSessions.ts";
import { exportChat } from "./exportChat.ts";
import { chatProblemMessage, deleteChatDetail } from "./messages.ts";
import { type ChatActions, pickChat } from "./pickChat.ts";

/** The commands for chats. Without an id they mean the shown chat; each settles with the problem the user was told of. */
export interface ChatCommands extends ChatActions {
  /** Asks which chat where none is given. */
  open(chatId: string | undefined): Promise<ChatProblem | undefined>;
}

/** The commands over `sessions`; `shownId` gives the id of the chat that the panel shows. */
export function createChatCommands(sessions: ChatSessions, shownId: () => string): ChatCommands {
  const titleOf = async (chatId: string) => (await sessions.list()).chats.find((chat) => chat.chatId === chatId)?.title ?? "";

  const commands: ChatCommands = {
    async open(given) {
      const chatId = given ?? (await pickChat(sessions, commands));
      if (chatId === undefined) return undefined;
      if (chatId === null) return warn("no-chats");
      const shown = await sessions.show(chatId);
      if (!shown.ok) return warn(shown.error);
      await vscode.commands.executeCommand("graft.openChat");
      return undefined;
    },

    async rename(chatId = shownId(), given) {
      const title = given ?? (await askTitle(await titleOf(chatId)));
      const renamed = title === undefined ? null : await sessions.rename(chatId, title);
      return renamed?.ok === false ? warn(renamed.error) : undefined;
    },

    async remove(chatId = shownId()) {
      const running = (await sessions.list()).busy && chatId === shownId();
      const title = JSON.stringify((await titleOf(chatId)) || t("this chat"));
      const [question, confirm] = [t("Delete {title}?", { title }), t("Delete")];
      const detail = deleteChatDetail(t, running);
      const confirmed = await vscode.window.showWarningMessage(question, { modal: true, detail }, confirm);
      const removed = confirmed === confirm ? await sessions.remove(chatId) : null;
      return removed?.ok === false ? warn(removed.error) : undefined;
    },

    async export(chatId = shownId(), format) {
      const problem = await exportChat(sessions, chatId, format);
      return problem && warn(problem);
    },
  };
  return commands;
}

function askTitle(value: string): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: t("Rename chat"),
    prompt: t("Leave empty to use the first request as the name."),
    value,
    validateInput: (text) => (text.length > MAX_TITLE_CHARS ? t("Use at most {count} characters.", { count: MAX_TITLE_CHARS }) : null),
  });
}

function warn(problem: ChatProblem): ChatProblem {
  void vscode.window.showWarningMessage(chatProblemMessage(t, problem));
  return problem;
}
