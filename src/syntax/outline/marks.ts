import { firstFrom } from "../../base/text/firstFrom.ts";
import {
  indentAt,
  lineBreaksBetween,
  type OffsetRange,
  skipSpace,
  skipSpaceBack,
} from "../../base/text/scan.ts";
import type { CapturedNode, Match } from "./matches.ts";

/** What the matches of a text say besides its definitions, by capture in source order. */
export interface Marks {
  readonly text: string;
  readonly ranges: Readonly<Record<NonNullable<CapturedNode["capture"]>, readonly CapturedNode[]>>;
}

/** The marks among `matches`, which may have any order. */
export function marksOf(matches: readonly Match[], text: string): Marks {
  return { text, ranges: sortedRanges(matches) };
}

/** The marks of a text after an edit that moved the others. */
export function updatedMarks(
  before: Marks,
  removed: readonly Match[],
  added: readonly Match[],
  text: string,
): Marks {
  const gone = new Set(removed.flatMap((match) => match.marks));
  const fresh = sortedRanges(added);
  const updated = (capture: keyof Marks["ranges"]) =>
    gone.size === 0 && fresh[capture].length === 0
      ? before.ranges[capture]
      : inOrder([...before.ranges[capture].filter((mark) => !gone.has(mark)), ...fresh[capture]]);
  return { text, ranges: byCapture(updated) };
}

function sortedRanges(matches: readonly Match[]): Marks["ranges"] {
  const lists = byCapture((): CapturedNode[] => []);
  for (const { marks } of matches)
    for (const mark of marks) if (mark.capture) lists[mark.capture].push(mark);
  for (const list of Object.values(lists)) inOrder(list);
  return lists;
}

function byCapture<T>(
  make: (capture: keyof Marks["ranges"]) => T,
): Readonly<Record<keyof Marks["ranges"], T>> {
  return {
    local: make("local"),
    comment: make("comment"),
    attribute: make("attribute"),
    import: make("import"),
    "imports.after": make("imports.after"),
    tail: make("tail"),
    marker: make("marker"),
    "body.head": make("body.head"),
    package: make("package"),
  };
}

function inOrder(ranges: CapturedNode[]): CapturedNode[] {
  return ranges.sort((a, b) => a.start - b.start || b.end - a.end);
}

function firstRow({ start }: OffsetRange): number {
  return start;
}

/** Where the outermost range begins that ends at `offset`, but for white space; null for none. */
function startOfEnding(
  ranges: readonly OffsetRange[],
  text: string,
  offset: number,
): number | null {
  let at = firstFrom(ranges, offset, firstRow) - 1;
  if (at < 0) return null;
  // Comments may nest.
  for (
    let [last, around] = [ranges[at], ranges[at - 1]];
    last && around && around.end >= last.end;
    [last, around] = [ranges[at], ranges[at - 1]]
  )
    at--;
  const last = ranges[at];
  return last && last.end >= offset && skipSpaceBack(text, last.end) === offset ? last.start : null;
}

function commentEnding({ text, ranges }: Marks, offset: number): number | null {
  const start = startOfEnding(ranges.comment, text, offset);
  // A shebang is a comment to some grammars, but it must stay the first line.
  return start === 0 && text.startsWith("#!") ? null : start;
}

/** The start of the comment block right above or before `offset`; `offset` for none. */
export function commentStart(marks: Marks, offset: number): number {
  const { text } = marks;
  const own = indentAt(text, offset);
  let top = offset;
  for (;;) {
    const end = skipSpaceBack(text, top);
    const start = commentEnding(marks, end);
    if (start === null || lineBreaksBetween(text, end, top) > 1) return top;
    const indent = indentAt(text, start);
    // A deeper comment ends the block above.
    if (indent === null || (own !== null && indent.length > own.length)) return top;
    top = start;
  }
}

/** The end of the comment that begins at `offset`; `offset` for none. */
export function commentEndAt({ text, ranges }: Marks, offset: number): number {
  const comment = ranges.comment[firstFrom(ranges.comment, offset, firstRow)];
  const isShebang = offset === 0 && text.startsWith("#!");
  return comment?.start === offset && !isShebang ? skipSpaceBack(text, comment.end) : offset;
}

/**
 * The end of the comments on the lines right below `offset` with exactly this indent; `offset` for
 * none.
 */
export function commentEndBelow(marks: Marks, offset: number, indent: string): number {
  const { text } = marks;
  let end = offset;
  for (;;) {
    const start = skipSpace(text, end, text.length);
    const below = commentEndAt(marks, start);
    if (
      below === start ||
      lineBreaksBetween(text, end, start) !== 1 ||
      indentAt(text, start) !== indent
    )
      return end;
    end = below;
  }
}

/**
 * The start of the first decorator before `offset`, comments between them skipped; `offset` for
 * none.
 */
export function attributeStart(marks: Marks, offset: number): number {
  const { text, ranges } = marks;
  let top = offset;
  for (let at = offset; ; ) {
    const end = skipSpaceBack(text, at);
    const attribute = startOfEnding(ranges.attribute, text, end);
    if (attribute !== null) top = attribute;
    const start = attribute ?? commentEnding(marks, end);
    if (start === null) return top;
    at = start;
  }
}

/** Moves `end` back over comments and white space, but not over a comment that `isContent`. */
export function withoutComments(
  marks: Marks,
  end: number,
  isContent?: (commentStart: number) => boolean,
): number {
  let at = end;
  for (
    let start = commentEnding(marks, at);
    start !== null && !isContent?.(start);
    start = commentEnding(marks, at)
  )
    at = skipSpaceBack(marks.text, start);
  return at;
}

/** What must stay first in the body that begins at `offset`, such as a docstring; null for none. */
export function bodyHead({ ranges }: Marks, offset: number): OffsetRange | null {
  const heads = ranges["body.head"];
  let end = -1;
  for (let at = firstFrom(heads, offset, firstRow); heads[at]?.start === offset; at++)
    end = Math.max(end, heads[at]?.end ?? end);
  return end < 0 ? null : { start: offset, end };
}

/** Tails and markers that continue what ends at `offset`. */
export function tailsAt({ text, ranges }: Marks, offset: number): readonly CapturedNode[] {
  const lists = [ranges.tail, ranges.marker].filter((list) => list.length > 0);
  if (lists.length === 0) return [];
  const last = skipSpace(text, offset, text.length);
  return lists.flatMap((list) => {
    const first = firstFrom(list, offset, firstRow);
    return list.slice(first, firstFrom(list, last + 1, firstRow));
  });
}

/** More of a package's name is not read. In UTF-16 units. */
const MAX_PACKAGE_NAME = 500;

/** The name in the last package clause, or null. */
export function packageName({ text, ranges }: Marks): string | null {
  const last = ranges.package.at(-1);
  return last ? text.slice(last.start, Math.min(last.end, last.start + MAX_PACKAGE_NAME)) : null;
}
