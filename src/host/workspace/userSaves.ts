import * as vscode from "vscode";
import type { RunnerFiles } from "../../ports/commands/runnerFiles.ts";
import { workspacePathOf } from "./workspacePath.ts";

/**
 * Tells `files` what is saved and deleted in the editor, which the user typed or accepted. Commands
 * write to disk without the editor.
 */
export function watchUserSaves(files: RunnerFiles): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.workspace.onDidSaveTextDocument((document) => {
      const path = workspacePathOf(document.uri);
      if (path !== null) files.saved(path, document.getText());
    }),
    vscode.workspace.onDidDeleteFiles(({ files: deleted }) => {
      for (const uri of deleted) {
        const path = workspacePathOf(uri);
        if (path !== null) files.saved(path, undefined);
      }
    }),
  );
}
