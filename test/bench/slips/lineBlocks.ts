import type { LineDifference } from "../../../src/edits/text/lineDiff.ts";
import type { SlipBlock } from "./slipMessage.ts";

/** How many characters a check has at most, where that tells its line from those beside it. */
const CHECK_LENGTH = 12;

/** One hunk as a block of line mode. */
export function lineBlock({ beforeLines: { start, end }, afterLines }: LineDifference, now: readonly string[]): SlipBlock {
  const body = now.slice(afterLines.start, afterLines.end);
  const common = { path: null, checks: [], body };
  if (start < end) return { ...common, lines: { start: start + 1, end }, op: body.length === 0 ? "remove" : "replace" };
  if (start === 0) return { ...common, lines: { start: 1, end: 1 }, op: "before" };
  return { ...common, lines: { start, end: start }, op: "after" };
}

/** The change as blocks of line mode, one a hunk. */
export function lineBlocks(hunks: readonly LineDifference[], now: readonly string[]): SlipBlock[] {
  return hunks.map((hunk) => lineBlock(hunk, now));
}

/** The blocks with the first old line as check, or the first and the last; the last is only written where there are several lines. */
export function withChecks(blocks: readonly SlipBlock[], old: readonly string[], count: 1 | 2): SlipBlock[] {
  return blocks.map((block) => {
    if (!block.lines) return block;
    const { start, end } = block.lines;
    const checks = [start, end].slice(0, count).map((line) => {
      const beside = [old[line - 2] ?? "", old[line] ?? ""];
      return checkOf(
        (old[line - 1] ?? "").trim(),
        beside.map((text) => text.trim()),
      );
    });
    return { ...block, checks };
  });
}

/** The line's beginning up to the end of a word, as far as it tells the line from those beside it. */
function checkOf(text: string, beside: readonly string[]): string {
  if (text.length <= CHECK_LENGTH) return text;
  const short = (/^.{8,12}(?=\W)/.exec(text)?.[0] ?? text.slice(0, CHECK_LENGTH)).trimEnd();
  const common = Math.max(...beside.map((other) => commonLength(text, other)));
  return common < short.length ? short : text.slice(0, common) + (/^\w*\W*\w*/.exec(text.slice(common))?.[0] ?? "").trimEnd();
}

function commonLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}
