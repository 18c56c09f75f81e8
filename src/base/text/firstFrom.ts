/**
 * The index of the first item that begins at `offset` or after it: all of their number for none. The
 * items are sorted by where they begin.
 */
export function firstFrom<T>(
  items: readonly T[],
  offset: number,
  startOf: (item: T) => number,
): number {
  let low = 0;
  for (let high = items.length; low < high; ) {
    const middle = (low + high) >> 1;
    const item = items[middle];
    if (item !== undefined && startOf(item) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
