import type { Hunk } from "../../edits/review/reviewPlan.ts";
import type { TextEdit } from "../../edits/text/changeSet.ts";
import type { LineRange } from "../../edits/text/lineDiff.ts";

const LINE_BREAK = /\r\n|\r|\n/;
/** VS Code looks no further for a better place. */
const MAX_SHIFT = 100;

/** A side of the diff. */
export type Side = "real" | "proposed";

/** A hunk's lines on one side. */
export function linesOf(hunk: Hunk, side: Side): LineRange {
  return side === "real" ? hunk.real : hunk.proposed;
}

/** The hunk at a 0-based line: one that contains it, else one without lines on this side next to it, else the only hunk. */
export function hunkAt(hunks: readonly Hunk[], side: Side, line: number): Hunk | null {
  const holding = hunks.find((hunk) => line >= linesOf(hunk, side).start && line < linesOf(hunk, side).end);
  if (holding) return holding;
  const touching = hunks.find((hunk) => {
    const { start, end } = linesOf(hunk, side);
    return start === end && (line === start || line === start - 1);
  });
  return touching ?? (hunks.length === 1 ? (hunks[0] ?? null) : null);
}

/** The hunk that a decision at a 0-based line is about: the one there, else the next one, wrapping around. */
export function hunkToDecide(hunks: readonly Hunk[], side: Side, line: number): Hunk | null {
  return hunkAt(hunks, side, line) ?? hunks.find((hunk) => linesOf(hunk, side).start >= line) ?? hunks[0] ?? null;
}

/** The next hunk after (or before) a 0-based line; null when there is none. */
export function adjacentHunk(hunks: readonly Hunk[], side: Side, line: number, direction: "next" | "previous"): Hunk | null {
  const starts = (hunk: Hunk) => linesOf(hunk, side).start;
  const found = direction === "next" ? hunks.find((hunk) => starts(hunk) > line) : hunks.findLast((hunk) => starts(hunk) < line);
  return found ?? null;
}

/** A cursor among the hunks of one file. */
export interface HunkCursor {
  readonly side: Side;
  /** 0-based; -1 without a cursor. */
  readonly line: number;
  /** False while the user has not moved it: then the first hunk comes next, and the last one before. */
  readonly visited: boolean;
}

/** The next or previous hunk of the same file, or null. */
export function hunkBeside(hunks: readonly Hunk[], { side, line, visited }: HunkCursor, direction: "next" | "previous"): Hunk | null {
  const first = hunks[0];
  if (!first) return null;
  if (visited || line > linesOf(first, side).start) return adjacentHunk(hunks, side, line, direction);
  return direction === "next" ? first : (hunks.at(-1) ?? null);
}

/**
 * The hunks where VS Code draws them. Lines that are only added or only removed can often stand a few lines up or down as well, for
 * example with the blank line before or after them: VS Code joins them to an adjacent hunk, else it prefers the least indentation.
 */
export function drawnHunks(hunks: readonly Hunk[], realText: string, proposedText: string): readonly Hunk[] {
  if (!hunks.some(({ real, proposed }) => isEmpty(real) || isEmpty(proposed))) return hunks;
  const lines: Record<Side, readonly string[]> = { real: realText.split(LINE_BREAK), proposed: proposedText.split(LINE_BREAK) };
  const drawn: Hunk[] = [];
  hunks.forEach((hunk, index) => {
    const delta = isEmpty(hunk.real) || isEmpty(hunk.proposed) ? shiftOf(hunk, drawn.at(-1), hunks[index + 1], lines) : 0;
    drawn.push(delta === 0 ? hunk : { ...hunk, real: moved(hunk.real, delta), proposed: moved(hunk.proposed, delta) });
  });
  return drawn;
}

/** {@link drawnHunks} that remembers its latest answer, as long as the hunks are the same. */
export function latestDrawn(): typeof drawnHunks {
  let placed: readonly Hunk[] | null = null;
  let drawn: readonly Hunk[] = [];
  return (hunks, realText, proposedText) => {
    if (hunks !== placed) drawn = drawnHunks(hunks, realText, proposedText);
    placed = hunks;
    return drawn;
  };
}

/** How many lines VS Code moves a hunk that has lines on one side only. */
function shiftOf(hunk: Hunk, previous: Hunk | undefined, next: Hunk | undefined, lines: Readonly<Record<Side, readonly string[]>>): number {
  const side: Side = isEmpty(hunk.real) ? "proposed" : "real";
  const own = lines[side];
  const { start, end } = linesOf(hunk, side);
  const above = start - (previous ? linesOf(previous, side).end : 0);
  const below = (next ? linesOf(next, side).start : own.length) - end;
  let up = 0;
  while (up < Math.min(above, MAX_SHIFT) && own[start - up - 1] === own[end - up - 1]) up++;
  if (previous && up === above) return -up;
  let down = 0;
  while (down < Math.min(below, MAX_SHIFT) && own[start + down] === own[end + down]) down++;
  if (next && down === below) return down;
  const other = side === "real" ? hunk.proposed.start : hunk.real.start;
  const others = lines[side === "real" ? "proposed" : "real"];
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let delta = -up; delta <= down; delta++) {
    const depth = depthAt(own, start + delta) + depthAt(own, end + delta) + depthAt(others, other + delta);
    if (depth < least) [best, least] = [delta, depth];
  }
  return best;
}

/** The indentation around the place before a line. */
function depthAt(lines: readonly string[], line: number): number {
  return indentation(lines[line - 1]) + indentation(lines[line]);
}

function indentation(line = ""): number {
  return /^[ \t]*/.exec(line)?.[0].length ?? 0;
}

function moved({ start, end }: LineRange, delta: number): LineRange {
  return { start: start + delta, end: end + delta };
}

function isEmpty({ start, end }: LineRange): boolean {
  return start === end;
}

/** The 0-based line in `text` where the first edit begins. */
export function firstLineOf(text: string, edits: readonly TextEdit[]): number {
  let line = 0;
  const end = edits[0]?.start ?? 0;
  for (let at = text.indexOf("\n"); at !== -1 && at < end; at = text.indexOf("\n", at + 1)) line++;
  return line;
}
