import type { Ignore } from "ignore";
import * as vscode from "vscode";
import { boundedIgnore } from "../../base/boundedIgnore.ts";
import { mapInSlices } from "../../base/mapInSlices.ts";
import { readPlainText } from "./documentText.ts";
import { tokenOf } from "./tokenOf.ts";
import { workspacePathOf } from "./workspacePath.ts";

/** The most files of one name to list. */
const MAX_NAMED = 10;

/** Files in the order of their paths; `truncated` where there may be more. */
export interface FoundUris {
  readonly uris: readonly vscode.Uri[];
  readonly truncated: boolean;
}

/**
 * Workspace files matching `include`, a .gitignore-style glob or null for all, sorted by path, at
 * most `limit`. Skips those hidden by files.exclude, search.exclude or a .gitignore. Follows
 * symbolic links out of the workspace, so callers must check each file.
 */
export async function visibleFiles(
  include: string | null,
  limit: number,
  signal: AbortSignal,
): Promise<FoundUris> {
  const token = tokenOf(signal);
  const found = await vscode.workspace.findFiles(
    includeGlob(include),
    `{${excludedGlobs().join(",")}}`,
    limit,
    token,
  );
  const hidden = await mapInSlices(found, await readIgnoreRules(token), signal);
  const uris = found
    .filter((_uri, at) => hidden[at] === false)
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  return { uris, truncated: found.length >= limit };
}

/**
 * The workspace paths that a file name in an answer may mean: the path itself, else those that end
 * with it.
 */
export async function filesNamed(name: string): Promise<readonly string[]> {
  // Replaces glob characters with `?`, which matches any character.
  const { uris } = await visibleFiles(
    `**/${name.replace(/[^\w@.+/-]/g, "?")}`,
    MAX_NAMED,
    new AbortController().signal,
  );
  const paths = uris
    .flatMap((uri) => workspacePathOf(uri) ?? [])
    .filter((path) => `/${path}`.endsWith(`/${name}`));
  return paths.includes(name) ? [name] : paths;
}

/**
 * Converts a .gitignore-style glob to VS Code's syntax. Without a slash, it matches at any depth. A
 * folder matches everything in it.
 */
export function includeGlob(include: string | null): string {
  const glob = (include ?? "").replace(/^\.?\/+/, "").replace(/\/+$/, "");
  if (glob === "") return "**/*";
  const anywhere = glob.includes("/") ? glob : `**/${glob}`;
  return `{${anywhere},${anywhere}/**}`;
}

/** Globs that the settings exclude from searches, relative to a workspace folder. */
export function excludedGlobs(): readonly string[] {
  const globs = new Set(["**/.git/**", "**/node_modules/**"]);
  for (const section of ["files", "search"]) {
    const excluded: unknown = vscode.workspace.getConfiguration(section).get("exclude");
    if (typeof excluded !== "object" || excluded === null) continue;
    for (const [glob, on] of Object.entries(excluded)) if (on === true) globs.add(glob);
  }
  return [...globs];
}

/**
 * Applies the workspace's .gitignore files. As in git, the nearest folder with a matching rule
 * wins.
 */
async function readIgnoreRules(
  token: vscode.CancellationToken,
): Promise<(uri: vscode.Uri) => boolean> {
  const byFolder = new Map<string, Pick<Ignore, "test">>();
  for (const uri of await vscode.workspace.findFiles(
    "**/.gitignore",
    "**/node_modules/**",
    1000,
    token,
  )) {
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
