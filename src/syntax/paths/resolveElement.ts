import { err, ok, type Result } from "../../base/result.ts";
import type { PathError } from "../syntax.ts";
import type { Element } from "./element.ts";
import { clippedHead, elementHead, fitsHead } from "./elementHead.ts";
import { normalizePath } from "./elementName.ts";
import type { PathTable } from "./elementPaths.ts";
import { looseMatches } from "./looseMatches.ts";
import { nearestPaths } from "./nearestPaths.ts";

/** An error lists at most this many candidates. */
const MAX_CANDIDATES = 8;

/**
 * The elements a path names: exactly, else by a suffix that only one element has, else in another
 * spelling. Of several siblings of one name it is the one that `body` declares, else the only
 * definition. Never guesses: several where that is open.
 */
export function namedElements(
  table: PathTable,
  path: string,
  body: readonly string[] = [],
): readonly Element[] {
  const wanted = normalizePath(path);
  // `area#1` is what the outline calls `area`.
  const unnumbered = wanted.replace(/#1(?=-|$)/g, "");
  const named = firstNonEmpty(
    () => find(table, wanted),
    () => find(table, unnumbered),
    () => looseMatches(table, unnumbered),
  );
  return named.length > 1 ? chosen(named, table.text, body) : named;
}

/** The one element of `found`, which a path names; else why it names none. */
export function onlyElement(
  found: readonly Element[],
  table: PathTable,
  path: string,
): Result<Element, PathError> {
  const wanted = normalizePath(path);
  const [only, ...others] = found;
  if (!only) {
    const nearest = wanted === "" ? [] : nearestPaths(table, wanted, MAX_CANDIDATES);
    return err({
      code: "not-found",
      path: wanted,
      candidates: nearest.map((element) => table.entryOf(element)),
    });
  }
  if (others.length === 0) return ok(only);
  const candidates = [only, ...others].slice(0, MAX_CANDIDATES).map((element) => ({
    ...table.entryOf(element),
    signature: clippedHead(elementHead(element, table.text)),
  }));
  return err({ code: "ambiguous", path: wanted, count: others.length + 1, candidates });
}

/** The one of several siblings that is meant; all of them when that is open. */
function chosen(found: Element[], text: string, body: readonly string[]): Element[] {
  const name = found[0]?.names.join("-");
  if (found.some(({ names }) => names.join("-") !== name)) return found;
  const isWritten = body.some((line) => line.trim() !== "");
  const fitting = isWritten
    ? found.filter((element) => fitsHead(elementHead(element, text), body))
    : [];
  if (fitting.length === 1) return fitting;
  const [definition, ...others] = found.filter((element) => !element.isDeclaration);
  if (!definition || others.length > 0) return found;
  // A body without a block may be meant for one of the declarations.
  const opener = elementHead(definition, text).next;
  const isDefinition = !isWritten || opener !== "{" || body.some((line) => line.includes(opener));
  return isDefinition ? [definition] : found;
}

function firstNonEmpty<T>(...searches: readonly (() => T[])[]): T[] {
  for (const search of searches) {
    const found = search();
    if (found.length > 0) return found;
  }
  return [];
}

function find(table: PathTable, path: string): Element[] {
  const { packageName } = table;
  const inPackage =
    packageName !== null && path.startsWith(`${packageName}-`)
      ? path.slice(packageName.length + 1)
      : null;
  const exact = table.byPath(path) ?? (inPackage === null ? undefined : table.byPath(inPackage));
  if (exact) return [exact];
  return firstNonEmpty(
    () => bySuffix(table, path, true),
    () => (inPackage === null ? [] : bySuffix(table, inPackage, true)),
    () => bySuffix(table, path, false),
  );
}

/**
 * The elements whose path, with or without its numbers, ends with these segments; `isWhole` when it
 * must have no others.
 */
function bySuffix(table: PathTable, path: string, isWhole: boolean): Element[] {
  // The last segment may itself contain a `-`, so each `-` of the path may be the one before it.
  const parts = path.split("-");
  const lasts = parts.map((_, at) => parts.slice(at).join("-"));
  return table
    .byLastName(...lasts, ...lasts.map((last) => last.replace(/#\d+$/, "")))
    .filter((element) => endsWith(element, path, isWhole))
    .sort((a, b) => a.range.start - b.range.start);
}

function endsWith(
  { path, segmentStarts, names }: Element,
  suffix: string,
  isWhole: boolean,
): boolean {
  let rest = suffix;
  let end = path.length;
  for (let index = names.length - 1; index >= 0; index--) {
    const numbered = path.slice(segmentStarts[index], end);
    const name = names[index] ?? "";
    if (rest === numbered || rest === name) return !isWhole || index === 0;
    if (rest.endsWith(`-${numbered}`)) rest = rest.slice(0, -numbered.length - 1);
    else if (rest.endsWith(`-${name}`)) rest = rest.slice(0, -name.length - 1);
    else return false;
    end = (segmentStarts[index] ?? 1) - 1;
  }
  return false;
}
