import * as z from "zod/mini";
import type { Result } from "../../base/result.ts";
import type { FileError, FileRef, Workspace } from "../../ports/workspace.ts";
import type { WorkspaceFiles } from "../../ports/workspaceFiles.ts";
import { NOTES } from "../messages.ts";
import { changeablePath } from "../permissions/changeablePath.ts";
import { defineTool, type Tool, type ToolResult } from "../tool.ts";
import { fileToolError } from "./fileToolError.ts";

const schema = z.object({
  from: z.string().check(z.minLength(1), z.describe("The file or folder, relative to the workspace.")),
  to: z.string().check(z.minLength(1), z.describe("Its new path, including its name, relative to the workspace.")),
  overwrite: z.optional(z.boolean()).check(z.describe("true: replace an existing file. Default false.")),
});

/** `rename_file`: renames or moves a file or a folder. */
export function createRenameFile(workspace: Workspace, files: WorkspaceFiles): Tool {
  return defineTool({
    name: "rename_file",
    description: "Renames or moves a file or a folder. References to it in other files are not updated.",
    category: "file",
    effect: "write",
    schema,
    pathsOf: ({ from, to }) => [from, to],
    summary: ({ from, to }, t) => t("Rename {from} to {to}", { from, to }),
    async execute({ from, to, overwrite = false }) {
      const source = await changeablePath(workspace, from);
      if (!source.ok) return fileToolError(source.error);
      return put(
        workspace,
        to,
        (path) => NOTES.renamed(from, path),
        () => files.rename(from, to, overwrite),
      );
    },
  });
}

/** `copy_file`: copies a file, or a folder with its contents. */
export function createCopyFile(workspace: Workspace, files: WorkspaceFiles): Tool {
  return defineTool({
    name: "copy_file",
    description: "Copies a file of any kind, or a folder with its contents.",
    category: "file",
    effect: "write",
    schema,
    pathsOf: ({ to }) => [to],
    summary: ({ from, to }, t) => t("Copy {from} to {to}", { from, to }),
    execute: ({ from, to, overwrite = false }) =>
      put(
        workspace,
        to,
        (path) => NOTES.copied(from, path),
        () => files.copy(from, to, overwrite),
      ),
  });
}

async function put(
  workspace: Workspace,
  to: string,
  done: (path: string) => string,
  work: () => Promise<Result<FileRef, FileError>>,
): Promise<ToolResult> {
  const place = await changeablePath(workspace, to);
  if (!place.ok) return fileToolError(place.error);
  const moved = await work();
  if (moved.ok) return { ok: true, output: done(moved.value.path) };
  return fileToolError(moved.error, { exists: "Choose another path, or set overwrite=true to replace a file." });
}
