import type { Node, QueryMatch } from "web-tree-sitter";
import type { OffsetRange } from "../../base/text/scan.ts";
import type { Grammar } from "../grammar/grammarLoader.ts";
import { PATTERN_ALSO, PATTERN_ROOT } from "../grammar/patternRoots.ts";
import { elementName } from "../paths/elementName.ts";
import { holdsError } from "./errorNodes.ts";
import type { MovedRanges } from "./movedRanges.ts";
import { pointAt } from "./parsedText.ts";

/** A range that moves when the text before it changes. Belongs to one match. */
export interface Place {
  start: number;
  end: number;
}

/** What is kept of a node once its tree is gone. Range and type identify it. */
export interface NodePlace extends Place {
  readonly type: number;
  /** True when its subtree holds a syntax error. */
  readonly hasError: boolean;
}

/** A definition without what wraps it. */
export interface Draft {
  readonly node: NodePlace;
  readonly nameNode: Place | null;
  /** As a path has it; "" for none. */
  readonly name: string;
  readonly kind: string;
  readonly owners: readonly string[];
  readonly body: Place | null;
  readonly bodyStyle: "braces" | "between" | "indent" | "rest" | "section";
  readonly level: number;
  readonly isDeclaration: boolean;
}

/**
 * A node around a definition that is part of it. A C++ function's also has the kind and the body
 * for its declarator.
 */
export interface Wrapper {
  readonly wrapped: NodePlace;
  readonly node: NodePlace;
  readonly kind: string | null;
  readonly body: Place | null;
}

const RANGE_CAPTURES = [
  "local",
  "comment",
  "attribute",
  "import",
  "imports.after",
  "tail",
  "marker",
] as const;

/** Captures whose range is all that counts. */
export type RangeCapture = (typeof RANGE_CAPTURES)[number];

/** One of these captures. */
export interface CapturedRange {
  readonly capture: RangeCapture;
  readonly place: Place;
  readonly hasError: boolean;
  /** The body inside a tail. */
  readonly body: Place | null;
}

/** One match of a symbol query, in plain data: nodes must not be used once their tree is gone. */
export interface Match {
  readonly pattern: number;
  /** What the match depends on. */
  readonly root: Place;
  /** What it depends on elsewhere; null for nothing. */
  readonly also: Place | null;
  /** Where what it says lies; inside its root. */
  readonly extent: Place;
  /** Every place in this match but `also`, each once. */
  readonly places: readonly Place[];
  readonly draft: Draft | null;
  readonly wrapper: Wrapper | null;
  readonly ranges: readonly CapturedRange[];
  /** The first and last part of what must stay first in a body. */
  readonly head: { readonly first: Place; readonly last: Place } | null;
  readonly packageName: { readonly text: string; readonly place: Place } | null;
}

/** How elements are found in a tree. */
type Search = Pick<Grammar, "symbols" | "statementsOf">;

/** What is read of a match. */
type Captured = Pick<QueryMatch, "captures" | "patternIndex" | "setProperties">;

/** The matches of a text after an edit. */
export interface UpdatedMatches {
  /** In source order of their extents, the outer one first. */
  readonly matches: readonly Match[];
  /** Those that were dropped, in offsets of the text before, and those that were found. */
  readonly removed: readonly Match[];
  readonly added: readonly Match[];
}

/**
 * The matches of `text`, whose tree has this root. Keeps those of the text before that edits only
 * moved, and searches for what touches a change; for all where nothing is known. Takes over
 * `known`.
 */
export function updateMatches(
  known: { readonly matches: readonly Match[]; readonly moved: MovedRanges } | null,
  search: Search,
  root: Node,
  text: string,
  isOver: () => boolean,
): UpdatedMatches {
  const changed = known ? known.moved.changed : [{ start: 0, end: text.length }];
  const kept: Match[] = [];
  const removed: Match[] = [];
  for (const match of known?.matches ?? [])
    (known && moveMatch(match, known.moved) ? kept : removed).push(match);
  const added = changed.flatMap((range) => matchesAt(search, root, text, range, changed, isOver));
  added.sort(byExtent);
  return { matches: kept.length === 0 ? added : merged(kept, added), removed, added };
}

function byExtent({ extent: a }: Match, { extent: b }: Match): number {
  return a.start - b.start || b.end - a.end;
}

/** Two lists in source order as one. */
function merged(one: readonly Match[], other: readonly Match[]): readonly Match[] {
  const all: Match[] = [];
  let next = 0;
  for (const match of one) {
    for (let first = other[next]; first && byExtent(first, match) < 0; first = other[++next])
      all.push(first);
    all.push(match);
  }
  return all.concat(other.slice(next));
}

