import * as vscode from "vscode";
import { SerialQueue } from "../../base/serialQueue.ts";
import type { TextEdit } from "../../edits/text/changeSet.ts";
import { lineEditsBetween } from "../../edits/text/changeSet.ts";
import type { Workspace } from "../../ports/workspace.ts";
import type { FileRewrite } from "../../review/documents/editorFiles.ts";
import { encodeNewText } from "./encodeText.ts";
import { isStale } from "./isStale.ts";
import { unlessMissing } from "./unlessMissing.ts";
import { workspacePathOf } from "./workspacePath.ts";

/**
 * Rewrites and creates the user's files, one change at a time. Each change is one `WorkspaceEdit`
 * and one undo step.
 */
export class WorkspaceEditApplier {
  private readonly queue = new SerialQueue();
  private readonly workspace: Pick<Workspace, "resolve"> | null;

  /** Without a workspace, paths are not checked. */
  constructor(workspace: Pick<Workspace, "resolve"> | null = null) {
    this.workspace = workspace;
  }

  /**
   * Rewrites, creates and deletes files as one edit. Returns false without any effect unless every
   * file still has the text `before` and is in the workspace. Also returns false if a folder was
   * replaced by a link during the write. Rewritten texts stay unsaved. Files are created (with
   * missing folders) and deleted on disk. Rejects if a file is inaccessible.
   */
  rewrite(files: readonly FileRewrite[]): Promise<boolean> {
    return this.queue.run(async () => {
      const edit = new vscode.WorkspaceEdit();
      for (const { uri: text, before, after } of files) {
        const uri = vscode.Uri.parse(text, true);
        const isThere = (await unlessMissing(vscode.workspace.fs.stat(uri))) !== null;
        const document = isThere ? await vscode.workspace.openTextDocument(uri) : null;
        if ((document?.getText() ?? null) !== before || (document && (await isStale(document))))
          return false;
        if (after === null) edit.deleteFile(uri);
        else if (document)
          edit.set(uri, textEdits(document, lineEditsBetween(document.getText(), after)));
        else edit.createFile(uri, { contents: await encodeNewText(uri, after) });
      }
      const before = await this.marks(files);
      if (before === null) return false;
      return (await vscode.workspace.applyEdit(edit)) && (await this.marks(files)) === before;
    });
  }

  /**
   * The files' protection flags as text, for comparison. Null if a path leads outside the
   * workspace.
   */
  private async marks(files: readonly FileRewrite[]): Promise<string | null> {
    const { workspace } = this;
    if (!workspace) return "";
    const places = await Promise.all(
      files.map((file) => {
        const uri = vscode.Uri.parse(file.uri, true);
        return workspace.resolve(workspacePathOf(uri) ?? uri.path);
      }),
    );
    if (places.some((place) => !place.ok)) return null;
    return JSON.stringify(
      places.map((place) => place.ok && [place.value.protected, place.value.versionControl]),
    );
  }
}

function textEdits(document: vscode.TextDocument, edits: readonly TextEdit[]): vscode.TextEdit[] {
  return edits.map(({ start, end, newText }) =>
    vscode.TextEdit.replace(
      new vscode.Range(document.positionAt(start), document.positionAt(end)),
      newText,
    ),
  );
}
