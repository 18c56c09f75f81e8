import * as vscode from "vscode";
import type { Chat } from "../../agent/chat/chat.ts";
import { WorkspaceEditApplier } from "../workspace/workspaceEditApplier.ts";
import type { AppliedReview } from "./appliedReview.ts";
import { pickFiles } from "./pickFiles.ts";
import { pickTurn } from "./pickTurn.ts";
import { type RestoreDeps, type RestoreProblem, restoreFiles } from "./restoreFiles.ts";
import type { PlanSources } from "./restorePlan.ts";
import { RestoreUndos } from "./restoreUndos.ts";

/** Restores files, and records what the editor's undo and redo do to files that turns changed. */
export type FileRestore = ReturnType<typeof createFileRestore>;

interface Sources extends PlanSources {
  /** The shown chat. */
  chat(): Chat;
  readonly applied: AppliedReview;
}

/** Starts watching undo and redo at once. */
export function createFileRestore({ chat, workspace, applied, pendingPaths }: Sources) {
  const undos = new RestoreUndos(({ turnId, path, after }, undone) => {
    if (chat().tree.turns.has(turnId))
      chat().filesRestored(turnId, [{ path, deleted: after === null }], undone);
  });
  const watching = vscode.workspace.onDidChangeTextDocument(({ document, reason }) => {
    if (reason === undefined) return;
    const [uri, text] = [document.uri.toString(), document.getText()];
    void chat().journal.undone(uri, text, Date.now());
    undos.textChanged(uri, text);
  });
  const deps: RestoreDeps = {
    chat,
    workspace,
    applier: new WorkspaceEditApplier(workspace),
    pendingPaths,
    restored({ uri, turnIds, path, target, current }, text) {
      applied.restored(uri, turnIds);
      undos.add({ turnId: target.turnId, path, uri, before: current, after: text });
    },
    pick: pickFiles,
  };
  return {
    /**
     * Restores files to before an agent turn; asks which turn when it is null. Settles with the
     * problem that the user was told of.
     */
    async restoreFiles(
      turnId: string | null,
      path: string | null,
    ): Promise<RestoreProblem | undefined> {
      const { journal, tree } = chat();
      const chosen = turnId ?? (await pickTurn(tree, await journal.all()));
      return chosen === null ? undefined : restoreFiles([{ journal, turnId: chosen, path }], deps);
    },
    /**
     * Restores applied files, each to before the turn that changed it; all of them without an
     * argument.
     */
    restoreApplied(uris?: readonly vscode.Uri[]): Promise<RestoreProblem | undefined> {
      const keys = uris?.map((uri) => uri.toString());
      return restoreFiles(
        applied.all.filter(({ uri }) => keys?.includes(uri.toString()) ?? true),
        deps,
      );
    },
    dispose: () => watching.dispose(),
  };
}
