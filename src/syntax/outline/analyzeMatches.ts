import { type OffsetRange, skipBlanks } from "../../base/text/scan.ts";
import { type Definition, movedDefinition, movedRange } from "../paths/definition.ts";
import { type Element, nameElements, PathTable } from "../paths/elementPaths.ts";
import { changeWindow } from "./changeWindow.ts";
import { type CommentIndex, commentIndex } from "./commentIndex.ts";
import { definitionsOf, type Marks, marksOf } from "./definitions.ts";
import { detachedComments } from "./detachedComments.ts";
import { importSection } from "./importSection.ts";
import { extendSections } from "./markdownSections.ts";
import type { Match, UpdatedMatches } from "./matches.ts";
import type { MovedRanges } from "./movedRanges.ts";
import { type Nested, nestDefinitions } from "./nestDefinitions.ts";
import { separatorEnd } from "./syntaxElement.ts";

/** The elements of one parsed text, with what resolving a path needs. */
export interface Analysis {
  /** The text it is about. */
  readonly text: string;
  readonly matches: readonly Match[];
  readonly paths: PathTable;
  readonly marks: Marks;
  readonly comments: CommentIndex;
  /** The import section; empty where imports would go when there are none. */
  readonly imports: OffsetRange;
  /** False in a language without imports. */
  readonly hasImports: boolean;
}

/** An earlier analysis, and what happened to its text since. */
interface Earlier {
  readonly analysis: Analysis;
  readonly moved: MovedRanges;
}

/**
 * Turns the matches of a symbol query into named elements. `captureNames` are the query's. After an
 * edit it analyzes what the edit touches, and moves the rest.
 */
export function analyzeMatches(
  updated: UpdatedMatches,
  text: string,
  captureNames: readonly string[],
  earlier: Earlier | null,
): Analysis {
  const { matches } = updated;
  const marks = marksOf(matches, text);
  const comments = commentIndex(text, marks.comments, marks.attributes);
  const imports = importSection(marks, text, comments);
  const found = { text, marks, comments, imports };
  const hasImports = captureNames.includes("import");
  const isWhole = !earlier || captureNames.includes("section");
  const paths =
    (isWhole ? null : changedPaths(updated, found, earlier)) ??
    nameElements(elementsOf(nested(matches, marks, found), found), marks.packageName);
  return { matches, ...found, paths, hasImports };
}

type Found = Pick<Analysis, "text" | "marks" | "comments" | "imports">;
type Unnamed = Omit<Element, "path" | "names" | "segmentStarts">;

/** The definitions among some of the matches, of which `own` are the marks. */
function nested(matches: readonly Match[], own: Marks, found: Found): readonly Nested[] {
  const { text, marks, comments, imports } = found;
  const definitions = definitionsOf(matches, marks.ends);
  const shown = addressable(definitions, own, imports, text, comments);
  return nestDefinitions(extendSections(shown, own.locals, text), own.locals);
}

/** Those with a name. */
function elementsOf(all: readonly Nested[], found: Found): Unnamed[] {
  const named = all.filter(({ definition }) => definition.name !== "");
  const indexes = new Map(named.map((each, index) => [each, index]));
  return named.map(({ definition, parent }) => ({
    definition,
    range: rangeOf(definition, found),
    parent: (parent && indexes.get(parent)) ?? -1,
  }));
}

function rangeOf(definition: Definition, { text, comments }: Found): OffsetRange {
  return {
    start: comments.attributeStart(definition.start),
    end: separatorEnd(text, definition, definition.kind, skipBlanks(text, definition.end)),
  };
}

