import { firstPart } from "../../base/text/clip.ts";
import type { Excerpt } from "../../turns/blockReason.ts";

/** How much of a text is shown. */
const MAX_LINES = 12;
const MAX_LINE_LENGTH = 200;

/** What is shown of lines: the first ones, each clipped. */
export function excerpt(lines: readonly string[]): Excerpt {
  const shown = lines
    .slice(0, MAX_LINES)
    .map((line) => (line.length > MAX_LINE_LENGTH ? `${firstPart(line, MAX_LINE_LENGTH)}…` : line));
  return { lines: shown, more: lines.length - shown.length };
}
