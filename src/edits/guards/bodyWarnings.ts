import type { BlockWarning } from "../../ports/review.ts";
import { warningsBy } from "./guardRule.ts";
import { LENGTH_RULES } from "./guardRules.ts";

/** The warnings for a body that replaces the lines `old`; null for a deletion that was asked for. */
export function bodyWarnings(
  lines: readonly string[] | null,
  old: readonly string[],
  addsSyntaxError: boolean,
  isFile = false,
): readonly BlockWarning[] {
  const removed = filledLines(old);
  const written = filledLines(lines ?? []);
  return [
    ...(lines === null ? [] : warningsBy(LENGTH_RULES, { removed, written, isFile })),
    ...(addsSyntaxError ? [{ code: "syntax" as const }] : []),
  ];
}

/** How many lines are not blank. */
export function filledLines(lines: readonly string[]): number {
  return lines.filter((line) => line.trim() !== "").length;
}
