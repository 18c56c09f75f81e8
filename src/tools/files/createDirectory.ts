import * as z from "zod/mini";
import type { Workspace } from "../../ports/workspace.ts";
import type { WorkspaceFiles } from "../../ports/workspaceFiles.ts";
import { NOTES } from "../messages.ts";
import { changeablePath } from "../permissions/changeablePath.ts";
import { defineTool, type Tool } from "../tool.ts";
import { fileToolError } from "./fileToolError.ts";

const schema = z.object({ path: z.string().check(z.minLength(1), z.describe("The new folder, relative to the workspace.")) });

/** `create_directory`: creates a folder with its missing parents. */
export function createCreateDirectory(workspace: Workspace, files: WorkspaceFiles): Tool {
  return defineTool({
    name: "create_directory",
    description: "Creates an empty folder. Not needed before creating a file in it.",
    category: "file",
    effect: "write",
    schema,
    pathsOf: ({ path }) => [path],
    summary: ({ path }, t) => t("Create the folder {path}", { path }),
    async execute({ path }) {
      const place = await changeablePath(workspace, path);
      if (!place.ok) return fileToolError(place.error);
      const created = await files.createDirectory(path);
      return created.ok
        ? { ok: true, output: NOTES.created(created.value.path) }
        : fileToolError(created.error, { exists: "There is nothing to do." });
    },
  });
}
