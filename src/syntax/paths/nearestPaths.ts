import type { Element } from "./element.ts";
import type { PathTable } from "./elementPaths.ts";

/** Longer names are compared by their beginning. */
const MAX_COMPARED = 80;
/** Two rows of distances, used again and again: a file has thousands of elements. */
const ROWS = [new Uint8Array(MAX_COMPARED + 1), new Uint8Array(MAX_COMPARED + 1)] as const;

/** The elements whose paths are most like `path`, nearest first, at most `most`. */
export function nearestPaths(table: PathTable, path: string, most: number): Element[] {
  const wanted = lowerCase(path);
  const lastName = path.slice(path.lastIndexOf("-") + 1);
  const lastWanted = lowerCase(lastName);
  const wantedWord = wordOf(lastName.slice(0, MAX_COMPARED));
  const scored: { element: Element; score: number }[] = [];
  let limit = Number.POSITIVE_INFINITY;
  for (const element of table.elements) {
    const name = element.path.slice(element.segmentStarts.at(-1) ?? 0);
    const sameWord = wantedWord !== "" && wantedWord === wordOf(name);
    // What counts as near by its word need not be compared letter by letter.
    const compared = lowerCase(element.path);
    const whole = editDistance(wanted, compared, sameWord ? Math.min(limit, 0.75) : limit);
    // A right name in the wrong place is nearer than a similar path.
    const last = sameWord ? 0.75 : editDistance(lastWanted, lowerCase(name), limit) + 0.5;
    const score = Math.min(whole, last);
    if (score >= limit) continue;
    scored.push({ element, score });
    scored.sort((a, b) => a.score - b.score);
    if (scored.length > most) scored.pop();
    if (scored.length === most) limit = scored.at(-1)?.score ?? limit;
  }
  return scored.map(({ element }) => element);
}

/** The beginning that is compared: in some scripts, small letters are more than the capital ones. */
function lowerCase(path: string): string {
  return path.slice(0, MAX_COMPARED).toLowerCase().slice(0, MAX_COMPARED);
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
  let above = ROWS[0];
  let line = ROWS[1];
  for (let column = 0; column <= b.length; column++) above[column] = column;
  for (let row = 1; row <= a.length; row++) {
    const letter = a.charCodeAt(row - 1);
    line[0] = row;
    let best = row;
    let left = row;
    for (let column = 1; column <= b.length; column++) {
      const diagonal = (above[column - 1] ?? 0) + (letter === b.charCodeAt(column - 1) ? 0 : 1);
      left = Math.min(diagonal, (above[column] ?? 0) + 1, left + 1);
      line[column] = left;
      if (left < best) best = left;
    }
    if (best >= limit) return limit;
    [above, line] = [line, above];
  }
  return Math.min(above[b.length] ?? limit, limit);
}
