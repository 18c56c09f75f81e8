import * as z from "zod/mini";
import type { Workspace } from "../ports/workspace.ts";
import type { WorkspaceFiles } from "../ports/workspaceFiles.ts";
import { changeablePath } from "./changeablePath.ts";
import { existsRecovery, fileToolError } from "./fileToolError.ts";
import { defineTool, type Tool } from "./tool.ts";

const schema = z.object({
  file_path: z.string().check(z.minLength(1), z.describe("The new file, relative to the workspace.")),
  content: z.string().check(z.describe("Its whole text; empty for an empty file.")),
  overwrite: z.optional(z.boolean()).check(z.describe("true: replace a file that exists. Default false.")),
});

/** `create_file`: writes a new text file, with its folders. */
export function createCreateFile(workspace: Workspace, files: WorkspaceFiles): Tool {
  return defineTool({
    name: "create_file",
    description:
      "Creates a short new text file at once, with the folders it needs. For long files, and to change one that exists, use edit_mode: the user reviews it there.",
    category: "file",
    effect: "write",
    schema,
    pathsOf: ({ file_path }) => [file_path],
    summary: ({ file_path, content, overwrite }) =>
      `${overwrite ? "Create or replace" : "Create"} ${file_path} (${content.split("\n").length} lines)`,
    async execute({ file_path, content, overwrite = false }) {
      const place = await changeablePath(workspace, file_path);
      if (!place.ok) return fileToolError(place.error);
      const created = await files.createFile(file_path, content, overwrite);
      if (!created.ok) return existsRecovery(created.error, "Use edit_mode to change it, or overwrite=true to replace it.");
      return { ok: true, output: `${created.value.path} was written.` };
    },
  });
}
