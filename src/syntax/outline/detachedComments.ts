import { firstPart } from "../../base/text/clip.ts";
import {
  indentAt,
  lineBreaksBetween,
  lineStart,
  type OffsetRange,
  skipSpace,
} from "../../base/text/scan.ts";
import { type Element, plainElement } from "../paths/element.ts";
import { normalizePath } from "../paths/elementName.ts";
import { attributeStart, commentEndAt, commentStart, type Marks } from "./marks.ts";

/** A comment is named by its first words, up to this length. */
const MAX_WORDS_LENGTH = 40;

function commentName(text: string): string {
  const words = /[\p{L}\p{N}].*/u.exec(text)?.[0] ?? "";
  return normalizePath(
    `comment ${firstPart(normalizePath(words.replace(/(\*\/|-->|\]\])\s*$/, "")), MAX_WORDS_LENGTH)}`,
  );
}

/**
 * The blocks of `comments` in the first column that belong to no element, such as a license. Skips
 * those in `taken` ranges and those that belong to `definitions`.
 */
export function detachedComments(
  comments: readonly OffsetRange[],
  definitions: readonly Element[],
  taken: readonly OffsetRange[],
  marks: Marks,
): Element[] {
  const { text } = marks;
  const owned = definitions.map(({ start }) => {
    return { start: commentStart(marks, attributeStart(marks, start)), end: start };
  });
  const excluded = [...owned, ...taken]
    .filter(({ start, end }) => end > start)
    .sort((a, b) => a.start - b.start);
  const blocks: OffsetRange[] = [];
  let next = 0;
  let excludedEnd = -1;
  for (const { start } of comments) {
    for (let range = excluded[next]; range && range.start <= start; range = excluded[++next])
      excludedEnd = Math.max(excludedEnd, range.end);
    const end = commentEndAt(marks, start);
    const isWhole =
      indentAt(text, start) === "" && lineStart(text, skipSpace(text, end, text.length)) >= end;
    if (start < excludedEnd || end === start || (!isWhole && end < text.length)) continue;
    const last = blocks.at(-1);
    if (last && lineBreaksBetween(text, last.end, start) === 1)
      blocks[blocks.length - 1] = { start: last.start, end };
    else blocks.push({ start, end });
  }
  return blocks.map((block) =>
    plainElement(
      block,
      commentName(text.slice(block.start, Math.min(block.end, block.start + 1000))),
      "comment",
    ),
  );
}
