import {
  isBlank,
  lineEnd,
  lineStart,
  nextLine,
  previousLineEnd,
  skipBlanks,
} from "../../base/text/scan.ts";
import type { SyntaxDocument, SyntaxElement } from "../../syntax/syntax.ts";
import type { PlacedEdit } from "../text/changeSet.ts";

/** A line that ends the block it is in. */
const ENDS_BLOCK = /^\s*(?:[)\]}]|end\b|<\/)/;

/** Deletes an element and needless blank lines; `withComment` also its comments. */
export function astRemoval(
  lines: SyntaxDocument,
  element: SyntaxElement,
  withComment: boolean,
): PlacedEdit {
  const { text } = lines;
  const from = withComment ? element.commentStart : element.range.start;
  const to = element.range.end;
  const opensLine = isBlank(text, lineStart(text, from), from);
  const closesLine = isBlank(text, to, lineEnd(text, to)) || (withComment && lines.endsLine(to));
  if (opensLine && closesLine) return removedLines(text, lineStart(text, from), lineEnd(text, to));
  if (opensLine) return removal(from, skipBlanks(text, to));
  const start = lineStart(text, from) + text.slice(lineStart(text, from), from).trimEnd().length;
  const end = /[([]/.test(text.charAt(start - 1)) ? skipBlanks(text, to) : to;
  return removal(start, closesLine ? lineEnd(text, to) : end);
}

function removal(start: number, end: number): PlacedEdit {
  return { start, end, newText: "", written: { start, end: start } };
}

function removedLines(text: string, first: number, lastEnd: number): PlacedEdit {
  let start = first;
  let end = nextLine(text, lastEnd);
  const above = blankLinesAbove(text, start);
  const below = blankLinesBelow(text, end);
  const atTop = (above[0] ?? start) === 0;
  const atBottom = (below.at(-1) ?? end) === text.length;
  if (atBottom && !atTop) start = above[0] ?? start;
  else if (atTop) end = below.at(-1) ?? end;
  else if (above.length === 0 && opensBlock(text, start)) end = below.at(-1) ?? end;
  else if (below.length === 0 && ENDS_BLOCK.test(text.slice(end, lineEnd(text, end))))
    start = above[0] ?? start;
  else end = below[Math.min(above.length, below.length) - 1] ?? end;
  // The last line goes with the line break before it, so that a file without a final newline stays
  // one.
  const unterminated = end === text.length && end === lastEnd && start > 0;
  return removal(unterminated ? previousLineEnd(text, start) : start, end);
}

/** True where the line above is less indented than the line at an offset: that one is its first. */
function opensBlock(text: string, start: number): boolean {
  const indent = (at: number) => skipBlanks(text, at) - at;
  return start > 0 && indent(lineStart(text, previousLineEnd(text, start))) < indent(start);
}

/** The starts of the blank lines directly above a line's start, topmost first. */
function blankLinesAbove(text: string, offset: number): number[] {
  const starts: number[] = [];
  for (let at = offset; at > 0; ) {
    const end = previousLineEnd(text, at);
    const start = lineStart(text, end);
    if (!isBlank(text, start, end)) break;
    starts.unshift(start);
    at = start;
  }
  return starts;
}

/** The ends, line breaks included, of the blank lines from a line's start on. */
function blankLinesBelow(text: string, offset: number): number[] {
  const ends: number[] = [];
  for (let at = offset; at < text.length; ) {
    const next = nextLine(text, at);
    if (!isBlank(text, at, lineEnd(text, at))) break;
    ends.push(next);
    at = next;
  }
  return ends;
}
