import { gitPlaces } from "./host/context/gitRepositories.ts";
import { createTerminalShell } from "./host/workspace/terminalShell.ts";
import { nodeDisk } from "./node/files/nodeDisk.ts";
import { findRipgrep, searchWithRipgrep } from "./node/files/ripgrepSearch.ts";
import { createRunnerFiles } from "./node/files/runnerFiles.ts";
import { createNodeGit } from "./node/processes/nodeGit.ts";
import { createNodeShell } from "./node/processes/nodeShell.ts";
import { createNodeEventLogStorage, createNodeSmallFiles } from "./node/storage/nodeEventLog.ts";
import type { SavedFiles } from "./ports/savedFiles.ts";
import type { TextSearch, Workspace } from "./ports/workspace.ts";
import { processTools } from "./tools/processTools.ts";

/**
 * What the extension uses of the user's machine, in a bundle of its own. `appRoot` is VS Code's own folder, which contains ripgrep.
 * Commands are shown in VS Code's terminals. `wanted` are the secrets of the environment that they get.
 */
export function openMachine(appRoot: string) {
  let ripgrep: Promise<string | null> | null = null;
  return {
    eventLogs: (folder: { readonly fsPath: string }) => createNodeEventLogStorage(folder.fsPath),
    smallFiles: (folder: { readonly fsPath: string }) => createNodeSmallFiles(folder.fsPath),
    disk: nodeDisk,
    runnerFiles: createRunnerFiles,
    async folderSearch(root: string, query: TextSearch, excludes: readonly string[], signal: AbortSignal) {
      ripgrep ??= findRipgrep(appRoot);
      const program = await ripgrep;
      return program === null ? null : searchWithRipgrep(program, root, query, excludes, signal);
    },
    processes(workspace: Workspace, files: SavedFiles, wanted: () => readonly string[]) {
      return processTools(workspace, createTerminalShell(createNodeShell(wanted)), createNodeGit(gitPlaces, wanted), files);
    },
  };
}
