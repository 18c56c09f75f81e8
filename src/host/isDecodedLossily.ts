import * as vscode from "vscode";

/**
 * True when the editor reads a text file's `bytes` as UTF-8 and they are not: it shows U+FFFD for what it cannot read, and saving any
 * change would write that in place of the bytes.
 */
export async function isDecodedLossily(uri: vscode.Uri, bytes: Uint8Array): Promise<boolean> {
  if (isUtf8(bytes)) return false;
  const { encoding } = await vscode.workspace.openTextDocument(uri);
  return encoding.startsWith("utf8");
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
