import * as vscode from "vscode";
import { withDeadline } from "../../base/deadline.ts";
import type { FileSymbol, SymbolSource } from "../../ports/symbolSource.ts";
import type { Workspace } from "../../ports/workspace.ts";
import { fileSymbols } from "./fileSymbols.ts";

/** Time limit for a file's symbols in milliseconds. */
const LIMIT_MS = 5_000;

/**
 * Language servers start slowly and have no symbols until then: for START_MS after the first request for a language Graft polls every
 * PAUSE_MS, later requests ask once. In milliseconds.
 */
const START_MS = 2_500;
const PAUSE_MS = 250;

/** The symbols of VS Code's outline. Opens documents, but no editors. */
export function createVscodeSymbolSource(workspace: Pick<Workspace, "resolve">): SymbolSource {
  // Plain text has no language server to wait for, though another extension may know its symbols.
  const patientUntil = new Map([["plaintext", 0]]);

  async function ask(path: string, text: string, signal: AbortSignal): Promise<readonly FileSymbol[] | null> {
    const file = await workspace.resolve(path);
    if (!file.ok) return null;
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(file.value.uri, true));
    const { languageId, uri } = document;
    const until = patientUntil.get(languageId) ?? performance.now() + START_MS;
    patientUntil.set(languageId, until);
    while (!signal.aborted) {
      const told = await vscode.commands.executeCommand<vscode.DocumentSymbol[] | undefined>("vscode.executeDocumentSymbolProvider", uri);
      if (!isSameText(document.getText(), text)) return null;
      if (told && told.length > 0) {
        patientUntil.set(languageId, 0);
        return fileSymbols(told, text);
      }
      if (performance.now() >= until) return null;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    return null;
  }

  return {
    async symbols(path, text, signal) {
      try {
        const found = await withDeadline(signal, LIMIT_MS, (limited) => ask(path, text, limited));
        return found.ok ? found.value : null;
      } catch {
        // Another extension failed.
        return null;
      }
    },
  };
}

/** Equal apart from line ends and a byte order mark. */
function isSameText(a: string, b: string): boolean {
  const plain = (text: string) => text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  return a === b || plain(a) === plain(b);
}
