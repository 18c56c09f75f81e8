/** A path prepared for searches; a folder's ends with `/`. */
export interface FuzzyPath {
  readonly path: string;
  readonly lower: string;
  /** Where the last name of the path starts. */
  readonly nameStart: number;
  /** The characters that the path contains, a bit each. */
  readonly mask: number;
}

/** The best `limit` matches of a query, best first, as in Quick Open; none for an empty query. Case and spaces do not count. */
export function searchPaths(paths: readonly FuzzyPath[], query: string, limit: number): readonly string[] {
  const wanted = query.toLowerCase().replace(/\s+/g, "").replaceAll("\\", "/").replace(/^\.\//, "");
  if (wanted === "") return [];
  const mask = maskOf(wanted);
  const best: { readonly path: string; readonly cost: number }[] = [];
  for (const entry of paths) {
    if ((entry.mask & mask) !== mask) continue;
    const most = best.length === limit ? (best.at(-1)?.cost ?? 0) : Number.POSITIVE_INFINITY;
    const cost = costOf(entry, wanted, most);
    if (cost >= most) continue;
    let at = best.length;
    while (at > 0 && (best[at - 1]?.cost ?? 0) > cost) at--;
    best.splice(at, 0, { path: entry.path, cost });
    if (best.length > limit) best.pop();
  }
  return best.map(({ path }) => path);
}

/** The folders above files, each with a final `/`. */
export function foldersOf(paths: readonly string[]): readonly string[] {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
      const folder = path.slice(0, end + 1);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return [...folders];
}

/** Prepares a `/`-separated path; one that ends with `/` is a folder. */
export function fuzzyPath(path: string): FuzzyPath {
  const lower = path.toLowerCase();
  return { path, lower, nameStart: lower.lastIndexOf("/", lower.length - 2) + 1, mask: maskOf(lower) };
}

/** The kinds of matches, best first, are this far apart; shorter paths are better within a kind. */
const TIER = 10_000;

/** Infinite where the characters of `wanted` are not in the path in this order; any number from `most` on where it is not less. */
function costOf({ lower, nameStart, path }: FuzzyPath, wanted: string, most: number): number {
  const length = Math.min(lower.length, TIER / 2 - 1);
  const at = lower.indexOf(wanted, nameStart);
  if (at === nameStart) return length;
  if (at > 0) return (startsWord(path, at) ? TIER : 2 * TIER) + length;
  if (lower.includes(wanted)) return 3 * TIER + length;
  // Most paths end here.
  if (4 * TIER + length >= most) return most;
  const ofName = 4 * TIER + length + piecesOf(path, lower, wanted, nameStart);
  return ofName < 5 * TIER ? ofName : 5 * TIER + length + piecesOf(path, lower, wanted, 0);
}

/** What the pieces cost that the characters of `wanted` are in, but those that start a word; infinite where they are not in order. */
function piecesOf(path: string, lower: string, wanted: string, start: number): number {
  let at = start - 1;
  let pieces = 0;
  for (let index = 0; index < wanted.length; index++) {
    const next = lower.indexOf(wanted.charAt(index), at + 1);
    if (next < 0) return Number.POSITIVE_INFINITY;
    if (next !== at + 1 && !startsWord(path, next)) pieces += 1;
    at = next;
  }
  return Math.min(pieces * 50, TIER / 2);
}

/** True after a sign such as `/`, `-` or `.`, and at a capital letter after a small one. */
function startsWord(path: string, at: number): boolean {
  const before = path.charCodeAt(at - 1);
  if (!(before > 47)) return true;
  if ((before > 57 && before < 65) || (before > 90 && before < 97)) return true;
  const own = path.charCodeAt(at);
  return own >= 65 && own <= 90 && before >= 97;
}

/** A bit for each letter, one for all digits, and one for everything else. */
function maskOf(lower: string): number {
  let mask = 0;
  for (let at = 0; at < lower.length; at++) {
    const code = lower.charCodeAt(at);
    if (code >= 97 && code <= 122) mask |= 1 << (code - 97);
    else mask |= code >= 48 && code <= 57 ? 1 << 26 : code === 47 ? 1 << 27 : code === 46 ? 1 << 28 : 1 << 29;
  }
  return mask;
}
