import type { BlockWarning } from "../../ports/review.ts";

/** A replacement that removes at least this many lines and writes fewer than a quarter of them is flagged. */
const MANY_LINES = 20;

/** The warnings for a body that replaces `oldText`; null for a deletion that was asked for. */
export function bodyWarnings(lines: readonly string[] | null, oldText: string, addsSyntaxError: boolean): readonly BlockWarning[] {
  const removed = filledLines(oldText.split(/\r\n|\n|\r/));
  const written = filledLines(lines ?? []);
  const deletesMuch = lines !== null && removed >= MANY_LINES && written * 4 < removed;
  return [
    ...(deletesMuch ? [{ code: "deletion" as const, removed, written }] : []),
    ...(addsSyntaxError ? [{ code: "syntax" as const }] : []),
  ];
}

/** How many lines are not blank. */
export function filledLines(lines: readonly string[]): number {
  return lines.filter((line) => line.trim() !== "").length;
}
