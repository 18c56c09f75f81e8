import * as vscode from "vscode";
import type { RunnerFiles } from "../../ports/runnerFiles.ts";
import { workspacePathOf } from "./workspacePath.ts";

/** Tells `files` what is saved and deleted in the editor: what the user typed and accepted. Commands write to the disk without it. */
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
