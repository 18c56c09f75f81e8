import * as vscode from "vscode";
import { excludedGlobs, type FoundUris } from "./visibleFiles.ts";

/**
 * Lists the files of a folder on disk with ripgrep, by the rules of the query, unsorted and relative
 * to `root`; null where ripgrep is missing or failed.
 */
export type FolderFiles = (
  root: string,
  query: {
    readonly glob: string | null;
    readonly excludes: readonly string[];
    readonly allIgnoreFiles: boolean;
    readonly followLinks: boolean;
  },
  signal: AbortSignal,
) => Promise<readonly string[] | null>;

/**
 * The files that `visibleFiles` finds, all of them, by `folderFiles`. Null where a workspace folder
 * is not on the disk or cannot be listed.
 */
export async function listedFiles(
  glob: string | null,
  signal: AbortSignal,
  folderFiles: FolderFiles,
): Promise<FoundUris | null> {
  const followLinks =
    vscode.workspace.getConfiguration("search").get<boolean>("followSymlinks") !== false;
  const query = { glob, excludes: excludedGlobs(), allIgnoreFiles: false, followLinks };
  const uris: vscode.Uri[] = [];
  for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
    const paths = uri.scheme === "file" ? await folderFiles(uri.fsPath, query, signal) : null;
    if (!paths) return null;
    for (const path of paths) uris.push(vscode.Uri.joinPath(uri, path));
  }
  return { uris: uris.sort((a, b) => (a.path < b.path ? -1 : 1)), truncated: false };
}
