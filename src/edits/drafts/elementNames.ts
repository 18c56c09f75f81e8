import type { BlockWarning } from "../../ports/review.ts";
import type { OutlineEntry } from "../../syntax/syntax.ts";

/** How many elements have each path, numbers such as `#2` left out. */
export type NameCounts = ReadonlyMap<string, number>;

/** Counts the elements of an outline by their paths. */
export function countNames(entries: readonly OutlineEntry[]): NameCounts {
  const counts = new Map<string, number>();
  for (const { path } of entries) {
    const name = unnumbered(path);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

/** A path without its numbers. */
export function unnumbered(path: string): string {
  return path.includes("#") ? path.replace(/#\d+(?=-|$)/g, "") : path;
}

/**
 * The warnings for a body that replaced the element `path`: its name is nowhere in the body, or an element beside it stands once more
 * than before. Overloads may come to an element that had none.
 */
export function replacementWarnings(path: string, oldText: string, body: string, before: NameCounts, after: NameCounts): BlockWarning[] {
  const warnings: BlockWarning[] = [];
  const own = unnumbered(path);
  const name = lastName(own);
  if (/\w/.test(name) && oldText.includes(name) && !body.includes(name)) warnings.push({ code: "loses-element", path });
  const parent = own.slice(0, own.length - name.length);
  for (const [sibling, count] of after) {
    const known = before.get(sibling) ?? 0;
    if (count <= known || known < (sibling === own ? 2 : 1) || !sibling.startsWith(parent)) continue;
    const rest = sibling.slice(parent.length);
    if (!rest.includes("-") && body.includes(rest)) warnings.push({ code: "doubles-element", path: sibling });
  }
  return warnings.slice(0, 2);
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf("-") + 1);
}
