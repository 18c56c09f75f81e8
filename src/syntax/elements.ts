import type { Definition, Definitions } from "./definitions.ts";
import { elementName } from "./elementName.ts";
import { extendSections } from "./markdownSections.ts";
import { type Placed, placeDefinitions } from "./placement.ts";
import { type Surroundings, skipSpaceBack, surroundings } from "./surroundings.ts";
import type { OffsetRange } from "./syntaxTypes.ts";

/** An element with its place and its path. */
export interface Element {
  readonly path: string;
  readonly kind: string;
  readonly range: OffsetRange;
  /** Where a `,` or `;` at the end of the range begins that stands between the element and the next one; else the range's end. */
  readonly separatorStart: number;
  readonly definition: Definition;
  /** Where the path's segments begin: a name may itself hold a `-`. */
  readonly segmentStarts: readonly number[];
}

/** All elements of one text, in source order, and the ways to find them. */
export interface ElementTable {
  readonly elements: readonly Element[];
  readonly byPath: ReadonlyMap<string, Element>;
  /** By the path's last segment. */
  readonly bySegment: ReadonlyMap<string, readonly Element[]>;
  readonly packageName: string | null;
  /** False in a language that knows no imports. */
  readonly hasImports: boolean;
  readonly surroundings: Surroundings;
  readonly definitions: Definitions;
}

/** The path of the import section. */
export const IMPORTS_PATH = "@imports";
/** The path of the whole file. */
export const FILE_PATH = "@file";

function separatorEnd(text: string, { start, end }: OffsetRange, kind: string): number {
  // Behind a heading, or an element of a page, there is text.
  if (kind === "heading" || kind === "element") return end;
  let at = end;
  while (text[at] === " " || text[at] === "\t") at++;
  if (text[at] === ",") return at + 1;
  // The `;` behind the last constant of a Java enum, or the last name of `int a, b;`, ends the list.
  const endsList = kind === "enum-member" || text[skipSpaceBack(text, start) - 1] === ",";
  return text[at] === ";" && !endsList ? at + 1 : end;
}

/** A path such as CSS's `a:after` would be read as an operation behind the path `a`. */
const ENDS_LIKE_OPERATION = /:(before|after|with-comment|remove|append|prepend)$/;

/** Numbers repeated paths `#2`, `#3` … in the order they come, never onto a path that is taken; the first one only where it must be. */
class PathNames {
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

type Scope = Pick<Element, "path" | "segmentStarts">;

const TOP: Scope = { path: "", segmentStarts: [] };

function scopeWithin({ path, segmentStarts }: Scope, name: string): Scope {
  if (segmentStarts.length === 0) return { path: name, segmentStarts: [0] };
  return { path: `${path}-${name}`, segmentStarts: [...segmentStarts, path.length + 1] };
}

/** Names and places what the symbol query found. */
export function elementTable(found: Definitions, text: string): ElementTable {
  const around = surroundings(text, found.comments, found.attributes);
  const names = new PathNames();
  const elements: Element[] = [];
  const byPath = new Map<string, Element>();
  const bySegment = new Map<string, Element[]>();
  const scopes = new Map<Placed, Scope>();

  for (const placed of placeDefinitions(extendSections(found.definitions, found.locals, text), found.locals)) {
    const { definition, kind, parent } = placed;
    const name = elementName(definition.rawName, kind);
    if (name === "") continue;
    const outer = (parent && scopes.get(parent)) ?? TOP;
    const plain = scopeWithin(definition.owners.reduce(scopeWithin, outer), name);
    const path = names.take(plain.path);
    const end = separatorEnd(text, definition, kind);
    const element: Element = {
      path,
      kind,
      range: { start: around.attributeStart(definition.start), end },
      separatorStart: end === definition.end ? end : definition.end,
      definition,
      segmentStarts: plain.segmentStarts,
    };
    // The members of every impl are its type's; only the impls are numbered.
    scopes.set(placed, kind === "impl" ? plain : element);
    elements.push(element);
    byPath.set(path, element);
    const segment = path.slice(plain.segmentStarts.at(-1));
    const same = bySegment.get(segment);
    if (same) same.push(element);
    else bySegment.set(segment, [element]);
  }
  return {
    elements,
    byPath,
    bySegment,
    packageName: found.packageName,
    hasImports: found.hasImports,
    surroundings: around,
    definitions: found,
  };
}
