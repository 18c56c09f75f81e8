import type { OffsetRange } from "../../base/text/scan.ts";
import type { Definition } from "./definition.ts";

/** The path of the import section. */
export const IMPORTS_PATH = "@imports";
/** The path of the whole file. */
export const FILE_PATH = "@file";

/**
 * An addressable element. Its lists have one entry a segment of the path: a name may itself contain
 * a `-`.
 */
export interface Element {
  readonly path: string;
  /** Where each segment of the path begins. */
  readonly segmentStarts: readonly number[];
  /** The segments without their numbers. */
  readonly names: readonly string[];
  /** With decorators, modifiers and a separator after it, without comments. */
  readonly range: OffsetRange;
  readonly definition: Definition;
  /** The index of the element around it among those of its text; -1 for none. */
  readonly parent: number;
}

/**
 * Definitions nested deeper are not addressed: their paths would be unusable, and together as long
 * as the square of the nesting.
 */
export const MAX_DEPTH = 64;

/** An element on the way to its path, which is at first without any numbers. */
interface Draft extends Element {
  path: string;
  segmentStarts: readonly number[];
  readonly around: Draft | null;
  /** What the paths of inner elements begin with. */
  scope: string;
}

/**
 * Gives each element, in source order, its path. Where several have the same path, each is numbered
 * in source order, from `#1` on.
 */
export function nameElements(
  elements: readonly Omit<Element, "path" | "names" | "segmentStarts">[],
  packageName: string | null,
): PathTable {
  const drafts: Draft[] = [];
  for (const { definition, range, parent } of elements) {
    const around = drafts[parent] ?? null;
    const names = [...(around?.names ?? []), ...definition.owners, definition.name];
    const path = names.join("-");
    drafts.push({ path, segmentStarts: [], names, range, definition, parent, around, scope: "" });
  }
  const clashing = clashingPaths(drafts);
  const numbers = new PathNumbers();
  const levels = [...grouped(drafts, ({ names }) => names.length)].sort(([a], [b]) => a - b);
  // A path depends on those of the elements around it, which have fewer segments.
  for (const [, level] of levels) nameLevel(level, clashing, numbers);
  return new PathTable(drafts, packageName);
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
  return new Map(
    [...byPath].filter(([, same]) =>
      same.some(({ names }) => names.length !== same[0]?.names.length),
    ),
  );
}

function nameLevel(
  level: readonly Draft[],
  clashing: ReadonlyMap<string, readonly Draft[]>,
  numbers: PathNumbers,
): void {
  for (const draft of level) placeInScope(draft);
  for (const [path, group] of grouped(level, ({ scope }) => scope)) {
    const inner = innerScopeOwner(group);
    for (const draft of group) {
      const before = clashing.get(draft.path)?.indexOf(draft);
      draft.path =
        group.length > 1 || before !== undefined ? numbers.next(path, before) : numbers.own(path);
      // The members of every impl are its type's; only the impls themselves are numbered.
      if (draft.definition.kind !== "impl" && draft !== inner) draft.scope = draft.path;
    }
  }
}

/** Begins the path with that of the element around it. */
function placeInScope(draft: Draft): void {
  const { around, names } = draft;
  const starts = [...(around?.segmentStarts ?? [])];
  let scope = around?.scope ?? "";
  for (const name of names.slice(starts.length)) {
    if (starts.length > 0) scope += "-";
    starts.push(scope.length);
    scope += name;
  }
  draft.segmentStarts = starts;
  draft.scope = scope;
}

/**
 * The element whose members have a path without its number: a type with impls, and a definition
 * beside declarations.
 */
function innerScopeOwner(group: readonly Draft[]): Draft | null {
  const [only, ...others] = group.filter(
    ({ definition }) => definition.kind !== "impl" && !definition.isDeclaration,
  );
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
  private readonly paths: ReadonlyMap<string, number>;
  private readonly lastNames: ReadonlyMap<string, readonly number[]>;

  /** `same` has elements of the same names and paths in the same order. */
  constructor(elements: readonly Element[], packageName: string | null, same?: PathTable) {
    this.elements = elements;
    this.packageName = packageName;
    this.paths = same?.paths ?? new Map(elements.map(({ path }, index) => [path, index]));
    this.lastNames =
      same?.lastNames ??
      grouped([...elements.keys()], (index) => elements[index]?.names.at(-1) ?? "");
  }

  byPath(path: string): Element | undefined {
    return this.elements[this.paths.get(path) ?? -1];
  }

  /** By the last name, without its number. */
  byLastName(name: string): readonly Element[] {
    const found = this.lastNames.get(name) ?? [];
    return found.flatMap((index) => this.elements[index] ?? []);
  }
}
