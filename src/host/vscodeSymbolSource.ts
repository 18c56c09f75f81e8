import * as vscode from "vscode";
import { abortable } from "../base/abortable.ts";
import { Deadline } from "../base/deadline.ts";
import type { FileSymbol, SymbolSource } from "../ports/symbolSource.ts";
import type { Workspace } from "../ports/workspace.ts";
import { parseSymbols } from "./parseSymbols.ts";

/** How long a file's symbols are waited for, in milliseconds. */
const LIMIT_MS = 5_000;

/**
 * Language servers start slowly, and until they are up there are no symbols, as where there is no language server: for this long after
 * the first question about a language it is asked again, at these intervals. Later questions about it are asked once. The editor keeps
 * an answer until the text changes, also an empty one; it asks anew when a server has registered itself. In milliseconds.
 */
const START_MS = 2_500;
const PAUSE_MS = 250;

/** The symbols that the editor's outline shows. Documents are opened for it, editors are not. */
export function createVscodeSymbolSource(workspace: Pick<Workspace, "resolve">): SymbolSource {
  // A file of no language the editor knows has no language server to wait for; another extension may still know its symbols.
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
        // Cancelled, too slow, or another extension's fault: nothing is known about the file.
        return null;
      } finally {
        deadline.dispose();
      }
    },
  };
}

/** Line by line the same, whatever separates the lines. */
function isSameText(a: string, b: string): boolean {
  const plain = (text: string) => text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  return a === b || plain(a) === plain(b);
}
