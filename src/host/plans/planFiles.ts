import * as vscode from "vscode";
import { SerialQueue } from "../../base/serialQueue.ts";
import { lookAt, orNull } from "../workspace/unlessMissing.ts";

/** The plans that turns ended with, as Markdown files of Graft's own, one a turn. */
export interface PlanFiles {
  /** Keeps a plan; a file that is there stays as the user left it. */
  write(chatId: string, turnId: string, text: string): Promise<void>;
  /** The document of a plan as the user left it, saved or not; null where its file is gone. */
  open(chatId: string, turnId: string): Promise<vscode.TextDocument | null>;
  removeAll(chatId: string): Promise<void>;
}

/** Plans in subfolders of `folder`, one a chat. Calls run one after the other. */
export function createPlanFiles(folder: vscode.Uri): PlanFiles {
  const { fs } = vscode.workspace;
  const queue = new SerialQueue();
  const named = (name: string) => name.replace(/[^A-Za-z0-9-]/g, "_");
  const ofChat = (chatId: string) => vscode.Uri.joinPath(folder, named(chatId));
  const fileOf = (chatId: string, turnId: string) =>
    vscode.Uri.joinPath(ofChat(chatId), `plan-${named(turnId).replace(/^turn-/, "")}.md`);
  return {
    write: (chatId, turnId, text) =>
      queue.run(async () => {
        const uri = fileOf(chatId, turnId);
        if (!(await lookAt(uri)))
          await fs.writeFile(uri, new TextEncoder().encode(`${text.trimEnd()}\n`));
      }),
    open: (chatId, turnId) =>
      queue.run(async () => {
        const uri = fileOf(chatId, turnId);
        const shown = vscode.workspace.textDocuments.find(
          (document) => document.uri.toString() === uri.toString(),
        );
        // Unsaved words are in no file yet.
        if (shown?.isDirty) return shown;
        return (await lookAt(uri)) ? orNull(vscode.workspace.openTextDocument(uri)) : null;
      }),
    removeAll: async (chatId) =>
      void (await orNull(fs.delete(ofChat(chatId), { recursive: true }))),
  };
}
