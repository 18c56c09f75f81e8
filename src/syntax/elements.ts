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

/** Names and places what the symbol query found. */
export function elementTable(found: Definitions, text: string): ElementTable {
  const around = surroundings(text, found.comments, found.attributes);
  const names = new PathNames();
  const elements: Element[] = [];
  const byPath = new Map<string, Element>();
  const bySegment = new Map<string, Element[]>();
  const named = new Map<Placed, Element>();

  for (const placed of placeDefinitions(extendSections(found.definitions, found.locals, text), found.locals)) {
    const { definition, kind, parent } = placed;
    const name = elementName(definition.rawName, kind);
    if (name === "") continue;
    const container = parent && named.get(parent);
    const scope = container?.path ?? definition.owner;
    const scopeStarts = container?.segmentStarts ?? (definition.owner === null ? [] : [0]);
    const path = names.take(scope === null ? name : `${scope}-${name}`);
    const segmentStart = scope === null ? 0 : scope.length + 1;
    const end = separatorEnd(text, definition, kind);
    const element: Element = {
      path,
      kind,
      range: { start: around.attributeStart(definition.start), end },
      separatorStart: end === definition.end ? end : definition.end,
      definition,
      segmentStarts: [...scopeStarts, segmentStart],
    };
    named.set(placed, element);
    elements.push(element);
    byPath.set(path, element);
    const segment = path.slice(segmentStart);
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
