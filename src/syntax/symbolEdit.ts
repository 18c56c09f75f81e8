import { indentAt, lineStart, skipSpace, skipSpaceBack } from "../base/text/scan.ts";
import type { OffsetRange } from "./syntaxTypes.ts";

/** An edit of a text: what is replaced, in UTF-16 offsets, by what. */
export interface SymbolEdit extends OffsetRange {
  readonly newText: string;
}

/** Where an element is after an edit of `before` that made it `after`; null when the edit took it, or its beginning or end, away. */
export function rangeAfterEdit(range: OffsetRange, edit: SymbolEdit, before: string, after: string): OffsetRange | null {
  const delta = edit.newText.length - (edit.end - edit.start);
  const written = edit.start + edit.newText.length;
  if (edit.end <= range.start) return { start: range.start + delta, end: range.end + delta };
  if (edit.start >= range.end) return range;
  if (edit.start <= range.start && edit.end >= range.end) return null;
  const isBlank = (start: number, end: number) => before.slice(start, end).trim() === "";
  if (edit.start < range.start && !isBlank(edit.start, range.start)) return null;
  if (edit.end > range.end && !isBlank(range.end, edit.end)) return null;
  const end = skipSpaceBack(after, edit.end > range.end ? written : range.end + delta);
  const start = skipSpace(after, Math.min(edit.start, range.start), end);
  return start < end ? { start, end } : null;
}

/** The end of an element that is made by its indent, after lines were inserted right below it: those deeper than it are its own. */
export function endWithLinesBelow(range: OffsetRange, edit: SymbolEdit, before: string): number {
  if (edit.start !== edit.end || edit.start < range.end || /[\r\n]/.test(before.slice(range.end, edit.start))) return range.end;
  const indent = /^(?:\r\n|\n|\r)\s*?([ \t]*)\S/.exec(edit.newText)?.[1] ?? "";
  const own = indentAt(before, skipSpace(before, lineStart(before, range.start), range.start)) ?? "";
  return indent.length > own.length ? edit.start + edit.newText.trimEnd().length : range.end;
}
