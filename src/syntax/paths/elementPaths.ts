import type { OffsetRange } from "../../base/text/scan.ts";
import type { Definition } from "./definition.ts";

/** The path of the import section. */
export const IMPORTS_PATH = "@imports";
/** The path of the whole file. */
export const FILE_PATH = "@file";

/** A definition and the one around it, not yet named. */
export interface Nested {
  readonly definition: Definition;
  readonly parent: Nested | null;
  /** 1 at the top level. */
  readonly depth: number;
}

/** An addressable element. Its lists have one entry a segment of the path: a name may itself contain a `-`. */
export interface Element {
  readonly path: string;
  /** Where each segment of the path begins. */
  readonly segmentStarts: readonly number[];
  /** The segments without their numbers. */
  readonly names: readonly string[];
  /** With decorators, modifiers and a separator after it, without comments. */
  readonly range: OffsetRange;
  readonly definition: Definition;
  /** The element around it. */
  readonly parent: Element | null;
}

/** Definitions nested deeper are not addressed: their paths would be unusable, and together as long as the square of the nesting. */
export const MAX_DEPTH = 64;

/** An element on the way to its path, which is at first without any numbers. */
interface Draft extends Element {
  path: string;
  segmentStarts: readonly number[];
  readonly parent: Draft | null;
  /** What the paths of inner elements begin with. */
  scope: string;
}

/**
 * Gives each definition, in source order, its path and the range that `rangeOf` says. Where several have the same path, each is
 * numbered in source order, from `#1` on.
 */
export function nameElements(
  placements: readonly Nested[],
  packageName: string | null,
  rangeOf: (definition: Definition) => OffsetRange,
): PathTable {
  const drafts = new Map<Nested, Draft>();
  for (const nested of placements) {
    const { definition } = nested;
    if (definition.name === "") continue;
    const parent = (nested.parent && drafts.get(nested.parent)) ?? null;
    const names = [...(parent?.names ?? []), ...definition.owners, definition.name];
    drafts.set(nested, { path: names.join("-"), segmentStarts: [], names, range: rangeOf(definition), definition, parent, scope: "" });
  }
  const elements = [...drafts.values()];
  const clashing = clashingPaths(elements);
  const numbers = new PathNumbers();
  const levels = [...grouped(elements, ({ names }) => names.length)].sort(([a], [b]) => a - b);
  // A path depends on those of the elements around it, which have fewer segments.
  for (const [, level] of levels) nameLevel(level, clashing, numbers);
  return new PathTable(elements, packageName);
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

/** The drafts of each path that stands for different numbers of segments, as `a-b` may. */
function clashingPaths(drafts: readonly Draft[]): ReadonlyMap<string, readonly Draft[]> {
  const mayClash = drafts.some(({ names }) => names.some((name) => name.includes("-")));
  const byPath = mayClash ? grouped(drafts, ({ path }) => path) : [];
  return new Map([...byPath].filter(([, same]) => same.some(({ names }) => names.length !== same[0]?.names.length)));
}

function nameLevel(level: readonly Draft[], clashing: ReadonlyMap<string, readonly Draft[]>, numbers: PathNumbers): void {
  for (const draft of level) placeInScope(draft);
  for (const [path, group] of grouped(level, ({ scope }) => scope)) {
    const inner = innerScopeOwner(group);
    for (const draft of group) {
      const before = clashing.get(draft.path)?.indexOf(draft);
      draft.path = group.length > 1 || before !== undefined ? numbers.next(path, before) : numbers.own(path);
      // The members of every impl are its type's; only the impls themselves are numbered.
      if (draft.definition.kind !== "impl" && draft !== inner) draft.scope = draft.path;
    }
  }
}

/** Begins the path with that of the element around it. */
function placeInScope(draft: Draft): void {
  const { parent, names } = draft;
  const starts = [...(parent?.segmentStarts ?? [])];
  let scope = parent?.scope ?? "";
  for (const name of names.slice(starts.length)) {
    if (starts.length > 0) scope += "-";
    starts.push(scope.length);
    scope += name;
  }
  draft.segmentStarts = starts;
  draft.scope = scope;
}

/** The element whose members have a path without its number: a type with impls, and a definition beside declarations. */
function innerScopeOwner(group: readonly Draft[]): Draft | null {
  const [only, ...others] = group.filter(({ definition }) => definition.kind !== "impl" && !definition.isDeclaration);
  return only && others.length === 0 ? only : null;
}

/** Hands out paths, never one that is taken. */
class PathNumbers {
  private readonly taken = new Set([IMPORTS_PATH, FILE_PATH]);
  private readonly counts = new Map<string, number>();

  own(path: string): string {
    if (this.taken.has(path)) return this.next(path);
    this.taken.add(path);
    return path;
  }

  /** The next number after `before`. */
  next(path: string, before = this.counts.get(path) ?? 0): string {
    let count = before;
    let numbered: string;
    do numbered = `${path}#${++count}`;
    while (this.taken.has(numbered));
    this.counts.set(path, count);
    this.taken.add(numbered);
    return numbered;
  }
}

/** Elements in source order, found by path or by suffix. */
export class PathTable {
  readonly elements: readonly Element[];
  /** What a path may begin with, or null. */
  readonly packageName: string | null;
  private readonly paths: ReadonlyMap<string, Element>;
  private readonly lastNames: ReadonlyMap<string, readonly Element[]>;

  constructor(elements: readonly Element[], packageName: string | null) {
    this.elements = elements;
    this.packageName = packageName;
    this.paths = new Map(elements.map((element) => [element.path, element]));
    this.lastNames = grouped(elements, ({ names }) => names.at(-1) ?? "");
  }

  byPath(path: string): Element | undefined {
    return this.paths.get(path);
  }

  /** By the last name, without its number. */
  byLastName(name: string): readonly Element[] {
    return this.lastNames.get(name) ?? [];
  }
}