/** The elements after an edit; null when all must be looked at again. */
function changedPaths(
  updated: UpdatedMatches,
  found: Found,
  { analysis, moved }: Earlier,
): PathTable | null {
  const before = analysis.paths.elements;
  const window = changeWindow(
    updated,
    moved,
    changedImports(analysis.imports, found.imports, moved),
  );
  if (!window || window.matches.length > updated.matches.length / 2) return null;
  const { start, end, oldEnd } = window;
  const own = marksOf(window.matches, found.text);
  const fresh = elementsOf(nested(window.matches, own, found), found);
  const isAround = ({ definition }: Unnamed) =>
    definition.start < start && definition.nodeEnd > end;
  const isWithin = ({ definition }: Unnamed) => definition.start >= start && definition.start < end;
  const around = fresh.filter(isAround);
  const within = fresh.filter((each) => !isAround(each) && isWithin(each));

  const elements: Element[] = [];
  let isSame = true;
  const indexes = new Map<Unnamed, number>();
  const place = (element: Unnamed, was: Element | undefined) => {
    const around = fresh[element.parent];
    const parent = (around && indexes.get(around)) ?? -1;
    indexes.set(element, elements.length);
    isSame &&= was !== undefined && was.parent === parent && namesAlike(element, was);
    elements.push({ ...UNNAMED, ...was, ...element, parent });
  };
  let at = 0;
  let nextAround = 0;
  for (let element = before[at]; element; element = before[++at]) {
    const { definition } = element;
    if (definition.start >= start) break;
    const isReplaced = definition.nodeEnd > oldEnd;
    const now = isReplaced ? around[nextAround++] : null;
    if (now) place(now, element);
    else if (isReplaced) return null;
    else elements.push(element);
  }
  if (nextAround !== around.length) return null;
  const first = at;
  for (const element of within) {
    const was = before[at];
    const isWas = was && was.definition.start < oldEnd;
    if (isWas) at++;
    place(element, isWas ? was : undefined);
  }
  for (
    let element = before[at];
    element && element.definition.start < oldEnd;
    element = before[at]
  ) {
    isSame = false;
    at++;
  }
  const more = elements.length - at;
  for (let element = before[at]; element; element = before[++at]) {
    const { path, names, segmentStarts, parent } = element;
    elements.push({
      path,
      names,
      segmentStarts,
      definition: movedDefinition(element.definition, end - oldEnd),
      range: movedRange(element.range, end - oldEnd),
      parent: parent < first ? parent : parent + more,
    });
  }
  const { packageName } = found.marks;
  return isSame
    ? new PathTable(elements, packageName, analysis.paths)
    : nameElements(elements, packageName);
}

const UNNAMED: Pick<Element, "path" | "names" | "segmentStarts"> = {
  path: "",
  names: [],
  segmentStarts: [],
};

/** Where the import section differs from what an edit made of it, in offsets of the new text. */
function changedImports(
  before: OffsetRange,
  now: OffsetRange,
  moved: MovedRanges,
): readonly OffsetRange[] {
  const delta = moved.movedBy(before);
  const isMoved =
    delta !== null && before.start + delta === now.start && before.end + delta === now.end;
  if (isMoved) return [];
  const hull = moved.hull ?? { start: 0, end: 0, oldEnd: 0 };
  const shift = hull.end - hull.oldEnd;
  const placed = (offset: number) =>
    offset < hull.start ? offset : offset > hull.oldEnd ? offset + shift : hull.end;
  return [now, { start: Math.min(hull.start, before.start), end: placed(before.end) }];
}

/** True where an element has the name, and counts as, that of before. */
function namesAlike({ definition }: Unnamed, was: Element): boolean {
  const { name, kind, isDeclaration, owners } = was.definition;
  return (
    definition.name === name &&
    definition.isDeclaration === isDeclaration &&
    (definition.kind === "impl") === (kind === "impl") &&
    definition.owners.join("\n") === owners.join("\n")
  );
}

/** Kinds that may hold elements written in the first column. */
const OPEN_KINDS = new Set(["namespace", "module", "heading"]);

/**
 * The definitions to address. Leaves out what only looks like a statement: another definition, a
 * comment, an attribute, an import, and the kind `none`. Adds the comments that belong to no
 * element.
 */
function addressable(
  definitions: readonly Definition[],
  marks: Marks,
  imports: OffsetRange,
  text: string,
  comments: CommentIndex,
): Definition[] {
  const isStatement = ({ kind }: Definition) => kind === "statement";
  const ends = new Map<number, number>();
  for (const { start, end } of [
    ...definitions.filter((each) => !isStatement(each)),
    ...marks.comments,
    ...marks.attributes,
  ]) {
    ends.set(start, Math.max(end, ends.get(start) ?? 0));
  }
  // A definition may lack the `;` that ends the statement.
  const isHidden = ({ start, end }: Definition) =>
    (ends.get(start) ?? 0) >= end - 1 || (start < imports.end && end > imports.start);
  const shown = definitions.filter(
    (each) => each.kind !== "none" && !(isStatement(each) && isHidden(each)),
  );
  const closed = shown.filter(({ kind }) => !OPEN_KINDS.has(kind));
  const detached = detachedComments(marks, shown, [imports, ...closed], text, comments);
  return [...shown, ...detached].sort((a, b) => a.start - b.start || b.end - a.end);
}
