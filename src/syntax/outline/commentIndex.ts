import {
  indentAt,
  lineBreaksBetween,
  type OffsetRange,
  skipBlanks,
  skipSpace,
  skipSpaceBack,
} from "../../base/text/scan.ts";

/** Finds the comments and decorators around an element. */
export interface CommentIndex {
  /** The start of the comment block right above or before `offset`; `offset` for none. */
  commentStart(offset: number): number;
  /**
   * The start of the first decorator before `offset`, comments between them skipped; `offset` for
   * none.
   */
  attributeStart(offset: number): number;
  /** The end of the comment that begins at `offset`; `offset` for none. */
  commentEndAt(offset: number): number;
  /**
   * The end of the comments on the lines right below `offset` with exactly this indent; `offset`
   * for none.
   */
  commentEndBelow(offset: number, indent: string): number;
}

/**
 * Indexes comments and attributes by where they end, so that a look-up costs only the white space
 * and comments it passes.
 */
export function commentIndex(
  text: string,
  comments: readonly OffsetRange[],
  attributes: readonly OffsetRange[],
): CommentIndex {
  const commentStarts = new Map<number, number>();
  const commentEnds = new Map<number, number>();
  for (const { start, end } of comments) {
    // A shebang is a comment to some grammars, but it must stay the first line.
    if (start === 0 && text.startsWith("#!")) continue;
    const trimmed = skipSpaceBack(text, end);
    commentStarts.set(trimmed, start);
    commentEnds.set(start, trimmed);
  }
  const attributeStarts = new Map(
    attributes.map(({ start, end }) => [skipSpaceBack(text, end), start]),
  );

  function commentStart(offset: number): number {
    const own = indentAt(text, offset);
    let top = offset;
    for (;;) {
      const end = skipSpaceBack(text, top);
      const start = commentStarts.get(end);
      if (start === undefined || lineBreaksBetween(text, end, top) > 1) return top;
      const indent = indentAt(text, start);
      // A deeper comment ends the block above.
      if (indent === null || (own !== null && indent.length > own.length)) return top;
      top = start;
    }
  }

  return {
    commentStart,
    commentEndAt: (offset) => commentEnds.get(offset) ?? offset,
    attributeStart(offset) {
      let top = offset;
      for (let at = offset; ; ) {
        const end = skipSpaceBack(text, at);
        const attribute = attributeStarts.get(end);
        if (attribute !== undefined) top = attribute;
        const start = attribute ?? commentStarts.get(end);
        if (start === undefined) return top;
        at = start;
      }
    },
    commentEndBelow(offset, indent) {
      let end = offset;
      for (;;) {
        const start = skipSpace(text, end, text.length);
        const below = commentEnds.get(start);
        if (
          below === undefined ||
          lineBreaksBetween(text, end, start) !== 1 ||
          indentAt(text, start) !== indent
        )
          return end;
        end = below;
      }
    },
  };
}

/**
 * True when only white space and whole comments follow `offset` on its line. `commentEndAt` answers
 * where the comment at an offset ends, or the offset itself. A comment that continues on the next
 * line does not end this one.
 */
export function endsLine(
  text: string,
  offset: number,
  commentEndAt: (offset: number) => number,
): boolean {
  let at = skipBlanks(text, offset);
  for (;;) {
    const end = commentEndAt(at);
    if (end <= at || /[\r\n]/.test(text.slice(at, end))) break;
    at = skipBlanks(text, end);
  }
  return at === text.length || text[at] === "\n" || text[at] === "\r";
}
