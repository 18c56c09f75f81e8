import * as z from "zod/mini";
import type { Workspace } from "../../ports/workspace.ts";
import type { WorkspaceFiles } from "../../ports/workspaceFiles.ts";
import { NOTES } from "../messages.ts";
import { changeablePath } from "../permissions/changeablePath.ts";
import { defineTool, type Tool } from "../tool.ts";
import { fileToolError } from "./fileToolError.ts";

const schema = z.object({
  path: z.string().check(z.minLength(1), z.describe("The file or folder, relative to the workspace.")),
  recursive: z.optional(z.boolean()).check(z.describe("true: delete a folder with its contents. Default false.")),
});

/** `delete_file`: deletes a file, a symbolic link or a folder. */
export function createDeleteFile(workspace: Workspace, files: WorkspaceFiles): Tool {
  return defineTool({
    name: "delete_file",
    description: "Deletes a file, a symbolic link or a folder. Only when the task requires it.",
    category: "file",
    effect: "write",
    schema,
    pathsOf: ({ path }) => [path],
    summary: ({ path, recursive }, t) => (recursive ? t("Delete {path} and everything in it", { path }) : t("Delete {path}", { path })),
    async execute({ path, recursive = false }) {
      const place = await changeablePath(workspace, path);
      if (!place.ok && place.error.code !== "broken-link") return fileToolError(place.error);
      const deleted = await files.delete(path, recursive);
      if (deleted.ok) return { ok: true, output: NOTES.deleted(deleted.value.path) };
      return fileToolError(deleted.error, { "not-empty": "Set recursive=true to delete it with its contents." });
    },
  });
}
