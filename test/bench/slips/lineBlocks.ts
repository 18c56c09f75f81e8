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

/** The blocks with the first old line as check, or the first and the last; a line without text has none. */
export function withChecks(blocks: readonly SlipBlock[], old: readonly string[], count: 1 | 2): SlipBlock[] {
  return blocks.map((block) => {
    if (!block.lines) return block;
    const first = checkOf(old[block.lines.start - 1] ?? "");
    const last = count === 2 && block.lines.end > block.lines.start ? checkOf(old[block.lines.end - 1] ?? "") : null;
    if (first === null) return block;
    return { ...block, checks: last === null ? [first] : [first, last] };
  });
}

/** The line's beginning up to the end of a word; null for a line without text. */
function checkOf(line: string): string | null {
  const text = line.trim();
  if (text.length <= CHECK_LENGTH) return text || null;
  return (/^.{8,24}(?=\W)/.exec(text)?.[0] ?? text.slice(0, CHECK_LENGTH)).trimEnd();
}
