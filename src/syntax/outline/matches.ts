import type { Node, QueryMatch } from "web-tree-sitter";
import type { OffsetRange } from "../../base/text/scan.ts";
import type { Grammar } from "../grammar/grammarLoader.ts";
import { PATTERN_ALSO, PATTERN_ROOT } from "../grammar/patternRoots.ts";
import type { Element } from "../paths/element.ts";
import { elementName } from "../paths/elementName.ts";
import { holdsError } from "./errorPlaces.ts";
import type { MovedRanges } from "./movedRanges.ts";
import { pointFrom } from "./parsedText.ts";

/** A range that moves when the text before it changes. Belongs to one match. */
export interface MovingRange {
  start: number;
  end: number;
}

/** Captures that say something besides where definitions are. */
const MARKS = [
  "local",
  "comment",
  "attribute",
  "import",
  "imports.after",
  "tail",
  "marker",
  "body.head",
  "package",
] as const;

/** What is kept of a captured node once its tree is gone. Range and type identify it. */
export interface CapturedNode extends MovingRange {
  /** Null for the node of a definition or a wrapper. */
  readonly capture: (typeof MARKS)[number] | null;
  readonly type: number;
  /** True when its subtree holds a syntax error; not asked of marks that end nothing. */
  readonly hasError: boolean;
  /** The body captured with it. */
  readonly body: MovingRange | null;
}

/**
 * One match of a symbol query, in plain data: nodes must not be used once their tree is gone. A
 * definition, a wrapper that is part of one, marks, or several of these.
 */
export interface Match {
  readonly pattern: number;
  /** What the match depends on. */
  readonly root: MovingRange;
  /** What it depends on elsewhere; null for nothing. */
  readonly also: MovingRange | null;
  /** Where what it says lies; inside its root. */
  readonly extent: MovingRange;
  /** Every range in this match but `also`, each once. */
  readonly places: readonly MovingRange[];
  /** The definition, or the wrapper around `wrapped`; null for neither. */
  readonly node: CapturedNode | null;
  /** The node inside of a wrapper that it is part of; null for a definition. */
  readonly wrapped: CapturedNode | null;
  readonly nameNode: MovingRange | null;
  /** As a path has it; "" for none. */
  readonly name: string;
  /** A wrapper's, such as that of a C++ function, is its definition's. */
  readonly kind: string | null;
  readonly owners: readonly string[];
  readonly bodyStyle: Element["bodyStyle"];
  readonly level: number;
  readonly isDeclaration: boolean;
  readonly marks: readonly CapturedNode[];
}

/** The matches of a text after an edit. */
export interface UpdatedMatches {
  /** In source order of their extents, the outer one first. */
  readonly matches: readonly Match[];
  /** Those that were dropped, in offsets of the text before, and those that were found. */
  readonly removed: readonly Match[];
  readonly added: readonly Match[];
}

/**
 * The matches of `text`, whose tree has this root. Keeps those of `known` that edits only moved, and
 * searches for what touches a change; for all where `moved` is null. Takes over `known`.
 */
export function updateMatches(
  known: readonly Match[],
  moved: MovedRanges | null,
  grammar: Grammar,
  root: Node,
  text: string,
  isOver: () => boolean,
): UpdatedMatches {
  const changed = moved ? moved.changed : [{ start: 0, end: text.length }];
  const added = changed.flatMap((range) => matchesAt(grammar, root, text, range, changed, isOver));
  added.sort(byExtent);
  if (!moved) return { matches: added, removed: [], added };
  const matches: Match[] = [];
  const removed: Match[] = [];
  let next = 0;
  for (const match of known) {
    if (!moveMatch(match, moved)) removed.push(match);
    else {
      for (let first = added[next]; first && byExtent(first, match) < 0; first = added[++next])
        matches.push(first);
      matches.push(match);
    }
  }
  return { matches: matches.concat(added.slice(next)), removed, added };
}

