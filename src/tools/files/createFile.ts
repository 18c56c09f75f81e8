import * as z from "zod/mini";
import type { Workspace } from "../../ports/workspace.ts";
import type { WorkspaceFiles } from "../../ports/workspaceFiles.ts";
import { NOTES } from "../messages.ts";
import { changeablePath } from "../permissions/changeablePath.ts";
import { defineTool, type Tool } from "../tool.ts";
import { fileToolError } from "./fileToolError.ts";

const schema = z.object({
  file_path: z.string().check(z.minLength(1), z.describe("The new file, relative to the workspace.")),
  content: z.string().check(z.describe("Its whole text; empty for an empty file.")),
  overwrite: z.optional(z.boolean()).check(z.describe("true: replace an existing file. Default false.")),
});

/** `create_file`: creates a text file and its missing folders. */
export function createCreateFile(workspace: Workspace, files: WorkspaceFiles): Tool {
  return defineTool({
    name: "create_file",
    description:
      "Creates a short new text file immediately, with the folders it needs. For long files and for existing ones use edit_mode, where the user reviews the changes.",
    category: "file",
    effect: "write",
    schema,
    pathsOf: ({ file_path }) => [file_path],
    summary: ({ file_path: path, content, overwrite }, t) => {
      const facts = { path, lines: content.split("\n").length };
      return overwrite ? t("Create or replace {path} ({lines} lines)", facts) : t("Create {path} ({lines} lines)", facts);
    },
    async execute({ file_path, content, overwrite = false }) {
      const place = await changeablePath(workspace, file_path);
      if (!place.ok) return fileToolError(place.error);
      const created = await files.createFile(file_path, content, overwrite);
      if (!created.ok) return fileToolError(created.error, { exists: "Use edit_mode to change it, or overwrite=true to replace it." });
      return { ok: true, output: NOTES.written(created.value.path) };
    },
  });
}
