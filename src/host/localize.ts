import * as vscode from "vscode";
import { visibleFacts } from "../base/text/visibleText.ts";

/**
 * Translates user-facing text into the editor's display language. What it names, such as a path, is
 * made visible.
 */
export const t = visibleFacts((message, facts = {}) => vscode.l10n.t(message, facts));

/** The language of {@link t}'s words, for readers of a page: English where there is no translation. */
export function wordsLanguage(): string {
  return vscode.l10n.bundle ? vscode.env.language : "en";
}
