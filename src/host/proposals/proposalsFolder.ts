import * as vscode from "vscode";
import { orNull } from "../workspace/unlessMissing.ts";

/** Where the workspace's pending proposals are kept. */
export function proposalsFolder({ storageUri, globalStorageUri }: vscode.ExtensionContext): vscode.Uri {
  return vscode.Uri.joinPath(storageUri ?? globalStorageUri, "proposals");
}

/** True where proposals are kept, without reading them. */
export async function hasPending(folder: vscode.Uri): Promise<boolean> {
  const names = await orNull(vscode.workspace.fs.readDirectory(folder));
  return names?.some(([name]) => /\.(?:json|new)$/.test(name)) ?? false;
}
