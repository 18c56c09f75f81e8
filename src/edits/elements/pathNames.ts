import type { OutlineEntry } from "../../syntax/syntax.ts";

/** A path without its numbers. */
export function unnumbered(path: string): string {
  return path.includes("#") ? path.replace(/#\d+(?=-|$)/g, "") : path;
}

/** The last name of a path. */
export function lastName(path: string): string {
  return path.slice(path.lastIndexOf("-") + 1);
}

/**
 * Tells paths of an outline apart into the one of the element around, "" for none, and the name,
 * which may itself hold a `-`.
 */
export function pathParts(
  paths: Iterable<string>,
): (path: string) => { readonly parent: string; readonly name: string } {
  // The members of a numbered type may have its bare name.
  const known = new Set([...paths].flatMap((path) => [path, unnumbered(path)]));
  return (path) => {
    for (let dash = path.lastIndexOf("-"); dash > 0; dash = path.lastIndexOf("-", dash - 1)) {
      const parent = path.slice(0, dash);
      if (known.has(parent)) return { parent, name: unnumbered(path.slice(dash + 1)) };
    }
    return { parent: "", name: unnumbered(path) };
  };
}

/** How many elements have each path, numbers such as `#2` left out, and the kind of the first. */
export type NameCounts = ReadonlyMap<string, { readonly count: number; readonly kind: string }>;

/** Counts the elements of an outline by their paths. */
export function countNames(entries: readonly OutlineEntry[]): NameCounts {
  const counts = new Map<string, { count: number; readonly kind: string }>();
  for (const { path, kind } of entries) {
    const name = unnumbered(path);
    const known = counts.get(name);
    if (known) known.count++;
    else counts.set(name, { count: 1, kind });
  }
  return counts;
}
