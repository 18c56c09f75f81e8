import * as z from "zod/mini";
import { defineTool } from "../defineTool.ts";
import { NOTES } from "../notes.ts";
import type { Tool, ToolResult } from "../tool.ts";
import {
  folderSchema,
  type GitDeps,
  programsIn,
  refuseOptionName,
  runGit,
  summaryIn,
} from "./runGit.ts";

const schema = z.object({
  action: z
    .enum(["list", "create", "switch"])
    .check(z.describe("create: also switches to the new branch.")),
  name: z.optional(z.string()).check(z.describe("The branch to create or switch to.")),
  start_point: z
    .optional(z.string())
    .check(z.describe("create: the commit or branch to start from. Default: HEAD.")),
  folder: folderSchema,
});

/** `git_branch`: lists, creates or switches branches. Switching runs the repository's hooks. */
export function createGitBranch(deps: GitDeps): Tool {
  return defineTool({
    name: "git_branch",
    description: "Lists, creates or switches branches.",
    category: "git",
    effect: "execute",
    schema,
    question: ({ action, name = "", start_point: start, folder }, t) => ({
      effect: action === "list" ? "read" : "execute",
      summary: summaryIn(
        deps,
        folder,
        action === "create"
          ? start === undefined
            ? t("Create the branch {name}", { name })
            : t("Create the branch {name} from {start}", { name, start })
          : t("Switch to the branch {name}", { name }),
        t,
      ),
      details: async (signal) => ({ programs: await programsIn(deps, folder, signal) }),
    }),
    async execute({ action, name = "", start_point, folder }, { signal }): Promise<ToolResult> {
      const refused =
        (action === "list" ? null : refuseOptionName(name, "name")) ??
        refuseOptionName(start_point, "start_point");
      if (refused) return { ok: false, error: refused };
      const run = (args: readonly string[]) =>
        runGit(deps, { folder, args, changes: action !== "list", signal });
      if (action === "list") {
        const format = "--format=%(HEAD) %(refname:short) %(objectname:short) %(contents:subject)";
        const listed = await run(["branch", "--all", "--sort=-committerdate", format]);
        return listed.ok
          ? { ok: true, output: listed.value.stdout.trimEnd() || NOTES.noBranches }
          : listed;
      }
      const create = [
        "switch",
        "--no-track",
        "--create",
        name,
        ...(start_point === undefined ? [] : [start_point]),
      ];
      const done = await run(action === "create" ? create : ["switch", "--no-guess", name]);
      return done.ok
        ? { ok: true, output: `${done.value.stderr}${done.value.stdout}`.trim() }
        : done;
    },
  });
}
