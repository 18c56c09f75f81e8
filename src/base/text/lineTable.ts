/** The start offset of each line. Lines are counted as in the editor, so the first entry is 0. */
export function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (const { 0: found, index } of text.matchAll(/\r\n|\n|\r/g)) starts.push(index + found.length);
  return starts;
}

/** The 0-based line that contains `offset`. Binary search in the sorted `starts`. */
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
