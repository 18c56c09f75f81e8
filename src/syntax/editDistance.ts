/** The number of single-character changes between two texts, or `limit` when there are at least that many. */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const line = [row];
    let best = row;
    for (let column = 1; column <= b.length; column++) {
      const substituted = (above[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const cost = Math.min(substituted, (above[column] ?? 0) + 1, (line[column - 1] ?? 0) + 1);
      line.push(cost);
      if (cost < best) best = cost;
    }
    if (best >= limit) return limit;
    above = line;
  }
  return Math.min(above[b.length] ?? limit, limit);
}
