import * as vscode from "vscode";

/** Where the workspace's pending proposals are kept. */
export function proposalsFolder({ storageUri, globalStorageUri }: vscode.ExtensionContext): vscode.Uri {
  return vscode.Uri.joinPath(storageUri ?? globalStorageUri, "proposals");
}

/** True where proposals are kept, without reading them. */
export async function hasPending(folder: vscode.Uri): Promise<boolean> {
  try {
    return (await vscode.workspace.fs.readDirectory(folder)).some(([name]) => name.endsWith(".json"));
  } catch {
    return false;
  }
}
