import * as vscode from "vscode";

/** Null if VS Code's file system reports that the file does not exist. */
export async function unlessMissing<T>(work: Thenable<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === "FileNotFound") return null;
    throw error;
  }
}

/** Null if the call to VS Code fails. */
export async function orNull<T>(work: Thenable<T>): Promise<T | null> {
  try {
    return await work;
  } catch {
    return null;
  }
}

/** A file's metadata. Null if it does not exist or is inaccessible. */
export function lookAt(uri: vscode.Uri): Promise<vscode.FileStat | null> {
  return orNull(vscode.workspace.fs.stat(uri));
}
