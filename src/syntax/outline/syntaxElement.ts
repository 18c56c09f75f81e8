import { type OffsetRange, skipSpaceBack } from "../../base/text/scan.ts";
import { movedRange } from "../paths/definition.ts";
import { FILE_PATH } from "../paths/elementPaths.ts";
import type { SyntaxElement } from "../syntax.ts";

/**
 * The whole text as an element, `@file`. Its body begins after a byte order mark and a shebang
 * line.
 */
export function wholeFile(text: string): SyntaxElement {
  const range = { start: 0, end: text.length };
  const start = /^\uFEFF?(?:#!.*(?:\r\n|\n|\r|$))?/.exec(text)?.[0].length ?? 0;
  return {
    path: FILE_PATH,
    kind: "file",
    range,
    separatorStart: range.end,
    sharedWith: [],
    commentStart: 0,
    body: { inner: { start, end: range.end }, style: "section", memberIndent: "" },
  };
}

/** The same element so many UTF-16 units further on. */
export function movedElement(element: SyntaxElement, delta: number): SyntaxElement {
  return {
    ...element,
    range: movedRange(element.range, delta),
    separatorStart: element.separatorStart + delta,
    commentStart: element.commentStart + delta,
    body: element.body && { ...element.body, inner: movedRange(element.body.inner, delta) },
  };
}

/**
 * Where an element ends with the `,` or `;` at `at` that separates it from the next one; its own
 * end when there is none.
 */
export function separatorEnd(
  text: string,
  { start, end }: OffsetRange,
  kind: string,
  at: number,
): number {
  // After a heading or a tag comes text, and `;;` begins a comment in Lisp.
  if (kind === "heading" || text[start] === "<" || text.startsWith(";;", at)) return end;
  if (text[at] === ",") return at + 1;
  // The `;` after an enum's last constant, or after the last name of `int a, b;`, ends the list.
  const endsList = kind === "enum-member" || text[skipSpaceBack(text, start) - 1] === ",";
  return text[at] === ";" && !endsList ? at + 1 : end;
}

/** The text with `range` replaced; throws a RangeError when the range lies outside of it. */
export function withReplacement(
  text: string,
  { start, end }: OffsetRange,
  newText: string,
): string {
  if (!(start >= 0 && start <= end && end <= text.length)) {
    throw new RangeError(`The range ${start}-${end} is outside of a text of ${text.length}.`);
  }
  return text.slice(0, start) + newText + text.slice(end);
}
