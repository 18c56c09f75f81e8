import type { OffsetRange } from "./syntaxTypes.ts";

/** Line breaks as the editor counts them. */
export const EDITOR_LINES = /\r\n|\n|\r/g;
/** Line breaks as tree-sitter counts them. */
export const TREE_ROWS = /\n/g;

/** Where each line begins, from 0 on, with the breaks of `lineBreak`, which is global. */
export function lineStarts(text: string, lineBreak: RegExp): readonly number[] {
  const starts = [0];
  for (const { 0: found, index } of text.matchAll(lineBreak)) starts.push(index + found.length);
  return starts;
}

/** How many of the sorted `starts` are at most `offset`: the 1-based line it is in. */
export function lineAt(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle;
  }
  return low + 1;
}

/** The line starts after `range` of the old text became the text up to `newEnd` in `text`. Reads only the lines edited. */
export function editedLineStarts(
  starts: readonly number[],
  text: string,
  range: OffsetRange,
  newEnd: number,
  lineBreak: RegExp,
): readonly number[] {
  const kept = Math.max(1, lineAt(starts, range.start - 1));
  const from = starts[kept - 1] ?? 0;
  // One character more: a CR at the edit's end may have got a LF behind it.
  const fresh = lineStarts(text.slice(from, newEnd + 1), lineBreak)
    .slice(1)
    .map((start) => start + from)
    .filter((start) => start <= newEnd);
  const delta = newEnd - range.end;
  const behind = starts.slice(lineAt(starts, range.end)).map((start) => start + delta);
  return starts.slice(0, kept).concat(fresh, behind);
}
