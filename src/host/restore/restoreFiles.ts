import * as vscode from "vscode";
import type { Chat } from "../../agent/chat/chat.ts";
import { fileCount } from "../../turns/messages.ts";
import { t } from "../localize.ts";
import type { WorkspaceEditApplier } from "../workspace/workspaceEditApplier.ts";
import { restoreProblemMessage } from "./messages.ts";
import type { ChosenFile, pickFiles } from "./pickFiles.ts";
import { requestOf } from "./pickTurn.ts";
import {
  type BlockReason,
  type PlannedFile,
  type PlanSources,
  type RestoreTarget,
  restorePlan,
} from "./restorePlan.ts";

/** What restoring needs. */
export interface RestoreDeps extends PlanSources {
  /** The chat that is shown. */
  chat(): Pick<Chat, "busy" | "tree" | "filesRestored">;
  readonly applier: WorkspaceEditApplier;
  /** A file was restored to `text`, null for none. */
  restored(file: PlannedFile, text: string | null): void;
  /** Lets the user choose among the files. */
  readonly pick: typeof pickFiles;
}

/** Why nothing was restored. */
export type RestoreProblem =
  | { readonly code: "untrusted" | "busy" | "no-record" | "nothing-left" | "changed-meanwhile" }
  | {
      readonly code: "blocked";
      readonly files: readonly { readonly path: string; readonly reason: BlockReason }[];
    };

/**
 * Shows what restoring the targets would do, and does it for the files that the user picks, as one
 * edit. The journal, the chat and the model learn of it. Settles with the problem that the user was
 * told of.
 */
export async function restoreFiles(
  targets: readonly RestoreTarget[],
  deps: RestoreDeps,
): Promise<RestoreProblem | undefined> {
  const problem = await restore(targets, deps);
  if (problem) void vscode.window.showWarningMessage(restoreProblemMessage(t, problem));
  return problem;
}

async function restore(
  targets: readonly RestoreTarget[],
  deps: RestoreDeps,
): Promise<RestoreProblem | undefined> {
  const refused = refusal(deps);
  if (refused) return refused;
  const files = await restorePlan(targets, deps);
  if (files.length === 0) return { code: "no-record" };
  const changed = files.filter(({ restoration }) => restoration.kind !== "nothing");
  if (changed.length === 0) return { code: "nothing-left" };
  const blocked = changed.flatMap(({ path, restoration }) =>
    restoration.kind === "blocked" ? [{ path, reason: restoration.reason }] : [],
  );
  if (blocked.length === changed.length) return { code: "blocked", files: blocked };
  const request = requestOf(deps.chat().tree, targets[0]?.turnId ?? "", 50);
  const title =
    request === ""
      ? t("Undo this turn's changes")
      : t("Undo changes since “{request}”", { request });
  const chosen = await deps.pick(changed, title);
  return chosen && chosen.length > 0 ? apply(chosen, deps) : undefined;
}

async function apply(
  chosen: readonly ChosenFile[],
  deps: RestoreDeps,
): Promise<RestoreProblem | undefined> {
  const refused = refusal(deps);
  if (refused) return refused;
  const rewrites = chosen.map(({ file, text }) => ({
    uri: vscode.Uri.parse(file.uri, true),
    before: file.current,
    after: text,
  }));
  if (!(await deps.applier.rewrite(rewrites))) return { code: "changed-meanwhile" };
  for (const { file, text } of chosen) {
    const change = {
      at: Date.now(),
      turnId: null,
      callId: null,
      path: file.path,
      uri: file.uri,
      before: file.current,
      after: text,
    };
    void file.target.journal.record(change);
    deps.restored(file, text);
  }
  const chat = deps.chat();
  for (const turnId of new Set(chosen.map(({ file }) => file.target.turnId))) {
    if (!chat.tree.turns.has(turnId)) continue;
    const restored = chosen.filter(({ file }) => file.target.turnId === turnId);
    chat.filesRestored(
      turnId,
      restored.map(({ file, text }) => ({ path: file.path, deleted: text === null })),
    );
  }
  vscode.window.setStatusBarMessage(
    t("Graft undid changes in {files}.", { files: fileCount(t, chosen.length) }),
    5_000,
  );
  return undefined;
}

function refusal({ chat, workspace }: RestoreDeps): RestoreProblem | null {
  if (!workspace.trusted) return { code: "untrusted" };
  return chat().busy ? { code: "busy" } : null;
}
