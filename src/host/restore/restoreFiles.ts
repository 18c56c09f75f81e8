import * as vscode from "vscode";
import type { Chat } from "../../agent/chat/chat.ts";
import { changesSince } from "../../edits/history/changeJournal.ts";
import { deletedPrograms, fileModes } from "../../edits/history/fileModes.ts";
import type { Workspace } from "../../ports/workspace.ts";
import {
  restoredBlocks,
  restoreModes,
  type SetExecutable,
} from "../../review/restore/restoreModes.ts";
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
  readonly setExecutable: SetExecutable;
  /** Lets the user choose among the files. */
  readonly pick: typeof pickFiles;
}

/**
 * Shows what restoring the target would do, and does it for the files that the user picks, as one
 * edit, with the modes that they had. The journal, the chat and the model learn of it. Settles with the problem that the user was
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
  const all = fileModes(deps.chat.tree, target.turnId, target.path, "before");
  /** The modes of these files, and of those whose text is as it was. */
  const modesOf = (paths: readonly string[]) => {
    const isLeft = (path: string) => {
      const file = files.find((each) => each.path === path);
      return !file || (file.restoration.kind === "nothing" && file.current !== null);
    };
    return new Map([...all].filter(([path]) => paths.includes(path) || isLeft(path)));
  };
  const changed = files.filter(({ restoration }) => restoration.kind !== "nothing");
  if (changed.length === 0 && modesOf([]).size > 0) return apply(target, [], modesOf([]), deps);
  if (files.length === 0) return { code: "no-record" };
  if (changed.length === 0) return { code: "nothing-left" };
  const blocked = changed.flatMap(({ path, restoration }) =>
    restoration.kind === "blocked" ? [{ path, reason: restoration.reason }] : [],
  );
  if (blocked.length === changed.length) return { code: "blocked", files: blocked };
  const chosen = (await isOwn(target))
    ? changed.flatMap(chosenFile)
    : await deps.pick(changed, pickTitle(target, deps));
  if (!chosen || chosen.length === 0) return undefined;
  const there = chosen.flatMap(({ file, text }) => (text === null ? [] : [file.path]));
  const made = chosen.flatMap(({ file, text }) =>
    text !== null && file.current === null ? [file.path] : [],
  );
  const programs = deletedPrograms(await target.journal.all(), made);
  return apply(target, chosen, new Map([...programs, ...modesOf(there)]), deps);
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
  modes: ReadonlyMap<string, boolean>,
  deps: RestoreDeps,
): Promise<RestoreProblem | undefined> {
  const refused = refusal(deps);
  if (refused) return refused;
  const rewrites = chosen.map(({ file, text }) => ({
    uri: vscode.Uri.parse(file.uri, true),
    before: file.current,
    after: text,
  }));
  const isMade = await journal.make(async () => {
    if (rewrites.length > 0 && !(await deps.applier.rewrite(rewrites))) return null;
    return chosen.map(({ file: { path, uri, current }, text }) => ({
      ...{ at: Date.now(), turnId: null, callId: null, path, uri },
      ...{ before: current, after: text, restores: turnId },
    }));
  });
  if (!isMade) return { code: "changed-meanwhile" };
  const kept = await restoreModes(modes, deps.setExecutable);
  const texts = chosen.map(({ file, text }) => ({ path: file.path, deleted: text === null }));
  const others = [...modes.keys()]
    .filter((path) => !kept.includes(path) && !texts.some((each) => each.path === path))
    .map((path) => ({ path, deleted: false }));
  const files = [...texts, ...others];
  const paths = files.map(({ path }) => path);
  const blocks = restoredBlocks(deps.chat.tree, turnId, paths, kept);
  if (files.length > 0) {
    deps.chat.filesRestored(turnId, files, false, blocks);
    vscode.window.setStatusBarMessage(
      t("Graft undid changes in {files}.", { files: fileCount(t, files.length) }),
      5_000,
    );
  }
  return kept.length > 0 ? { code: "modes-kept", paths: kept } : undefined;
}

/** Why nothing can be restored now. */
export function refusal({
  chat,
  workspace,
}: Pick<RestoreDeps, "chat" | "workspace">): RestoreProblem | null {
  if (!workspace.trusted) return { code: "untrusted" };
  return chat.busy ? { code: "busy" } : null;
}
