import type { OffsetRange } from "../../base/text/scan.ts";

/** The path of the import section. */
export const IMPORTS_PATH = "@imports";
/** The path of the whole file. */
export const FILE_PATH = "@file";

/** What a name in a path can stand for: a query's definition, or a language server's symbol. */
export interface Named extends OffsetRange {
  /** The name in a path; "" for none. */
  readonly name: string;
  /** The types it belongs to besides the element around it, the outermost first. */
  readonly owners: readonly string[];
  /** True for a prototype or an overload signature, which does not stand for the definition of its name. */
  readonly isDeclaration: boolean;
}

/** A definition and the one around it, not yet named. */
export interface Nested<D extends Named = Named> {
  readonly definition: D;
  readonly kind: string;
  readonly parent: Nested<D> | null;
  /** 1 at the top level. */
  readonly depth: number;
}

/** What the paths of inner elements begin with. Each list has one entry a segment: a name may itself contain a `-`. */
interface Scope {
  readonly path: string;
  /** Where each segment of the path begins. */
  readonly segmentStarts: readonly number[];
  /** The segments without their numbers. */
  readonly names: readonly string[];
}

/** An addressable element. */
export interface Element<D extends Named = Named> extends Scope {
  readonly kind: string;
  /** With decorators, modifiers and a separator after it, without comments. */
  readonly range: OffsetRange;
  readonly definition: D;
  /** The element around it. */
  readonly parent: Element<D> | null;
}

/** Definitions nested deeper are not addressed: their paths would be unusable, and together as long as the square of the nesting. */
export const MAX_DEPTH = 64;

const TOP: Scope = { path: "", segmentStarts: [], names: [] };

function scopeWithin({ path, segmentStarts, names }: Scope, name: string): Scope {
  if (segmentStarts.length === 0) return { path: name, segmentStarts: [0], names: [name] };
  return { path: `${path}-${name}`, segmentStarts: [...segmentStarts, path.length + 1], names: [...names, name] };
}

/** A named definition, before its path is known to be its own. */
interface Draft<D extends Named> {
  readonly nested: Nested<D>;
  readonly outer: Draft<D> | null;
  readonly depth: number;
  readonly bare: string;
  scope: Scope;
  path: string;
}

/**
 * Gives each definition, in source order, its path and the range that `rangeOf` says. Where several have the same path, each is
 * numbered in source order, from `#1` on.
 */
export function nameElements<D extends Named>(
  placements: readonly Nested<D>[],
  packageName: string | null,
  rangeOf: (definition: D, kind: string) => OffsetRange,
): PathTable<Element<D>> {
  const drafts = new Map<Nested<D>, Draft<D>>();
  const levels: Draft<D>[][] = [];
  for (const nested of placements) {
    const { name, owners } = nested.definition;
    if (name === "") continue;
    const outer = (nested.parent && drafts.get(nested.parent)) ?? null;
    const depth = (outer?.depth ?? 0) + owners.length + 1;
    const own = owners.length > 0 ? `${owners.join("-")}-${name}` : name;
    const bare = outer ? `${outer.bare}-${own}` : own;
    const draft = { nested, outer, depth, bare, scope: TOP, path: bare };
    drafts.set(nested, draft);
    while (levels.length <= depth) levels.push([]);
    levels[depth]?.push(draft);
  }
  const clashing = clashingPaths(drafts.values());
  const numbers = new PathNumbers();
  // A path depends on those of the elements around it, which have fewer segments.
  for (const level of levels) nameLevel(level, clashing, numbers);

  const table = new PathTable<Element<D>>(packageName);
  const elements = new Map<Draft<D>, Element<D>>();
  for (const [{ definition, kind }, draft] of drafts) {
    const parent = (draft.outer && elements.get(draft.outer)) ?? null;
    const { segmentStarts, names } = draft.scope;
    const element = { path: draft.path, kind, range: rangeOf(definition, kind), segmentStarts, names, definition, parent };
    elements.set(draft, element);
    table.add(element);
  }
  return table;
}

/** The drafts of each bare path that stands for different numbers of segments, as `a-b` may. */
function clashingPaths(drafts: Iterable<Draft<Named>>): ReadonlyMap<string, readonly Draft<Named>[]> {
  const byPath = new Map<string, Draft<Named>[]>();
  const all = [...drafts];
  const mayClash = all.some(
    ({ nested }) => nested.definition.name.includes("-") || nested.definition.owners.some((owner) => owner.includes("-")),
  );
  if (!mayClash) return byPath;
  for (const draft of all) {
    const same = byPath.get(draft.bare);
    if (same) same.push(draft);
    else byPath.set(draft.bare, [draft]);
  }
  return new Map([...byPath].filter(([, same]) => same.some(({ depth }) => depth !== same[0]?.depth)));
}

function nameLevel(level: readonly Draft<Named>[], clashing: ReadonlyMap<string, readonly Draft<Named>[]>, numbers: PathNumbers): void {
  const groups = new Map<string, Draft<Named>[]>();
  for (const draft of level) {
    const { definition } = draft.nested;
    draft.scope = scopeWithin(definition.owners.reduce(scopeWithin, draft.outer?.scope ?? TOP), definition.name);
    const group = groups.get(draft.scope.path);
    if (group) group.push(draft);
    else groups.set(draft.scope.path, [draft]);
  }
  for (const [path, group] of groups) {
    const inner = innerScopeOwner(group);
    for (const draft of group) {
      const before = clashing.get(draft.bare)?.indexOf(draft);
      draft.path = group.length > 1 || before !== undefined ? numbers.next(path, before) : numbers.own(path);
      // The members of every impl are its type's; only the impls themselves are numbered.
      if (draft.nested.kind !== "impl" && draft !== inner) draft.scope = { ...draft.scope, path: draft.path };
    }
  }
}

/** The element whose members have a path without its number: a type with impls, and a definition beside declarations. */
function innerScopeOwner(group: readonly Draft<Named>[]): Draft<Named> | null {
  const [only, ...others] = group.filter(({ nested }) => nested.kind !== "impl" && !nested.definition.isDeclaration);
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
export class PathTable<E extends Element> {
  /** What a path may begin with, or null. */
  readonly packageName: string | null;
  private readonly list: E[] = [];
  private readonly paths = new Map<string, E>();
  private readonly lastNames = new Map<string, E[]>();

  constructor(packageName: string | null) {
    this.packageName = packageName;
  }

  get elements(): readonly E[] {
    return this.list;
  }

  add(element: E): void {
    this.list.push(element);
    this.paths.set(element.path, element);
    const name = element.names.at(-1) ?? "";
    const same = this.lastNames.get(name);
    if (same) same.push(element);
    else this.lastNames.set(name, [element]);
  }

  byPath(path: string): E | undefined {
    return this.paths.get(path);
  }

  /** By the last name, without its number. */
  byLastName(name: string): readonly E[] {
    return this.lastNames.get(name) ?? [];
  }
}
