import { err, ok, type Result } from "../../base/result.ts";
import {
  isBlank,
  lineBreakNear,
  lineEnd,
  lineStart,
  type OffsetRange,
  previousLineEnd,
  skipBlanks,
  skipSpace,
} from "../../base/text/scan.ts";
import type { ElementBody, SyntaxDocument, SyntaxElement } from "../../syntax/syntax.ts";
import type { BlockReason } from "../../turns/blockReason.ts";
import type { EditOp } from "../block.ts";
import type { PlacedEdit } from "../text/changeSet.ts";
import { indentOf, indentUnit } from "../text/indent.ts";

/** A place in a text for a block's lines. */
export interface AstSlot {
  /** What is replaced, in UTF-16 offsets; empty for an insertion. */
  readonly range: OffsetRange;
  /** Where the range ends for lines that bring their own separator (`,` or `;`). */
  readonly separatedEnd: number;
  /** What is put before and after the lines. */
  readonly before: string;
  readonly after: string;
  /** The indent the lines are moved to; null leaves theirs. */
  readonly indent: string | null;
  /** True where the first line follows other code and therefore loses its indent. */
  readonly inline: boolean;
  /** The line break between the lines. */
  readonly eol: string;
  /** Whether a blank line comes after the lines. */
  readonly isApart?: boolean;
}

/** The slot of an operation on an element, or why there is none. Deletions have no slot. */
export function astSlot(
  lines: SyntaxDocument,
  element: SyntaxElement,
  op: EditOp,
  eol: string,
): Result<AstSlot, BlockReason> {
  const { text } = lines;
  if (element.path === "@file" && op !== "append" && op !== "prepend")
    return err({ code: "file-operation" });
  if (element.path === "@imports" && op !== "replace" && op !== "append" && op !== "prepend") {
    return err({ code: "imports-operation" });
  }
  if (op === "append" || op === "prepend") {
    if (!element.body) return err({ code: "no-body", path: element.path });
    return ok(apart(text, element, bodySlot(lines, element.body, op, eol)));
  }
  if (op === "before")
    return ok(beforeSlot(text, element.commentStart, lineIndentAt(text, element.range.start), eol));
  if (op === "after") return ok(afterSlot(lines, element, eol));
  const from = op === "with-comment" ? element.commentStart : element.range.start;
  return ok(apart(text, element, replaceSlot(lines, element, from, eol)));
}

/** The first imports of a file stand apart from what follows them. */
function apart(text: string, { path, range }: SyntaxElement, slot: AstSlot): AstSlot {
  if (path !== "@imports" || range.start < range.end) return slot;
  const { end } = slot.range;
  return {
    ...slot,
    isApart: /[\r\n]$/.test(slot.after) && !isBlank(text, end, lineEnd(text, end)),
  };
}

/** The slot for lines below those that an earlier block inserted at the same place of an element. */
export function belowSlot(
  lines: SyntaxDocument,
  element: SyntaxElement,
  inserted: OffsetRange,
  eol: string,
): AstSlot {
  const { text } = lines;
  const first = skipSpace(text, inserted.start, inserted.end);
  const isBelow = lineStart(text, inserted.end) === inserted.end;
  const last = isBelow ? previousLineEnd(text, inserted.end) : inserted.end;
  const end = /[,;]/.test(text[last] ?? "") ? last + 1 : last;
  const local = lineBreakNear(text, last, eol);
  const indent = sectionIndent(element, lineIndentAt(text, first));
  return lines.endsLine(end)
    ? insertion(lineEnd(text, end), local, "", indent, local)
    : { ...insertion(last, " ", "", null, local), inline: true };
}

