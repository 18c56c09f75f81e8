import * as vscode from "vscode";
import { openDocument } from "./documentText.ts";

/** How long VS Code may take to reload a file that changed on disk, in milliseconds. */
const PATIENCE_MS = 2_000;
const LOOK_AGAIN_MS = 50;

/**
 * Whether a document without unsaved changes differs from its file, because another program just
 * wrote the file. Waits briefly for VS Code to reload it.
 */
export async function isStale(document: vscode.TextDocument): Promise<boolean> {
  for (const start = Date.now(); ; ) {
    if (document.isDirty || document.isClosed) return false;
    const onDisk = await diskText(document);
    if (onDisk === null || onDisk === document.getText().replaceAll("\r", "")) return false;
    if (Date.now() - start > PATIENCE_MS) return true;
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
}

/** Whether the editor shows an older text of the file at this URI than the disk has. */
export async function isStaleAt(uri: string): Promise<boolean> {
  const open = openDocument(uri);
  return open !== null && isStale(open);
}

/** Whether the document of the file at this URI has another text than the disk. */
export async function isUnsavedAt(uri: string): Promise<boolean> {
  const open = openDocument(uri);
  if (open === null) return false;
  const onDisk = await diskText(open);
  // A save may have ended meanwhile.
  return open.isDirty && onDisk !== open.getText().replaceAll("\r", "");
}

/**
 * The text on disk as the editor would read it, without carriage returns. Null if the file cannot
 * be read.
 */
export async function diskText(document: vscode.TextDocument): Promise<string | null> {
  try {
    const bytes = await vscode.workspace.fs.readFile(document.uri);
    const text = await vscode.workspace.decode(bytes, { encoding: document.encoding });
    return text.replace(/^\uFEFF/, "").replaceAll("\r", "");
  } catch {
    return null;
  }
}
