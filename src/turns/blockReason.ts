import * as z from "zod/mini";
import { firstPart } from "../base/text/clip.ts";
import { reviewReasonSchema } from "../ports/review.ts";

const elementSchema = z.object({
  path: z.string(),
  kind: z.string(),
  startLine: z.int(),
  endLine: z.int(),
  signature: z.exactOptional(z.string()),
});

/** Why a path names no element, see `PathError`. */
const pathErrorSchema = z.discriminatedUnion("code", [
  z.object({
    code: z.literal("not-found"),
    path: z.string(),
    candidates: z.readonly(z.array(elementSchema)),
  }),
  z.object({
    code: z.literal("ambiguous"),
    path: z.string(),
    count: z.int(),
    candidates: z.readonly(z.array(elementSchema)),
  }),
  z.object({ code: z.literal("syntax-error"), element: elementSchema }),
  z.object({ code: z.literal("boundary-changed"), path: z.string() }),
  z.object({
    code: z.literal("reassigned"),
    path: z.string(),
    pinnedPath: z.string(),
    line: z.int(),
  }),
  z.object({ code: z.enum(["no-imports", "unparsed"]) }),
]);

const excerptSchema = z.object({ lines: z.array(z.string()), more: z.int() });

/**
 * Why a block is in any state that is not plain success. The words are in `blockMessages`, those
 * for models in `edits/messages`.
 */
export const blockReasonSchema = z.discriminatedUnion("code", [
  // The opener holds no valid address.
  z.object({ code: z.enum(["no-element-named", "invalid-address"]) }),
  z.object({ code: z.enum(["unknown-operation", "needs-ast-path"]), op: z.string() }),
  // Only in history files of earlier versions.
  z.object({
    code: z.enum(["line-zero", "first-line-missing", "last-line-missing", "not-a-line-number"]),
  }),
  z.object({
    code: z.enum([
      "single-line",
      "reversed-lines",
      "file-name-in-address",
      "broken-off",
      "no-longer-proposed",
    ]),
  }),
  // The session does not take the block.
  z.object({ code: z.literal("not-in-edit-mode"), file: z.string() }),
  z.object({
    code: z.literal("no-edit-mode"),
    file: z.nullable(z.string()),
    turnsOn: z.enum(["model", "user"]),
  }),
  z.object({ code: z.literal("complete-file-expected") }),
  // Several files are in edit mode, and no file is named.
  z.object({ code: z.literal("file-needed"), files: z.array(z.string()) }),
  // Several plain blocks may be the whole file; another one is.
  z.object({ code: z.enum(["which-whole-file", "other-whole-file"]) }),
  // Something that looks like an edit but is in no form of one.
  z.object({
    code: z.literal("other-form"),
    form: z.enum([
      "quoted",
      "indented",
      "one-line",
      "after-text",
      "no-address",
      "inside-block",
      "search-replace",
      "diff",
    ]),
  }),
  z.object({
    code: z.literal("mode-mismatch"),
    active: z.enum(["lines", "ast"]),
    useLineNumbers: z.nullable(z.boolean()),
  }),
  // The address names no place.
  z.object({
    code: z.enum(["no-such-line", "nothing-to-remove"]),
    line: z.int(),
    lineCount: z.int(),
  }),
  z.object({ code: z.enum(["view-forgotten", "views-differ", "own-changes-since"]) }),
  z.object({
    code: z.enum(["lines-changed", "element-changed"]),
    before: excerptSchema,
    now: excerptSchema,
  }),
  z.object({ code: z.literal("checks-failed"), first: z.int(), lines: excerptSchema }),
  z.object({ code: z.literal("outside-element"), path: z.string(), start: z.int(), end: z.int() }),
  z.object({ code: z.literal("changed-by-earlier-block"), target: z.string() }),
  z.object({ code: z.literal("no-ast-paths"), why: z.enum(["too-large", "unreadable"]) }),
  z.object({ code: z.literal("unresolved-path"), error: pathErrorSchema }),
  z.object({ code: z.literal("other-element"), path: z.string(), meant: z.string() }),
  z.object({ code: z.enum(["file-operation", "imports-operation"]) }),
  z.object({ code: z.enum(["no-body", "not-removable"]), path: z.string() }),
  z.object({ code: z.literal("path-reassigned"), path: z.string(), line: z.int() }),
  z.object({
    code: z.literal("shared-declaration"),
    path: z.string(),
    others: z.array(z.string()),
  }),
  z.object({ code: z.literal("overlap"), targets: z.array(z.string()) }),
  // The body cannot be used.
  z.object({
    code: z.enum(["repeated-block", "empty-body", "unclosed", "length-limit", "stopped"]),
  }),
  z.object({ code: z.enum(["unclear-end", "unclear-indent"]) }),
  z.object({ code: z.literal("internal"), said: z.string() }),
  z.object({ code: z.literal("elision"), line: z.string() }),
  // It stood in reasoning, whose beginning nobody marked.
  z.object({ code: z.literal("was-reasoning") }),
  // The session or the turn ended.
  z.object({ code: z.enum(["session-replaced", "session-ended", "turn-ended", "window-closed"]) }),
  reviewReasonSchema,
]);

/** The first lines of a text, and how many are left out. */
export type Excerpt = z.infer<typeof excerptSchema>;

/** How much of a text is shown. */
const MAX_LINES = 12;
const MAX_LINE_LENGTH = 200;

/** What is shown of lines: the first ones, each clipped. */
export function excerpt(lines: readonly string[]): Excerpt {
  const shown = lines
    .slice(0, MAX_LINES)
    .map((line) => (line.length > MAX_LINE_LENGTH ? `${firstPart(line, MAX_LINE_LENGTH)}…` : line));
  return { lines: shown, more: lines.length - shown.length };
}

/** Why a block is in its state: a code and its facts. */
export type BlockReason = z.infer<typeof blockReasonSchema>;
