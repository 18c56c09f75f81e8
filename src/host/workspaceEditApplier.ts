import * as vscode from "vscode";
import { err, ok, type Result } from "../base/result.ts";
import { SerialQueue } from "../base/serialQueue.ts";
import { lineEditsBetween } from "../edits/changeSet.ts";
import type { TextEdit } from "../edits/reviewPlan.ts";
import { isBehindDisk } from "./preview/isBehindDisk.ts";

/** What a file's text is and should be; null for no file. */
export interface FileRewrite {
  readonly uri: vscode.Uri;
  readonly before: string | null;
  readonly after: string | null;
}

/** Restores and creates the user's files, one change after the other, each as one `WorkspaceEdit`, which is one undo step. Errors are sentences. */
export class WorkspaceEditApplier {
  private readonly queue = new SerialQueue();

  /**
   * Gives several files other texts, creates and deletes files, all as one edit and only if every file is still what `before` says. Texts
   * are left unsaved; files are created and deleted on disk.
   */
  rewrite(files: readonly FileRewrite[]): Promise<Result<null, string>> {
    return this.queue.run(async () => {
      const edit = new vscode.WorkspaceEdit();
      for (const { uri, before, after } of files) {
        const document = await openedDocument(uri);
        if ((document?.getText() ?? null) !== before || (document && (await isBehindDisk(document)))) return err(CHANGED_MEANWHILE);
        if (after === null) edit.deleteFile(uri);
        else if (document) edit.set(uri, textEdits(document, lineEditsBetween(document.getText(), after)));
        else edit.createFile(uri, { contents: new TextEncoder().encode(after) });
      }
      return (await vscode.workspace.applyEdit(edit)) ? ok(null) : err(CHANGED_MEANWHILE);
    });
  }

  /**
   * Creates a file with its folders. Its contents reach the disk at once, since the editor has no unsaved state for a file that does not
   * exist; undoing right after, in the new file's editor, deletes it again (the editor asks first).
   */
  create(uri: vscode.Uri, text: string): Promise<Result<null, string>> {
    return this.queue.run(async () => {
      const edit = new vscode.WorkspaceEdit();
      edit.createFile(uri, { contents: new TextEncoder().encode(text) });
      if (await vscode.workspace.applyEdit(edit)) return ok(null);
      const name = vscode.workspace.asRelativePath(uri);
      return err(`${name} could not be created: a file of that name is there already, or its folder cannot be written.`);
    });
  }
}

const CHANGED_MEANWHILE = "A file was changed, created or deleted meanwhile, or the editor refused. Nothing was restored: try again.";

/** Null for a file that is not there. */
async function openedDocument(uri: vscode.Uri): Promise<vscode.TextDocument | null> {
  try {
    await vscode.workspace.fs.stat(uri);
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === "FileNotFound") return null;
    throw error;
  }
  return vscode.workspace.openTextDocument(uri);
}

function textEdits(document: vscode.TextDocument, edits: readonly TextEdit[]): vscode.TextEdit[] {
  return edits.map(({ start, end, newText }) =>
    vscode.TextEdit.replace(new vscode.Range(document.positionAt(start), document.positionAt(end)), newText),
  );
}
