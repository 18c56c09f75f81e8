import * as vscode from "vscode";
import { abortable } from "../../base/abortable.ts";
import { Deadline } from "../../base/deadline.ts";
import type { FileSymbol, SymbolSource } from "../../ports/symbolSource.ts";
import type { Workspace } from "../../ports/workspace.ts";
import { parseSymbols } from "./parseSymbols.ts";

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
    const file = await abortable(workspace.resolve(path), signal);
    if (!file.ok) return null;
    const document = await abortable(vscode.workspace.openTextDocument(vscode.Uri.parse(file.value.uri, true)), signal);
    const { languageId, uri } = document;
    const until = patientUntil.get(languageId) ?? performance.now() + START_MS;
    patientUntil.set(languageId, until);
    for (;;) {
      const told = await abortable(vscode.commands.executeCommand<unknown>("vscode.executeDocumentSymbolProvider", uri), signal);
      if (!isSameText(document.getText(), text)) return null;
      const symbols = parseSymbols(told, text);
      if (symbols.length > 0) {
        patientUntil.set(languageId, 0);
        return symbols;
      }
      if (performance.now() >= until) return null;
      await abortable(new Promise((resolve) => setTimeout(resolve, PAUSE_MS)), signal);
    }
  }

  return {
    async symbols(path, text, signal) {
      const deadline = new Deadline(signal);
      deadline.restart(LIMIT_MS);
      try {
        return await ask(path, text, deadline.signal);
      } catch {
        // Canceled, timed out, or another extension failed.
        return null;
      } finally {
        deadline.dispose();
      }
    },
  };
}

/** Equal apart from line ends and a byte order mark. */
function isSameText(a: string, b: string): boolean {
  const plain = (text: string) => text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  return a === b || plain(a) === plain(b);
}
