import type { ChangeSet } from "@codemirror/state";
import type { OffsetRange } from "../syntax/syntaxTypes.ts";

/** Where the user changed lines of the file himself while hunks were pending there. All ranges are of the file's text as it is. */
export class UserLines {
  private own: readonly OffsetRange[] = [];
  private left: readonly OffsetRange[] = [];

  /** The lines he wrote, in order; empty where he deleted some. */
  get touched(): readonly OffsetRange[] {
    return this.own;
  }

  /** What is left in the file of hunks that he has deleted lines of. */
  get cuts(): readonly OffsetRange[] {
    return this.left;
  }

  /** These, for later: what happens to the one does not show in the other. */
  copy(): UserLines {
    const copy = new UserLines();
    copy.own = this.own;
    copy.left = this.left;
    return copy;
  }

  /** He wrote lines, and cut hunks. */
  add(touched: readonly OffsetRange[], cuts: readonly OffsetRange[]): void {
    this.left = [...this.left, ...cuts];
    this.own = mergedRanges([...this.own, ...touched]);
  }

  /** The lines of this range are again what they were. */
  takeBack(range: OffsetRange): void {
    this.own = this.own.flatMap((lines) => without(lines, range));
    this.left = this.left.filter((cut) => cut.start < range.start || range.end < cut.end);
  }

  /** The file changes; what lay in the ranges that are `settled` by that is of no account any more. */
  follow(changes: ChangeSet, settled: readonly OffsetRange[]): void {
    this.own = this.own
      .filter((lines) => !settled.some(({ start, end }) => lines.start < end && start < lines.end))
      .flatMap((lines) => {
        const start = changes.mapPos(lines.start, 1);
        if (lines.start < lines.end) return [{ start, end: Math.max(start, changes.mapPos(lines.end, -1)) }];
        // The place of a deletion where lines are put is at both their ends: what is pending there may come before or behind them.
        return [...new Set([changes.mapPos(lines.start, -1), start])].map((place) => ({ start: place, end: place }));
      });
    this.left = this.left
      .filter((cut) => !settled.some(({ start, end }) => cut.start <= end && start <= cut.end))
      .map((cut) => outermost(cut, changes));
  }
}

/** The range after `changes`, with what they put at its ends. */
export function outermost(range: OffsetRange, changes: ChangeSet): OffsetRange {
  return { start: changes.mapPos(range.start, -1), end: changes.mapPos(range.end, 1) };
}

/** The range after `changes`, without what they put at its ends. */
export function innermost(range: OffsetRange, changes: ChangeSet): OffsetRange {
  const start = changes.mapPos(range.start, isEmpty(range) ? -1 : 1);
  return { start, end: isEmpty(range) ? start : Math.max(start, changes.mapPos(range.end, -1)) };
}

/** What is left of a range outside of `hole`. */
function without(range: OffsetRange, hole: OffsetRange): OffsetRange[] {
  if (range.end < hole.start || hole.end < range.start) return [range];
  const before = { start: range.start, end: hole.start };
  const after = { start: hole.end, end: range.end };
  return [before, after].filter(({ start, end }) => start < end);
}

/** Ranges in order, those that touch made one; an empty one, the place of a deletion, stays at the end of another. */
function mergedRanges(ranges: readonly OffsetRange[]): OffsetRange[] {
  const merged: OffsetRange[] = [];
  for (const range of [...ranges].sort((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    const joins = last && (range.start < last.end || (range.start === last.end && isEmpty(range) === isEmpty(last)));
    if (last && joins) merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, range.end) };
    else merged.push(range);
  }
  return merged;
}

function isEmpty(range: OffsetRange): boolean {
  return range.start === range.end;
}
