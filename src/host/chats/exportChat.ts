import * as vscode from "vscode";
import { chatMarkdown } from "../../turns/chatMarkdown.ts";
import { summarizeChat } from "../../turns/chatSummary.ts";
import { t } from "../localize.ts";
import type { ChatProblem, ChatSessions } from "./chatSessions.ts";

/** The longest text that is shown in an untitled editor, in characters; a longer one is saved to a file. */
const LONGEST_SHOWN = 5_000_000;

/** Shows a chat as Markdown or as a trace in an untitled editor; asks which where `given` names neither. */
export async function exportChat(sessions: ChatSessions, chatId: string, given?: string): Promise<ChatProblem | undefined> {
  const formats = [
    { format: "markdown", label: t("Markdown"), description: t("The shown branch, for reading"), extension: "md", language: "markdown" },
    { format: "trace", label: t("Trace"), description: t("All events as JSON lines"), extension: "jsonl", language: "jsonl" },
  ];
  const chosen =
    formats.find(({ format }) => format === given) ?? (await vscode.window.showQuickPick(formats, { title: t("Export the chat as") }));
  if (!chosen) return undefined;
  const history = await sessions.read(chatId);
  if (!history.ok) return history.error;
  const { lines, tree } = history.value;
  const content = chosen.format === "markdown" ? chatMarkdown(summarizeChat(lines).title || t("Chat"), tree, t) : `${lines.join("\n")}\n`;
  if (content.length > LONGEST_SHOWN) await save(content, `graft-chat.${chosen.extension}`);
  else {
    const document = await vscode.workspace.openTextDocument({ language: chosen.language, content });
    await vscode.window.showTextDocument(document, { preview: false });
  }
  return undefined;
}

async function save(content: string, name: string): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const target = await vscode.window.showSaveDialog({
    title: t("Save the exported chat"),
    ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, name) } : {}),
  });
  if (target) await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(content));
}
