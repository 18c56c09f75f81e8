import * as vscode from "vscode";

/** What VS Code's file system answers; null where there is no such file. */
export async function unlessMissing<T>(work: Thenable<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === "FileNotFound") return null;
    throw error;
  }
}

/** What is known of a file; null where there is none, or it cannot be looked at. */
export function lookAt(uri: vscode.Uri): Promise<vscode.FileStat | null> {
  return Promise.resolve(vscode.workspace.fs.stat(uri)).catch(() => null);
}
