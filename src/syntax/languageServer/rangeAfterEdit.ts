import { skipSpace, skipSpaceBack } from "../../base/text/scan.ts";
import type { OffsetRange } from "../syntax.ts";

/** An edit of a text, in UTF-16 offsets. */
export interface SymbolEdit extends OffsetRange {
  readonly newText: string;
}

/** Where an element is after an edit of `before` to `after`; null when the edit removed it, or its beginning or end. */
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
