import type { Hunk } from "../../edits/review/reviewPlan.ts";
import type { TextEdit } from "../../edits/text/changeSet.ts";
import type { LineRange } from "../../edits/text/lineDiff.ts";

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

/** The next hunk after (or before) a 0-based line, wrapping around; null when there is none. */
export function adjacentHunk(hunks: readonly Hunk[], side: Side, line: number, direction: "next" | "previous"): Hunk | null {
  const starts = (hunk: Hunk) => linesOf(hunk, side).start;
  if (direction === "next") return hunks.find((hunk) => starts(hunk) > line) ?? hunks[0] ?? null;
  return hunks.findLast((hunk) => starts(hunk) < line) ?? hunks.at(-1) ?? null;
}

/** The 0-based line in `text` where the first edit begins. */
export function firstLineOf(text: string, edits: readonly TextEdit[]): number {
  let line = 0;
  const end = edits[0]?.start ?? 0;
  for (let at = text.indexOf("\n"); at !== -1 && at < end; at = text.indexOf("\n", at + 1)) line++;
  return line;
}