function byExtent({ extent: a }: Match, { extent: b }: Match): number {
  return a.start - b.start || b.end - a.end;
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

function movePlace(place: MovingRange, delta: number): void {
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
  { symbols, statementsOf }: Grammar,
  root: Node,
  text: string,
  range: OffsetRange,
  changed: readonly OffsetRange[],
  isOver: () => boolean,
): Match[] {
  const first = pointFrom(text, { row: 0, column: 0 }, 0, range.start);
  const last = pointFrom(text, first, range.start, range.end);
  // By rows: this runtime takes a query's indexes for bytes.
  const rows = {
    startPosition: { row: Math.max(0, first.row - 1), column: 0 },
    endPosition: { row: last.row + 1, column: 0 },
  };
  const found: Match[] = [];
  const add = (match: QueryMatch) => {
    const node = match.captures.find(({ name }) => name === PATTERN_ROOT)?.node;
    if (!node)
      throw new Error(`Pattern ${match.patternIndex} of the symbol query has no outermost node.`);
    const also = alsoOf(match);
    const touches = (place: MovingRange, { start, end }: OffsetRange) =>
      place.start <= end && place.end >= start;
    const own = { start: node.startIndex, end: node.endIndex };
    const place = changed.find((each) => touches(own, each) || (also && touches(also, each)));
    if (place === range) found.push({ ...plainMatch(match, node, text, root.hasError), also });
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
function statementsAt(root: Node, { start, end }: OffsetRange): readonly QueryMatch[] {
  const found: QueryMatch[] = [];
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

function alsoOf({ captures }: QueryMatch): MovingRange | null {
  const nodes = captures.filter(({ name }) => name === PATTERN_ALSO).map(({ node }) => node);
  const [first, last] = [nodes[0], nodes.at(-1)];
  return first && last ? { start: first.startIndex, end: last.endIndex } : null;
}

/**
 * Copies a match, which depends on the node `root`, out of its tree. `treeHasErrors` false saves
 * asking each node.
 */
function plainMatch(
  match: QueryMatch,
  root: Node,
  text: string,
  treeHasErrors: boolean,
): Omit<Match, "also"> {
  const captures = new Map(match.captures.map(({ name, node }) => [name, node]));
  const places: MovingRange[] = [];
  const nodeOf = (
    node: Node,
    capture: CapturedNode["capture"] = null,
    end = node.endIndex,
  ): CapturedNode => {
    const body = capture === null || capture === "tail" ? bodyOf(captures) : null;
    const mayEnd = capture === null || capture === "marker" || capture === "tail";
    const hasError = treeHasErrors && mayEnd && holdsError(node);
    const [start, type] = [node.startIndex, node.typeId];
    if (body) places.push(body);
    const kept: CapturedNode = { capture, start, end, type, hasError, body };
    places.push(kept);
    return kept;
  };

  const kind = kindOf(captures);
  const [wrapper, wrapped] = [captures.get("wrapper"), captures.get("wrapped")];
  const definition = captures.get("section") ?? captures.get(`definition.${kind}`);
  const rawName =
    kind === null || wrapper || !definition ? null : rawNameOf(match, captures, definition, text);
  const isNamed = definition && rawName !== null;
  const nameNode = isNamed ? captures.get("name") : undefined;
  const said = {
    node: wrapper ? nodeOf(wrapper) : isNamed ? nodeOf(definition) : null,
    wrapped: wrapped ? nodeOf(wrapped) : null,
    nameNode: nameNode ? placeAt(places, nameNode.startIndex, nameNode.endIndex) : null,
    name: kind === null || rawName === null ? "" : elementName(rawName, kind),
    kind,
    owners: isNamed ? capturedTexts(match, "owner", text) : NO_OWNERS,
    bodyStyle: bodyStyleOf(captures),
    level: captures.has("section") ? Number(match.setProperties?.level ?? 1) : 0,
    isDeclaration: match.setProperties?.declaration !== undefined,
    marks: match.captures.flatMap(({ name, node }) => {
      if (!isMarkCapture(name)) return [];
      // No language's comments begin with `@`: this is an annotation that the mask made one.
      const isMasked = name === "comment" && text[node.startIndex] === "@";
      const last = name === "body.head" ? captures.get("body.head.end") : null;
      return [nodeOf(node, isMasked ? "attribute" : name, last?.endIndex)];
    }),
  };
  const extent = extentOf(places, root);
  return {
    pattern: match.patternIndex,
    root: placeAt(places, root.startIndex, root.endIndex),
    extent: placeAt(places, extent.start, extent.end),
    places,
    ...said,
  };
}

/** The range among `places`, which gets it where it lacks it. */
function placeAt(places: MovingRange[], start: number, end: number): MovingRange {
  const known = places.find((place) => place.start === start && place.end === end);
  if (known) return known;
  const place = { start, end };
  places.push(place);
  return place;
}

const NO_OWNERS: readonly string[] = [];

/** From the first place to the last; a body without an end is inside of another one. */
function extentOf(places: readonly MovingRange[], root: Node): MovingRange {
  const extent = { start: root.endIndex, end: root.startIndex };
  for (const { start, end } of places) {
    if (start < extent.start) extent.start = start;
    if (end > extent.end && end !== Number.POSITIVE_INFINITY) extent.end = end;
  }
  return extent.start <= extent.end ? extent : { start: root.startIndex, end: root.endIndex };
}

function isMarkCapture(name: string): name is (typeof MARKS)[number] {
  return MARKS.some((capture) => capture === name);
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
  match: QueryMatch,
  captures: ReadonlyMap<string, Node>,
  definition: Node,
  text: string,
): string | null {
  const name = captures.get("name");
  if (name) {
    const prefix = match.setProperties?.prefix ?? "";
    const qualifiers = capturedTexts(match, "qualifier", text).map((qualifier) => `${qualifier}.`);
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

function capturedTexts({ captures }: QueryMatch, capture: string, text: string): readonly string[] {
  return captures.flatMap(({ name, node }) =>
    name === capture ? [ownText(text, node.startIndex, node.endIndex)] : [],
  );
}

function bodyStyleOf(captures: ReadonlyMap<string, Node>): Match["bodyStyle"] {
  if (captures.has("section")) return "section";
  if (captures.has("body.indent")) return "indent";
  if (captures.has("body.rest")) return "rest";
  return captures.has("body.open") && captures.has("body.close") ? "between" : "braces";
}

function bodyOf(captures: ReadonlyMap<string, Node>): MovingRange | null {
  const body = captures.get("body");
  const open = captures.get("body.open");
  const close = captures.get("body.close");
  const indented = captures.get("body.indent");
  const head = captures.get("body.rest");
  if (captures.has("section")) return null;
  if (indented) return { start: open?.endIndex ?? indented.startIndex, end: indented.endIndex };
  if (head) return { start: head.endIndex, end: Number.POSITIVE_INFINITY };
  if (open && close) return { start: open.endIndex, end: close.startIndex };
  return body ? { start: body.startIndex, end: body.endIndex } : null;
}
