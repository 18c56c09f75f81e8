import * as vscode from "vscode";
import type { OpenChatState } from "../../protocol/messages.ts";
import {
  type ChatProblem,
  type ChatSessions,
  MAX_TITLE_CHARS,
} from "../../review/chats/chatSessions.ts";
import { chatProblemMessage, deleteChatDetail } from "../../review/chats/messages.ts";
import { chatMarkdown } from "../../turns/chatMarkdown.ts";
import { summarizeChat } from "../../turns/chatSummary.ts";
import { t } from "../localize.ts";
import { type ChatActions, pickChat } from "./pickChat.ts";
import { pickHit } from "./pickHit.ts";

/** The commands for chats. */
export type ChatCommands = ReturnType<typeof createChatCommands>;

/**
 * The commands over `sessions`. Without an id they mean the chat `shownId`; each settles with the
 * problem the user was told of. `states` says in which chats something is going on.
 */
export function createChatCommands(
  sessions: ChatSessions,
  shownId: () => string,
  states: () => readonly OpenChatState[],
) {
  const titleOf = async (chatId: string) =>
    (await sessions.list()).chats.find((chat) => chat.chatId === chatId)?.title ?? "";

  const actions: ChatActions = {
    async rename(chatId = shownId(), given) {
      const title = given ?? (await askTitle(await titleOf(chatId)));
      const renamed = title === undefined ? null : await sessions.rename(chatId, title);
      return renamed?.ok === false ? warn(renamed.error) : undefined;
    },

    async remove(chatId = shownId()) {
      const running = states().some((each) => each.chatId === chatId && each.state !== "done");
      const title = JSON.stringify((await titleOf(chatId)) || t("this chat"));
      const [question, confirm] = [t("Delete {title}?", { title }), t("Delete")];
      const detail = deleteChatDetail(t, running);
      const confirmed = await vscode.window.showWarningMessage(
        question,
        { modal: true, detail },
        confirm,
      );
      const removed = confirmed === confirm ? await sessions.remove(chatId) : null;
      return removed?.ok === false ? warn(removed.error) : undefined;
    },

    async export(chatId = shownId(), format) {
      const problem = await exportChat(sessions, chatId, format);
      return problem && warn(problem);
    },
  };
  return {
    ...actions,
    /** Shows the chat and the words that the user looks for in all chats. */
    async search(find: (words: string) => void, given = ""): Promise<ChatProblem | undefined> {
      const hit = await pickHit(sessions, given);
      if (!hit) return undefined;
      const shown = await sessions.show(hit.chatId, hit.turnId);
      if (!shown.ok) return warn(shown.error);
      await vscode.commands.executeCommand("graft.openChat");
      find(hit.words);
      return undefined;
    },

    /** Shows a chat that is on record in the editor. */
    async openBeside(chatId: string): Promise<ChatProblem | undefined> {
      if (!(await sessions.isThere(chatId))) return warn("not-found");
      await vscode.commands.executeCommand("graft.openChatInEditor", chatId);
      return undefined;
    },

    /** Asks which chat where none is given. */
    async openChat(given?: string): Promise<ChatProblem | undefined> {
      const chatId = given ?? (await pickChat(sessions, states, actions));
      if (chatId === undefined) return undefined;
      if (chatId === null) return warn("no-chats");
      const shown = await sessions.show(chatId);
      if (!shown.ok) return warn(shown.error);
      await vscode.commands.executeCommand("graft.openChat");
      return undefined;
    },
  };
}

/**
 * Shows a chat as Markdown or as a trace in an untitled editor; asks which where `given` names
 * neither.
 */
async function exportChat(
  sessions: ChatSessions,
  chatId: string,
  given?: string,
): Promise<ChatProblem | undefined> {
  const formats = [
    {
      format: "markdown",
      label: t("Markdown"),
      description: t("The branch you see, to read"),
      language: "markdown",
    },
    {
      format: "trace",
      label: t("Trace"),
      description: t("All events as JSON lines"),
      language: "jsonl",
    },
  ];
  const chosen =
    formats.find(({ format }) => format === given) ??
    (await vscode.window.showQuickPick(formats, { title: t("Export the chat as") }));
  if (!chosen) return undefined;
  const history = await sessions.read(chatId);
  if (!history.ok) return history.error;
  const { lines, tree } = history.value;
  const title = summarizeChat(lines).title || t("Chat");
  const isTrace = chosen.format === "trace";
  const content = isTrace ? `${lines.join("\n")}\n` : chatMarkdown(title, tree, t);
  const document = await vscode.workspace.openTextDocument({ language: chosen.language, content });
  await vscode.window.showTextDocument(document, { preview: false });
  return undefined;
}

function askTitle(value: string): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: t("Rename chat"),
    prompt: t("Leave empty to use the first request as the name."),
    value,
    validateInput: (text) =>
      text.length > MAX_TITLE_CHARS
        ? t("Use at most {count} characters.", { count: MAX_TITLE_CHARS })
        : null,
  });
}

function warn(problem: ChatProblem): ChatProblem {
  void vscode.window.showWarningMessage(chatProblemMessage(t, problem));
  return problem;
}
