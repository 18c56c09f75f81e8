import { err } from "./base/result.ts";
import { gitPlaces } from "./host/context/gitRepositories.ts";
import type { MachineSurroundings } from "./host/platform.ts";
import { diskFolders } from "./host/terminal/diskFolders.ts";
import { createTerminalShell } from "./host/terminal/terminalShell.ts";
import { findAgents } from "./node/agents/findAgents.ts";
import { nodeDisk } from "./node/files/nodeDisk.ts";
import { type FileQuery, listWithRipgrep } from "./node/files/ripgrepFiles.ts";
import { findRipgrep, searchWithRipgrep } from "./node/files/ripgrepSearch.ts";
import { endGroup } from "./node/processes/endProcesses.ts";
import { createNodeGit } from "./node/processes/nodeGit.ts";
import { createNodeShell } from "./node/processes/nodeShell.ts";
import { programOnPath } from "./node/processes/programOnPath.ts";
import { createNodeShadows } from "./node/shadow/nodeShadows.ts";
import { createNodeEventLogStorage, createNodeSmallFiles } from "./node/storage/nodeEventLog.ts";
import { processIdentity } from "./node/storage/processIdentity.ts";
import type { TextSearch } from "./ports/workspace.ts";
import { processTools } from "./tools/processTools.ts";
import type { Web } from "./tools/web/web.ts";

/**
 * What the extension uses of the user's machine, in a bundle of its own. `appRoot` is VS Code's own
 * folder, which contains ripgrep. Commands are shown in VS Code's terminals.
 */
export function openMachine(appRoot: string) {
  let found: Promise<string | null> | null = null;
  const ripgrep = () => (found ??= findRipgrep(appRoot, diskFolders()));
  return {
    eventLogs: (folder: { readonly fsPath: string }) => createNodeEventLogStorage(folder.fsPath),
    smallFiles: (folder: { readonly fsPath: string }) => createNodeSmallFiles(folder.fsPath),
    identity: processIdentity(),
    disk: nodeDisk,
    machineFacts: async (folders: readonly string[]) => ({
      system: `${process.platform} ${process.arch}`,
      git: await programOnPath("git", folders),
    }),
    async folderSearch(
      root: string,
      query: TextSearch,
      excludes: readonly string[],
      signal: AbortSignal,
    ) {
      const program = await ripgrep();
      return program === null ? null : searchWithRipgrep(program, root, query, excludes, signal);
    },
    async folderFiles(root: string, query: FileQuery, signal: AbortSignal) {
      const program = await ripgrep();
      return program === null ? null : listWithRipgrep(program, root, query, signal);
    },
    endGroup: process.platform === "win32" ? null : endGroup,
    findAgents,
    git: createNodeGit(gitPlaces),
    /** What reads pages loads with the first one. */
    web: (allowed: () => readonly string[]): Web => ({
      read: async (url, signal) =>
        (await import("./node/web/readPage.ts")).readPage(url, { allowed }, signal),
    }),
    processes({ isTrusted, wanted, folders, copyLimit, ...surroundings }: MachineSurroundings) {
      const shell = createNodeShell(wanted);
      return processTools({
        ...surroundings,
        shell: createTerminalShell(shell),
        checkShell: shell,
        git: createNodeGit(gitPlaces, wanted),
        // The protocol's package loads once an agent is asked.
        startAgent: async (...given) => {
          if (!isTrusted()) return err({ code: "not-trusted", detail: "" });
          return (await import("./node/agents/acpAgent.ts")).startAcpAgent(...given);
        },
        shadows: createNodeShadows(folders, copyLimit),
      });
    },
  };
}
