import * as vscode from "vscode";
import { chatMarkdown } from "../../turns/chatMarkdown.ts";
import { summarizeChat } from "../../turns/chatSummary.ts";
import { t } from "../localize.ts";
import type { ChatSessions } from "./chatSessions.ts";

const FORMATS = [
  { label: "Markdown", description: "To read: the branch that is shown", format: "markdown" as const },
  { label: "Trace", description: "Every event as a JSON line: all branches, tool calls and edits", format: "trace" as const },
];

/** The longest text that is shown in an untitled editor, in characters; a longer one is saved to a file. */
const LONGEST_SHOWN = 5_000_000;

/** Shows a chat as Markdown or as a trace in a new untitled editor. Settles with the sentence that was shown when there is nothing to export. */
export async function exportChat(sessions: ChatSessions, chatId: string, given?: string): Promise<string | undefined> {
  const format = FORMATS.find((each) => each.format === given)?.format ?? (await pickFormat());
  if (!format) return undefined;
  const history = await sessions.read(chatId);
  if (!history.ok) {
    void vscode.window.showInformationMessage(history.error);
    return history.error;
  }
  const { lines, tree } = history.value;
  const title = summarizeChat(lines).title || "Chat";
  const content = format === "markdown" ? chatMarkdown(title, tree, t) : `${lines.join("\n")}\n`;
  if (content.length > LONGEST_SHOWN) await save(content, format === "markdown" ? "md" : "jsonl");
  else {
    const document = await vscode.workspace.openTextDocument({ language: format === "markdown" ? "markdown" : "jsonl", content });
    await vscode.window.showTextDocument(document, { preview: false });
  }
  return undefined;
}

async function pickFormat(): Promise<"markdown" | "trace" | undefined> {
  const picked = await vscode.window.showQuickPick(FORMATS, { title: "Export the chat as" });
  return picked?.format;
}

async function save(content: string, extension: string): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const name = `graft-chat.${extension}`;
  const target = await vscode.window.showSaveDialog({
    title: "Save the exported chat",
    ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, name) } : {}),
  });
  if (target) await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(content));
}
