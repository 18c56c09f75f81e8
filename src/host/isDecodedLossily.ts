import * as vscode from "vscode";
import { openDocument } from "./documentText.ts";

/**
 * True when the editor reads a text file's `bytes` as UTF-8 and they are not: it shows U+FFFD for what it cannot read, and saving any
 * change would write that in place of the bytes.
 */
export async function isDecodedLossily(uri: vscode.Uri, bytes: Uint8Array): Promise<boolean> {
  if (isUtf8(bytes)) return false;
  const open = openDocument(uri);
  if (open) return open.encoding.startsWith("utf8");
  return (await vscode.workspace.decode(bytes, { uri })) === new TextDecoder().decode(bytes);
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
