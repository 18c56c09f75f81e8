import type { FileChange } from "./changeJournal.ts";

/** The changes from an agent turn's first one on, later turns included, by file; of one file when `path` names it. Empty for a turn that changed nothing. */
export function changesSince(
  changes: readonly FileChange[],
  turnId: string,
  path: string | null,
): ReadonlyMap<string, readonly FileChange[]> {
  const byPath = new Map<string, FileChange[]>();
  const first = changes.findIndex((change) => change.turnId === turnId);
  for (const change of first < 0 ? [] : changes.slice(first)) {
    if (path !== null && change.path !== path) continue;
    const known = byPath.get(change.path);
    if (known) known.push(change);
    else byPath.set(change.path, [change]);
  }
  return byPath;
}
