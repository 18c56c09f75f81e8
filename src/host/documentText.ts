import * as vscode from "vscode";
import { textWithLineEnds } from "./preview/documentLineEnds.ts";

/** The open document of a file, or null. */
export function openDocument(uri: vscode.Uri): vscode.TextDocument | null {
  const key = uri.toString();
  return vscode.workspace.textDocuments.find((document) => !document.isClosed && document.uri.toString() === key) ?? null;
}

/**
 * The text that the editor will show for a file with these bytes, without opening it: decoded as the settings say, no byte order mark,
 * one kind of line end. Rejects for a binary file.
 */
export async function documentText(uri: vscode.Uri, bytes: Uint8Array): Promise<string> {
  const decoded = await vscode.workspace.decode(bytes, { uri });
  // Decoding removes the mark of the encoding; the editor's buffer removes one more.
  const text = decoded.replace(/^\uFEFF/, "");
  return textWithLineEnds(text, loadedLineEnd(text));
}

/** As the editor's buffer decides: CRLF where more than half of the line ends have a carriage return, lone ones included. */
function loadedLineEnd(text: string): "\n" | "\r\n" {
  const lineEnds = text.match(/\r\n|\r|\n/g) ?? [];
  return lineEnds.filter((lineEnd) => lineEnd !== "\n").length > lineEnds.length / 2 ? "\r\n" : "\n";
}
