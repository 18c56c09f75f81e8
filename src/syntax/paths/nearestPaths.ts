import type { Element, PathTable } from "./elementPaths.ts";

/** Longer names are compared by their beginning. */
const MAX_COMPARED = 80;

/** The elements whose paths are most like `path`, nearest first, at most `most`. */
export function nearestPaths(table: PathTable, path: string, most: number): Element[] {
  const wanted = path.slice(0, MAX_COMPARED);
  const lastWanted = path.slice(path.lastIndexOf("-") + 1).slice(0, MAX_COMPARED);
  const scored: { element: Element; score: number }[] = [];
  let limit = Number.POSITIVE_INFINITY;
  for (const element of table.elements) {
    const name = element.path.slice(element.segmentStarts.at(-1) ?? 0);
    const whole = editDistance(
      wanted.toLowerCase(),
      element.path.slice(0, MAX_COMPARED).toLowerCase(),
      limit,
    );
    // A right name in the wrong place is nearer than a similar path.
    const last =
      editDistance(lastWanted.toLowerCase(), name.slice(0, MAX_COMPARED).toLowerCase(), limit) +
      0.5;
    const sameWord = wordOf(lastWanted) !== "" && wordOf(lastWanted) === wordOf(name);
    const score = sameWord ? Math.min(whole, 0.75) : Math.min(whole, last);
    if (score >= limit) continue;
    scored.push({ element, score });
    scored.sort((a, b) => a.score - b.score);
    if (scored.length > most) scored.pop();
    if (scored.length === most) limit = scored.at(-1)?.score ?? limit;
  }
  return scored.map(({ element }) => element);
}

/** The bare word of a name: `make` of `self.make`, `#make`, `make<T>` and `make(int a)`. */
function wordOf(name: string): string {
  return /\w+(?=\W*$)/.exec(name.replace(/(?<=\w)[<([].*$/, ""))?.[0].toLowerCase() ?? "";
}

/**
 * The number of single-character changes between two texts, or `limit` when there are at least that
 * many.
 */
function editDistance(a: string, b: string, limit: number): number {
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
