import type { Chat } from "../../agent/chat/chat.ts";
import type { FileChange } from "../../edits/history/changeJournal.ts";
import { fileModes } from "../../edits/history/fileModes.ts";
import { allowSecret, type Workspace } from "../../ports/workspace.ts";
import type { TurnTree } from "../../turns/turn.ts";
import { type IsUnsaved, restoredFile } from "./restoreFiles.ts";
import { restoredBlocks } from "./restoreModes.ts";

/** A chat, as far as its files are concerned. */
export type UndoneChat = Pick<Chat, "journal" | "tree" | "filesRestored" | "fileSaved">;

/**
 * A file has this text by undo or redo, or as its disk has it: the journal and the chat learn what
 * that took back, be it a restore or an accepted change.
 */
export async function recordUndo(
  chat: UndoneChat,
  uri: string,
  text: string | null,
  isUnsaved: IsUnsaved,
): Promise<void> {
  const found = await chat.journal.undone(uri, text, Date.now());
  if (!found) return;
  for (const { path, after, restores } of found.changes)
    if (restores !== undefined && chat.tree.turns.has(restores)) {
      // The editor's undo changes no mode.
      const modes = fileModes(chat.tree, restores, path, found.undone ? "after" : "before");
      const blocks = restoredBlocks(chat.tree, restores, [path], [...modes.keys()]);
      const file = await restoredFile(path, uri, text, isUnsaved);
      chat.filesRestored(restores, [{ ...file, deleted: after === null }], found.undone, blocks);
    }
  const { blocks = [], undone = false } = found;
  const path = found.changes.at(-1)?.path;
  const [first] = blocks.filter(({ turnId }) => chat.tree.turns.has(turnId));
  if (!first || path === undefined) return;
  const file = await restoredFile(path, uri, text, isUnsaved);
  chat.filesRestored(first.turnId, [{ ...file, deleted: false }], !undone, blocks);
}

/**
 * Records what happened to the files of a chat while it was closed, where their texts prove it. An
 * accepted change that may not have been saved is the review's to tell.
 */
export async function recordMissedUndo(
  chat: UndoneChat,
  workspace: Pick<Workspace, "resolve" | "read">,
  isUnsaved: IsUnsaved,
  signal: AbortSignal,
): Promise<void> {
  const latest = new Map<string, FileChange>();
  for (const change of await chat.journal.all()) latest.set(change.uri, change);
  for (const { uri, path } of latest.values()) {
    const file = await workspace.resolve(path);
    if (!file.ok || file.value.uri !== uri) continue;
    const read = await workspace.read(allowSecret(file.value), signal);
    if (signal.aborted) return;
    const isKnown = read.ok || read.error.code === "not-found";
    if (!isKnown || mayBeUnsaved(chat.tree, path)) continue;
    await recordUndo(chat, uri, read.ok ? read.value.text : null, isUnsaved);
    if (!(await isUnsaved(uri))) chat.fileSaved(path);
  }
}

function mayBeUnsaved({ turns }: TurnTree, path: string): boolean {
  return [...turns.values()].some(
    (turn) =>
      turn.role === "agent" &&
      [...turn.edits.values()].some((edit) => edit.path === path && edit.isUnsaved === true),
  );
}
