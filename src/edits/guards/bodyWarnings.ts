import type { BlockWarning } from "../../ports/review.ts";
import type { WholeEffect } from "../drafts/draft.ts";

/** A replacement that removes at least this many lines and writes fewer than a quarter of them is flagged. */
const MANY_LINES = 20;
/** The same for a whole file and half of them. */
const SHORT_FILE = 8;

/** The warnings for a body that replaces `oldText`; null for a deletion that was asked for. */
export function bodyWarnings(
  lines: readonly string[] | null,
  oldText: string,
  addsSyntaxError: boolean,
  isFile = false,
): readonly BlockWarning[] {
  const removed = filledLines(oldText.split(/\r\n|\n|\r/));
  const written = filledLines(lines ?? []);
  const isShort = isFile ? removed >= SHORT_FILE && written * 2 < removed : removed >= MANY_LINES && written * 4 < removed;
  return [
    ...(lines !== null && isShort ? [{ code: "deletion" as const, removed, written }] : []),
    ...(addsSyntaxError ? [{ code: "syntax" as const }] : []),
  ];
}

/** The warnings for what a block loses in the whole text. `isNamed` tells whether the model says a name elsewhere. */
export function rewriteWarnings(
  { blockId }: { readonly blockId: string },
  effect: WholeEffect | null,
  file: string,
  isNamed: (name: string) => boolean,
): readonly BlockWarning[] {
  const warnings: BlockWarning[] = [];
  const gone = effect?.gone?.get(blockId);
  if (gone !== undefined) warnings.push({ code: "loses-element", path: gone });
  const loss = effect?.losses?.get(blockId);
  const names = loss?.names.filter((name) => !isNamed(name)) ?? [];
  if (names.length > 0 && gone === undefined) warnings.push({ code: "loses-members", path: loss?.path || file, names });
  return warnings;
}

/** How many lines are not blank. */
export function filledLines(lines: readonly string[]): number {
  return lines.filter((line) => line.trim() !== "").length;
}
