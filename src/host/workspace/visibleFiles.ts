import type { Ignore } from "ignore";
import * as vscode from "vscode";
import { boundedIgnore } from "../../base/boundedIgnore.ts";
import { readPlainText } from "./documentText.ts";

/**
 * The workspace's files that match `include` (a glob as in .gitignore, or null for all), sorted by path, without those that files.exclude,
 * search.exclude or a .gitignore hides; at most `limit`. Follows symbolic links out of the workspace, so callers must check each file.
 */
export async function visibleFiles(
  include: string | null,
  limit: number,
  signal: AbortSignal,
): Promise<{ readonly uris: readonly vscode.Uri[]; readonly truncated: boolean }> {
  const cancellation = new vscode.CancellationTokenSource();
  const cancel = () => cancellation.cancel();
  signal.addEventListener("abort", cancel);
  try {
    const found = await vscode.workspace.findFiles(includeGlob(include), excludeGlob(), limit, cancellation.token);
    const ignored = await readIgnoreRules(cancellation.token);
    const uris = found.filter((uri) => !ignored(uri)).sort((a, b) => (a.path < b.path ? -1 : 1));
    return { uris, truncated: found.length >= limit };
  } finally {
    signal.removeEventListener("abort", cancel);
    cancellation.dispose();
  }
}

/** VS Code's glob for one as in .gitignore: without a slash it matches at any depth, and a folder matches everything in it. */
export function includeGlob(include: string | null): string {
  const glob = (include ?? "").replace(/^\.?\/+/, "").replace(/\/+$/, "");
  if (glob === "") return "**/*";
  const anywhere = glob.includes("/") ? glob : `**/${glob}`;
  return `{${anywhere},${anywhere}/**}`;
}

function excludeGlob(): string {
  return `{${excludedGlobs().join(",")}}`;
}

/** What the settings exclude from searches, as globs relative to a workspace folder. */
export function excludedGlobs(): readonly string[] {
  const globs = new Set(["**/.git/**", "**/node_modules/**"]);
  for (const section of ["files", "search"]) {
    const excluded: unknown = vscode.workspace.getConfiguration(section).get("exclude");
    if (typeof excluded !== "object" || excluded === null) continue;
    for (const [glob, on] of Object.entries(excluded)) if (on === true) globs.add(glob);
  }
  return [...globs];
}

/** Applies the workspace's .gitignore files: as in git, the nearest folder with a matching rule wins. */
async function readIgnoreRules(token: vscode.CancellationToken): Promise<(uri: vscode.Uri) => boolean> {
  const byFolder = new Map<string, Pick<Ignore, "test">>();
  for (const uri of await vscode.workspace.findFiles("**/.gitignore", "**/node_modules/**", 1000, token)) {
    const text = await readPlainText(uri);
    if (text !== null) byFolder.set(parentOf(uri.toString()), boundedIgnore(text.split(/\r?\n/)));
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
