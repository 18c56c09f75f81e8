import * as z from "zod/mini";
import { counted } from "../base/counted.ts";
import { err, ok, type Result } from "../base/result.ts";
import { countLines, splitLines } from "../base/text.ts";
import type { Workspace } from "../ports/workspace.ts";
import { pathErrorMessage } from "../syntax/messages.ts";
import { outlineText, type ShownLines } from "../syntax/outlineText.ts";
import type { Syntax, SyntaxDocument } from "../syntax/syntaxTypes.ts";
import { isTooLargeForOutline, whyNoOutline } from "../syntax/whyNoOutline.ts";
import { fileToolError } from "./fileToolError.ts";
import { numberedRange } from "./numberedRange.ts";
import { ShownTexts } from "./shownTexts.ts";
import { DEFAULT_TOOL_TIMEOUT_MS, defineTool, type Tool, type ToolError, type ToolResult } from "./tool.ts";

/** How much of the outline one answer holds, in UTF-16 units: with the whole file, and with a part of it. */
const OUTLINE_BUDGET = 8_000;
const PART_OUTLINE_BUDGET = 2_000;

const lineNumber = z.int().check(z.minimum(1));
const schema = z.object({
  file_path: z.string().check(z.minLength(1), z.describe("The file, relative to the workspace.")),
  start_line: z.optional(lineNumber).check(z.describe("The first line to read, counted from 1. Default: the first.")),
  end_line: z.optional(lineNumber).check(z.describe("The last line to read, inclusive. Default: the last.")),
  ast_path: z.optional(z.string()).check(z.describe("Read only this element, such as Shape-area or parseArgs. Not together with lines.")),
});

/**
 * `read_file`: a head line `path (lines A-B of N)`, then numbered lines, `N<TAB>text`, then the outline, whose paths address the file's
 * elements; where only a part is shown, and the outline is long, the elements near that part. What the model is shown is noted in `shown`.
 */
export function createReadFile(workspace: Workspace, syntax: Syntax, shown = new ShownTexts()): Tool {
  return defineTool({
    name: "read_file",
    description:
      "Reads a text file with its unsaved changes: whole, a range of lines, or one element by its AST path; an outline with all AST paths follows. Each line comes as its number, a tab and its text. About 48,000 characters at once; what is left out is said.",
    category: "file",
    effect: "read",
    schema,
    timeoutMs: DEFAULT_TOOL_TIMEOUT_MS,
    async execute({ file_path, start_line, end_line, ast_path }, { signal, turnId }): Promise<ToolResult> {
      if (ast_path !== undefined && (start_line !== undefined || end_line !== undefined)) {
        return invalid("ast_path was given together with start_line or end_line.", "Give either an element or lines.");
      }
      const file = await workspace.resolve(file_path);
      if (!file.ok) return fileToolError(file.error);
      const read = await workspace.read(file.value, signal);
      if (!read.ok) return fileToolError(read.error);
      const { version } = read.value;
      const { path } = file.value;
      const text = read.value.text.replace(/^\uFEFF/, "");
      const lines = splitLines(text);
      const whole = start_line === undefined && end_line === undefined && ast_path === undefined;
      const document = await syntax.openFile(path, read.value.languageId, text, signal);
      try {
        const range =
          ast_path === undefined
            ? lineRange(start_line ?? 1, end_line ?? lines.length, lines.length)
            : elementRange(document, ast_path, () => whyNoOutline(syntax, path, read.value.languageId, text));
        if (!range.ok) return { ok: false, error: range.error };
        const numbered = numberedRange(path, lines, range.value, (end) => `Cut off after line ${end}. Read on with start_line=${end + 1}.`);
        // What a stopped call has read is not shown to the model.
        if (!signal.aborted) shown.add({ turnId, path, text, version, first: range.value.first, last: numbered.last });
        const outline = outlinePart(document, { first: range.value.first, last: numbered.last }, lines.length, whole);
        const tooLarge = whole && isTooLargeForOutline(text);
        const rest = tooLarge ? `\n\n${whyNoOutline(syntax, path, read.value.languageId, text)}` : outline;
        return { ok: true, output: numbered.text + rest };
      } finally {
        document?.dispose();
      }
    },
  });
}

function lineRange(first: number, last: number, count: number): Result<ShownLines, ToolError> {
  if (first > count) return err(validation(`start_line is ${first}, but the file has ${counted(count, "line")}.`, "Read within the file."));
  if (last < first) return err(validation(`end_line ${last} is before start_line ${first}.`, "Swap them."));
  return ok({ first, last: Math.min(last, count) });
}

function elementRange(document: SyntaxDocument | null, astPath: string, whyNot: () => string): Result<ShownLines, ToolError> {
  if (!document) return err(validation(whyNot(), "Read it by start_line and end_line."));
  const element = document.resolve(astPath);
  if (!element.ok) return err({ category: "not-found", message: pathErrorMessage(element.error), recovery: null });
  const { start, end } = element.value.range;
  return ok({ first: countLines(document.text.slice(0, start)), last: countLines(document.text.slice(0, end)) });
}

function outlinePart(document: SyntaxDocument | null, shown: ShownLines, lineCount: number, whole: boolean): string {
  const entries = document?.outline() ?? [];
  const near = shown.first > 1 || shown.last < lineCount ? shown : null;
  const text = outlineText(entries, whole ? OUTLINE_BUDGET : PART_OUTLINE_BUDGET, near);
  return text === "" ? "" : `\n\nOutline (AST paths):\n${text}`;
}

function validation(message: string, recovery: string): ToolError {
  return { category: "validation", message, recovery };
}

function invalid(message: string, recovery: string): ToolResult {
  return { ok: false, error: validation(message, recovery) };
}
