/** A path prepared for fuzzy search. A folder's path ends with `/`. */
export interface FuzzyPath {
  readonly path: string;
  readonly lower: string;
  /** The index of the file or folder name. */
  readonly nameStart: number;
  /** Bit set of the characters in the path. */
  readonly mask: number;
}

/**
 * The best `limit` matches of a query, best first, as in Quick Open. Ignores case and spaces.
 * Nothing matches an empty query.
 */
export function searchPaths(
  paths: readonly FuzzyPath[],
  query: string,
  limit: number,
): readonly string[] {
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

/** The parent folders of files, each with a trailing `/`. */
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

/** Prepares a `/`-separated path. A trailing `/` marks a folder. */
export function fuzzyPath(path: string): FuzzyPath {
  const lower = path.toLowerCase();
  return {
    path,
    lower,
    nameStart: lower.lastIndexOf("/", lower.length - 2) + 1,
    mask: maskOf(lower),
  };
}

/** The cost difference between two kinds of match. Within a kind, shorter paths are better. */
const TIER = 10_000;

/**
 * The cost of a match, lower is better. Infinite if `wanted` is not a subsequence of the path. If
 * the cost is at least `most`, any number from `most` on.
 */
function costOf({ lower, nameStart, path }: FuzzyPath, wanted: string, most: number): number {
  const length = Math.min(lower.length, TIER / 2 - 1);
  const at = lower.indexOf(wanted, nameStart);
  if (at === nameStart) return length;
  if (at > 0) return (startsWord(path, at) ? TIER : 2 * TIER) + length;
  if (lower.includes(wanted)) return 3 * TIER + length;
  // Most paths stop here.
  if (4 * TIER + length >= most) return most;
  const ofName = 4 * TIER + length + piecesOf(path, lower, wanted, nameStart);
  return ofName < 5 * TIER ? ofName : 5 * TIER + length + piecesOf(path, lower, wanted, 0);
}

/**
 * The cost of the separate runs in which the characters of `wanted` occur. Runs that start a word
 * are free. Infinite if `wanted` is not a subsequence.
 */
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

/**
 * Whether a word starts here: after a separator such as `/`, `-` or `.`, or at a capital after a
 * lowercase letter.
 */
function startsWord(path: string, at: number): boolean {
  const before = path.charCodeAt(at - 1);
  if (!(before > 47)) return true;
  if ((before > 57 && before < 65) || (before > 90 && before < 97)) return true;
  const own = path.charCodeAt(at);
  return own >= 65 && own <= 90 && before >= 97;
}

/**
 * Bit set with one bit per letter, one for all digits, and one for each group of other characters.
 */
function maskOf(lower: string): number {
  let mask = 0;
  for (let at = 0; at < lower.length; at++) {
    const code = lower.charCodeAt(at);
    if (code >= 97 && code <= 122) mask |= 1 << (code - 97);
    else
      mask |=
        code >= 48 && code <= 57
          ? 1 << 26
          : code === 47
            ? 1 << 27
            : code === 46
              ? 1 << 28
              : 1 << 29;
  }
  return mask;
}