/** Moves a match with its text; false where a change touches it. */
function moveMatch({ root, also, places }: Match, moved: MovedRanges): boolean {
  const delta = moved.movedBy(root);
  const elsewhere = also ? moved.movedBy(also) : 0;
  if (delta === null || elsewhere === null) return false;
  if (also) movePlace(also, elsewhere);
  if (delta !== 0) for (const place of places) movePlace(place, delta);
  return true;
}

function movePlace(place: Place, delta: number): void {
  place.start += delta;
  place.end += delta;
}

/**
 * A query's cost grows with the square of the nesting: 5,000 levels of HTML took 20 s. Named
 * elements nest 64 deep at most, each of a few nodes.
 */
const MAX_NODE_DEPTH = 512;

/**
 * The matches that depend on a node that touches the range, and none of the changes before it, down
 * to 512 nodes deep.
 */
function matchesAt(
  { symbols, statementsOf }: Search,
  root: Node,
  text: string,
  range: OffsetRange,
  changed: readonly OffsetRange[],
  isOver: () => boolean,
): Match[] {
  const rows = {
    startPosition: { row: Math.max(0, pointAt(text, range.start).row - 1), column: 0 },
    endPosition: { row: pointAt(text, range.end).row + 1, column: 0 },
  };
  const found: Match[] = [];
  const add = (match: Captured) => {
    const node = match.captures.find(({ name }) => name === PATTERN_ROOT)?.node;
    if (!node)
      throw new Error(`Pattern ${match.patternIndex} of the symbol query has no outermost node.`);
    const also = alsoOf(match);
    const touches = (place: Place, { start, end }: OffsetRange) =>
      place.start <= end && place.end >= start;
    const own = { start: node.startIndex, end: node.endIndex };
    const first = changed.find((each) => touches(own, each) || (also && touches(also, each)));
    if (first === range) found.push({ ...plainMatch(match, node, text, root.hasError), also });
  };
  for (const match of symbols.matches(root, {
    ...rows,
    maxStartDepth: MAX_NODE_DEPTH,
    progressCallback: isOver,
  }))
    add(match);
  if (root.type === statementsOf) for (const match of statementsAt(root, range)) add(match);
  return found;
}

/** The children of the root that touch the range, as matches of the last pattern. */
function statementsAt(root: Node, { start, end }: OffsetRange): readonly Captured[] {
  const found: Captured[] = [];
  const cursor = root.walk();
  cursor.gotoFirstChildForIndex(Math.max(0, start - 1));
  // What it returns is wrong for all children but the second.
  let isChild = cursor.currentDepth > 0;
  while (isChild && cursor.startIndex <= end) {
    const node = cursor.currentNode;
    const names = ["definition.statement", "name", PATTERN_ROOT];
    if (node.isNamed && !node.isError)
      found.push({
        patternIndex: Number.MAX_SAFE_INTEGER,
        captures: names.map((name) => ({ name, node, patternIndex: Number.MAX_SAFE_INTEGER })),
      });
    isChild = cursor.gotoNextSibling();
  }
  cursor.delete();
  return found;
}

function alsoOf({ captures }: Captured): Place | null {
  const nodes = captures.filter(({ name }) => name === PATTERN_ALSO).map(({ node }) => node);
  const [first, last] = [nodes[0], nodes.at(-1)];
  return first && last ? { start: first.startIndex, end: last.endIndex } : null;
}

/**
 * Copies a match, which depends on the node `root`, out of its tree. `treeHasErrors` false saves
 * asking each node.
 */
