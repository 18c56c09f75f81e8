import * as z from "zod/mini";
import { err, ok, type Result } from "../base/result.ts";
import { countLines, splitLines } from "../base/text.ts";
import type { Workspace } from "../ports/workspace.ts";
import { outlineText } from "../syntax/outlineText.ts";
import type { Syntax, SyntaxDocument } from "../syntax/syntaxTypes.ts";
import { isTooLargeForOutline, whyNoOutline } from "../syntax/whyNoOutline.ts";
import { fileToolError } from "./fileToolError.ts";
import { numberedRange } from "./numberedRange.ts";
import { ShownTexts } from "./shownTexts.ts";
import { DEFAULT_TOOL_TIMEOUT_MS, defineTool, type Tool, type ToolError, type ToolResult } from "./tool.ts";

/** How much of the outline one answer holds, in UTF-16 units. */
const OUTLINE_BUDGET = 8_000;

const lineNumber = z.int().check(z.minimum(1));
const schema = z.object({
  file_path: z.string().check(z.minLength(1), z.describe("The file, relative to the workspace.")),
  start_line: z.optional(lineNumber).check(z.describe("The first line to read, counted from 1. Default: the first.")),
  end_line: z.optional(lineNumber).check(z.describe("The last line to read, inclusive. Default: the last.")),
  ast_path: z.optional(z.string()).check(z.describe("Read only this element, such as Shape-area or parseArgs. Not together with lines.")),
});

/** 1-based and inclusive. */
interface Lines {
  readonly first: number;
  readonly last: number;
}

/**
 * `read_file`: a head line `path (lines A-B of N)`, then numbered lines, `N<TAB>text`. A read without a range ends with the outline,
 * whose paths address the file's elements. What the model is shown is noted in `shown`.
 */
export function createReadFile(workspace: Workspace, syntax: Syntax, shown = new ShownTexts()): Tool {
  return defineTool({
    name: "read_file",
    description:
      "Reads a text file of the workspace with its unsaved changes: the whole file with an outline of its elements, a range of lines, or one element by its path in the outline. Each line comes as its number, a tab and its text.",
    category: "file",
    effect: "read",
    schema,
    timeoutMs: DEFAULT_TOOL_TIMEOUT_MS,
    summary: ({ file_path }) => `Read ${file_path}`,
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
      const document = whole || ast_path !== undefined ? await syntax.openFile(path, read.value.languageId, text, signal) : null;
      try {
        const range =
          ast_path === undefined
            ? lineRange(start_line ?? 1, end_line ?? lines.length, lines.length)
            : elementRange(document, ast_path, () => whyNoOutline(syntax, path, read.value.languageId, text));
        if (!range.ok) return { ok: false, error: range.error };
        const tooLarge = isTooLargeForOutline(text) ? `\n\n${whyNoOutline(syntax, path, read.value.languageId, text)}` : null;
        const numbered = numberedRange(path, lines, range.value, (end) => `Cut off after line ${end}. Read on with start_line=${end + 1}.`);
        // What a stopped call has read is not shown to the model.
        if (!signal.aborted) shown.add({ turnId, path, text, version, first: range.value.first, last: numbered.last });
        return { ok: true, output: whole ? numbered.text + (tooLarge ?? outlinePart(document)) : numbered.text };
      } finally {
        document?.dispose();
      }
    },
  });
}

function lineRange(first: number, last: number, count: number): Result<Lines, ToolError> {
  if (first > count) return err(validation(`start_line is ${first}, but the file has ${count} lines.`, "Read within the file."));
  if (last < first) return err(validation(`end_line ${last} is before start_line ${first}.`, "Swap them."));
  return ok({ first, last: Math.min(last, count) });
}

function elementRange(document: SyntaxDocument | null, astPath: string, whyNot: () => string): Result<Lines, ToolError> {
  if (!document) return err(validation(whyNot(), "Read it by start_line and end_line."));
  const element = document.resolve(astPath);
  if (!element.ok) return err({ category: "not-found", message: element.error.message, recovery: null });
  const { start, end } = element.value.range;
  return ok({ first: countLines(document.text.slice(0, start)), last: countLines(document.text.slice(0, end)) });
}

function outlinePart(document: SyntaxDocument | null): string {
  const entries = document?.outline() ?? [];
  return entries.length === 0 ? "" : `\n\nOutline (AST paths):\n${outlineText(entries, OUTLINE_BUDGET)}`;
}

function validation(message: string, recovery: string): ToolError {
  return { category: "validation", message, recovery };
}

function invalid(message: string, recovery: string): ToolResult {
  return { ok: false, error: validation(message, recovery) };
}
