import * as z from "zod/mini";
import { readPath, type Workspace } from "../../ports/workspace.ts";
import { outlineText } from "../../syntax/outline/outlineText.ts";
import { outlineUnavailableReason } from "../../syntax/outlineUnavailable.ts";
import type { Syntax } from "../../syntax/syntax.ts";
import { defineTool } from "../defineTool.ts";
import { failed } from "../messages.ts";
import { NOTES } from "../notes.ts";
import type { Tool } from "../tool.ts";
import { fileToolError } from "./fileToolError.ts";
import { proposalNotes } from "./proposalNotes.ts";

/** The longest outline, in UTF-16 units. */
const BUDGET = 32_000;

const schema = z.object({
  file_path: z.string().check(z.minLength(1), z.describe("The file, relative to the workspace.")),
});

/** `file_outline`: lists a file's elements by their AST paths. */
export function createFileOutline(workspace: Workspace, syntax: Syntax): Tool {
  return defineTool({
    name: "file_outline",
    description:
      "Lists the elements of a source file (classes, functions, headings, …) with AST paths, kinds and lines, without its text. Use it before you read parts of a large file.",
    category: "search",
    effect: "read",
    maxRetries: 2,
    schema,
    async execute({ file_path }, { signal }) {
      const read = await readPath(workspace, file_path, signal);
      if (!read.ok) return fileToolError(read.error);
      const { file, text, languageId } = read.value;
      const document = await syntax.openFile(file.path, languageId, text, signal);
      if (!document) {
        return failed("no-outline", {
          why: outlineUnavailableReason(syntax, file.path, languageId, text),
          use: "read_file",
        });
      }
      try {
        const outline = document.outline();
        const text = outline.length === 0 ? NOTES.noElements : outlineText(outline, BUDGET);
        return { ok: true, output: [text, ...proposalNotes(read.value)].join("\n\n") };
      } finally {
        document.dispose();
      }
    },
  });
}
