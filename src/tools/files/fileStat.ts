import * as z from "zod/mini";
import type { WorkspaceFiles } from "../../ports/workspaceFiles.ts";
import { defineTool } from "../defineTool.ts";
import type { Tool } from "../tool.ts";
import { fileToolError } from "./fileToolError.ts";

const schema = z.object({
  path: z
    .string()
    .check(z.minLength(1), z.describe("The file or folder, relative to the workspace.")),
});

/** `file_stat`: what is at a path, its size and its modification time. */
export function createFileStat(files: WorkspaceFiles): Tool {
  return defineTool({
    name: "file_stat",
    description:
      "Tells whether a path exists, its kind, its size in bytes, when it was last changed and whether it is read-only.",
    category: "file",
    effect: "read",
    maxRetries: 2,
    schema,
    async execute({ path }) {
      const found = await files.stat(path);
      if (!found.ok) return fileToolError(found.error);
      const { file, kind, symlink, bytes, modifiedAt, readOnly } = found.value;
      const size = kind === "file" ? `, ${bytes} bytes` : "";
      const what = `${kind === "file" ? "file" : "folder"}${symlink ? " through a symbolic link" : ""}`;
      return {
        ok: true,
        output: `${file.path || "."}: ${what}${size}, changed ${new Date(modifiedAt).toISOString()}${readOnly ? ", read-only" : ""}`,
      };
    },
  });
}
