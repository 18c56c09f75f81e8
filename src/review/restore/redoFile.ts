import { fileModes } from "../../edits/history/fileModes.ts";
import { type RestoreDeps, refusal, restoredFile, tellRewritten } from "./restoreFiles.ts";
import { restoredBlocks, restoreModes } from "./restoreModes.ts";
import type { RestoreProblem, RestoreTarget } from "./restorePlan.ts";

/**
 * Makes again what undoing an agent turn's changes took from a file, if nothing changed it since.
 * Settles with the problem, if there is one.
 */
export async function redoFile(
  { journal, turnId, path }: RestoreTarget & { readonly path: string },
  deps: Omit<RestoreDeps, "pick">,
): Promise<RestoreProblem | undefined> {
  const { workspace, editor, chat, setExecutable } = deps;
  const refused = refusal({ workspace, chat });
  if (refused) return refused;
  const undone = (await journal.all()).findLast((change) => change.path === path);
  // The editor's undo took back blocks, a restore the whole turn.
  const blocks = undone?.turnId === null ? (undone.blocks ?? []) : [];
  const isOfTurn = undone?.restores === turnId || blocks.some((each) => each.turnId === turnId);
  const modes = fileModes(chat.tree, turnId, path, "after");
  const redoModes = async () => {
    const kept = await restoreModes(modes, setExecutable);
    const left = kept.length > 0 ? restoredBlocks(chat.tree, turnId, [path], kept) : blocks;
    return { kept, left };
  };
  if (!undone || !isOfTurn) {
    if (modes.size === 0) return { code: "nothing-left" };
    const { kept } = await redoModes();
    if (kept.length > 0) return { code: "modes-kept", paths: kept };
    chat.filesRestored(turnId, [{ path, deleted: false }], true);
    return undefined;
  }
  const { uri, before, after } = undone;
  // The journal is a file like any other, so its paths are checked again.
  const file = await workspace.resolve(undone.path);
  const error = file.ok ? await workspace.writable(file.value) : file.error;
  if (error || !file.ok || file.value.uri !== uri) return { code: "no-record" };
  const rewrite = { uri, before: after, after: before };
  const change = { at: Date.now(), turnId: null, callId: null, path: undone.path, uri };
  const redone = { ...change, before: after, after: before, ...(blocks.length > 0 && { blocks }) };
  const isMade = await journal.make(async () =>
    (await editor.rewrite([rewrite])) ? [redone] : null,
  );
  if (!isMade) return { code: "changed-meanwhile" };
  await tellRewritten([{ path: undone.path, current: after, after: before }], deps);
  const { kept, left } = await redoModes();
  const again = await restoredFile(undone.path, uri, before, deps.isUnsaved);
  chat.filesRestored(turnId, [again], true, left);
  return kept.length > 0 ? { code: "modes-kept", paths: kept } : undefined;
}
