import { stripVTControlCharacters } from "node:util";
import type { Shell } from "../ports/process.ts";
import type { Workspace } from "../ports/workspace.ts";
import { machineTools } from "../tools/machineTools.ts";
import { endChildren } from "./endProcesses.ts";
import { createNodeDisk } from "./nodeDisk.ts";
import { createNodeEventLogStorage } from "./nodeEventLog.ts";
import { createNodeGit } from "./nodeGit.ts";
import { createNodeShell } from "./nodeShell.ts";
import { findRipgrep, searchWithRipgrep } from "./ripgrepSearch.ts";

/** What an editor's terminals need to be a shell. */
export interface ShellParts {
  readonly fallback: Shell;
  /** A text without a terminal's control sequences. */
  plainText(text: string): string;
  /** Ends every process that `pid` has started; `pid` itself goes on. */
  endChildren(pid: number): Promise<void>;
}

/** What the extension finds on a machine of the user's; `appRoot` is the editor's own folder, which may hold a ripgrep. */
export function openNodeMachine(appRoot: string, createShell: (parts: ShellParts) => Shell) {
  let ripgrep: Promise<string | null> | null = null;
  return {
    eventLogs: (folder: { readonly fsPath: string }) => createNodeEventLogStorage(folder.fsPath),
    disk: createNodeDisk(),
    async folderSearch(...[root, query, excludes, signal]: SearchArguments) {
      ripgrep ??= findRipgrep(appRoot);
      const program = await ripgrep;
      return program === null ? null : searchWithRipgrep(program, root, query, excludes, signal);
    },
    processes(workspace: Workspace) {
      const shell = createShell({ fallback: createNodeShell(), plainText: stripVTControlCharacters, endChildren });
      return machineTools(workspace, shell, createNodeGit());
    },
  };
}

type SearchArguments = Parameters<typeof searchWithRipgrep> extends [string, ...infer Rest] ? Rest : never;
