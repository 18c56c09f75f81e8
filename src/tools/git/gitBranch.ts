import * as z from "zod/mini";
import { defineTool, type Tool, type ToolResult } from "../tool.ts";
import { folderSchema } from "./gitSchema.ts";
import { type GitDeps, refuseOption, runGit } from "./runGit.ts";

const schema = z.object({
  action: z.enum(["list", "create", "switch"]).check(z.describe("create: makes a branch and switches to it.")),
  name: z.optional(z.string()).check(z.describe("The branch to create or to switch to.")),
  start_point: z.optional(z.string()).check(z.describe("create: the commit or branch to begin at. Default: HEAD.")),
  folder: folderSchema,
});

/** `git_branch`: lists branches, creates one, switches. Switching runs the repository's hooks. */
export function createGitBranch(deps: GitDeps): Tool {
  return defineTool({
    name: "git_branch",
    description: "Lists, creates or switches branches.",
    category: "git",
    effect: "execute",
    effectOf: ({ action }) => (action === "list" ? "read" : "execute"),
    schema,
    summary: ({ action, name }) =>
      action === "list" ? "List the branches" : `${action === "create" ? "Create" : "Switch to"} the branch ${name ?? ""}`,
    async execute({ action, name, start_point, folder }, { signal }): Promise<ToolResult> {
      const refused = refuseOption(name, "name") ?? refuseOption(start_point, "start_point");
      if (refused) return refused;
      const run = (args: readonly string[]) => runGit(deps, { folder, args, paths: [], input: "", signal });
      if (action === "list") {
        const format = "--format=%(HEAD) %(refname:short) %(objectname:short) %(contents:subject)";
        const listed = await run(["branch", "--all", "--sort=-committerdate", format]);
        return listed.ok ? { ok: true, output: listed.value.stdout.trimEnd() || "There are no branches yet." } : listed.error;
      }
      if (name === undefined) {
        return { ok: false, error: { category: "validation", message: `${action} needs a name.`, recovery: "Give name." } };
      }
      const create = ["switch", "--no-track", "--create", name, ...(start_point === undefined ? [] : [start_point])];
      const done = await run(action === "create" ? create : ["switch", "--no-guess", name]);
      if (!done.ok) return done.error;
      return {
        ok: true,
        output: [done.value.stderr, done.value.stdout]
          .map((text) => text.trim())
          .filter(Boolean)
          .join("\n"),
      };
    },
  });
}
