import * as vscode from "vscode";
import { SerialQueue } from "../../base/serialQueue.ts";
import type { TextEdit } from "../../edits/text/changeSet.ts";
import { lineEditsBetween } from "../../edits/text/changeSet.ts";
import type { Workspace } from "../../ports/workspace.ts";
import { isStale } from "./isStale.ts";
import { unlessMissing } from "./unlessMissing.ts";
import { workspacePathOf } from "./workspacePath.ts";

/** What a file's text is and should be; null for no file. */
export interface FileRewrite {
  readonly uri: vscode.Uri;
  readonly before: string | null;
  readonly after: string | null;
}

/** Rewrites and creates the user's files, one change after the other, each as one `WorkspaceEdit` and undo step. */
export class WorkspaceEditApplier {
  private readonly queue = new SerialQueue();
  private readonly workspace: Pick<Workspace, "resolve"> | null;

  /** Without a workspace, nobody checks where paths lead. */
  constructor(workspace: Pick<Workspace, "resolve"> | null = null) {
    this.workspace = workspace;
  }

  /**
   * Rewrites, creates and deletes files as one edit. False, with no effect, unless every file still has the text `before` and lies in
   * the workspace. False also where a folder became a link while the editor wrote. New texts are left unsaved; files are created, with
   * their folders, and deleted on disk. Rejects for a file that cannot be looked at.
   */
  rewrite(files: readonly FileRewrite[]): Promise<boolean> {
    return this.queue.run(async () => {
      const edit = new vscode.WorkspaceEdit();
      for (const { uri, before, after } of files) {
        const isThere = (await unlessMissing(vscode.workspace.fs.stat(uri))) !== null;
        const document = isThere ? await vscode.workspace.openTextDocument(uri) : null;
        if ((document?.getText() ?? null) !== before || (document && (await isStale(document)))) return false;
        if (after === null) edit.deleteFile(uri);
        else if (document) edit.set(uri, textEdits(document, lineEditsBetween(document.getText(), after)));
        else edit.createFile(uri, { contents: new TextEncoder().encode(after) });
      }
      const before = await this.marks(files);
      if (before === null) return false;
      return (await vscode.workspace.applyEdit(edit)) && (await this.marks(files)) === before;
    });
  }

  /** What the files are; null where one leads outside the workspace. */
  private async marks(files: readonly FileRewrite[]): Promise<string | null> {
    const { workspace } = this;
    if (!workspace) return "";
    const places = await Promise.all(files.map(({ uri }) => workspace.resolve(workspacePathOf(uri) ?? uri.path)));
    if (places.some((place) => !place.ok)) return null;
    return JSON.stringify(places.map((place) => place.ok && [place.value.protected, place.value.versionControl]));
  }
}

function textEdits(document: vscode.TextDocument, edits: readonly TextEdit[]): vscode.TextEdit[] {
  return edits.map(({ start, end, newText }) =>
    vscode.TextEdit.replace(new vscode.Range(document.positionAt(start), document.positionAt(end)), newText),
  );
}
