import type { Definitions } from "./definitions.ts";
import { indentAt, lineStart, type Surroundings, skipSpace } from "./surroundings.ts";
import type { OffsetRange } from "./syntaxTypes.ts";

function nextLine(text: string, offset: number): number {
  const lineBreak = /\r\n|\n|\r/g;
  lineBreak.lastIndex = offset;
  return lineBreak.test(text) ? lineBreak.lastIndex : text.length;
}

function blankLineBetween(text: string, start: number, end: number): boolean {
  return end === text.length || text.slice(start, end).split(/\r\n|\n|\r/).length > 2;
}

/** Where imports go in a file that has none: behind the package clause, the directives, the docstring, else behind a header comment. */
function importPosition(found: Definitions, text: string, around: Surroundings): number {
  const last = found.importsAfter.at(-1);
  let at = text.startsWith("\uFEFF") ? 1 : 0;
  if (text.startsWith("#!", at)) at = nextLine(text, at);
  if (last) {
    at = Math.max(at, nextLine(text, last.end - (/[\r\n]/.test(text.charAt(last.end - 1)) ? 1 : 0)));
  } else {
    for (;;) {
      const start = skipSpace(text, at, text.length);
      const end = around.commentEndBelow(around.commentEndAt(start), "");
      const after = skipSpace(text, end, text.length);
      if (end === start || !blankLineBetween(text, end, after)) break;
      at = after;
    }
  }
  const content = skipSpace(text, at, text.length);
  return Math.max(at, indentAt(text, content) === null ? content : lineStart(text, content));
}

/** The first run of import statements at the top level, comments between them included; an empty range where they would go when there is none. */
export function importSection(found: Definitions, text: string, around: Surroundings): OffsetRange {
  const imports = found.imports
    .filter(({ start }) => indentAt(text, start) === "")
    .map(({ start, end }) => ({ start: around.attributeStart(start), end }));
  const first = imports[0];
  if (!first) {
    const at = importPosition(found, text, around);
    return { start: at, end: at };
  }
  let { end } = first;
  for (const next of imports.slice(1)) {
    let at = skipSpace(text, end, next.start);
    for (let comment = around.commentEndAt(at); comment > at; comment = around.commentEndAt(at)) at = skipSpace(text, comment, next.start);
    if (at < next.start) break;
    end = Math.max(end, next.end);
  }
  return { start: first.start, end: text[end] === ";" ? end + 1 : end };
}
