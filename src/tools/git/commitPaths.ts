import { withDeadline } from "../../base/deadline.ts";
import type { Result } from "../../base/result.ts";
import type { GitOutput } from "../../ports/git.ts";
import type { ToolError } from "../tool.ts";
import { type GitDeps, type GitRun, runGit } from "./runGit.ts";

/** How long it may take to bring the index up to date after the commit, in milliseconds. */
const SETTLE_MS = 10_000;

/** Commits with the message that git reads. */
export const COMMIT = ["commit", "--file=-", "--cleanup=whitespace"];

/** Commits `paths` as they are on disk, new and deleted ones too, and nothing else. A refused commit leaves the index as it was. */
export async function commitPaths(
  deps: GitDeps,
  commit: Omit<GitRun, "args"> & { readonly message: string },
): Promise<Result<GitOutput, ToolError>> {
  const { message, ...run } = commit;
  const untracked = await runGit(deps, { ...run, args: ["ls-files", "-z", "--others", "--exclude-standard"] });
  if (!untracked.ok) return untracked;
  const added: GitRun = { ...run, paths: [], input: untracked.value.stdout, args: [] };
  const fromInput = ["--pathspec-from-file=-", "--pathspec-file-nul"];
  // `git commit` takes only paths that the index knows.
  if (added.input !== "") {
    const known = await runGit(deps, { ...added, args: ["add", "--intent-to-add", ...fromInput] });
    if (!known.ok) return known;
  }
  const committed = await runGit(deps, { ...run, args: [...COMMIT, "--only"], input: message });
  // A stopped turn must not leave the new files in the index either.
  await withDeadline(new AbortController().signal, SETTLE_MS, async (signal) => {
    if (committed.ok) await runGit(deps, { ...run, args: ["reset", "--quiet"], signal });
    else if (added.input !== "") await runGit(deps, { ...added, args: ["reset", "--quiet", ...fromInput], signal });
  });
  return committed;
}
