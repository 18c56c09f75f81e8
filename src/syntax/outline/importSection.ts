import {
  indentAt,
  lineBreaksBetween,
  lineStart,
  nextLine,
  type OffsetRange,
  skipSpace,
  skipSpaceBack,
} from "../../base/text/scan.ts";
import {
  attributeStart,
  commentEndAt,
  commentEndBelow,
  type Marks,
  withoutComments,
} from "./marks.ts";

/**
 * Where imports go in a file without any: after the package clause, directives or docstring, else
 * after a header comment.
 */
function importPosition(marks: Marks): number {
  const { text, ranges } = marks;
  const last = ranges["imports.after"].at(-1);
  let at = text.startsWith("\uFEFF") ? 1 : 0;
  if (text.startsWith("#!", at)) at = nextLine(text, at);
  if (last) {
    at = Math.max(
      at,
      nextLine(text, last.end - (/[\r\n]/.test(text.charAt(last.end - 1)) ? 1 : 0)),
    );
  } else {
    for (;;) {
      const start = skipSpace(text, at, text.length);
      const end = commentEndBelow(marks, commentEndAt(marks, start), "");
      const after = skipSpace(text, end, text.length);
      const isHeader =
        end > start && (after === text.length || lineBreaksBetween(text, end, after) > 1);
      if (!isHeader) break;
      at = after;
    }
  }
  const content = skipSpace(text, at, text.length);
  return Math.max(at, indentAt(text, content) === null ? content : lineStart(text, content));
}

/**
 * The first run of top-level imports with the comments between them; an empty range where imports
 * would go when there are none.
 */
export function importSection(marks: Marks): OffsetRange {
  const { text, ranges } = marks;
  let section: OffsetRange | undefined;
  for (const found of ranges.import) {
    if (indentAt(text, found.start) !== "") continue;
    const start = attributeStart(marks, found.start);
    if (section && !onlyComments(marks, section.end, start)) break;
    const end = withoutComments(marks, skipSpaceBack(text, found.end));
    section = { start: section?.start ?? start, end: Math.max(section?.end ?? 0, end) };
  }
  if (!section) {
    const at = importPosition(marks);
    return { start: at, end: at };
  }
  const { start, end } = section;
  return { start, end: text[end] === ";" ? end + 1 : end };
}

function onlyComments(marks: Marks, start: number, end: number): boolean {
  let at = skipSpace(marks.text, start, end);
  for (let after = commentEndAt(marks, at); after > at; after = commentEndAt(marks, at))
    at = skipSpace(marks.text, after, end);
  return at >= end;
}
