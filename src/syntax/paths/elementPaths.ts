import { lineAt, lineStarts } from "../../base/text/lineTable.ts";
import type { OffsetRange } from "../../base/text/scan.ts";
import type { OutlineEntry } from "../syntax.ts";
import type { Element } from "./element.ts";

/** The path of the import section. */
export const IMPORTS_PATH = "@imports";
/** The path of the whole file. */
export const FILE_PATH = "@file";

/**
 * Definitions nested deeper are not addressed: their paths would be unusable, and together as long
 * as the square of the nesting.
 */
export const MAX_DEPTH = 64;

/**
 * Gives each element, in source order, its path. Where several have the same path, each is numbered
 * in source order, from `#1` on.
 */
export function nameElements(
  elements: readonly Element[],
  text: string,
  packageName: string | null,
): PathTable {
  const names: (readonly string[])[] = [];
  for (const { owners, name, parent } of elements)
    names.push([...(names[parent] ?? []), ...owners, name]);
  const all = [...elements.keys()];
  const clashing = clashingPaths(names);
  const numbers = pathNumbers();
  const paths: string[] = [];
  const starts: (readonly number[])[] = [];
  /** What the paths of inner elements begin with. */
  const scopes: string[] = [];
  const levels = [...grouped(all, (at) => names[at]?.length ?? 0)].sort(([a], [b]) => a - b);
  // A path depends on those of the elements around it, which have fewer segments.
  for (const [, level] of levels) {
    for (const at of level) {
      const { parent } = elements[at] ?? { parent: -1 };
      const placed = segments(scopes[parent] ?? "", starts[parent] ?? [], names[at] ?? []);
      [scopes[at], starts[at]] = [placed.path, placed.starts];
    }
    for (const [scope, group] of grouped(level, (at) => scopes[at] ?? "")) {
      const inner = innerScopeOwner(elements, group);
      for (const at of group) {
        const clash = clashing.size > 0 ? clashing.get(names[at]?.join("-") ?? "") : undefined;
        const before = clash?.indexOf(at);
        const isNumbered = group.length > 1 || before !== undefined;
        const path = isNumbered ? numbers.next(scope, before) : numbers.own(scope);
        paths[at] = path;
        // The members of every impl are its type's; only the impls themselves are numbered.
        if (elements[at]?.kind !== "impl" && at !== inner) scopes[at] = path;
      }
    }
  }
  const named = elements.map((element, at): Element => {
    const [path = "", segmentStarts = [], own = []] = [paths[at], starts[at], names[at]];
    return { ...element, path, segmentStarts, names: own };
  });
  return new PathTable(named, text, packageName);
}

function grouped<K, T>(items: readonly T[], keyOf: (item: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** The elements, by index, of each path that stands for different numbers of segments, as `a-b` may. */
function clashingPaths(
  names: readonly (readonly string[])[],
): ReadonlyMap<string, readonly number[]> {
  const mayClash = names.some((own) => own.some((name) => name.includes("-")));
  const byPath = mayClash ? grouped([...names.keys()], (at) => names[at]?.join("-") ?? "") : [];
  return new Map(
    [...byPath].filter(([, same]) => new Set(same.map((at) => names[at]?.length)).size > 1),
  );
}

/** A path of some of its names, with where each begins: the others, at `starts`, are in `scope`. */
function segments(
  scope: string,
  starts: readonly number[],
  names: readonly string[],
): { readonly path: string; readonly starts: readonly number[] } {
  const all = [...starts];
  let path = scope;
  for (const name of names.slice(starts.length)) {
    if (all.length > 0) path += "-";
    all.push(path.length);
    path += name;
  }
  return { path, starts: all };
}

/**
 * The element whose members have a path without its number: a type with impls, and a definition
 * beside declarations. Null for none.
 */
function innerScopeOwner(elements: readonly Element[], group: readonly number[]): number | null {
  const [only, ...others] = group.filter((at) => {
    const element = elements[at];
    return element && element.kind !== "impl" && !element.isDeclaration;
  });
  return only !== undefined && others.length === 0 ? only : null;
}

/** Hands out paths, never one that is taken. */
function pathNumbers() {
  const taken = new Set([IMPORTS_PATH, FILE_PATH]);
  const counts = new Map<string, number>();

  /** The next number after `before`. */
  const next = (path: string, before = counts.get(path) ?? 0): string => {
    let count = before;
    let numbered: string;
    do numbered = `${path}#${++count}`;
    while (taken.has(numbered));
    counts.set(path, count);
    taken.add(numbered);
    return numbered;
  };

  const own = (path: string): string => {
    if (taken.has(path)) return next(path);
    taken.add(path);
    return path;
  };
  return { next, own };
}

/** The elements of a text in source order, found by path or by suffix. */
export class PathTable {
  readonly elements: readonly Element[];
  readonly text: string;
  /** What a path may begin with, or null. */
  readonly packageName: string | null;
  private lines: readonly number[] | null = null;

  constructor(elements: readonly Element[], text: string, packageName: string | null) {
    this.elements = elements;
    this.text = text;
    this.packageName = packageName;
  }

  // Each table is asked for few paths: an index of all takes longer to make than they do to find.
  byPath(path: string): Element | undefined {
    return this.elements.find((element) => element.path === path);
  }

  /** By the last name, without its number. */
  byLastName(...names: readonly string[]): readonly Element[] {
    return this.elements.filter((element) => names.includes(element.names.at(-1) ?? ""));
  }

  /** How the outline shows a range of the text. */
  entryAt(path: string, kind: string, { start, end }: OffsetRange): OutlineEntry {
    this.lines ??= lineStarts(this.text);
    const last = Math.max(start, end - 1);
    return {
      path,
      kind,
      startLine: lineAt(this.lines, start) + 1,
      endLine: lineAt(this.lines, last) + 1,
    };
  }

  entryOf({ path, range, kind }: Element): OutlineEntry {
    return this.entryAt(path, kind, range);
  }
}
