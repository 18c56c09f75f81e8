import { type OffsetRange, skipSpace, skipSpaceBack } from "../../base/text/scan.ts";

/** Where an element is after the range `edit` of `before` was replaced, which gave `after`; null when the edit removed it, or its beginning or end. */
export function rangeAfterEdit(range: OffsetRange, edit: OffsetRange, before: string, after: string): OffsetRange | null {
  const delta = after.length - before.length;
  if (edit.end <= range.start) return { start: range.start + delta, end: range.end + delta };
  if (edit.start >= range.end) return range;
  if (edit.start <= range.start && edit.end >= range.end) return null;
  const isBlank = (start: number, end: number) => before.slice(start, end).trim() === "";
  if (edit.start < range.start && !isBlank(edit.start, range.start)) return null;
  if (edit.end > range.end && !isBlank(range.end, edit.end)) return null;
  const end = skipSpaceBack(after, Math.max(edit.end, range.end) + delta);
  const start = skipSpace(after, Math.min(edit.start, range.start), end);
  return start < end ? { start, end } : null;
}
