import * as vscode from "vscode";
import { visibleLine } from "../../base/text/visibleText.ts";

/**
 * Colors JSON like any other, but no language server reads it: VS Code's would fetch the web
 * address in `$schema`.
 */
const PROPOSED_JSON = "graft-json";
/** Languages that VS Code's JSON server reads. */
const JSON_LANGUAGES = new Set(["json", "jsonc", "snippets", "jsonl"]);
/** Names that VS Code takes for JSON. */
const JSON_NAME =
  /\.(?:json[c5l]?|ndjson|webmanifest|map|har|jsonld|geojson|code-(?:snippets|workspace)|(?:bower|jscs|vue|jslint|eslint|jsfmt|jshint|swc|hint|babel)rc)$|(?:^|\/)(?:composer\.lock|bun\.lock|\.watchmanconfig|\.ember-cli)$/i;

/**
 * The address of a proposal's document. Its path is the file's own, made visible: VS Code's tabs show
 * it, and its editor of several diffs calls a file with another path renamed.
 */
export function proposalAddress(scheme: string, id: string, file: vscode.Uri): vscode.Uri {
  const path = shownUriPath(file);
  return vscode.Uri.from({
    scheme,
    authority: id,
    path: JSON_NAME.test(path) ? `${path}.${PROPOSED_JSON}` : path,
  });
}

/** A file's path, made visible for the tabs that VS Code names after it. */
export function shownUriPath({ path }: vscode.Uri): string {
  return visibleLine(path);
}

/** Keeps the JSON server away from proposals that the user's settings call JSON, too. */
export function watchProposalLanguage(scheme: string): vscode.Disposable {
  return vscode.workspace.onDidOpenTextDocument((document) => {
    if (document.uri.scheme !== scheme || !JSON_LANGUAGES.has(document.languageId)) return;
    void vscode.languages.setTextDocumentLanguage(document, PROPOSED_JSON);
  });
}
