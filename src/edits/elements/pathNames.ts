import type { OutlineEntry } from "../../syntax/syntax.ts";

/** A path without its numbers. */
export function unnumbered(path: string): string {
  return path.includes("#") ? path.replace(/#\d+(?=-|$)/g, "") : path;
}

/** The last name of a path. */
export function lastName(path: string): string {
  return path.slice(path.lastIndexOf("-") + 1);
}

/** Divides paths of an outline into the one around, "" for none, and the name, maybe with `-`. */
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

/** How many elements of an outline have each name: their path without numbers, if not told. */
export function countNames(
  entries: readonly OutlineEntry[],
  nameOf = ({ path }: OutlineEntry): string => unnumbered(path),
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const entry of entries) counts.set(nameOf(entry), (counts.get(nameOf(entry)) ?? 0) + 1);
  return counts;
}
