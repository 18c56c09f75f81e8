import * as vscode from "vscode";
import { unfitFile } from "../../ports/eventLog.ts";
import { lookAt } from "../workspace/unlessMissing.ts";

/**
 * Where Graft keeps what belongs to the open workspace: a folder of its own, since VS Code gives
 * each extension host another one while an earlier host of the same workspace lives.
 */
export async function workspaceStorage(globalStorageUri: vscode.Uri): Promise<vscode.Uri> {
  const uris = workspaceUris();
  const folders = vscode.Uri.joinPath(globalStorageUri, "workspaces");
  if (uris.length === 0) return vscode.Uri.joinPath(folders, "no-folder");
  const bytes = new TextEncoder().encode(uris.join("\n"));
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const name = Array.from(hash.slice(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join("");
  return vscode.Uri.joinPath(folders, name);
}

/** Writes into a workspace's storage which workspace it is of, for people. */
export async function describeStorage(storage: vscode.Uri): Promise<void> {
  const text = `${JSON.stringify({ workspace: workspaceUris() }, null, 2)}\n`;
  const uri = vscode.Uri.joinPath(storage, "workspace.json");
  const found = await lookAt(uri);
  // Writing a pipe would never end.
  if (found && found.type !== vscode.FileType.File)
    throw unfitFile("not-a-file", uri.toString(true));
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
}

/** The workspace file, else the folders in an order that does not depend on the window. */
function workspaceUris(): readonly string[] {
  const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
  if (workspaceFile) return [workspaceFile.toString()];
  return workspaceFolders.map(({ uri }) => uri.toString()).sort();
}
