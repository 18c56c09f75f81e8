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

/** What VS Code answers; null where it fails. */
export async function orNull<T>(work: Thenable<T>): Promise<T | null> {
  try {
    return await work;
  } catch {
    return null;
  }
}

/** What is known of a file; null where there is none, or it cannot be looked at. */
export function lookAt(uri: vscode.Uri): Promise<vscode.FileStat | null> {
  return orNull(vscode.workspace.fs.stat(uri));
}
