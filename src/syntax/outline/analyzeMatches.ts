import { firstFrom } from "../../base/text/firstFrom.ts";
import { type OffsetRange, skipBlanks, skipSpaceBack } from "../../base/text/scan.ts";
import { type Element, movedElement } from "../paths/element.ts";
import { nameElements, PathTable } from "../paths/elementPaths.ts";
import { changeWindow } from "./changeWindow.ts";
import { definitionsOf } from "./definitions.ts";
import { detachedComments } from "./detachedComments.ts";
import { importSection } from "./importSection.ts";
import { extendSections } from "./markdownSections.ts";
import { attributeStart, type Marks, marksOf, packageName, updatedMarks } from "./marks.ts";
import type { Match, UpdatedMatches } from "./matches.ts";
import { MovedRanges } from "./movedRanges.ts";
import { nestDefinitions } from "./nestDefinitions.ts";

/** The elements of one parsed text, with what resolving a path needs. */
export interface Analysis {
  readonly matches: readonly Match[];
  readonly marks: Marks;
  readonly paths: PathTable;
  /** The import section; empty where imports would go when there are none. */
  readonly imports: OffsetRange;
  /** False in a language without imports. */
  readonly hasImports: boolean;
  /** What edits changed since. */
  readonly moved: MovedRanges;
}

/**
 * Turns the matches of a symbol query into named elements. `captureNames` are the query's. After an
 * edit of what was `analyzed` it looks at what the edit touches, and moves the rest.
 */
export function analyzeMatches(
  updated: UpdatedMatches,
  text: string,
  captureNames: readonly string[],
  analyzed: Analysis | null,
): Analysis {
  const { matches, removed, added } = updated;
  const marks = analyzed
    ? updatedMarks(analyzed.marks, removed, added, text)
    : marksOf(matches, text);
  const imports = importSection(marks);
  const isWhole = !analyzed || captureNames.includes("section");
  const paths =
    (isWhole ? null : updatedPaths(updated, marks, imports, analyzed)) ??
    wholePaths(matches, marks, imports, analyzed);
  const hasImports = captureNames.includes("import");
  return { matches, marks, paths, imports, hasImports, moved: new MovedRanges() };
}

/** The elements among some of the matches, of which `own` are the marks. */
function elementsAmong(
  matches: readonly Match[],
  own: Marks,
  marks: Marks,
  imports: OffsetRange,
): readonly Element[] {
  const { text } = marks;
  const definitions = definitionsOf(matches, marks);
  // What a namespace holds is not local.
  const namespaces = new Set(
    matches.map(({ kind, node }) => kind === "namespace" && node?.body?.start),
  );
  const locals = own.ranges.local.filter(({ start }) => !namespaces.has(start));
  const shown = addressable(definitions, own, locals, marks, imports);
  return nestDefinitions(extendSections(shown, locals, text), locals, (definition, kind) => ({
    start: attributeStart(marks, definition.start),
    end: separatorEnd(text, definition, kind, skipBlanks(text, definition.end)),
  }));
}

/** All elements, looked at anew; where they are called as before, they keep their paths. */
function wholePaths(
  matches: readonly Match[],
  marks: Marks,
  imports: OffsetRange,
  analyzed: Analysis | null,
): PathTable {
  const { text } = marks;
  const elements = elementsAmong(matches, marks, marks, imports);
  const inPackage = packageName(marks);
  const before = analyzed?.paths;
  if (!before || !areNamedAlike(elements, before)) return nameElements(elements, text, inPackage);
  const named = elements.map((element, at) => namedAs(element, before.elements[at]));
  return new PathTable(named, text, inPackage);
}

/** The elements after an edit; null when all must be looked at again. */
function updatedPaths(
  updated: UpdatedMatches,
  marks: Marks,
  imports: OffsetRange,
  { paths, moved, imports: importsBefore }: Analysis,
): PathTable | null {
  const { text } = marks;
  const { hull } = moved;
  // The parser read most of the text anew.
  if (hull && hull.end - hull.start > text.length / 2) return null;
  const window = changeWindow(updated, moved, changedImports(importsBefore, imports, moved));
  if (!window || window.matches.length > updated.matches.length / 2) return null;
  const own = marksOf(window.matches, text);
  const fresh = elementsAmong(window.matches, own, marks, imports);
  const elements = spliced(paths.elements, fresh, window, moved.delta);
  if (!elements) return null;
  const inPackage = packageName(marks);
  return areNamedAlike(elements, paths)
    ? new PathTable(elements, text, inPackage)
    : nameElements(elements, text, inPackage);
}

