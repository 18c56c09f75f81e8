/** Line breaks as the editor counts them. */
const EDITOR_BREAKS = /\r\n|\n|\r/g;

/** Where each line begins, from 0 on, as the editor counts lines, or with the breaks of a global `lineBreak`. */
export function lineStarts(text: string, lineBreak: RegExp = EDITOR_BREAKS): readonly number[] {
  const starts = [0];
  for (const { 0: found, index } of text.matchAll(lineBreak)) starts.push(index + found.length);
  return starts;
}

/** The 0-based line that holds `offset`, by a binary search of the sorted `starts`. */
export function lineAt(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle;
  }
  return low;
}

/** The line starts after `range` of the old text became the text up to `newEnd` in `text`. Reads only the edited lines. */
export function editedLineStarts(
  starts: readonly number[],
  text: string,
  range: { readonly start: number; readonly end: number },
  newEnd: number,
  lineBreak: RegExp = EDITOR_BREAKS,
): readonly number[] {
  const kept = lineAt(starts, range.start - 1) + 1;
  const from = starts[kept - 1] ?? 0;
  // One character more: the edit may end in a CR before an LF.
  const fresh = lineStarts(text.slice(from, newEnd + 1), lineBreak)
    .slice(1)
    .map((start) => start + from)
    .filter((start) => start <= newEnd);
  const delta = newEnd - range.end;
  const after = starts.slice(lineAt(starts, range.end) + 1).map((start) => start + delta);
  return starts.slice(0, kept).concat(fresh, after);
}
