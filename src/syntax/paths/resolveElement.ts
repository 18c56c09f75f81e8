import { err, ok, type Result } from "../../base/result.ts";
import type { OutlineEntry, PathError } from "../syntax.ts";
import { normalizePath } from "./elementName.ts";
import type { Element, PathTable } from "./elementPaths.ts";
import { looseMatches } from "./looseMatches.ts";
import { nearestPaths } from "./nearestPaths.ts";

/** An error lists at most this many candidates. */
const MAX_CANDIDATES = 8;

/**
 * Finds the one element a path names: exactly, else by a suffix that only one element has, else in another spelling. Never guesses.
 * `entryOf` gives an element's lines.
 */
export function resolveElement<E extends Element>(
  table: PathTable<E>,
  path: string,
  entryOf: (element: E) => OutlineEntry,
): Result<E, PathError> {
  const wanted = normalizePath(path);
  // `area#1` is what the outline calls `area`.
  const unnumbered = wanted.replace(/#1(?=-|$)/g, "");
  const [only, ...others] = firstNonEmpty(
    () => find(table, wanted),
    () => find(table, unnumbered),
    () => looseMatches(table, unnumbered),
  );
  if (!only) {
    const nearest = wanted === "" ? [] : nearestPaths(table, wanted, MAX_CANDIDATES);
    return err({ code: "not-found", path: wanted, candidates: nearest.map(entryOf) });
  }
  if (others.length === 0) return ok(only);
  const candidates = [only, ...others].slice(0, MAX_CANDIDATES).map(entryOf);
  return err({ code: "ambiguous", path: wanted, count: others.length + 1, candidates });
}

function firstNonEmpty<T>(...searches: readonly (() => T[])[]): T[] {
  for (const search of searches) {
    const found = search();
    if (found.length > 0) return found;
  }
  return [];
}

function find<E extends Element>(table: PathTable<E>, path: string): E[] {
  const { packageName } = table;
  const inPackage = packageName !== null && path.startsWith(`${packageName}-`) ? path.slice(packageName.length + 1) : null;
  const exact = table.byPath(path) ?? (inPackage === null ? undefined : table.byPath(inPackage));
  return exact ? [exact] : bySuffix(table, path);
}

function bySuffix<E extends Element>(table: PathTable<E>, path: string): E[] {
  const found = new Set<E>();
  // The last segment may itself contain a `-`, so each `-` of the path may be the one before it.
  for (let from = 0; ; ) {
    for (const element of table.bySegment(path.slice(from))) {
      if (element.path.endsWith(path) && element.segmentStarts.includes(element.path.length - path.length)) found.add(element);
    }
    const dash = path.indexOf("-", from);
    if (dash < 0) return [...found].sort((a, b) => a.range.start - b.range.start);
    from = dash + 1;
  }
}
