import type { OffsetRange } from "./syntaxTypes.ts";

function isSpace(character: string | undefined): boolean {
  return (
    character === " " || character === "\t" || character === "\n" || character === "\r" || character === "\f" || character === "\uFEFF"
  );
}

/** The offset before `offset` up to which only white space stands. */
export function skipSpaceBack(text: string, offset: number): number {
  let at = offset;
  while (at > 0 && isSpace(text[at - 1])) at--;
  return at;
}

/** The offset from `offset` on at which the first character stands that is no white space, at most `end`. */
export function skipSpace(text: string, offset: number, end: number): number {
  let at = offset;
  while (at < end && isSpace(text[at])) at++;
  return at;
}

/** The start of the line `offset` is in. */
export function lineStart(text: string, offset: number): number {
  let at = offset;
  while (at > 0 && text[at - 1] !== "\n" && text[at - 1] !== "\r") at--;
  return at;
}

/** The spaces and tabs before `offset` when nothing else stands before it on its line, else null. */
export function indentAt(text: string, offset: number): string | null {
  let at = offset;
  while (at > 0 && (text[at - 1] === " " || text[at - 1] === "\t")) at--;
  const before = text[at - 1];
  return at === 0 || before === "\n" || before === "\r" || before === "\uFEFF" ? text.slice(at, offset) : null;
}

function lineBreaks(space: string): number {
  return space.split(/\r\n|\n|\r/).length - 1;
}

/** Finds what stands before an element: its comment block and its decorators. */
export interface Surroundings {
  /** The start of the comment block that ends on the line above `offset` or right before it; `offset` when there is none. */
  commentStart(offset: number): number;
  /** The start of the first of the decorators before `offset`, with comments between them; `offset` when there are none. */
  attributeStart(offset: number): number;
  /** The end of the comment that begins at `offset`; `offset` when none does. */
  commentEndAt(offset: number): number;
  /** The end of the comments that follow `offset` on the lines right below it with exactly this indent; `offset` when there are none. */
  commentEndBelow(offset: number, indent: string): number;
}

/** Indexes comments and attributes by where they end; a look-up costs the white space around the element and its comments, no more. */
export function surroundings(text: string, comments: readonly OffsetRange[], attributes: readonly OffsetRange[]): Surroundings {
  const commentStarts = new Map<number, number>();
  const commentEnds = new Map<number, number>();
  for (const { start, end } of comments) {
    // A shebang is a comment to some grammars, but it must stay the first line.
    if (start === 0 && text.startsWith("#!")) continue;
    const trimmed = skipSpaceBack(text, end);
    commentStarts.set(trimmed, start);
    commentEnds.set(start, trimmed);
  }
  const attributeStarts = new Map(attributes.map(({ start, end }) => [skipSpaceBack(text, end), start]));

  function commentStart(offset: number): number {
    const own = indentAt(text, offset);
    let top = offset;
    for (;;) {
      const end = skipSpaceBack(text, top);
      const start = commentStarts.get(end);
      if (start === undefined || lineBreaks(text.slice(end, top)) > 1) return top;
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
        if (below === undefined || lineBreaks(text.slice(end, start)) !== 1 || indentAt(text, start) !== indent) return end;
        end = below;
      }
    },
  };
}
