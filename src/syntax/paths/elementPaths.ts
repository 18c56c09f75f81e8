import type { OffsetRange } from "../syntax.ts";

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
}

/** A definition and the one around it, not yet named. */
export interface Nested<D extends Named = Named> {
  readonly definition: D;
  readonly kind: string;
  readonly parent: Nested<D> | null;
  /** 1 at the top level. */
  readonly depth: number;
}

/** An addressable element. */
export interface Element<D extends Named = Named> {
  readonly path: string;
  readonly kind: string;
  /** With decorators, modifiers and a separator after it, without comments. */
  readonly range: OffsetRange;
  /** Where each segment of the path begins: a name may itself contain a `-`. */
  readonly segmentStarts: readonly number[];
  readonly definition: D;
  /** The element around it. */
  readonly parent: Element<D> | null;
}

/** Definitions nested deeper are not addressed: their paths would be unusable, and together as long as the square of the nesting. */
export const MAX_DEPTH = 64;

/** Gives each definition, in source order, its path and the range that `rangeOf` says. */
export function nameElements<D extends Named>(
  placements: readonly Nested<D>[],
  packageName: string | null,
  rangeOf: (definition: D, kind: string) => OffsetRange,
): PathTable<Element<D>> {
  const numbers = new PathNumbers();
  const table = new PathTable<Element<D>>(packageName);
  const named = new Map<Nested<D>, { readonly element: Element<D>; readonly scope: Scope }>();
  for (const nested of placements) {
    const { definition, kind } = nested;
    if (definition.name === "") continue;
    const outer = nested.parent ? named.get(nested.parent) : undefined;
    const own = scopeWithin(definition.owners.reduce(scopeWithin, outer?.scope ?? TOP), definition.name);
    const path = numbers.take(own.path);
    const { segmentStarts } = own;
    const element = { path, kind, range: rangeOf(definition, kind), segmentStarts, definition, parent: outer?.element ?? null };
    // The members of every impl are its type's; only the impls are numbered.
    named.set(nested, { element, scope: kind === "impl" ? own : element });
    table.add(element);
  }
  return table;
}

/** A path that ends like CSS's `a:after` would be read as an operation on the path `a`. */
const ENDS_LIKE_OPERATION = /:(before|after|with-comment|remove|append|prepend)$/;

/** Numbers repeated paths `#2`, `#3` … in source order, never onto a path that is taken; the first one only where it must be. */
class PathNumbers {
  private readonly taken = new Set([IMPORTS_PATH, FILE_PATH]);
  private readonly counts = new Map([
    [IMPORTS_PATH, 1],
    [FILE_PATH, 1],
  ]);

  take(path: string): string {
    let count = (this.counts.get(path) ?? 0) + 1;
    let unique = count === 1 && !ENDS_LIKE_OPERATION.test(path) ? path : `${path}#${count}`;
    while (this.taken.has(unique)) unique = `${path}#${++count}`;
    this.counts.set(path, count);
    this.taken.add(unique);
    return unique;
  }
}

/** What the paths of inner elements begin with. */
type Scope = Pick<Element, "path" | "segmentStarts">;

const TOP: Scope = { path: "", segmentStarts: [] };

function scopeWithin({ path, segmentStarts }: Scope, name: string): Scope {
  if (segmentStarts.length === 0) return { path: name, segmentStarts: [0] };
  return { path: `${path}-${name}`, segmentStarts: [...segmentStarts, path.length + 1] };
}

/** Elements in source order, found by path or by last segment. */
export class PathTable<E extends Element> {
  /** What a path may begin with, or null. */
  readonly packageName: string | null;
  private readonly list: E[] = [];
  private readonly paths = new Map<string, E>();
  private readonly segments = new Map<string, E[]>();

  constructor(packageName: string | null) {
    this.packageName = packageName;
  }

  get elements(): readonly E[] {
    return this.list;
  }

  add(element: E): void {
    this.list.push(element);
    this.paths.set(element.path, element);
    const segment = element.path.slice(element.segmentStarts.at(-1));
    const same = this.segments.get(segment);
    if (same) same.push(element);
    else this.segments.set(segment, [element]);
  }

  byPath(path: string): E | undefined {
    return this.paths.get(path);
  }

  /** By the path's last segment. */
  bySegment(segment: string): readonly E[] {
    return this.segments.get(segment) ?? [];
  }
}
