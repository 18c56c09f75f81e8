import * as vscode from "vscode";
import { eventually } from "./expect.ts";

/** Undoes the last step in a document. The focus may go elsewhere meanwhile. */
export async function undoIn(uri: vscode.Uri): Promise<void> {
  const { document } = await vscode.window.showTextDocument(uri);
  const before = document.getText();
  await eventually("the undo to reach the document", async () => {
    await vscode.window.showTextDocument(uri);
    if (document.getText() === before) await vscode.commands.executeCommand("undo");
    return document.getText() !== before;
  });
}
