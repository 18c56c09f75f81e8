import type { OffsetRange } from "./syntaxTypes.ts";

/** The path of the import section. */
export const IMPORTS_PATH = "@imports";
/** The path of the whole file. */
export const FILE_PATH = "@file";

/** An element with its place and its path. */
export interface AddressedElement {
  readonly path: string;
  readonly kind: string;
  readonly range: OffsetRange;
  /** Where the path's segments begin: a name may itself hold a `-`. */
  readonly segmentStarts: readonly number[];
}

/** A path such as CSS's `a:after` would be read as an operation behind the path `a`. */
const ENDS_LIKE_OPERATION = /:(before|after|with-comment|remove|append|prepend)$/;

/** Numbers repeated paths `#2`, `#3` … in the order they come, never onto a path that is taken; the first one only where it must be. */
export class PathNames {
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

/** What the path of an inner element begins with. */
export type Scope = Pick<AddressedElement, "path" | "segmentStarts">;

/** The scope of elements that are in no other. */
export const TOP: Scope = { path: "", segmentStarts: [] };

/** The scope or the path of `name` within a scope, not yet numbered. */
export function scopeWithin({ path, segmentStarts }: Scope, name: string): Scope {
  if (segmentStarts.length === 0) return { path: name, segmentStarts: [0] };
  return { path: `${path}-${name}`, segmentStarts: [...segmentStarts, path.length + 1] };
}

/** Elements in source order, and the ways to find them. */
export class PathTable<E extends AddressedElement> {
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
