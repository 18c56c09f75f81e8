import * as vscode from "vscode";

/** The workspace's folders on this machine's disk, as absolute paths. */
export function diskFolders(): readonly string[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.flatMap(({ uri }) => (uri.scheme === "file" ? [uri.fsPath] : []));
}
