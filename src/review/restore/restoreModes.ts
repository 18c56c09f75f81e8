import type { Result } from "../../base/result.ts";
import type { FileError, FileRef } from "../../ports/workspace.ts";
import { restoredEdits, type TurnTree } from "../../turns/turn.ts";
import type { BlockName } from "../../turns/turnEvent.ts";

/** Makes a file executable, or no longer executable. */
export type SetExecutable = (
  path: string,
  executable: boolean,
) => Promise<Result<FileRef, FileError>>;

/** Gives files these modes, by path; returns the paths of those that kept theirs. */
export async function restoreModes(
  modes: ReadonlyMap<string, boolean>,
  setExecutable: SetExecutable,
): Promise<readonly string[]> {
  const kept: string[] = [];
  for (const [path, executable] of modes)
    if (!(await setExecutable(path, executable)).ok) kept.push(path);
  return kept;
}

/**
 * The accepted edits from agent turn `turnId` on that were restored with the files at `paths`, where
 * those at `kept` still have their mode; none to name where all of them were.
 */
export function restoredBlocks(
  tree: Pick<TurnTree, "turns">,
  turnId: string,
  paths: readonly string[],
  kept: readonly string[],
): readonly BlockName[] {
  if (kept.length === 0) return [];
  const files = paths.map((path) => ({ path, deleted: false }));
  return restoredEdits(tree, { turnId, files })
    .filter(({ edit }) => !(edit.op.startsWith("make-") && kept.includes(edit.path)))
    .map(({ turn, edit }) => ({ turnId: turn.id, blockId: edit.blockId }));
}
