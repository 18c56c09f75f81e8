import * as vscode from "vscode";
import type { Chat } from "../../agent/chat.ts";
import { blockedText } from "../../edits/messages.ts";
import type { Workspace } from "../../ports/workspace.ts";
import { t } from "../localize.ts";
import type { WorkspaceEditApplier } from "../workspaceEditApplier.ts";
import { requestOf } from "./pickTurn.ts";
import { type ChosenFile, cannot, type pickFiles } from "./restorePick.ts";
import { type PlannedFile, type RestoreTarget, restorePlan } from "./restorePlan.ts";

/** What restoring needs. */
export interface RestoreDeps {
  /** The chat that is shown. */
  chat(): Pick<Chat, "busy" | "tree" | "filesRestored">;
  readonly workspace: Pick<Workspace, "trusted" | "resolve" | "read" | "writable">;
  readonly applier: WorkspaceEditApplier;
  pendingPaths(): readonly string[];
  /** A file has been restored to `text`, null for none. */
  restored(file: PlannedFile, text: string | null): void;
  /** Lets the user choose among the files. */
  readonly pick: typeof pickFiles;
}

const BUSY = "Graft is still working on the last request. Wait for it or stop it, then restore.";
const UNTRUSTED =
  "This workspace is not trusted, so nothing may be changed in it. Trust it with the command Workspaces: Manage Workspace Trust.";

/**
 * Shows what restoring the targets would do and does it for the files that the user picks, as one edit. What was restored is on record
 * as a change, in the chat, and told to the model. Settles with the sentence that was shown when nothing was restored.
 */
export async function restoreFiles(targets: readonly RestoreTarget[], deps: RestoreDeps): Promise<string | undefined> {
  const refused = refusal(deps);
  if (refused) return tell(refused);
  const files = await restorePlan(targets, deps, new AbortController().signal);
  const open = files.filter(({ restoration }) => restoration.kind !== "nothing");
  const pickable = open.filter(
    ({ restoration }) => restoration.kind === "possible" || (restoration.kind === "blocked" && restoration.deletable),
  );
  if (files.length === 0) return tell("There is no record of changes to restore from.");
  if (open.length === 0)
    return tell(
      files.length === 1 ? `${files[0]?.path} has none of these changes any more.` : "The files have none of these changes any more.",
    );
  if (pickable.length === 0) return tell(open.map(blockedSentence).join(" "));
  const turnId = targets[0]?.turnId ?? "";
  const request = requestOf(deps.chat().tree, turnId, 50);
  const chosen = await deps.pick(open, request === "" ? "Restore to before this turn" : `Restore to before “${request}”`);
  if (!chosen || chosen.length === 0) return undefined;
  return (await apply(chosen, deps)) ?? undefined;
}

async function apply(chosen: readonly ChosenFile[], deps: RestoreDeps): Promise<string | null> {
  const refused = refusal(deps);
  if (refused) return tell(refused);
  const rewrites = chosen.flatMap(({ file, text }) =>
    file.uri === null ? [] : [{ uri: vscode.Uri.parse(file.uri, true), before: file.current, after: text }],
  );
  const applied = await deps.applier.rewrite(rewrites);
  if (!applied.ok) return tell(applied.error);
  for (const { file, text } of chosen) {
    const change = { at: Date.now(), turnId: null, callId: null, path: file.path, uri: file.uri ?? "", before: file.current, after: text };
    void file.target.journal.record(change);
    deps.restored(file, text);
  }
  const chat = deps.chat();
  for (const turnId of new Set(chosen.map(({ file }) => file.target.turnId))) {
    const restored = chosen.filter(({ file }) => file.target.turnId === turnId);
    if (!chat.tree.turns.has(turnId)) continue;
    chat.filesRestored(
      turnId,
      restored.map(({ file, text }) => ({ path: file.path, deleted: text === null })),
    );
  }
  const count = chosen.length === 1 ? chosen[0]?.file.path : `${chosen.length} files`;
  vscode.window.setStatusBarMessage(`Graft restored ${count}.`, 5_000);
  return null;
}

function refusal({ chat, workspace }: RestoreDeps): string | null {
  if (!workspace.trusted) return UNTRUSTED;
  return chat().busy ? BUSY : null;
}

function blockedSentence({ path, restoration }: PlannedFile): string {
  return restoration.kind === "blocked" ? `${path} ${cannot(blockedText(restoration.reason, t))}.`.replace(/\.\.$/, ".") : "";
}

function tell(sentence: string): string {
  void vscode.window.showWarningMessage(sentence);
  return sentence;
}
