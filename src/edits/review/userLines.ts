import type { ChangeSet } from "@codemirror/state";
import type { OffsetRange } from "../../base/text/scan.ts";

/** The user's own edits to lines with pending hunks, as ranges of the current file. */
export interface UserLines {
  /** The lines they wrote, in order; empty where they deleted some. */
  readonly touched: readonly OffsetRange[];
  /** The rest of hunks that they deleted lines of; a hunk that touches one is in conflict. */
  readonly cuts: readonly OffsetRange[];
}

/** The user wrote more lines and cut more hunks. */
export function withUserLines(
  lines: UserLines,
  touched: readonly OffsetRange[],
  cuts: readonly OffsetRange[],
): UserLines {
  return { touched: mergedRanges([...lines.touched, ...touched]), cuts: [...lines.cuts, ...cuts] };
}

/** The same after a change of the file, without what lies in `settled` ranges. */
export function followUserLines(
  { touched, cuts }: UserLines,
  changes: ChangeSet,
  settled: readonly OffsetRange[],
): UserLines {
  return {
    touched: touched
      .filter((lines) => !settled.some(({ start, end }) => lines.start < end && start < lines.end))
      .flatMap((lines) => {
        const start = changes.mapPos(lines.start, 1);
        if (lines.start < lines.end)
          return [{ start, end: Math.max(start, changes.mapPos(lines.end, -1)) }];
        // Lines inserted at a deletion: it stays at both their ends, since a hunk may be pending
        // before or after them.
        return [...new Set([changes.mapPos(lines.start, -1), start])].map((place) => ({
          start: place,
          end: place,
        }));
      }),
    cuts: cuts
      .filter((cut) => !settled.some(({ start, end }) => cut.start <= end && start <= cut.end))
      .map((cut) => outermost(cut, changes)),
  };
}

/** What `changes` put in, in offsets of the text after them. */
export function changedRanges(changes: ChangeSet): OffsetRange[] {
  const ranges: OffsetRange[] = [];
  changes.iterChangedRanges((_fromA, _toA, start, end) => ranges.push({ start, end }));
  return ranges;
}

/** The range after `changes`, with insertions at its ends. */
export function outermost(range: OffsetRange, changes: ChangeSet): OffsetRange {
  return { start: changes.mapPos(range.start, -1), end: changes.mapPos(range.end, 1) };
}

/** The range after `changes`, without insertions at its ends. */
export function innermost(range: OffsetRange, changes: ChangeSet): OffsetRange {
  const start = changes.mapPos(range.start, isEmpty(range) ? -1 : 1);
  return { start, end: isEmpty(range) ? start : Math.max(start, changes.mapPos(range.end, -1)) };
}

/** Ranges in order, touching ones merged; a deletion's place stays apart at another's end. */
function mergedRanges(ranges: readonly OffsetRange[]): OffsetRange[] {
  const merged: OffsetRange[] = [];
  for (const range of [...ranges].sort((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    const joins =
      last &&
      (range.start < last.end || (range.start === last.end && isEmpty(range) === isEmpty(last)));
    if (last && joins)
      merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, range.end) };
    else merged.push(range);
  }
  return merged;
}

/** True for a place between two characters. */
export function isEmpty(range: OffsetRange): boolean {
  return range.start === range.end;
}
