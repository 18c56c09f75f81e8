import * as vscode from "vscode";
import { chatMarkdown } from "../../turns/chatMarkdown.ts";
import { summarizeChat } from "../../turns/chatSummary.ts";
import { t } from "../localize.ts";
import type { ChatProblem, ChatSessions } from "./chatSessions.ts";

/** Shows a chat as Markdown or as a trace in an untitled editor; asks which where `given` names neither. */
export async function exportChat(sessions: ChatSessions, chatId: string, given?: string): Promise<ChatProblem | undefined> {
  const formats = [
    { format: "markdown", label: t("Markdown"), description: t("The shown branch, for reading"), language: "markdown" },
    { format: "trace", label: t("Trace"), description: t("All events as JSON lines"), language: "jsonl" },
  ];
  const chosen =
    formats.find(({ format }) => format === given) ?? (await vscode.window.showQuickPick(formats, { title: t("Export the chat as") }));
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
