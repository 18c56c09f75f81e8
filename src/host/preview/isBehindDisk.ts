import * as vscode from "vscode";

/** Milliseconds in which the editor is given the chance to take over what changed on disk. */
const PATIENCE_MS = 2_000;
const LOOK_AGAIN_MS = 50;

/**
 * True when a document without unsaved changes shows another text than its file has, as after another program, or another window, wrote
 * it a moment ago. The editor, which will take that over by itself, is waited for a little.
 */
export async function isBehindDisk(document: vscode.TextDocument): Promise<boolean> {
  for (const start = Date.now(); ; ) {
    if (document.isDirty || document.isClosed || (await diskText(document)) === document.getText().replaceAll("\r", "")) return false;
    if (Date.now() - start > PATIENCE_MS) return true;
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
}

/** The file's text without carriage returns, as the editor would read it; the document's where it cannot be read. */
async function diskText(document: vscode.TextDocument): Promise<string> {
  try {
    const bytes = await vscode.workspace.fs.readFile(document.uri);
    const text = await vscode.workspace.decode(bytes, { encoding: document.encoding });
    return text.replace(/^\uFEFF/, "").replaceAll("\r", "");
  } catch {
    return document.getText().replaceAll("\r", "");
  }
}
