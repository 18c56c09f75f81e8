import { countTextLines } from "../../base/text/lines.ts";
import { readPath, type Workspace } from "../../ports/workspace.ts";
import type { EditBlock } from "../../turns/editBlock.ts";

const MAX_FILES = 20;

/** How many lines the files of these edits have now, as reads show them; null for no file. */
export async function linesNow(
  edits: readonly EditBlock[],
  workspace: Workspace,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number | null>> {
  const paths = edits.map(({ path, op, target, status, undone }) =>
    op === "rename" && status === "applied" && !undone ? target : path,
  );
  const lines = new Map<string, number | null>();
  for (const path of [...new Set(paths)].slice(0, MAX_FILES)) {
    const read = await readPath(workspace, path, signal, true);
    if (read.ok) lines.set(path, countTextLines(read.value.text));
    else if (read.error.code === "not-found") lines.set(path, null);
  }
  return lines;
}
