import * as vscode from "vscode";
import { err, ok, type Result } from "../base/result.ts";
import { searchCancelled } from "../ports/fileErrors.ts";
import type { CompileMatcher, LineMatcher } from "../ports/lineMatcher.ts";
import type { FileError, TextMatch, TextSearch } from "../ports/workspace.ts";
import { readPlainText } from "./documentText.ts";
import { excludedGlobs, includeGlob, visibleFiles } from "./visibleFiles.ts";

/** Files looked at by one search at most. */
const MAX_FILES = 20_000;
const PARALLEL_READS = 16;
const LONGEST_SHOWN = 500;

/** What a search found; `truncated` says that a limit cut it. */
export interface SearchAnswer {
  readonly matches: readonly TextMatch[];
  readonly truncated: boolean;
}

/**
 * Searches a folder on this machine's disk with a program made for it, without what `excludes` (globs) matches; null where there is no
 * such program or it cannot do this search. Paths are relative to `root`.
 */
export type FolderSearch = (
  root: string,
  query: TextSearch,
  excludes: readonly string[],
  signal: AbortSignal,
) => Promise<Result<SearchAnswer, FileError> | null>;

/**
 * Searches the workspace's text files in the order of their paths, without those that files.exclude, search.exclude or a .gitignore
 * hides, by `folderSearch` where there is one; unsaved texts count. `confine` gives the path to report for a file that matched, or null for one that must not be shown.
 */
export async function searchWorkspace(
  query: TextSearch,
  signal: AbortSignal,
  compile: CompileMatcher,
  folderSearch: FolderSearch | null,
  confine: (uri: vscode.Uri) => Promise<string | null>,
): Promise<Result<SearchAnswer, FileError>> {
  const matcher = compile(query);
  if (!matcher.ok) return err({ kind: "invalid-pattern", message: matcher.error });
  if (!vscode.workspace.workspaceFolders?.length) {
    return err({ kind: "no-workspace", message: "No folder is open, so there is nothing to search." });
  }
  const quick = folderSearch ? await searchFolders(query, signal, matcher.value, folderSearch, confine) : null;
  if (quick) return quick;
  const { uris, truncated } = await visibleFiles(query.include, MAX_FILES, signal);
  const answer = await searchFiles(uris, query.limit, signal, matcher.value, confine);
  if (signal.aborted) return err(searchCancelled());
  if (!answer.ok) return err({ kind: "invalid-pattern", message: answer.error });
  return ok({ matches: answer.value.matches, truncated: answer.value.truncated || truncated });
}

/** Null when one of the folders cannot be searched so. */
async function searchFolders(
  query: TextSearch,
  signal: AbortSignal,
  match: LineMatcher,
  folderSearch: FolderSearch,
  confine: (uri: vscode.Uri) => Promise<string | null>,
): Promise<Result<SearchAnswer, FileError> | null> {
  const matches: TextMatch[] = [];
  let truncated = false;
  const confined = new Map<string, Promise<string | null>>();
  for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
    if (uri.scheme !== "file") return null;
    const unsaved = unsavedIn(uri, query.include);
    const found = await folderSearch(uri.fsPath, query, excludedGlobs(), signal);
    if (!found?.ok) return found;
    for (const { path, line, text } of found.value.matches) {
      const file = vscode.Uri.joinPath(uri, path);
      if (unsaved.has(file.toString())) continue;
      const shownPath = confined.get(path) ?? confine(file);
      confined.set(path, shownPath);
      const known = await shownPath;
      if (known !== null) matches.push({ path: known, line, text });
    }
    confined.clear();
    truncated ||= found.value.truncated;
    const rest = await searchFiles([...unsaved.values()], query.limit, signal, match, confine);
    if (!rest.ok) return err({ kind: "invalid-pattern", message: rest.error });
    matches.push(...rest.value.matches);
  }
  matches.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line));
  return ok({ matches: matches.slice(0, query.limit), truncated: truncated || matches.length > query.limit });
}

/** The documents of a folder whose text is not the disk's. */
function unsavedIn(folder: vscode.Uri, include: string | null): ReadonlyMap<string, vscode.Uri> {
  const pattern = new vscode.RelativePattern(folder, includeGlob(include));
  const unsaved = vscode.workspace.textDocuments.filter(
    (document) => document.isDirty && !document.isClosed && vscode.languages.match({ pattern }, document) > 0,
  );
  return new Map(unsaved.map(({ uri }) => [uri.toString(), uri]));
}

async function searchFiles(
  files: readonly vscode.Uri[],
  limit: number,
  signal: AbortSignal,
  match: LineMatcher,
  confine: (uri: vscode.Uri) => Promise<string | null>,
): Promise<Result<SearchAnswer, string>> {
  const open = new Map(vscode.workspace.textDocuments.map((document) => [document.uri.toString(), document]));
  const matches: TextMatch[] = [];
  for (let from = 0; from < files.length && !signal.aborted; from += PARALLEL_READS) {
    const batch = files.slice(from, from + PARALLEL_READS);
    const texts = await Promise.all(batch.map((uri) => open.get(uri.toString())?.getText() ?? readPlainText(uri)));
    for (const [index, uri] of batch.entries()) {
      const lines = (texts[index] ?? "").split(/\r\n|\n|\r/);
      const found = match(lines);
      if (!found.ok) return found;
      if (found.value.length === 0) continue;
      // The editor's file search follows symbolic links, also out of the workspace.
      const path = await confine(uri);
      if (path === null) continue;
      for (const line of found.value) {
        if (matches.length >= limit) return ok({ matches, truncated: true });
        matches.push({ path, line: line + 1, text: shown(lines[line] ?? "") });
      }
    }
  }
  return ok({ matches, truncated: false });
}

function shown(line: string): string {
  return line.length <= LONGEST_SHOWN ? line : `${line.slice(0, LONGEST_SHOWN)}…`;
}
