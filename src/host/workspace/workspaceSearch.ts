import * as vscode from "vscode";
import { err, ok, type Result } from "../../base/result.ts";
import type {
  FileError,
  SearchAnswer,
  TextMatch,
  TextSearch,
  Unsearched,
} from "../../ports/workspace.ts";
import { type SearchedText, searchTexts } from "../../tools/search/searchTexts.ts";
import { readPlainText } from "./documentText.ts";
import { excludedGlobs, includeGlob, visibleFiles } from "./visibleFiles.ts";

/** The most files that one search reads. */
const MAX_FILES = 20_000;
const PARALLEL_READS = 16;

/**
 * Searches a folder on disk with ripgrep, except `excludes` (globs). Null if ripgrep is missing or
 * cannot run this search. Paths are relative to `root`.
 */
export type FolderSearch = (
  root: string,
  query: TextSearch,
  excludes: readonly string[],
  signal: AbortSignal,
) => Promise<Result<SearchAnswer, FileError> | null>;

/** Returns the path to report for a matching file. Null if the file must not be shown. */
type Confine = (uri: vscode.Uri) => Promise<string | null>;

/**
 * Searches the workspace's text files, including unsaved edits. Skips files hidden by
 * files.exclude, search.exclude or a .gitignore. `folderSearch` is null if no program can run.
 */
export async function searchWorkspace(
  query: TextSearch,
  signal: AbortSignal,
  folderSearch: FolderSearch | null,
  confine: Confine,
): Promise<Result<SearchAnswer, FileError>> {
  if (!vscode.workspace.workspaceFolders?.length) {
    return err({ code: "no-workspace", path: "" });
  }
  const quick = folderSearch ? await searchFolders(query, signal, folderSearch, confine) : null;
  if (quick) return quick;
  const { uris, truncated } = await visibleFiles(query.include, MAX_FILES, signal);
  const answer = await searchTexts(textsOf(uris, signal, confine), query);
  if (signal.aborted) return err({ code: "cancelled", path: "" });
  return answer.ok
    ? ok({ ...answer.value, truncated: answer.value.truncated || truncated })
    : answer;
}

/** Null if ripgrep cannot search one of the folders. */
async function searchFolders(
  query: TextSearch,
  signal: AbortSignal,
  folderSearch: FolderSearch,
  confine: Confine,
): Promise<Result<SearchAnswer, FileError> | null> {
  const matches: TextMatch[] = [];
  const unsearched: Unsearched[] = [];
  let truncated = false;
  for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
    if (uri.scheme !== "file") return null;
    const found = await folderSearch(uri.fsPath, query, excludedGlobs(), signal);
    if (!found?.ok) return found;
    const unsaved = unsavedMatching(uri, query.include);
    for (const { path, line, text } of found.value.matches) {
      const file = vscode.Uri.joinPath(uri, path);
      if (unsaved.has(file.toString())) continue;
      const shownPath = await confine(file);
      if (shownPath !== null) matches.push({ path: shownPath, line, text });
    }
    for (const { path, why } of found.value.unsearched ?? []) {
      const file = vscode.Uri.joinPath(uri, path);
      const shownPath = unsaved.has(file.toString()) ? null : await confine(file);
      if (shownPath !== null) unsearched.push({ path: shownPath, why });
    }
    const rest = await searchTexts(textsOf([...unsaved.values()], signal, confine), query);
    if (!rest.ok) return rest;
    matches.push(...rest.value.matches);
    truncated ||= found.value.truncated || rest.value.truncated;
  }
  matches.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line));
  return ok({
    matches: matches.slice(0, query.limit),
    truncated: truncated || matches.length > query.limit,
    ...(unsearched.length > 0 && { unsearched }),
  });
}

/** A folder's open documents with unsaved changes. */
function unsavedMatching(
  folder: vscode.Uri,
  include: string | null,
): ReadonlyMap<string, vscode.Uri> {
  const pattern = new vscode.RelativePattern(folder, includeGlob(include));
  const unsaved = vscode.workspace.textDocuments.filter(
    (document) =>
      document.isDirty && !document.isClosed && vscode.languages.match({ pattern }, document) > 0,
  );
  return new Map(unsaved.map(({ uri }) => [uri.toString(), uri]));
}

async function* textsOf(
  files: readonly vscode.Uri[],
  signal: AbortSignal,
  confine: Confine,
): AsyncGenerator<SearchedText> {
  const open = new Map(
    vscode.workspace.textDocuments.map((document) => [document.uri.toString(), document]),
  );
  for (let from = 0; from < files.length && !signal.aborted; from += PARALLEL_READS) {
    const batch = files.slice(from, from + PARALLEL_READS);
    const texts = await Promise.all(
      batch.map((uri) => open.get(uri.toString())?.getText() ?? readPlainText(uri)),
    );
    for (const [index, uri] of batch.entries()) {
      // VS Code's file search follows symbolic links, even out of the workspace.
      yield { text: texts[index] ?? "", path: () => confine(uri) };
    }
  }
}
