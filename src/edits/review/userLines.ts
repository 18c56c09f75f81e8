import type { ChangeSet } from "@codemirror/state";
import type { OffsetRange } from "../../syntax/syntax.ts";

/** See {@link UserLines.touched} and {@link UserLines.cuts}. */
export interface UserLinesRecord {
  readonly touched: readonly OffsetRange[];
  readonly cuts: readonly OffsetRange[];
}

/** The user's own edits to lines with pending hunks, as ranges of the current file. */
export class UserLines {
  private own: readonly OffsetRange[] = [];
  private left: readonly OffsetRange[] = [];

  /** The lines they wrote, in order; empty where they deleted some. */
  get touched(): readonly OffsetRange[] {
    return this.own;
  }

  /** The rest of hunks that they deleted lines of. */
  get cuts(): readonly OffsetRange[] {
    return this.left;
  }

  /** The same again, from a {@link record}. */
  static from({ touched, cuts }: UserLinesRecord): UserLines {
    const lines = new UserLines();
    lines.own = touched;
    lines.left = cuts;
    return lines;
  }

  record(): UserLinesRecord {
    return { touched: this.own, cuts: this.left };
  }

  /** An independent copy. */
  copy(): UserLines {
    return UserLines.from(this.record());
  }

  /** The user wrote lines and cut hunks. */
  add(touched: readonly OffsetRange[], cuts: readonly OffsetRange[]): void {
    this.left = [...this.left, ...cuts];
    this.own = mergedRanges([...this.own, ...touched]);
  }

  /** The lines of this range are again as they were. */
  takeBack(range: OffsetRange): void {
    this.own = this.own.flatMap((lines) => without(lines, range));
    this.left = this.left.filter((cut) => cut.start < range.start || range.end < cut.end);
  }

  /** Maps everything through a change of the file; forgets what lies in `settled` ranges. */
  follow(changes: ChangeSet, settled: readonly OffsetRange[]): void {
    this.own = this.own
      .filter((lines) => !settled.some(({ start, end }) => lines.start < end && start < lines.end))
      .flatMap((lines) => {
        const start = changes.mapPos(lines.start, 1);
        if (lines.start < lines.end) return [{ start, end: Math.max(start, changes.mapPos(lines.end, -1)) }];
        // Lines inserted at a deletion: it stays at both their ends, since a hunk may be pending before or after them.
        return [...new Set([changes.mapPos(lines.start, -1), start])].map((place) => ({ start: place, end: place }));
      });
    this.left = this.left
      .filter((cut) => !settled.some(({ start, end }) => cut.start <= end && start <= cut.end))
      .map((cut) => outermost(cut, changes));
  }
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

/** A range without `hole`. */
function without(range: OffsetRange, hole: OffsetRange): OffsetRange[] {
  if (range.end < hole.start || hole.end < range.start) return [range];
  const before = { start: range.start, end: hole.start };
  const after = { start: hole.end, end: range.end };
  return [before, after].filter(({ start, end }) => start < end);
}

/** Ranges in order, touching ones merged; an empty one, the place of a deletion, stays apart at another's end. */
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
