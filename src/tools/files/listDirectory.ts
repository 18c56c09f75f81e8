import * as z from "zod/mini";
import type { DirectoryEntry, Workspace } from "../../ports/workspace.ts";
import { defineTool } from "../defineTool.ts";
import { NOTES } from "../notes.ts";
import type { Tool } from "../tool.ts";
import { fileToolError } from "./fileToolError.ts";

const schema = z.object({
  path: z
    .optional(z.string())
    .check(z.describe("The folder, relative to the workspace. Default: the workspace.")),
});

/**
 * `list_directory`: a folder's entries, one per line, folders first and marked with a final `/`.
 */
export function createListDirectory(workspace: Workspace): Tool {
  return defineTool({
    name: "list_directory",
    description:
      "Lists everything directly in one folder, including ignored files. For several levels use get_file_tree.",
    category: "file",
    effect: "read",
    schema,
    maxRetries: 2,
    async execute({ path }, { signal }) {
      const entries = await workspace.list(path ?? "", signal);
      if (!entries.ok) return fileToolError(entries.error);
      return { ok: true, output: entries.value.map(entryText).join("\n") || NOTES.emptyFolder };
    },
  });
}

function entryText({ name, kind }: DirectoryEntry): string {
  if (kind === "directory") return `${name}/`;
  return kind === "symlink" ? `${name} (symbolic link)` : name;
}
