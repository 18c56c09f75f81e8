import * as z from "zod/mini";
import type { WorkspaceFiles } from "../../ports/workspaceFiles.ts";
import { defineTool } from "../defineTool.ts";
import { fileToolError } from "../files/fileToolError.ts";
import { NOTES } from "../notes.ts";
import type { Tool } from "../tool.ts";

const MAX_FILES = 500;

const schema = z.object({
  glob: z
    .string()
    .check(
      z.minLength(1),
      z.maxLength(1_000),
      z.describe("Such as src/**/*.ts or *.{json,yml}; without a slash it matches at any depth."),
    ),
});

/** `find_files`: the paths that match a glob, one per line. */
export function createFindFiles(files: WorkspaceFiles): Tool {
  return defineTool({
    name: "find_files",
    description:
      "Finds files by name: up to 500 paths that match a glob, without ignored files. To search their contents use search_in_files.",
    category: "search",
    effect: "read",
    maxRetries: 2,
    schema,
    async execute({ glob }, { signal }) {
      const found = await files.find({ folder: "", glob, limit: MAX_FILES }, signal);
      if (!found.ok) return fileToolError(found.error);
      const { paths, truncated } = found.value;
      if (paths.length === 0) return { ok: true, output: NOTES.noMatchingFile };
      const more = truncated
        ? [NOTES.onlyFirst(paths.length, "files are shown", "Narrow the glob.")]
        : [];
      return { ok: true, output: [...paths, ...more].join("\n") };
    },
  });
}
