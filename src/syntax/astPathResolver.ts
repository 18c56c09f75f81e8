import { err, ok, type Result } from "../base/result.ts";
import { editDistance } from "./editDistance.ts";
import { normalisePath } from "./elementName.ts";
import { type AddressedElement, FILE_PATH, IMPORTS_PATH, type PathTable } from "./elementPaths.ts";
import { looseMatches } from "./looseMatches.ts";
import type { OutlineEntry, PathError } from "./syntaxTypes.ts";

/** At most this many candidates are listed in a message. */
const MAX_CANDIDATES = 8;

/** Names longer than this are compared by their beginning. */
const MAX_COMPARED = 80;

function listed(entries: readonly OutlineEntry[]): string {
  return entries
    .map(({ path, kind, startLine, endLine }) => {
      const lines = startLine === endLine ? `line ${startLine}` : `lines ${startLine}-${endLine}`;
      return `\`${path}\` (${kind}, ${lines})`;
    })
    .join(", ");
}

function bySuffix<E extends AddressedElement>(table: PathTable<E>, path: string): E[] {
  const found = new Set<E>();
  // The last segment may itself hold a `-`, so each `-` of the path may be the one before it.
  for (let from = 0; ; ) {
    for (const element of table.bySegment(path.slice(from))) {
      if (element.path.endsWith(path) && element.segmentStarts.includes(element.path.length - path.length)) found.add(element);
    }
    const dash = path.indexOf("-", from);
    if (dash < 0) return [...found].sort((a, b) => a.range.start - b.range.start);
    from = dash + 1;
  }
}

/** `area#1` is what the outline calls `area`. */
function withoutFirstNumbers(path: string): string {
  return path.replace(/#1(?=-|$)/g, "");
}

function find<E extends AddressedElement>(table: PathTable<E>, path: string): E[] {
  const exact = table.byPath(path);
  if (exact) return [exact];
  const inPackage =
    table.packageName !== null && path.startsWith(`${table.packageName}-`) ? path.slice(table.packageName.length + 1) : null;
  const inFile = inPackage === null ? undefined : table.byPath(inPackage);
  if (inFile) return [inFile];
  return bySuffix(table, path);
}

/** The bare word of a name: `make` of `self.make`, `#make`, `make<T>` and `make(int a)`. */
function wordOf(name: string): string {
  return /\w+(?=\W*$)/.exec(name.replace(/(?<=\w)[<([].*$/, ""))?.[0].toLowerCase() ?? "";
}

function nearest<E extends AddressedElement>(table: PathTable<E>, path: string): E[] {
  const wanted = path.slice(0, MAX_COMPARED);
  const lastWanted = path.slice(path.lastIndexOf("-") + 1).slice(0, MAX_COMPARED);
  const scored: { element: E; score: number }[] = [];
  let limit = Number.POSITIVE_INFINITY;
  for (const element of table.elements) {
    const name = element.path.slice(element.segmentStarts.at(-1) ?? 0);
    const whole = editDistance(wanted.toLowerCase(), element.path.slice(0, MAX_COMPARED).toLowerCase(), limit);
    // A right name in the wrong place is nearer than a similar path.
    const last = editDistance(lastWanted.toLowerCase(), name.slice(0, MAX_COMPARED).toLowerCase(), limit) + 0.5;
    const sameWord = wordOf(lastWanted) !== "" && wordOf(lastWanted) === wordOf(name);
    const score = sameWord ? Math.min(whole, 0.75) : Math.min(whole, last);
    if (score >= limit) continue;
    scored.push({ element, score });
    scored.sort((a, b) => a.score - b.score);
    if (scored.length > MAX_CANDIDATES) scored.pop();
    if (scored.length === MAX_CANDIDATES) limit = scored.at(-1)?.score ?? limit;
  }
  return scored.map(({ element }) => element);
}

/**
 * Finds the one element a path names: exactly, else by a suffix that only one element has, else written in another way. Never guesses.
 * `entryOf` gives an element's lines.
 */
export function resolveElement<E extends AddressedElement>(
  table: PathTable<E>,
  path: string,
  entryOf: (element: E) => OutlineEntry,
): Result<E, PathError> {
  const wanted = normalisePath(path);
  const exact = find(table, wanted);
  const unnumbered = withoutFirstNumbers(wanted);
  const plain = exact.length > 0 ? exact : find(table, unnumbered);
  const found = plain.length > 0 ? plain : looseMatches(table, unnumbered);
  const [only] = found;
  if (only && found.length === 1) return ok(only);
  if (found.length > 1) {
    const candidates = found.slice(0, MAX_CANDIDATES).map(entryOf);
    const more = found.length > candidates.length ? ` and ${found.length - candidates.length} more` : "";
    const message = `\`${wanted}\` is ambiguous, it names ${found.length} elements: ${listed(candidates)}${more}. Write one of these paths in full.`;
    return err({ kind: "ambiguous", message, candidates });
  }
  const candidates = wanted === "" ? [] : nearest(table, wanted).map(entryOf);
  const advice =
    candidates.length > 0
      ? `The nearest are: ${listed(candidates)}. Write a path exactly as the outline prints it.`
      : `The file has no elements to address; only \`${FILE_PATH}\` and \`${IMPORTS_PATH}\` work.`;
  return err({ kind: "not-found", message: `There is no element \`${wanted}\` in this file. ${advice}`, candidates });
}
