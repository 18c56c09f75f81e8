import * as vscode from "vscode";
import { MAX_FILE_BYTES } from "../ports/workspace.ts";

/** A file's text as UTF-8, for looking through it; null for one that is binary, too large or not readable. */
export async function readPlainText(uri: vscode.Uri): Promise<string | null> {
  try {
    const stat = await vscode.workspace.fs.stat(uri);
    if ((stat.type & vscode.FileType.File) === 0 || stat.size > MAX_FILE_BYTES) return null;
    const bytes = await vscode.workspace.fs.readFile(uri);
    return bytes.subarray(0, 8192).includes(0) ? null : new TextDecoder().decode(bytes);
  } catch {
    return null;
  }
}
