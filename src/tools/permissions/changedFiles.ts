import type { CommandLine } from "../../ports/approval.ts";
import type { FileHashes, RunnerFiles } from "../../ports/commands/runnerFiles.ts";

/**
 * The files that decide what a command runs and that changed since they were `seen`, by anyone but
 * the user.
 */
export async function changedFiles(
  seen: FileHashes,
  command: CommandLine,
  files: RunnerFiles,
): Promise<readonly string[]> {
  const now = await files.hashes(command);
  const known = Object.keys(seen).filter((path) => concerns(path, command.folder));
  const paths = [...new Set([...known, ...Object.keys(now)])].sort();
  return paths.filter((path) => seen[path] !== now[path] && !files.isUsers(path, now[path]));
}

/** Whether a file is in a folder, below it or above it. */
function concerns(path: string, folder: string): boolean {
  if (folder === "." || path.startsWith(`${folder}/`)) return true;
  const place = path.slice(0, Math.max(0, path.lastIndexOf("/")));
  return place === "" || folder === place || folder.startsWith(`${place}/`);
}
