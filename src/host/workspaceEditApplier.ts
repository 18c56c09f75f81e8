import * as vscode from "vscode";
import { err, ok, type Result } from "../base/result.ts";
import { SerialQueue } from "../base/serialQueue.ts";
import type { ReviewPlan } from "../edits/reviewPlan.ts";

/**
 * Makes accepted edits in the user's documents: one after the other over all files, each as one `WorkspaceEdit`, which is one undo step.
 * It neither saves nor formats and opens no editor. Errors are sentences.
 */
export class WorkspaceEditApplier {
  private readonly queue = new SerialQueue();

  /**
   * Makes the plan's edits if the document still has the plan's text. `stale` says that it does not, or that the editor refused:
   * nothing was changed then, and a new plan may succeed.
   */
  apply(uri: vscode.Uri, plan: ReviewPlan): Promise<Result<null, "stale">> {
    return this.queue.run(async () => {
      const document = await vscode.workspace.openTextDocument(uri);
      if (document.getText() !== plan.textBefore) return err("stale");
      const edit = new vscode.WorkspaceEdit();
      edit.set(
        uri,
        plan.edits.map(({ start, end, newText }) =>
          vscode.TextEdit.replace(new vscode.Range(document.positionAt(start), document.positionAt(end)), newText),
        ),
      );
      // The editor compares the document's version with the one known here, so that a keystroke on its way makes this false.
      return (await vscode.workspace.applyEdit(edit)) ? ok(null) : err("stale");
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
