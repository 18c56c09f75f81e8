import * as vscode from "vscode";

/** How long VS Code may take to reload a file that changed on disk, in milliseconds. */
const PATIENCE_MS = 2_000;
const LOOK_AGAIN_MS = 50;

/** True when a document without unsaved changes differs from its file, which another program just wrote. Waits a moment for VS Code to reload it. */
export async function isStale(document: vscode.TextDocument): Promise<boolean> {
  for (const start = Date.now(); ; ) {
    if (document.isDirty || document.isClosed || (await diskText(document)) === document.getText().replaceAll("\r", "")) return false;
    if (Date.now() - start > PATIENCE_MS) return true;
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
}

/** The file's text as the editor would read it, without carriage returns; the document's if the file cannot be read. */
async function diskText(document: vscode.TextDocument): Promise<string> {
  try {
    const bytes = await vscode.workspace.fs.readFile(document.uri);
    const text = await vscode.workspace.decode(bytes, { encoding: document.encoding });
    return text.replace(/^\uFEFF/, "").replaceAll("\r", "");
  } catch {
    return document.getText().replaceAll("\r", "");
  }
}
