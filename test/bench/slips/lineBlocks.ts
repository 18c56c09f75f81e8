import type { LineDifference } from "../../../src/edits/text/lineDiff.ts";
import type { SlipBlock } from "./slipMessage.ts";

/** How many characters a check has at most. */
const CHECK_LENGTH = 24;

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
    return { ...block, checks: [start, end].slice(0, count).map((line) => checkOf(old[line - 1] ?? "")) };
  });
}

/** The line's beginning up to the end of a word. */
function checkOf(line: string): string {
  const text = line.trim();
  if (text.length <= CHECK_LENGTH) return text;
  return (/^.{16,24}(?=\W)/.exec(text)?.[0] ?? text.slice(0, CHECK_LENGTH)).trimEnd();
}
