import * as vscode from "vscode";

const SETTING = "graft.serveAgents";

/**
 * The folders that agents outside can propose changes in: those on this machine of a trusted window,
 * while the setting allows it.
 */
export function servedFolders(): readonly string[] {
  const isAllowed =
    vscode.workspace.isTrusted && vscode.workspace.getConfiguration().get(SETTING) === true;
  const folders = isAllowed ? (vscode.workspace.workspaceFolders ?? []) : [];
  return folders.flatMap(({ uri }) => (uri.scheme === "file" ? [uri.fsPath] : []));
}

/** Calls `changed` when {@link servedFolders} may be others. */
export function onServedFolders(changed: () => void): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.workspace.onDidGrantWorkspaceTrust(changed),
    vscode.workspace.onDidChangeWorkspaceFolders(changed),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(SETTING)) changed();
    }),
  );
}
