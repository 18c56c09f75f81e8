import * as z from "zod/mini";
import type { Result } from "../../base/result.ts";
import type { EditorState } from "../../ports/editorState.ts";
import type { FileError, Workspace } from "../../ports/workspace.ts";
import { defineTool } from "../defineTool.ts";
import { fileToolError } from "../files/fileToolError.ts";
import { NOTES } from "../notes.ts";
import type { Tool, ToolResult } from "../tool.ts";

const lineNumber = z.int().check(z.minimum(1));
const openSchema = z.object({
  file_path: z.string().check(z.minLength(1), z.describe("The file, relative to the workspace.")),
  start_line: z.optional(lineNumber).check(z.describe("The first line to show, counted from 1.")),
  end_line: z.optional(lineNumber).check(z.describe("The last line to show. Default: start_line.")),
});

/** `open_file`: shows the user a file in the editor. */
export function createOpenFile(workspace: Workspace, editor: EditorState): Tool {
  return defineTool({
    name: "open_file",
    description:
      "Opens a file in the user's editor, optionally at some lines. Only to show it to the user; to read it use read_file.",
    category: "ui",
    effect: "read",
    schema: openSchema,
    async execute({ file_path, start_line, end_line }) {
      const file = await workspace.resolve(file_path);
      if (!file.ok) return fileToolError(file.error);
      const first = start_line ?? end_line;
      const lines =
        first === undefined ? null : { first, last: Math.max(first, end_line ?? first) };
      return shown(await editor.open(file.value, lines), NOTES.opened(file.value.path));
    },
  });
}

const revealSchema = z.object({
  path: z
    .string()
    .check(z.minLength(1), z.describe("The file or folder, relative to the workspace.")),
});

/** `reveal`: shows the user a file or a folder in the explorer. */
export function createReveal(workspace: Workspace, editor: EditorState): Tool {
  return defineTool({
    name: "reveal",
    description: "Selects a file or folder in the editor's explorer, to show the user where it is.",
    category: "ui",
    effect: "read",
    schema: revealSchema,
    async execute({ path }) {
      const file = await workspace.resolve(path);
      if (!file.ok) return fileToolError(file.error);
      return shown(await editor.reveal(file.value), NOTES.revealed(file.value.path));
    },
  });
}

function shown(done: Result<null, FileError>, output: string): ToolResult {
  return done.ok ? { ok: true, output } : fileToolError(done.error);
}