/**
 * The elements `before` with the fresh ones of a window, which has become `delta` longer, in the
 * place of those that were there. Null where those around it are not as many, or of other kinds.
 */
function spliced(
  before: readonly Element[],
  fresh: readonly Element[],
  { start, end }: OffsetRange,
  delta: number,
): readonly Element[] | null {
  const isAround = (element: Element) => element.start < start && element.nodeEnd > end;
  const isWithin = (element: Element) => element.start >= start && element.start < end;
  const around = fresh.filter(isAround);
  const within = fresh.filter((each) => !isAround(each) && isWithin(each));
  const elements: Element[] = [];
  const indexes = new Map<Element, number>();
  const place = (element: Element, was: Element | undefined) => {
    const outer = fresh[element.parent];
    const parent = (outer && indexes.get(outer)) ?? -1;
    indexes.set(element, elements.length);
    elements.push({ ...namedAs(element, was), parent });
  };
  const startOf = (element: Element) => element.start;
  const first = firstFrom(before, start, startOf);
  const next = firstFrom(before, end - delta, startOf);
  let nextAround = 0;
  for (const element of before.slice(0, first)) {
    const isReplaced = element.nodeEnd > end - delta;
    const now = isReplaced ? around[nextAround++] : null;
    // What an element counts as decides about those inside of it.
    if (now && now.kind !== element.kind) return null;
    if (now) place(now, element);
    else if (isReplaced) return null;
    else elements.push(element);
  }
  if (nextAround !== around.length) return null;
  const replaced = before.slice(first, next);
  for (const [at, element] of within.entries()) place(element, replaced[at]);
  const more = elements.length - next;
  for (const element of before.slice(next)) {
    const parent = element.parent < first ? element.parent : element.parent + more;
    elements.push(movedElement(element, delta, parent));
  }
  return elements;
}

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

function areNamedAlike(elements: readonly Element[], before: PathTable): boolean {
  return (
    elements.length === before.elements.length &&
    elements.every((element, at) => namesAlike(element, before.elements[at]))
  );
}

/** An element with the path of the one it was; for none its own. */
function namedAs(element: Element, was: Element | undefined): Element {
  if (!was) return element;
  const { path, segmentStarts, names } = was;
  return { ...element, path, segmentStarts, names };
}

/** True where an element has the name, and counts as, that of before. */
function namesAlike(element: Element, before: Element | undefined): boolean {
  const { name, isDeclaration, kind, owners, parent } = element;
  if (!before || before.parent !== parent) return false;
  return (
    name === before.name &&
    isDeclaration === before.isDeclaration &&
    (kind === "impl") === (before.kind === "impl") &&
    (owners === before.owners || owners.join("\n") === before.owners.join("\n"))
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
  definitions: readonly Element[],
  own: Marks,
  locals: readonly OffsetRange[],
  marks: Marks,
  imports: OffsetRange,
): Element[] {
  const isStatement = ({ kind }: Element) => kind === "statement";
  const ends = new Map<number, number>();
  for (const { start, end } of [
    ...definitions.filter((each) => !isStatement(each)),
    ...own.ranges.comment,
    ...own.ranges.attribute,
  ]) {
    ends.set(start, Math.max(end, ends.get(start) ?? 0));
  }
  // A definition may lack the `;` that ends the statement.
  const isHidden = ({ start, end }: Element) =>
    (ends.get(start) ?? 0) >= end - 1 || (start < imports.end && end > imports.start);
  const shown = definitions.filter(
    (each) => each.kind !== "none" && !(isStatement(each) && isHidden(each)),
  );
  const closed = shown.filter(({ kind }) => !OPEN_KINDS.has(kind));
  const taken = [imports, ...closed, ...locals];
  const detached = detachedComments(own.ranges.comment, shown, taken, marks);
  return [...shown, ...detached].sort((a, b) => a.start - b.start || b.end - a.end);
}

/**
 * Where an element ends with the `,` or `;` at `at` that separates it from the next one; its own
 * end when there is none.
 */
function separatorEnd(text: string, { start, end }: OffsetRange, kind: string, at: number): number {
  // After a heading or a tag comes text, and `;;` begins a comment in Lisp.
  if (kind === "heading" || text[start] === "<" || text.startsWith(";;", at)) return end;
  if (text[at] === ",") return at + 1;
  // The `;` after an enum's last constant, or after the last name of `int a, b;`, ends the list.
  const endsList = kind === "enum-member" || text[skipSpaceBack(text, start) - 1] === ",";
  return text[at] === ";" && !endsList ? at + 1 : end;
}
