import {
  indentAt,
  lineBreaksBetween,
  lineStart,
  nextLine,
  type OffsetRange,
  skipSpace,
} from "../../base/text/scan.ts";
import type { CommentIndex } from "./commentIndex.ts";
import type { Marks } from "./definitions.ts";

/**
 * Where imports go in a file without any: after the package clause, directives or docstring, else
 * after a header comment.
 */
function importPosition(found: Marks, text: string, comments: CommentIndex): number {
  const last = found.importsAfter.at(-1);
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
      const end = comments.commentEndBelow(comments.commentEndAt(start), "");
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
export function importSection(found: Marks, text: string, comments: CommentIndex): OffsetRange {
  const imports = found.imports
    .filter(({ start }) => indentAt(text, start) === "")
    .map(({ start, end }) => ({ start: comments.attributeStart(start), end }));
  const first = imports[0];
  if (!first) {
    const at = importPosition(found, text, comments);
    return { start: at, end: at };
  }
  let { end } = first;
  for (const next of imports.slice(1)) {
    let at = skipSpace(text, end, next.start);
    for (let comment = comments.commentEndAt(at); comment > at; comment = comments.commentEndAt(at))
      at = skipSpace(text, comment, next.start);
    if (at < next.start) break;
    end = Math.max(end, next.end);
  }
  return { start: first.start, end: text[end] === ";" ? end + 1 : end };
}
