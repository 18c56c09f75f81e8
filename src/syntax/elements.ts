import type { Definition, Definitions } from "./definitions.ts";
import { type AddressedElement, PathNames, PathTable, type Scope, scopeWithin, TOP } from "./elementPaths.ts";
import { importSection } from "./importSection.ts";
import { extendSections } from "./markdownSections.ts";
import { type Placed, placeDefinitions } from "./placement.ts";
import { shownDefinitions } from "./shownDefinitions.ts";
import { type Surroundings, skipSpaceBack, surroundings } from "./surroundings.ts";
import type { OffsetRange } from "./syntaxTypes.ts";

/** An element with its place and its path. */
export interface Element extends AddressedElement {
  /** Where a `,` or `;` at the end of the range begins that stands between the element and the next one; else the range's end. */
  readonly separatorStart: number;
  readonly definition: Definition;
}

/** All elements of one text, in source order, the ways to find them, and what stands around them. */
export interface ElementTable {
  readonly paths: PathTable<Element>;
  /** False in a language that knows no imports. */
  readonly hasImports: boolean;
  readonly surroundings: Surroundings;
  readonly definitions: Definitions;
}

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

/** Names and places what the symbol query found. */
export function elementTable(found: Definitions, text: string): ElementTable {
  const around = surroundings(text, found.comments, found.attributes);
  const names = new PathNames();
  const paths = new PathTable<Element>(found.packageName);
  const scopes = new Map<Placed, Scope>();
  const shown = shownDefinitions(found, importSection(found, text, around), text, around);

  for (const placed of placeDefinitions(extendSections(shown, found.locals, text), found.locals)) {
    const { definition, kind, parent } = placed;
    const { name } = definition;
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
    paths.add(element);
  }
  return {
    paths,
    hasImports: found.hasImports,
    surroundings: around,
    definitions: found,
  };
}
