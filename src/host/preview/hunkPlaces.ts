import type { Hunk, LineRange, TextEdit } from "../../edits/reviewPlan.ts";

/** The side of a comparison. */
export type Side = "real" | "proposed";

/** A hunk's lines on one side. */
export function linesOf(hunk: Hunk, side: Side): LineRange {
  return side === "real" ? hunk.real : hunk.proposed;
}

/** The hunk at a 0-based line: one that holds it, else one without lines of its own on this side that lies at its edge, else the only one there is. */
export function hunkAt(hunks: readonly Hunk[], side: Side, line: number): Hunk | null {
  const holding = hunks.find((hunk) => line >= linesOf(hunk, side).start && line < linesOf(hunk, side).end);
  if (holding) return holding;
  const touching = hunks.find((hunk) => {
    const { start, end } = linesOf(hunk, side);
    return start === end && (line === start || line === start - 1);
  });
  return touching ?? (hunks.length === 1 ? (hunks[0] ?? null) : null);
}

/** The next hunk behind (or before) a 0-based line, starting over at the other end; null when there is none at all. */
export function neighbour(hunks: readonly Hunk[], side: Side, line: number, direction: "next" | "previous"): Hunk | null {
  const starts = (hunk: Hunk) => linesOf(hunk, side).start;
  if (direction === "next") return hunks.find((hunk) => starts(hunk) > line) ?? hunks[0] ?? null;
  return hunks.findLast((hunk) => starts(hunk) < line) ?? hunks.at(-1) ?? null;
}

/** The 0-based line of the first edit's place in `text`. */
export function firstLineOf(text: string, edits: readonly TextEdit[]): number {
  let line = 0;
  const end = edits[0]?.start ?? 0;
  for (let at = text.indexOf("\n"); at !== -1 && at < end; at = text.indexOf("\n", at + 1)) line++;
  return line;
}
