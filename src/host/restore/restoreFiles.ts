import * as vscode from "vscode";
import type { Chat } from "../../agent/chat/chat.ts";
import { changesSince } from "../../edits/history/changeJournal.ts";
import type { Workspace } from "../../ports/workspace.ts";
import { agentsText, fileCount } from "../../turns/messages.ts";
import { t } from "../localize.ts";
import type { WorkspaceEditApplier } from "../workspace/workspaceEditApplier.ts";
import { restoreProblemMessage } from "./messages.ts";
import { type ChosenFile, chosenFile, type pickFiles } from "./pickFiles.ts";
import { requestOf } from "./pickTurn.ts";
import { type RestoreProblem, type RestoreTarget, restorePlan } from "./restorePlan.ts";

/** What restoring needs. */
export interface RestoreDeps {
  readonly workspace: Pick<Workspace, "trusted" | "resolve" | "read" | "writable">;
  /** The paths of files with pending proposals. */
  pendingPaths(): readonly string[];
  /** The chat whose files these are. */
  readonly chat: Pick<Chat, "busy" | "tree" | "filesRestored">;
  /** The guest whose files they are, see `guestName`; absent for a chat's. */
  readonly agent?: string;
  readonly applier: WorkspaceEditApplier;
  /** Lets the user choose among the files. */
  readonly pick: typeof pickFiles;
}

/**
 * Shows what restoring the target would do, and does it for the files that the user picks, as one
 * edit. The journal, the chat and the model learn of it. Settles with the problem that the user was
 * told of.
 */
export async function restoreFiles(
  target: RestoreTarget,
  deps: RestoreDeps,
): Promise<RestoreProblem | undefined> {
  const problem = await restore(target, deps);
  if (problem) void vscode.window.showWarningMessage(restoreProblemMessage(t, problem));
  return problem;
}

async function restore(
  target: RestoreTarget,
  deps: RestoreDeps,
): Promise<RestoreProblem | undefined> {
  const refused = refusal(deps);
  if (refused) return refused;
  const files = await restorePlan(target, deps.workspace, deps.pendingPaths());
  if (files.length === 0) return { code: "no-record" };
  const changed = files.filter(({ restoration }) => restoration.kind !== "nothing");
  if (changed.length === 0) return { code: "nothing-left" };
  const blocked = changed.flatMap(({ path, restoration }) =>
    restoration.kind === "blocked" ? [{ path, reason: restoration.reason }] : [],
  );
  if (blocked.length === changed.length) return { code: "blocked", files: blocked };
  const chosen = (await isOwn(target))
    ? changed.flatMap(chosenFile)
    : await deps.pick(changed, pickTitle(target, deps));
  return chosen && chosen.length > 0 ? apply(target, chosen, deps) : undefined;
}

/** True for one file that only this turn changed: undoing that can be redone, and takes no more. */
async function isOwn({ journal, turnId, path }: RestoreTarget): Promise<boolean> {
  if (path === null) return false;
  const changes = [...changesSince(await journal.all(), turnId, path)].flatMap(([, each]) => each);
  return changes.every((change) => change.turnId === null || change.turnId === turnId);
}

function pickTitle({ turnId }: RestoreTarget, { agent, chat }: RestoreDeps): string {
  if (agent !== undefined) return t("Undo changes of {agent}", { agent: agentsText(t, [agent]) });
  const request = requestOf(chat.tree, turnId, 50);
  return request === ""
    ? t("Undo this turn's changes")
    : t("Undo changes since “{request}”", { request });
}

async function apply(
  { journal, turnId }: RestoreTarget,
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
      restores: turnId,
    };
    void journal.record(change);
  }
  deps.chat.filesRestored(
    turnId,
    chosen.map(({ file, text }) => ({ path: file.path, deleted: text === null })),
  );
  vscode.window.setStatusBarMessage(
    t("Graft undid changes in {files}.", { files: fileCount(t, chosen.length) }),
    5_000,
  );
  return undefined;
}

/** Why nothing can be restored now. */
export function refusal({
  chat,
  workspace,
}: Pick<RestoreDeps, "chat" | "workspace">): RestoreProblem | null {
  if (!workspace.trusted) return { code: "untrusted" };
  return chat.busy ? { code: "busy" } : null;
}
