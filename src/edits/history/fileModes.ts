import type { EditBlock } from "../../turns/editBlock.ts";
import type { TurnTree } from "../../turns/turn.ts";
import type { FileChange } from "./changeJournal.ts";

const MODES: ReadonlySet<EditBlock["op"]> = new Set(["make-executable", "make-plain"]);

/**
 * Whether files were executable `before` the accepted edits of agent turn `turnId` and of later
 * ones, or are `after` what was undone of them; by path, of all files or of that at `path`. Nothing
 * for a file whose mode they did not change.
 */
export function fileModes(
  tree: Pick<TurnTree, "turns">,
  turnId: string,
  path: string | null,
  side: "before" | "after",
): ReadonlyMap<string, boolean> {
  const ids = [...tree.turns.keys()];
  const at = ids.indexOf(turnId);
  const edits = (at < 0 ? [] : ids.slice(at)).flatMap((id) => {
    const turn = tree.turns.get(id);
    return turn?.role === "agent" ? [...turn.edits.values()] : [];
  });
  const modes = new Map<string, boolean>();
  for (const { path: of, op, status, undone = false } of edits) {
    const isMeant = MODES.has(op) && status === "applied" && (path === null || of === path);
    if (!isMeant || undone !== (side === "after")) continue;
    if (side === "after") modes.set(of, op === "make-executable");
    else if (!modes.has(of)) modes.set(of, op === "make-plain");
  }
  return modes;
}

/** The mode of each file at `paths` that a turn deleted or moved away last, where it was a program. */
export function deletedPrograms(
  changes: readonly Pick<FileChange, "path" | "turnId" | "after" | "executable">[],
  paths: readonly string[],
): ReadonlyMap<string, boolean> {
  const lost = (path: string) =>
    changes.findLast((each) => each.path === path && each.turnId !== null && each.after === null);
  return new Map(paths.filter((path) => lost(path)?.executable).map((path) => [path, true]));
}
