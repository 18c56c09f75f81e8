import { readPath, type Workspace } from "../../ports/workspace.ts";
import type { CandidateFile } from "../../turns/candidates/candidateEvents.ts";
import type { PendingReviewer } from "../review/pendingReviewer.ts";

/**
 * What a reviewer in memory has of a candidate: the texts that it proposes and the files that it
 * deletes, in the order of their paths. `left` are files that it moves, or makes a program or none.
 */
export async function candidateFiles(
  reviewer: PendingReviewer,
  workspace: Pick<Workspace, "resolve" | "read">,
  signal: AbortSignal,
): Promise<{ readonly files: CandidateFile[]; readonly left: string[] }> {
  const files = new Map<string, CandidateFile>();
  const left = new Set<string>();
  for (const { file, text } of reviewer.allPending()) {
    const original = reviewer.original(file);
    files.set(file.path, { path: file.path, base: original?.exists ? original.text : null, text });
  }
  for (const { file, to } of reviewer.operations.pending) {
    const { path } = file;
    if (to !== null) {
      left.add(path);
      continue;
    }
    const known = files.get(path);
    const read = known ? null : await readPath(workspace, path, signal);
    // A file that cannot be read as text cannot be told apart either.
    if (read && !read.ok) left.add(path);
    else files.set(path, { path, base: known?.base ?? read?.value.text ?? null, text: null });
  }
  const sorted = [...files.values()].filter(({ path }) => !left.has(path));
  return { files: sorted.sort((a, b) => (a.path < b.path ? -1 : 1)), left: [...left].sort() };
}
