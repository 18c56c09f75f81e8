import * as vscode from "vscode";
import type { GrammarSource } from "../ports/grammarSource.ts";

/** The grammars that ship with the extension, read through the editor, so that they load in the browser too. */
export function createVscodeGrammarSource(extensionUri: vscode.Uri): GrammarSource {
  const folder = vscode.Uri.joinPath(extensionUri, "dist", "grammars");
  return { read: async (path) => vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, path)) };
}