/** Ends with a line comment in any style. A false match only costs a line break. */
export const ENDS_WITH_COMMENT = /(?:^|[\s,;)}\]])(?:\/\/|#|--)(?:[^"'`]|\w'\w)*$/;
const ENDS_WITH_SEPARATOR = /[,;](?:\s+(?:\/\/|#|--|\/\*)(?:[^"'`]|\w'\w)*)?$/;

/** Puts a body into a slot, at whose indent it is. */
export function fillSlot(
  lines: SyntaxDocument,
  slot: AstSlot,
  body: readonly string[],
): PlacedEdit {
  const { text } = lines;
  const shifted = slot.inline ? withoutFirstIndent(body) : body;
  const last = body.findLast((line) => line.trim() !== "")?.trimEnd() ?? "";
  const separated = ENDS_WITH_SEPARATOR.test(last) && slot.separatedEnd > slot.range.end;
  const { start } = slot.range;
  const end = separated ? slot.separatedEnd : slot.range.end;
  const written = {
    start: start + slot.before.length,
    end: start + slot.before.length + shifted.join(slot.eol).length,
  };
  const newText = slot.before + shifted.join(slot.eol);
  const isApart = slot.isApart && shifted.at(-1)?.trim() !== "";
  const after = isApart ? slot.after + slot.eol : slot.after;
  // A line comment would swallow the code behind it.
  const swallows =
    ENDS_WITH_COMMENT.test(last) && !/[\r\n]/.test(slot.after) && !lines.endsLine(end);
  if (!swallows) return { start, end, newText: newText + after, written };
  const lineIndent = indentOf(text.slice(lineStart(text, start)));
  return { start, end: skipBlanks(text, end), newText: newText + slot.eol + lineIndent, written };
}

/** A body whose first line follows other code. */
export function withoutFirstIndent(body: readonly string[]): readonly string[] {
  return body.map((line, index) => (index === 0 ? line.slice(indentOf(line).length) : line));
}

function replaceSlot(
  lines: SyntaxDocument,
  element: SyntaxElement,
  from: number,
  eol: string,
): AstSlot {
  const { text } = lines;
  const start = lineStart(text, from);
  const whole = isBlank(text, start, from);
  const empty = element.range.start === element.range.end;
  const local = lineBreakNear(text, from, eol);
  return {
    range: { start: whole ? start : from, end: element.separatorStart },
    separatedEnd: element.range.end,
    before: "",
    after: empty ? local : "",
    indent: whole ? sectionIndent(element, lineIndentAt(text, element.range.start)) : null,
    inline: !whole,
    eol: local,
  };
}

function beforeSlot(text: string, from: number, indent: string | null, eol: string): AstSlot {
  const start = lineStart(text, from);
  const local = lineBreakNear(text, from, eol);
  if (isBlank(text, start, from)) return insertion(start, "", local, indent, local);
  const opening = text.slice(start, from);
  if (/^[ \t]*(- +)+$/.test(opening)) {
    // The first key of a YAML list item follows the dash, the others stand below it.
    const below = opening.replaceAll("-", " ");
    return { ...insertion(from, "", local + below, below, local), inline: true };
  }
  return { ...insertion(from, "", " ", null, local), inline: true };
}

function afterSlot(lines: SyntaxDocument, element: SyntaxElement, eol: string): AstSlot {
  const { text } = lines;
  const { end } = element.range;
  const local = lineBreakNear(text, end, eol);
  const indent = sectionIndent(element, lineIndentAt(text, element.range.start));
  if (lines.endsLine(end)) return insertion(lineEnd(text, end), local, "", indent, local);
  return { ...insertion(end, " ", "", null, local), inline: true };
}

function bodySlot(
  lines: SyntaxDocument,
  body: ElementBody,
  op: "append" | "prepend",
  eol: string,
): AstSlot {
  const { text } = lines;
  if (body.style === "braces") return bracesSlot(lines, body, op, eol);
  if (body.style === "indent") return indentSlot(lines, body, op, eol);
  const { start, end } = body.inner;
  const local = lineBreakNear(text, op === "append" ? end : start, eol);
  const indent = body.memberIndent;
  if (op === "append" && start < end) {
    return lineStart(text, end) === end
      ? insertion(end, "", local, indent, local)
      : insertion(lineEnd(text, end), local, "", indent, local);
  }
  const atLineStart = lineStart(text, start) === start;
  const before = atLineStart ? "" : local;
  return insertion(
    start,
    before,
    atLineStart || !lines.endsLine(start) ? local : "",
    indent,
    local,
  );
}

function bracesSlot(
  lines: SyntaxDocument,
  { inner, memberIndent }: ElementBody,
  op: "append" | "prepend",
  eol: string,
): AstSlot {
  const { text } = lines;
  const local = lineBreakNear(text, inner.start, eol);
  const closing = indentOf(text.slice(lineStart(text, inner.end)));
  const content = text.slice(inner.start, inner.end);
  const ownIndent = closing + indentUnit(text, closing, "  ");
  if (content.trim() === "")
    return {
      ...insertion(inner.start, local, local + closing, memberIndent ?? ownIndent, local),
      range: inner,
    };
  const first = inner.start + content.length - content.trimStart().length;
  const last = inner.start + content.trimEnd().length;
  const broken = (start: number, end: number) => /[\r\n]/.test(text.slice(start, end));
  if (op === "append") {
    const indent = broken(inner.start, last) ? (memberIndent ?? ownIndent) : ownIndent;
    if (broken(last, inner.end)) return insertion(last, local, "", indent, local);
    return {
      ...insertion(last, local, local + closing, indent, local),
      range: { start: last, end: inner.end },
    };
  }
  const indent = broken(inner.start, inner.end) ? (memberIndent ?? ownIndent) : ownIndent;
  if (broken(inner.start, first)) return insertion(inner.start, local, "", indent, local);
  if (lines.endsLine(inner.start))
    return insertion(lineEnd(text, inner.start), local, "", indent, local);
  return {
    ...insertion(inner.start, local, local + indent, indent, local),
    range: { start: inner.start, end: first },
  };
}

function indentSlot(
  lines: SyntaxDocument,
  { inner, memberIndent }: ElementBody,
  op: "append" | "prepend",
  eol: string,
): AstSlot {
  const { text } = lines;
  const local = lineBreakNear(text, inner.start, eol);
  const from = lineStart(text, inner.start);
  const deeper = () => {
    const outer = indentOf(text.slice(from));
    return outer + indentUnit(text, outer, "    ");
  };
  if (memberIndent === null && inner.start < inner.end && !isBlank(text, from, inner.start)) {
    // `class A: pass`: the statement after the colon moves to its own line.
    const indent = deeper();
    const statement = indent + text.slice(inner.start, inner.end);
    const start = from + text.slice(from, inner.start).trimEnd().length;
    const range = { start, end: inner.end };
    if (op === "append")
      return { ...insertion(start, local + statement + local, "", indent, local), range };
    return { ...insertion(start, local, local + statement, indent, local), range };
  }
  const indent = memberIndent ?? deeper();
  if (op === "prepend" && inner.start < inner.end) return insertion(from, "", local, indent, local);
  const end = lines.endsLine(inner.end) ? lineEnd(text, inner.end) : inner.end;
  return insertion(end, local, "", indent, local);
}

function insertion(
  at: number,
  before: string,
  after: string,
  indent: string | null,
  eol: string,
): AstSlot {
  return {
    range: { start: at, end: at },
    separatedEnd: at,
    inline: false,
    before,
    after,
    indent,
    eol,
  };
}

/** In a Markdown section indents are content, as in lists and code. */
function sectionIndent(element: SyntaxElement, indent: string): string | null {
  return element.body?.style === "section" && element.path !== "@imports" ? null : indent;
}

function lineIndentAt(text: string, offset: number): string {
  const start = lineStart(text, offset);
  return text.slice(start, Math.min(offset, skipBlanks(text, start)));
}
