import { firstPart } from "../../base/text/clip.ts";
import { numberLines, type TextLine } from "../../base/text/lines.ts";
import type { LineSpan } from "../../ports/editorState.ts";
import { NOTES } from "../notes.ts";

/** The most text of a file in one result, in UTF-16 units. */
const TEXT_BUDGET = 48_000;
const MAX_LINE_LENGTH = 4_000;

/** Numbered lines, and the 1-based number of the last one. */
interface NumberedLines {
  readonly text: string;
  readonly last: number;
}

/**
 * The head line `path (lines A-B of N)`, then the lines `first` to `last` (1-based, inclusive) as
 * `N<TAB>text`, clipped to a budget.
 */
export function numberedLines(
  path: string,
  lines: readonly TextLine[],
  { first, last }: LineSpan,
  clipped: (end: number) => string = NOTES.linesClipped,
): NumberedLines {
  const shown: string[] = [];
  let left = TEXT_BUDGET;
  for (const line of lines.slice(first - 1, last)) {
    const numbered = numberLines([{ text: clipLine(line.text), eol: "" }], first + shown.length);
    left -= numbered.length + 1;
    if (left < 0 && shown.length > 0) break;
    shown.push(numbered);
  }
  const end = first + shown.length - 1;
  const head = `${path} (lines ${first}-${end} of ${lines.length})`;
  const rest = end < last ? [`[${clipped(end)}]`] : [];
  return { text: [head, ...shown, ...rest].join("\n"), last: end };
}

function clipLine(text: string): string {
  if (text.length <= MAX_LINE_LENGTH) return text;
  return `${firstPart(text, MAX_LINE_LENGTH)}${NOTES.lineClipped(text.length)}`;
}
