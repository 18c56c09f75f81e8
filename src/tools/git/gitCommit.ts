import * as z from "zod/mini";
import { failed } from "../messages.ts";
import { defineTool, type Tool, type ToolResult } from "../tool.ts";
import { COMMIT, commitPaths } from "./commitPaths.ts";
import { folderSchema, type GitDeps, pathsSchema, runGit } from "./runGit.ts";

/** Hooks may run a project's tests. */
const TIMEOUT_MS = 180_000;

const schema = z.object({
  message: z.string().check(z.minLength(1), z.describe("The commit message; its first line is the subject.")),
  paths: pathsSchema.check(z.describe("Commit these files or folders as they are on disk, and nothing else. Default: what is staged.")),
  folder: folderSchema,
});

/** `git_commit`: commits the named files or what is staged. Runs the repository's hooks. */
export function createGitCommit(deps: GitDeps): Tool {
  return defineTool({
    name: "git_commit",
    description: "Commits files. Only when the user wants a commit. With paths it includes new and deleted files.",
    category: "git",
    effect: "execute",
    timeoutMs: TIMEOUT_MS,
    timeoutRecovery:
      "A hook is slow or hangs. Check with git_log whether the commit was made. run_command can run `git commit` with a longer timeout_seconds.",
    schema,
    summary: ({ message, paths = [] }, t) => {
      const facts = { paths: paths.join(", "), subject: message.split("\n")[0] ?? "" };
      return paths.length > 0 ? t("Commit {paths}: {subject}", facts) : t("Commit what is staged: {subject}", facts);
    },
    async execute({ message, paths = [], folder }, { signal }): Promise<ToolResult> {
      const committed = await (paths.length > 0
        ? commitPaths(deps, { folder, paths, message, signal })
        : runGit(deps, { folder, args: COMMIT, input: message, signal }));
      if (committed.ok) return { ok: true, output: committed.value.stdout.trim() };
      const { code, message: detail } = committed.error;
      if (code !== "git-failed") return committed;
      if (/cannot do a partial commit during/.test(detail)) return failed("partial-commit-in-merge", { detail });
      if (!/nothing (added )?to commit|no changes added/.test(detail)) return committed;
      return paths.length > 0 ? failed("unchanged-paths", {}) : failed("nothing-staged", {});
    },
  });
}
