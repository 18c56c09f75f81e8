import * as z from "zod/mini";
import { ok, type Result } from "../../base/result.ts";
import { defineTool, type Tool, type ToolResult } from "../tool.ts";
import { commitPaths } from "./commitPaths.ts";
import { folderSchema, pathsSchema } from "./gitSchema.ts";
import { type GitDeps, type GitRun, runGit } from "./runGit.ts";

/** Hooks may run a project's tests. */
const TIMEOUT_MS = 180_000;

const WHOLE = "Stage what is resolved with run_command `git add`, then call git_commit without paths.";

const schema = z.object({
  message: z.string().check(z.minLength(1), z.describe("The commit message; its first line is the subject.")),
  paths: pathsSchema.check(z.describe("Commit these files or folders as they are on disk, and nothing else. Left out: what is staged.")),
  folder: folderSchema,
});

/** `git_commit`: stages what is named and commits it. The repository's hooks run. */
export function createGitCommit(deps: GitDeps): Tool {
  return defineTool({
    name: "git_commit",
    description: "Commits files. Only when the user wants a commit. New, changed and deleted files of `paths` are staged first.",
    category: "git",
    effect: "execute",
    timeoutMs: TIMEOUT_MS,
    timeoutRecovery:
      "A hook is slow or hangs. See git_log whether the commit was made; run_command can run `git commit` with a longer timeout_seconds.",
    schema,
    summary: ({ message, paths }) => `Commit ${paths?.length ? paths.join(", ") : "what is staged"}: ${message.split("\n")[0]}`,
    async execute({ message, paths = [], folder }, { signal }) {
      const committed = await (paths.length > 0
        ? commitPaths(deps, { folder, paths, message, signal })
        : commitStaged(deps, { folder, args: ["commit", "--file=-", "--cleanup=whitespace"], paths, input: message, signal }));
      if (committed.ok) return { ok: true, output: committed.value };
      const { error: result } = committed;
      if (result.ok) return result;
      if (/cannot do a partial commit during/.test(result.error.message)) return { ok: false, error: { ...result.error, recovery: WHOLE } };
      if (!/nothing (added )?to commit|no changes added/.test(result.error.message)) return result;
      const why = paths.length > 0 ? "These files have no changes." : "Nothing is staged.";
      const recovery = paths.length > 0 ? "See git_status." : "Name the files in paths.";
      return { ok: false, error: { category: "validation", message: `Nothing was committed. ${why}`, recovery } };
    },
  });
}

async function commitStaged(deps: GitDeps, run: GitRun): Promise<Result<string, ToolResult>> {
  const committed = await runGit(deps, run);
  return committed.ok ? ok(committed.value.stdout.trim()) : committed;
}
