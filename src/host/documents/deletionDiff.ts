import * as vscode from "vscode";
import type { FileRef } from "../../ports/workspace.ts";
import type { ProposalFiles } from "./proposalFiles.ts";
import { proposalAddress } from "./proposalLanguage.ts";

/** Names the empty side of these diffs. */
const NOTHING = "deleted";

/** The diffs of files that are proposed to be deleted: the file, and nothing beside it. */
export function deletionDiff(scheme: string, files: ProposalFiles) {
  return {
    /** Opens one. */
    async show({ uri }: FileRef, title: string): Promise<void> {
      const file = vscode.Uri.parse(uri, true);
      const nothing = proposalAddress(scheme, NOTHING, file);
      files.put(nothing, "", false, () => undefined);
      await vscode.commands.executeCommand("vscode.diff", file, nothing, title);
    },
    /** Closes those that show something else than a pending deletion. */
    async closeDecided(isPending: (uri: string) => boolean): Promise<void> {
      const decided = vscode.window.tabGroups.all
        .flatMap(({ tabs }) => tabs)
        .filter(
          ({ input }) =>
            input instanceof vscode.TabInputTextDiff &&
            input.modified.scheme === scheme &&
            input.modified.authority === NOTHING &&
            !isPending(input.original.toString()),
        );
      if (decided.length > 0) await vscode.window.tabGroups.close(decided);
    },
  };
}
