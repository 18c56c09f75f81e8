import * as vscode from "vscode";
import { documentLineEnd, textWithLineEnds } from "../../edits/text/lineEnds.ts";
import { MAX_FILE_BYTES } from "../../ports/workspace.ts";

/** The open document of a file, or null. */
export function openDocument(uri: vscode.Uri | string): vscode.TextDocument | null {
  const key = uri.toString();
  return (
    vscode.workspace.textDocuments.find(
      (document) => !document.isClosed && document.uri.toString() === key,
    ) ?? null
  );
}

/**
 * The text that the editor would show for these bytes, without opening the file. Decodes by the
 * settings, drops the byte order mark and makes line endings uniform. Rejects for a binary file.
 */
export async function documentText(uri: vscode.Uri, bytes: Uint8Array): Promise<string> {
  const decoded = await vscode.workspace.decode(bytes, { uri });
  // Decoding drops one byte order mark, and the editor's buffer drops another.
  const text = decoded.replace(/^\uFEFF/, "");
  return textWithLineEnds(text, documentLineEnd(text));
}

/**
 * Whether the editor would read `bytes` as UTF-8 although they are not. Saving would then replace
 * the invalid bytes with U+FFFD.
 */
export async function isDecodedLossily(uri: vscode.Uri, bytes: Uint8Array): Promise<boolean> {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return false;
  } catch {
    const open = openDocument(uri);
    if (open) return open.encoding.startsWith("utf8");
    return (await vscode.workspace.decode(bytes, { uri })) === new TextDecoder().decode(bytes);
  }
}

/** A file's text as UTF-8, for searching. Null if it is binary, too large or unreadable. */
export async function readPlainText(uri: vscode.Uri): Promise<string | null> {
  const bytes = await readPlainBytes(uri);
  return bytes === null || bytes.subarray(0, 8192).includes(0)
    ? null
    : new TextDecoder().decode(bytes);
}

/** A file's bytes. Null if it is too large or unreadable; waits for no pipe. */
export async function readPlainBytes(uri: vscode.Uri): Promise<Uint8Array | null> {
  try {
    const stat = await vscode.workspace.fs.stat(uri);
    if ((stat.type & vscode.FileType.File) === 0 || stat.size > MAX_FILE_BYTES) return null;
    return await vscode.workspace.fs.readFile(uri);
  } catch {
    return null;
  }
}
