import * as vscode from "vscode";
import type { Disposable } from "../../base/disposable.ts";

const CR = 13;
const LF = 10;

/**
 * Finds files with both kinds of line ends. VS Code shows them with one kind, and writes that to
 * all lines when it saves.
 */
export class MixedLineEnds implements Disposable {
  private readonly found: () => void;
  private readonly saves: vscode.Disposable;
  /** By URI; false while a file is still being read. */
  private known = new Map<string, boolean>();

  /** `found` is called when a file turns out to be one. */
  constructor(found: () => void) {
    this.found = found;
    this.saves = vscode.workspace.onDidSaveTextDocument(({ uri }) =>
      this.known.delete(uri.toString()),
    );
  }

  /**
   * The line ends that saving gives to all lines; null where they have them already, or that is not
   * known yet.
   */
  next(uri: vscode.Uri): "CRLF" | "LF" | null {
    const key = uri.toString();
    if (!this.known.has(key)) void this.read(uri);
    const document = vscode.workspace.textDocuments.find((open) => open.uri.toString() === key);
    if (!document || this.known.get(key) !== true) return null;
    return document.eol === vscode.EndOfLine.CRLF ? "CRLF" : "LF";
  }

  dispose(): void {
    this.saves.dispose();
  }

  private async read(uri: vscode.Uri): Promise<void> {
    this.known.set(uri.toString(), false);
    const bytes = await vscode.workspace.fs.readFile(uri).then(undefined, () => null);
    if (!bytes || !isMixed(bytes)) return;
    this.known.set(uri.toString(), true);
    this.found();
  }
}

function isMixed(bytes: Uint8Array): boolean {
  let [plain, withReturn] = [false, false];
  for (
    let at = bytes.indexOf(LF);
    at !== -1 && !(plain && withReturn);
    at = bytes.indexOf(LF, at + 1)
  ) {
    if (bytes[at - 1] === CR) withReturn = true;
    else plain = true;
  }
  return plain && withReturn;
}
