import ignore, { type Ignore } from "ignore";
import * as vscode from "vscode";
import { err, ok, type Result } from "../base/result.ts";
import type { CompileMatcher, LineMatcher } from "../ports/lineMatcher.ts";
import { type FileError, MAX_FILE_BYTES, type TextMatch, type TextSearch } from "../ports/workspace.ts";

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
 * Searches the workspace's text files in the order of their paths, without those that files.exclude, search.exclude or a .gitignore
 * hides. `confine` gives the path to report for a file that matched, or null for one that must not be shown.
 */
export async function searchWorkspace(
  query: TextSearch,
  signal: AbortSignal,
  compile: CompileMatcher,
  confine: (uri: vscode.Uri) => Promise<string | null>,
): Promise<Result<SearchAnswer, FileError>> {
  const matcher = compile(query);
  if (!matcher.ok) return err({ kind: "invalid-pattern", message: matcher.error });
  if (!vscode.workspace.workspaceFolders?.length) {
    return err({ kind: "no-workspace", message: "No folder is open, so there is nothing to search." });
  }
  const cancellation = new vscode.CancellationTokenSource();
  const cancel = () => cancellation.cancel();
  signal.addEventListener("abort", cancel);
  try {
    const found = await vscode.workspace.findFiles(includeGlob(query.include), excludeGlob(), MAX_FILES, cancellation.token);
    const rules = await readIgnoreRules(cancellation.token);
    const files = found.filter((uri) => !rules(uri)).sort((a, b) => (a.path < b.path ? -1 : 1));
    const answer = await searchFiles(files, query.limit, signal, matcher.value, confine);
    if (signal.aborted) return err({ kind: "unreadable", message: "The search was cancelled." });
    if (!answer.ok) return err({ kind: "invalid-pattern", message: answer.error });
    return ok({ matches: answer.value.matches, truncated: answer.value.truncated || found.length >= MAX_FILES });
  } finally {
    signal.removeEventListener("abort", cancel);
    cancellation.dispose();
  }
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
    const texts = await Promise.all(batch.map((uri) => open.get(uri.toString())?.getText() ?? readText(uri)));
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

async function readText(uri: vscode.Uri): Promise<string | null> {
  try {
    const stat = await vscode.workspace.fs.stat(uri);
    if (stat.size > MAX_FILE_BYTES) return null;
    const bytes = await vscode.workspace.fs.readFile(uri);
    return bytes.subarray(0, 8192).includes(0) ? null : new TextDecoder().decode(bytes);
  } catch {
    return null;
  }
}

/** As in an ignore file, a pattern without a slash matches at any depth, and a folder's name all that is in it. */
function includeGlob(include: string | null): string {
  const glob = (include ?? "").replace(/^\.?\/+/, "").replace(/\/+$/, "");
  if (glob === "") return "**/*";
  const anywhere = glob.includes("/") ? glob : `**/${glob}`;
  return `{${anywhere},${anywhere}/**}`;
}

function excludeGlob(): string {
  const globs = new Set(["**/.git/**", "**/node_modules/**"]);
  for (const section of ["files", "search"]) {
    const excluded: unknown = vscode.workspace.getConfiguration(section).get("exclude");
    if (typeof excluded !== "object" || excluded === null) continue;
    for (const [glob, on] of Object.entries(excluded)) if (on === true) globs.add(glob);
  }
  return `{${[...globs].join(",")}}`;
}

/** A predicate over the .gitignore files of the workspace: the nearest folder with an opinion wins, as in git. */
async function readIgnoreRules(token: vscode.CancellationToken): Promise<(uri: vscode.Uri) => boolean> {
  const byFolder = new Map<string, Ignore>();
  for (const uri of await vscode.workspace.findFiles("**/.gitignore", "**/node_modules/**", 1000, token)) {
    const text = await readText(uri);
    if (text !== null) byFolder.set(parentOf(uri.toString()), ignore().add(text));
  }
  return (uri) => {
    const segments = uri.path.split("/");
    let folder = parentOf(uri.toString());
    for (let depth = segments.length - 1; depth > 0; depth--) {
      const answer = byFolder.get(folder)?.test(segments.slice(depth).join("/"));
      if (answer?.ignored || answer?.unignored) return answer.ignored;
      folder = parentOf(folder);
    }
    return false;
  };
}

function parentOf(uri: string): string {
  return uri.slice(0, uri.lastIndexOf("/"));
}

function shown(line: string): string {
  return line.length <= LONGEST_SHOWN ? line : `${line.slice(0, LONGEST_SHOWN)}…`;
}
