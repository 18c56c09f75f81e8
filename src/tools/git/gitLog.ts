import * as z from "zod/mini";
import { NOTES } from "../messages.ts";
import { defineTool, type Tool } from "../tool.ts";
import { folderSchema, type GitDeps, pathsSchema, refuseOptionName, runGit } from "./runGit.ts";

const DEFAULT_COUNT = 20;

const schema = z.object({
  revision: z.optional(z.string()).check(z.describe("A branch, a commit or a range such as main..HEAD. Default: HEAD.")),
  paths: pathsSchema.check(z.describe("Only commits that touch these files or folders.")),
  count: z.optional(z.int().check(z.minimum(1), z.maximum(200))).check(z.describe(`Default ${DEFAULT_COUNT}.`)),
  full: z.optional(z.boolean()).check(z.describe("true: full messages and changed files. Default false: one line per commit.")),
  folder: folderSchema,
});

/** `git_log`: commits, newest first. */
export function createGitLog(deps: GitDeps): Tool {
  return defineTool({
    name: "git_log",
    description: "Lists commits, newest first: hash, date, author, subject, branches and tags.",
    category: "git",
    effect: "read",
    maxRetries: 1,
    schema,
    async execute({ revision, paths = [], count = DEFAULT_COUNT, full = false, folder }, { signal }) {
      const refused = refuseOptionName(revision, "revision");
      if (refused) return { ok: false, error: refused };
      const line = "%h %as %an: %s%d";
      const format = full ? ["--stat=120", `--format=${line}%n%n%w(0,2,2)%b`] : [`--format=${line}`];
      const args = ["log", "--no-color", "--no-show-signature", `--max-count=${count}`, ...format];
      if (revision !== undefined) args.push(revision);
      if (paths.length === 0) args.push("--");
      const log = await runGit(deps, { folder, args, paths, signal });
      return log.ok ? { ok: true, output: log.value.stdout.trimEnd() || NOTES.noCommits } : log;
    },
  });
}
