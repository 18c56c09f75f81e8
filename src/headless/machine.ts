import { stripVTControlCharacters } from "node:util";
import { machineTools } from "../tools/machineTools.ts";
import { endChildren } from "./endChildren.ts";
import { findRipgrep } from "./findRipgrep.ts";
import { createLineMatcher } from "./lineMatcher.ts";
import { createNodeDisk } from "./nodeDisk.ts";
import { createNodeEventLogStorage } from "./nodeEventLog.ts";
import { createNodeGit } from "./nodeGit.ts";
import { createNodeShell } from "./nodeShell.ts";
import { searchWithRipgrep } from "./ripgrepSearch.ts";

/** What the extension finds on a machine of the user's; `appRoot` is the editor's own folder, which may hold a ripgrep. */
export function openMachine(appRoot: string) {
  let ripgrep: Promise<string | null> | null = null;
  return {
    eventLogs: (folder: { readonly fsPath: string }) => createNodeEventLogStorage(folder.fsPath),
    disk: createNodeDisk(),
    compileMatcher: createLineMatcher,
    async tokenizer() {
      return (await import("./tokenizer.ts")).countTokens;
    },
    async folderSearch(...[root, query, excludes, signal]: SearchArguments) {
      ripgrep ??= findRipgrep(appRoot);
      const program = await ripgrep;
      return program === null ? null : searchWithRipgrep(program, root, query, excludes, signal);
    },
    processes: { shell: createNodeShell(), git: createNodeGit(), tools: machineTools, plainText: stripVTControlCharacters, endChildren },
  };
}

type SearchArguments = Parameters<typeof searchWithRipgrep> extends [string, ...infer Rest] ? Rest : never;
