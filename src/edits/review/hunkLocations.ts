import type { TextEdit } from "../text/changeSet.ts";
import type { LineRange } from "../text/lineDiff.ts";
import type { Hunk } from "./reviewPlan.ts";
import { isEmpty } from "./userLines.ts";

const LINE_BREAK = /\r\n|\r|\n/;
/** VS Code looks no further for a better place. */
const MAX_SHIFT = 100;

/** A side of the diff. */
export type Side = "real" | "proposed";

/** The hunk that a decision at a 0-based line is about: there, beside it, or the next one. */
export function hunkToDecide(hunks: readonly Hunk[], side: Side, line: number): Hunk | null {
  const holding = hunks.find((hunk) => line >= hunk[side].start && line < hunk[side].end);
  const touching = hunks.find(
    (hunk) => isEmpty(hunk[side]) && (line === hunk[side].start || line === hunk[side].start - 1),
  );
  return holding ?? touching ?? hunks.find((hunk) => hunk[side].start >= line) ?? hunks[0] ?? null;
}

/** A cursor among the hunks of one file. */
export interface HunkCursor {
  readonly side: Side;
  /** 0-based; -1 without a cursor. */
  readonly line: number;
  /** False while the user has not moved it: then the first comes next, the last before. */
  readonly visited: boolean;
}

/** The next or previous hunk of the same file, or null. */
export function hunkBeside(
  hunks: readonly Hunk[],
  { side, line, visited }: HunkCursor,
  direction: "next" | "previous",
): Hunk | null {
  const first = hunks[0];
  if (!first) return null;
  const isInside = visited || line > first[side].start;
  if (!isInside) return direction === "next" ? first : (hunks.at(-1) ?? null);
  const found =
    direction === "next"
      ? hunks.find((hunk) => hunk[side].start > line)
      : hunks.findLast((hunk) => hunk[side].start < line);
  return found ?? null;
}

/**
 * The hunks where VS Code draws them. Lines that are only added or only removed can often stand a
 * few lines up or down as well, for example with the blank line before or after them: VS Code joins
 * them to an adjacent hunk, else it prefers the least indentation.
 */
export function drawnHunks(
  hunks: readonly Hunk[],
  realText: string,
  proposedText: string,
): readonly Hunk[] {
  if (!hunks.some(({ real, proposed }) => isEmpty(real) || isEmpty(proposed))) return hunks;
  const lines: Record<Side, readonly string[]> = {
    real: realText.split(LINE_BREAK),
    proposed: proposedText.split(LINE_BREAK),
  };
  const drawn: Hunk[] = [];
  hunks.forEach((hunk, index) => {
    const delta =
      isEmpty(hunk.real) || isEmpty(hunk.proposed)
        ? shiftOf(hunk, drawn.at(-1), hunks[index + 1], lines)
        : 0;
    drawn.push(
      delta === 0
        ? hunk
        : { ...hunk, real: moved(hunk.real, delta), proposed: moved(hunk.proposed, delta) },
    );
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
function shiftOf(
  hunk: Hunk,
  previous: Hunk | undefined,
  next: Hunk | undefined,
  lines: Readonly<Record<Side, readonly string[]>>,
): number {
  const side: Side = isEmpty(hunk.real) ? "proposed" : "real";
  const own = lines[side];
  const { start, end } = hunk[side];
  const above = start - (previous ? previous[side].end : 0);
  const below = (next ? next[side].start : own.length) - end;
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
    const depth =
      depthAt(own, start + delta) + depthAt(own, end + delta) + depthAt(others, other + delta);
    if (depth < least) [best, least] = [delta, depth];
  }
  return best;
}

function depthAt(lines: readonly string[], line: number): number {
  return indentation(lines[line - 1]) + indentation(lines[line]);
}

function indentation(line = ""): number {
  return /^[ \t]*/.exec(line)?.[0].length ?? 0;
}

function moved({ start, end }: LineRange, delta: number): LineRange {
  return { start: start + delta, end: end + delta };
}
/** The 0-based line in `text` where the first edit begins. */
export function firstLineOf(text: string, edits: readonly TextEdit[]): number {
  let line = 0;
  const end = edits[0]?.start ?? 0;
  for (let at = text.indexOf("\n"); at !== -1 && at < end; at = text.indexOf("\n", at + 1)) line++;
  return line;
}
