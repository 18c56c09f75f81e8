import * as z from "zod/mini";
import type { WorkspaceFiles } from "../../ports/workspaceFiles.ts";
import { fileToolError } from "../files/fileToolError.ts";
import { NOTES } from "../messages.ts";
import { defineTool, type Tool } from "../tool.ts";
import { drawFileTree } from "./drawFileTree.ts";

const MAX_FILES = 20_000;
const DEFAULT_DEPTH = 3;
/** The longest tree, in UTF-16 units. */
const BUDGET = 24_000;

const schema = z.object({
  path: z.optional(z.string()).check(z.describe("The folder to start at. Default: the workspace.")),
  depth: z
    .optional(z.int().check(z.minimum(1), z.maximum(20)))
    .check(z.describe(`Levels to show; deeper folders are counted. Default ${DEFAULT_DEPTH}.`)),
});

/** `get_file_tree`: folders and files as an indented tree. */
export function createGetFileTree(files: WorkspaceFiles): Tool {
  return defineTool({
    name: "get_file_tree",
    description: "Shows the folders and files under a folder as a tree, without ignored files. A good start in an unfamiliar workspace.",
    category: "file",
    effect: "read",
    maxRetries: 2,
    schema,
    async execute({ path = "", depth = DEFAULT_DEPTH }, { signal }) {
      const there = /^[./]*$/.test(path) && !path.includes("..") ? null : await files.stat(path);
      if (there && !there.ok) return fileToolError(there.error);
      const folder = there?.value.file.path ?? "";
      const found = await files.find({ folder, glob: null, limit: MAX_FILES }, signal);
      if (!found.ok) return fileToolError(found.error);
      const { paths, truncated } = found.value;
      if (paths.length === 0) return { ok: true, output: NOTES.noFiles };
      const more = truncated ? [NOTES.onlyFirst(paths.length, "files were counted", "Name a folder.")] : [];
      return { ok: true, output: [drawFileTree(paths, folder, depth, BUDGET), ...more].join("\n") };
    },
  });
}
