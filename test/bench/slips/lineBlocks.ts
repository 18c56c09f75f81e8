import type { LineDifference } from "../../../src/edits/text/lineDiff.ts";
import type { SlipBlock } from "./slipMessage.ts";

/** A check has whole words, of at least so many characters together. */
const CHECK_LENGTH = 3;
/** A check tells its line from so many lines on each side. */
const NEAR = 2;

/** One hunk as a block of line mode. */
export function lineBlock(
  { beforeLines: { start, end }, afterLines }: LineDifference,
  now: readonly string[],
): SlipBlock {
  const body = now.slice(afterLines.start, afterLines.end);
  const common = { path: null, checks: [], body };
  if (start < end)
    return {
      ...common,
      lines: { start: start + 1, end },
      op: body.length === 0 ? "remove" : "replace",
    };
  if (start === 0) return { ...common, lines: { start: 1, end: 1 }, op: "before" };
  return { ...common, lines: { start, end: start }, op: "after" };
}

/** The change as blocks of line mode, one a hunk. */
export function lineBlocks(hunks: readonly LineDifference[], now: readonly string[]): SlipBlock[] {
  return hunks.map((hunk) => lineBlock(hunk, now));
}

/**
 * The blocks with the first old line as check, or the first and the last; the last is only written
 * where there are several lines.
 */
export function withChecks(
  blocks: readonly SlipBlock[],
  old: readonly string[],
  count: 1 | 2,
): SlipBlock[] {
  return blocks.map((block) => {
    if (!block.lines) return block;
    const { start, end } = block.lines;
    const checks = [start, end].slice(0, count).map((line) => {
      const near = [
        ...old.slice(Math.max(0, line - 1 - NEAR), line - 1),
        ...old.slice(line, line + NEAR),
      ];
      return checkOf(
        (old[line - 1] ?? "").trim(),
        near.map((text) => text.trim()),
      );
    });
    return { ...block, checks };
  });
}

/** The line's first words, as many as tell it from those near it; the whole line where none do. */
function checkOf(text: string, near: readonly string[]): string {
  const least = Math.max(CHECK_LENGTH, ...near.map((other) => commonLength(text, other) + 1));
  for (const { 0: word, index } of text.matchAll(/\w+|[^\w\s]+/g)) {
    if (index + word.length >= least) return text.slice(0, index + word.length);
  }
  return text;
}

function commonLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}
