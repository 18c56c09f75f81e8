import * as z from "zod/mini";
import { NOTES } from "../messages.ts";
import { defineTool, type Tool } from "../tool.ts";
import { folderSchema, type GitDeps, pathsSchema, refuseOptionName, runGit } from "./runGit.ts";

const schema = z.object({
  staged: z.optional(z.boolean()).check(z.describe("true: staged changes. Default false: unstaged ones.")),
  revision: z
    .optional(z.string())
    .check(z.describe("Compare with this commit or branch (HEAD, main), or a range (main...HEAD); abc123^! shows one commit.")),
  paths: pathsSchema.check(z.describe("Only these files or folders.")),
  stat_only: z.optional(z.boolean()).check(z.describe("true: only the number of changed lines per file. Default false.")),
  folder: folderSchema,
});

/** `git_diff`: changes as a unified diff. */
export function createGitDiff(deps: GitDeps): Tool {
  return defineTool({
    name: "git_diff",
    description: "Shows changes of tracked files as a unified diff: unstaged, staged, or against a revision.",
    category: "git",
    effect: "read",
    maxRetries: 1,
    schema,
    async execute({ staged = false, revision, paths = [], stat_only = false, folder }, { signal }) {
      const refused = refuseOptionName(revision, "revision");
      if (refused) return { ok: false, error: refused };
      const args = ["diff", "--no-ext-diff", "--no-textconv", "--no-color", "--relative"];
      if (stat_only) args.push("--stat=200");
      if (staged) args.push("--cached");
      if (revision !== undefined) args.push(revision);
      if (paths.length === 0) args.push("--");
      const diff = await runGit(deps, { folder, args, paths, signal });
      if (!diff.ok) return diff;
      const { stdout, truncated } = diff.value;
      const cut = truncated ? `\n${NOTES.diffClipped}` : "";
      return { ok: true, output: stdout.trimEnd() + cut || NOTES.noDifferences };
    },
  });
}
