import { stripVTControlCharacters } from "node:util";
import type { Shell, TerminalParts } from "../ports/process.ts";
import type { SavedFiles } from "../ports/savedFiles.ts";
import type { TextSearch, Workspace } from "../ports/workspace.ts";
import { processTools } from "../tools/processTools.ts";
import { createNodeDisk } from "./files/nodeDisk.ts";
import { findRipgrep, searchWithRipgrep } from "./files/ripgrepSearch.ts";
import { endDescendants } from "./processes/endProcesses.ts";
import { createNodeGit } from "./processes/nodeGit.ts";
import { createNodeShell } from "./processes/nodeShell.ts";
import { createNodeEventLogStorage } from "./storage/nodeEventLog.ts";

/** What the extension uses of the user's machine. `appRoot` is VS Code's own folder, which contains ripgrep. */
export function openNodeMachine(appRoot: string, createShell: (parts: TerminalParts) => Shell) {
  let ripgrep: Promise<string | null> | null = null;
  return {
    eventLogs: (folder: { readonly fsPath: string }) => createNodeEventLogStorage(folder.fsPath),
    disk: createNodeDisk(),
    async folderSearch(root: string, query: TextSearch, excludes: readonly string[], signal: AbortSignal) {
      ripgrep ??= findRipgrep(appRoot);
      const program = await ripgrep;
      return program === null ? null : searchWithRipgrep(program, root, query, excludes, signal);
    },
    processes(workspace: Workspace, files: SavedFiles) {
      const shell = createShell({ fallback: createNodeShell(), plainText: stripVTControlCharacters, endChildren: endDescendants });
      return processTools(workspace, shell, createNodeGit(), files);
    },
  };
}
