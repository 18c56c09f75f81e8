import * as z from "zod/mini";
import type { Localize } from "../../base/localize.ts";
import type { Result } from "../../base/result.ts";
import type { EditorState } from "../../ports/editorState.ts";
import type { FileError, Workspace } from "../../ports/workspace.ts";
import { defineTool } from "../defineTool.ts";
import { fileToolError } from "../files/fileToolError.ts";
import { failed } from "../messages.ts";
import { NOTES } from "../notes.ts";
import type { CallQuestion, Tool, ToolResult } from "../tool.ts";
import { fetchedOnOpen } from "./fetchedOnOpen.ts";

const lineNumber = z.int().check(z.minimum(1));
const openSchema = z.object({
  file_path: z.string().check(z.minLength(1), z.describe("The file, relative to the workspace.")),
  start_line: z.optional(lineNumber).check(z.describe("The first line to show, counted from 1.")),
  end_line: z.optional(lineNumber).check(z.describe("The last line to show. Default: start_line.")),
});

/**
 * `open_file`: shows the user a file in the editor. Asks where VS Code would fetch the address of a
 * schema that the file names, since its text can hold what the model read.
 */
export function createOpenFile(workspace: Workspace, editor: EditorState): Tool {
  const fetched = async (path: string): Promise<readonly string[] | null> => {
    const file = await workspace.resolve(path);
    const isOpen = file.ok && editor.context().tabs.some((tab) => tab.path === file.value.path);
    return isOpen ? [] : await fetchedOnOpen(workspace, path, new AbortController().signal);
  };
  return defineTool({
    name: "open_file",
    description:
      "Opens a file in the user's editor, optionally at some lines. Only to show it to the user; to read it use read_file.",
    category: "ui",
    effect: "read",
    schema: openSchema,
    question: ({ file_path }, t) => openQuestion(file_path, () => fetched(file_path), t),
    async execute({ file_path, start_line, end_line }, { asked }) {
      const file = await workspace.resolve(file_path);
      if (!file.ok) return fileToolError(file.error);
      // The file may have changed since Graft looked.
      if (!asked && (await fetched(file_path))?.length !== 0)
        return failed("schema-not-asked", { path: file.value.path });
      const first = start_line ?? end_line;
      const lines =
        first === undefined ? null : { first, last: Math.max(first, end_line ?? first) };
      return shown(await editor.open(file.value, lines), NOTES.opened(file.value.path));
    },
  });
}

/** Asks only where something would be fetched, or where the file is too large to tell. */
function openQuestion(
  path: string,
  fetched: () => Promise<readonly string[] | null>,
  t: Localize,
): CallQuestion {
  let addresses: readonly string[] | null = [];
  return {
    summary: t("Open {path}", { path }),
    async look() {
      addresses = await fetched();
      return { caution: addresses?.length === 0 ? null : "fetches" };
    },
    details: async () =>
      addresses === null
        ? { summary: t("Open {path}, which is too large to check", { path }) }
        : {
            summary: t("Open {path} and let VS Code fetch this address", { path }),
            arguments: addresses.join("\n"),
          },
  };
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
