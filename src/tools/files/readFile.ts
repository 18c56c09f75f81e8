import * as z from "zod/mini";
import { err, ok, type Result } from "../../base/result.ts";
import { countLines, textLines } from "../../base/text/lines.ts";
import type { LineSpan } from "../../ports/editorState.ts";
import { readPath, type Workspace } from "../../ports/workspace.ts";
import { outlineUnavailableMessage } from "../../syntax/messages.ts";
import { outlineText } from "../../syntax/outline/outlineText.ts";
import {
  isTooLargeForOutline,
  type OutlineUnavailable,
  outlineUnavailableReason,
} from "../../syntax/outlineUnavailable.ts";
import type { Syntax, SyntaxDocument } from "../../syntax/syntax.ts";
import { defineTool } from "../defineTool.ts";
import { failed, toolError } from "../messages.ts";
import { readCaution } from "../permissions/readCaution.ts";
import type { Tool, ToolError, ToolResult } from "../tool.ts";
import { fileToolError } from "./fileToolError.ts";
import { numberedLines } from "./numberedLines.ts";
import { proposalNotes } from "./proposalNotes.ts";
import { ViewedFiles } from "./viewedFiles.ts";

/**
 * How much of the outline one answer holds, in UTF-16 units: with the whole file, and with a part
 * of it.
 */
const OUTLINE_BUDGET = 8_000;
const PART_OUTLINE_BUDGET = 2_000;

/** Stands for an outline that the model has in the same turn. */
const OUTLINE_REPEATED = "Outline (AST paths): unchanged.";

const lineNumber = z.int().check(z.minimum(1));
const schema = z.object({
  file_path: z.string().check(z.minLength(1), z.describe("The file, relative to the workspace.")),
  start_line: z
    .optional(lineNumber)
    .check(z.describe("The first line to read, counted from 1. Default: the first.")),
  end_line: z
    .optional(lineNumber)
    .check(z.describe("The last line to read, inclusive. Default: the last.")),
  ast_path: z
    .optional(z.string())
    .check(z.describe("Read only this element, such as Shape-area or parseArgs. Not with lines.")),
});

/**
 * `read_file`: a head line `path (lines A-B of N)`, lines `N<TAB>text`, then the outline. Notes in
 * `shown` what the model sees.
 */
export function createReadFile(
  workspace: Workspace,
  syntax: Syntax,
  shown = new ViewedFiles(),
): Tool {
  return defineTool({
    name: "read_file",
    description:
      "Reads a text file with its unsaved changes: all of it, a range of lines, or one element by its AST path; an outline with all AST paths follows. Each line is its number, a tab and its text. Returns about 48,000 characters at a time, and says what it omits.",
    category: "file",
    effect: "read",
    schema,
    question: ({ file_path }, t) => ({
      summary: t("Read {path}, which may hold keys or passwords", { path: file_path }),
      look: async () => ({ caution: await readCaution(workspace, [file_path]) }),
    }),
    async execute(
      { file_path, start_line, end_line, ast_path },
      { signal, turnId, asked },
    ): Promise<ToolResult> {
      if (ast_path !== undefined && (start_line !== undefined || end_line !== undefined))
        return failed("element-and-lines", {});
      const read = await readPath(workspace, file_path, signal, asked);
      if (!read.ok) return fileToolError(read.error);
      const { version, languageId } = read.value;
      const { path } = read.value.file;
      const text = read.value.text.replace(/^\uFEFF/, "");
      const lines = textLines(text);
      const whole = start_line === undefined && end_line === undefined && ast_path === undefined;
      const document = await syntax.openFile(path, languageId, text, signal);
      try {
        const noOutline = () => outlineUnavailableReason(syntax, path, languageId, text);
        const range =
          ast_path === undefined
            ? checkedLines(start_line ?? 1, end_line ?? lines.length, lines.length)
            : elementRange(document, ast_path, noOutline, lines.length);
        if (!range.ok) return { ok: false, error: range.error };
        const { first } = range.value;
        const { text: numbered, last } = numberedLines(path, lines, range.value);
        // The model does not see the result of a cancelled call.
        if (!signal.aborted) shown.add({ turnId, path, text, version, first, last });
        const entries = document?.outline() ?? [];
        const budget = whole ? OUTLINE_BUDGET : PART_OUTLINE_BUDGET;
        const near = first > 1 || last < lines.length ? { first, last } : null;
        const repeats =
          !signal.aborted &&
          shown.outlined(path, turnId, outlineText(entries, Number.POSITIVE_INFINITY), budget);
        const isTooLarge = whole && isTooLargeForOutline(text);
        const outline = isTooLarge
          ? outlineUnavailableMessage(noOutline())
          : outlineSection(entries, budget, near, repeats);
        const parts = [numbered, outline, ...proposalNotes(read.value)];
        const output = parts.filter((part) => part !== "").join("\n\n");
        return { ok: true, output, views: [{ path, first, last, total: lines.length }] };
      } finally {
        document?.dispose();
      }
    },
  });
}

function checkedLines(start: number, end: number, lines: number): Result<LineSpan, ToolError> {
  if (start > lines) return err(toolError("start-past-end", { start, lines }));
  if (end < start) return err(toolError("end-before-start", { start, end }));
  return ok({ first: start, last: Math.min(end, lines) });
}

function elementRange(
  document: SyntaxDocument | null,
  astPath: string,
  noOutline: () => OutlineUnavailable,
  lines: number,
): Result<LineSpan, ToolError> {
  if (!document) return err(toolError("no-outline", { why: noOutline(), use: "lines" }));
  const element = document.resolve(astPath);
  if (!element.ok) return err(toolError("unknown-element", { error: element.error }));
  const { start, end } = element.value.range;
  return ok({
    first: countLines(document.text.slice(0, start)),
    last: Math.min(countLines(document.text.slice(0, end)), lines),
  });
}

function outlineSection(
  entries: ReturnType<SyntaxDocument["outline"]>,
  budget: number,
  near: LineSpan | null,
  repeats: boolean,
): string {
  if (repeats) return OUTLINE_REPEATED;
  const text = outlineText(entries, budget, near);
  return text === "" ? "" : `Outline (AST paths):\n${text}`;
}
