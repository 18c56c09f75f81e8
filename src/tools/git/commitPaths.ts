import { Deadline } from "../../base/deadline.ts";
import { pause } from "../../base/pause.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { ToolResult } from "../tool.ts";
import { type GitDeps, type GitRun, runGit } from "./runGit.ts";

/** How long it may take to bring the index up to a commit that was made, and the wait while another git has it locked, in milliseconds. */
const SETTLE_MS = 10_000;
const LOCKED_MS = 100;

/** A clean-up that git starts by itself would take the copy for the index, and what is only staged for garbage. */
const NO_CLEAN_UP = ["-c", "gc.auto=0", "-c", "maintenance.auto=false"];

const UNSETTLED =
  "[The commit is made, but the index could not be brought up to it: it shows these files as they were before. `git reset` with their paths mends that.]";

/** What to commit. */
export interface PathsCommit {
  readonly folder: string | undefined;
  readonly paths: readonly string[];
  readonly message: string;
  readonly signal: AbortSignal;
}

/**
 * Commits `paths` as they are on disk, new and deleted files included, and nothing else; answers with what git says. Git works on a copy
 * of the index: the repository's own stays as it is, whatever is refused or broken off, unless the commit is made. Then only `paths`
 * change in it.
 */
export async function commitPaths(deps: GitDeps, commit: PathsCommit): Promise<Result<string, ToolResult>> {
  const { folder, paths, message, signal } = commit;
  const look: GitRun = { folder, args: ["rev-parse", "--absolute-git-dir"], paths: [], input: "", signal };
  const found = await runGit(deps, look);
  if (!found.ok) return found;
  const before = await headOf(deps, look);
  const done = await deps.git.withIndexCopy(`${found.value.stdout.trimEnd()}/index`, async (index) => {
    const added = await runGit(deps, { ...look, args: ["add", "--all"], paths, index });
    if (!added.ok) return added;
    const args = [...NO_CLEAN_UP, "commit", "--file=-", "--cleanup=whitespace", "--only"];
    const committed = await runGit(deps, { ...look, args, paths, input: message, index });
    const settled = await settle(deps, { ...look, args: ["reset", "--quiet"], paths }, before);
    if (!committed.ok) return committed;
    const said = committed.value.stdout.trim();
    return ok(settled ? said : `${said}\n${UNSETTLED}`);
  });
  return done.ok ? done.value : err({ ok: false, error: { category: "execution", message: done.error, recovery: null } });
}

async function headOf(deps: GitDeps, run: GitRun): Promise<string | null> {
  const head = await runGit(deps, { ...run, args: ["rev-parse", "--quiet", "--verify", "HEAD"], paths: [] });
  return head.ok ? head.value.stdout.trim() : null;
}

/** If there is a commit since `before`, which is so too when a hook that runs behind it is broken off, does `reset`, though the turn was stopped. */
async function settle(deps: GitDeps, reset: GitRun, before: string | null): Promise<boolean> {
  const limit = new Deadline(new AbortController().signal);
  limit.restart(SETTLE_MS);
  const run = { ...reset, signal: limit.signal };
  try {
    if ((await headOf(deps, run)) === before) return true;
    for (;;) {
      const done = await runGit(deps, run);
      const locked = !done.ok && !done.error.ok && done.error.error.message.includes("index.lock");
      if (!locked || limit.signal.aborted) return done.ok;
      await pause(LOCKED_MS, limit.signal);
    }
  } finally {
    limit.dispose();
  }
}
