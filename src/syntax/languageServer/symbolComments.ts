import { indentAt, lineBreaksBetween, lineEnd, lineStart, skipSpace, skipSpaceBack } from "../../base/text/scan.ts";

/** The delimiters of block comments in all languages. */
const BLOCKS: readonly (readonly [open: string, close: string])[] = [
  ["/*", "*/"],
  ["{-", "-}"],
  ["(*", "*)"],
  ["<!--", "-->"],
  ["--[[", "]]"],
  ["#|", "|#"],
  ["/+", "+/"],
];

/** `#include` and the like are not comments. */
const DIRECTIVE =
  /^#\s*(?:include|import|define|undef|if|ifdef|ifndef|elif|else|endif|pragma|region|endregion|line|error|warning|version)\b/;

/**
 * True for a line that is a comment in whatever language, by its beginning. Signs that also begin code (`#id {`, `--size: 1;`, `%name`,
 * `;`) need a space after them, or for `#` a line that does not end like code.
 */
function isLineComment(line: string): boolean {
  if (line.startsWith("//")) return true;
  if (line.startsWith("#")) return /^#+(?:\s|$|[\w'"@:-].*[^;{,]$)/.test(line) && !DIRECTIVE.test(line);
  return /^(?:--(?!-\s*$)-*[|^>]?|;+|%+|!+[<>]?)(?:\s|$)/.test(line);
}

/** The start of the comment that ends at `end` and has its lines to itself. */
function commentEndingAt(text: string, end: number): number | null {
  for (const [open, close] of BLOCKS) {
    if (!text.endsWith(close, end)) continue;
    const start = text.lastIndexOf(open, end - close.length - 1);
    if (start >= 0 && indentAt(text, start) !== null) return start;
  }
  const start = skipSpace(text, lineStart(text, end), end);
  return isLineComment(text.slice(start, end)) ? start : null;
}

/** The end of the comment that seems to begin after code at `offset`; `offset` for none. `#id` and `--x` may be code. */
export function trailingCommentEnd(text: string, offset: number): number {
  const block = BLOCKS.find(([open]) => text.startsWith(open, offset));
  const close = block ? text.indexOf(block[1], offset + block[0].length) : -1;
  if (block && close >= 0) return close + block[1].length;
  const end = lineEnd(text, offset);
  return /^(?:\/\/|(?:#+|-{2,})(?:\s|$))/.test(text.slice(offset, end)) ? end : offset;
}

/**
 * The start of what looks like a comment block on the lines right above `offset`, which begins its line; `offset` for none. Ignores
 * shebangs, and anything before `floor`.
 */
export function symbolCommentStart(text: string, offset: number, floor: number): number {
  const own = indentAt(text, offset);
  if (own === null) return offset;
  let top = offset;
  for (;;) {
    const end = skipSpaceBack(text, top);
    if (end <= floor || lineBreaksBetween(text, end, top) !== 1) return top;
    const start = commentEndingAt(text, end);
    if (start === null || start < floor || (start === 0 && text.startsWith("#!"))) return top;
    if ((indentAt(text, start)?.length ?? 0) > own.length) return top;
    top = start;
  }
}

/**
 * Where a symbol begins after the comments at the start of its range; `start` for none. `name` is where its name begins, or `start`
 * when unknown; then only C's comments are certain.
 */
export function leadingCommentEnd(text: string, start: number, end: number, name: number): number {
  let at = start;
  for (;;) {
    const block = BLOCKS.find(([open]) => text.startsWith(open, at));
    if (!block && !/[/#;%!-]/.test(text.charAt(at))) return at;
    const close = block ? text.indexOf(block[1], at + block[0].length) : -1;
    const until = block && close >= 0 ? close + block[1].length : lineEnd(text, at);
    if (!block && !isLineComment(text.slice(at, until).trimEnd())) return at;
    const next = skipSpace(text, until, end);
    const certain = name >= until || text.startsWith("//", at) || text.startsWith("/*", at);
    if (!certain || next >= end || next === at) return at;
    at = next;
  }
}