function plainMatch(
  match: Captured,
  root: Node,
  text: string,
  treeHasErrors: boolean,
): Omit<Match, "also"> {
  const captures = new Map(match.captures.map(({ name, node }) => [name, node]));
  const kind = kindOf(captures);
  const places: Place[] = [];
  const keep = <T extends Place>(place: T): T => {
    places.push(place);
    return place;
  };
  const placeOf = ({ startIndex, endIndex }: Node): Place =>
    keep({ start: startIndex, end: endIndex });
  const nodePlaceOf = (node: Node): NodePlace => {
    const hasError = treeHasErrors && holdsError(node);
    return keep({ start: node.startIndex, end: node.endIndex, type: node.typeId, hasError });
  };

  const draftOf = (kind: string): Draft | null => {
    const section = captures.get("section");
    const definition = section ?? captures.get(`definition.${kind}`);
    const rawName = definition ? rawNameOf(match, captures, definition, text) : null;
    if (!definition || rawName === null) return null;
    const nameNode = captures.get("name");
    const owners = match.captures
      .filter(({ name }) => name === "owner")
      .map(({ node }) => ownText(text, node.startIndex, node.endIndex));
    const [body, bodyStyle] = section ? ([null, "section"] as const) : bodyOf(captures);
    return {
      node: nodePlaceOf(definition),
      nameNode: nameNode ? placeOf(nameNode) : null,
      name: elementName(rawName, kind),
      kind,
      owners,
      body: body && keep(body),
      bodyStyle,
      level: section ? Number(match.setProperties?.level ?? 1) : 0,
      isDeclaration: match.setProperties?.declaration !== undefined,
    };
  };

  const wrapperOf = (wrapped: Node, wrapper: Node): Wrapper => {
    const [body] = bodyOf(captures);
    return {
      wrapped: nodePlaceOf(wrapped),
      node: nodePlaceOf(wrapper),
      kind,
      body: body && keep(body),
    };
  };

  const wrapped = captures.get("wrapped");
  const wrapper = captures.get("wrapper");
  const head = captures.get("body.head");
  const packageNode = captures.get("package");
  const said = {
    draft: kind === null ? null : draftOf(kind),
    wrapper: wrapped && wrapper ? wrapperOf(wrapped, wrapper) : null,
    ranges: match.captures.flatMap(({ name, node }) => {
      if (!isRangeCapture(name)) return [];
      const body = name === "tail" ? captures.get("body") : undefined;
      const hasError = treeHasErrors && holdsError(node);
      return [{ capture: name, place: placeOf(node), hasError, body: body ? placeOf(body) : null }];
    }),
    head: head
      ? { first: placeOf(head), last: placeOf(captures.get("body.head.end") ?? head) }
      : null,
    packageName: packageNode
      ? {
          text: ownText(text, packageNode.startIndex, packageNode.endIndex),
          place: placeOf(packageNode),
        }
      : null,
  };
  const extent = extentOf(places, root);
  return {
    pattern: match.patternIndex,
    root: placeOf(root),
    extent: keep(extent),
    places,
    ...said,
  };
}

/** From the first place to the last; a body without an end is inside of another one. */
function extentOf(places: readonly Place[], root: Node): Place {
  const extent = { start: root.endIndex, end: root.startIndex };
  for (const { start, end } of places) {
    if (start < extent.start) extent.start = start;
    if (end > extent.end && end !== Number.POSITIVE_INFINITY) extent.end = end;
  }
  return extent.start <= extent.end ? extent : { start: root.startIndex, end: root.endIndex };
}

function isRangeCapture(name: string): name is RangeCapture {
  return RANGE_CAPTURES.some((capture) => capture === name);
}

function kindOf(captures: ReadonlyMap<string, Node>): string | null {
  for (const name of captures.keys()) {
    if (name === "section") return "heading";
    if (name.startsWith("definition.")) return name.slice("definition.".length);
  }
  return null;
}

/** More of a name is never examined. In UTF-16 units. */
const MAX_RAW_NAME = 500;

/** A copy: a slice would keep the whole text alive, even after edits. */
function ownText(text: string, start: number, end: number): string {
  return ` ${text.slice(start, Math.min(end, start + MAX_RAW_NAME))}`.slice(1);
}

function rawNameOf(
  match: Captured,
  captures: ReadonlyMap<string, Node>,
  definition: Node,
  text: string,
): string | null {
  const name = captures.get("name");
  if (name) {
    const prefix = match.setProperties?.prefix ?? "";
    const qualifiers = match.captures
      .filter((capture) => capture.name === "qualifier")
      .map(({ node }) => `${ownText(text, node.startIndex, node.endIndex)}.`);
    const before = qualifiers.join("") || (match.setProperties?.before ?? "");
    return (
      before +
      ownText(
        text,
        name.startIndex + (text.startsWith(prefix, name.startIndex) ? prefix.length : 0),
        name.endIndex,
      )
    );
  }
  const end = captures.get("name.end");
  return end
    ? ownText(text, definition.startIndex, end.startIndex)
    : (match.setProperties?.name ?? null);
}

function bodyOf(
  captures: ReadonlyMap<string, Node>,
): readonly [body: Place | null, style: Draft["bodyStyle"]] {
  const body = captures.get("body");
  const open = captures.get("body.open");
  const close = captures.get("body.close");
  const indented = captures.get("body.indent");
  const head = captures.get("body.rest");
  if (indented)
    return [{ start: open?.endIndex ?? indented.startIndex, end: indented.endIndex }, "indent"];
  if (head) return [{ start: head.endIndex, end: Number.POSITIVE_INFINITY }, "rest"];
  if (open && close) return [{ start: open.endIndex, end: close.startIndex }, "between"];
  return [body ? { start: body.startIndex, end: body.endIndex } : null, "braces"];
}
