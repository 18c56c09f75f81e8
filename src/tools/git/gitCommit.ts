import * as z from "zod/mini";
import { withDeadline } from "../../base/deadline.ts";
import type { Result } from "../../base/result.ts";
import type { GitOutput } from "../../ports/commands/git.ts";
import { defineTool } from "../defineTool.ts";
import type { Tool, ToolError, ToolResult } from "../tool.ts";
import {
  folderSchema,
  forOneCall,
  type GitCall,
  type GitDeps,
  pathsSchema,
  programsIn,
  runGit,
  summaryIn,
} from "./runGit.ts";

/** Hooks may run a project's tests. */
const TIMEOUT_MS = 180_000;

/** How long it may take to bring the index up to date after the commit, in milliseconds. */
const SETTLE_MS = 60_000;

/** Commits with the message that git reads. */
const COMMIT = ["commit", "--file=-", "--cleanup=whitespace"];

const schema = z.object({
  message: z
    .string()
    .check(z.minLength(1), z.describe("The commit message; its first line is the subject.")),
  paths: pathsSchema.check(
    z.describe(
      "Commit these files or folders as they are on disk, and nothing else. Default: what is staged.",
    ),
  ),
  folder: folderSchema,
});

/** `git_commit`: commits the named files or what is staged. Runs the repository's hooks. */
export function createGitCommit(deps: GitDeps): Tool {
  return defineTool({
    name: "git_commit",
    description:
      "Commits files. Only when the user wants a commit. With paths it includes new and deleted files.",
    category: "git",
    effect: "execute",
    timeoutMs: TIMEOUT_MS,
    timeoutRecovery:
      "A hook is slow or hangs. Check with git_log whether the commit was made. run_command can run `git commit` with a longer timeout_seconds.",
    schema,
    question: ({ message, paths = [], folder }, t) => {
      const facts = { paths: paths.join(", "), subject: message.split("\n")[0] ?? "" };
      return {
        summary: summaryIn(
          deps,
          folder,
          paths.length > 0
            ? t("Commit {paths}: {subject}", facts)
            : t("Commit staged changes: {subject}", facts),
          t,
        ),
        async details(signal) {
          const once = forOneCall(deps);
          const staged = paths.length > 0 ? paths : await stagedPaths(once, folder, signal);
          return {
            commit: { message, paths: staged },
            programs: await programsIn(once, folder, signal),
          };
        },
      };
    },
    async execute({ message, paths = [], folder }, { signal }): Promise<ToolResult> {
      const committed = await (paths.length > 0
        ? commitPaths(deps, { folder, paths, message, signal })
        : runGit(deps, { folder, args: COMMIT, input: message, changes: true, signal }));
      return committed.ok ? { ok: true, output: committed.value.stdout.trim() } : committed;
    },
  });
}

/** The staged files; empty where they cannot be read. */
async function stagedPaths(
  deps: GitDeps,
  folder: string | undefined,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const args = ["diff", "--cached", "--name-only", "-z", "--no-ext-diff"];
  const staged = await runGit(deps, { folder, args, signal });
  return staged.ok ? staged.value.stdout.split("\0").filter((path) => path !== "") : [];
}

/**
 * Commits `paths` as they are on disk, new and deleted ones too, and nothing else. A refused commit
 * leaves the index as it was.
 */
async function commitPaths(
  deps: GitDeps,
  commit: Omit<GitCall, "args"> & { readonly message: string },
): Promise<Result<GitOutput, ToolError>> {
  const { message, ...run } = commit;
  const untracked = await runGit(deps, {
    ...run,
    args: ["ls-files", "-z", "--others", "--exclude-standard"],
  });
  if (!untracked.ok) return untracked;
  const added: GitCall = {
    ...run,
    paths: [],
    input: untracked.value.stdout,
    args: [],
    changes: true,
  };
  const fromInput = ["--pathspec-from-file=-", "--pathspec-file-nul"];
  // `git commit` takes only paths that the index knows.
  if (added.input !== "") {
    const known = await runGit(deps, { ...added, args: ["add", "--intent-to-add", ...fromInput] });
    if (!known.ok) return known;
  }
  const committed = await runGit(deps, {
    ...run,
    args: [...COMMIT, "--only"],
    input: message,
    changes: true,
  });
  // A stopped turn must not leave the new files in the index either.
  await withDeadline(new AbortController().signal, SETTLE_MS, async (signal) => {
    if (committed.ok)
      await runGit(deps, { ...run, args: ["reset", "--quiet"], changes: true, signal });
    else if (added.input !== "")
      await runGit(deps, { ...added, args: ["reset", "--quiet", ...fromInput], signal });
  });
  return committed;
}
