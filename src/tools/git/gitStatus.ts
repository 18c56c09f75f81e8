import * as z from "zod/mini";
import { NOTES } from "../messages.ts";
import { defineTool, type Tool } from "../tool.ts";
import { folderSchema, type GitDeps, runGit } from "./runGit.ts";

const schema = z.object({ folder: folderSchema });

/** `git_status`: the branch, and the changed files in git's short form. */
export function createGitStatus(deps: GitDeps): Tool {
  return defineTool({
    name: "git_status",
    description:
      "Shows the branch and the changed files, as `XY path`: X staged, Y unstaged (M modified, A added, D deleted, R renamed, ?? untracked).",
    category: "git",
    effect: "read",
    maxRetries: 1,
    schema,
    async execute({ folder }, { signal }) {
      const args = ["-c", "status.relativePaths=true", "status", "--short", "--branch"];
      const status = await runGit(deps, { folder, args, signal });
      if (!status.ok) return status;
      const text = status.value.stdout.trimEnd();
      return { ok: true, output: text.includes("\n") ? text : `${text}\n${NOTES.nothingChanged}` };
    },
  });
}
