import type { Node, Query, QueryMatch } from "web-tree-sitter";
import { elementName } from "./elementName.ts";
import { holdsError } from "./errorNodes.ts";
import { PATTERN_CHILD, PATTERN_ROOT } from "./patternRoots.ts";

/** A range that moves along when the text before it changes. Belongs to one match. */
export interface Place {
  start: number;
  end: number;
}

/** What is remembered of a node once its tree is gone. Range and type tell it from other nodes. */
export interface NodePlace extends Place {
  readonly type: number;
  /** True when its subtree holds a syntax error. */
  readonly hasError: boolean;
}

/** An element before it is known what wraps it. */
export interface Draft {
  readonly node: NodePlace;
  readonly nameNode: Place | null;
  readonly rawName: string;
  /** Null until {@link nameOf} was asked: many statements turn out to be something else. */
  name: string | null;
  readonly kind: string;
  readonly owners: readonly string[];
  readonly body: Place | null;
  readonly bodyStyle: "braces" | "between" | "indent" | "rest" | "section";
  readonly level: number;
}

/** What stands around an element and is part of it. A C++ function's also tells the kind and the body of its declarator. */
export interface Wrapper {
  readonly wrapped: NodePlace;
  readonly node: NodePlace;
  readonly kind: string | null;
  readonly body: Place | null;
}

const RANGE_CAPTURES = ["local", "comment", "attribute", "import", "imports.after", "tail", "marker"] as const;

/** The captures of which only the range counts. */
export type RangeCapture = (typeof RANGE_CAPTURES)[number];

/** A range with what else is known of its node. */
export interface CapturedRange {
  readonly capture: RangeCapture;
  readonly place: Place;
  readonly hasError: boolean;
  /** The body that a tail brings along. */
  readonly body: Place | null;
}

/** One match of a symbol query, in plain data: nodes must not be touched when their tree is gone. */
export interface SymbolMatch {
  readonly pattern: number;
  /** The outermost node the pattern looked at. */
  readonly root: Place;
  /** Every place in this match, each once. */
  readonly places: readonly Place[];
  readonly draft: Draft | null;
  readonly wrapper: Wrapper | null;
  readonly ranges: readonly CapturedRange[];
  /** What must stay first in a body, with its last part. */
  readonly head: { readonly first: Place; readonly last: Place } | null;
  readonly packageName: { readonly text: string; readonly place: Place } | null;
}

function isRangeCapture(name: string): name is RangeCapture {
  return RANGE_CAPTURES.some((capture) => capture === name);
}

/** More of a name is never looked at. In UTF-16 units. */
const MAX_RAW_NAME = 500;

/** A slice keeps all of its text alive, also when the text has long been edited. */
function ownText(text: string, start: number, end: number): string {
  return ` ${text.slice(start, Math.min(end, start + MAX_RAW_NAME))}`.slice(1);
}

function rawNameOf(match: QueryMatch, captures: ReadonlyMap<string, Node>, definition: Node, text: string): string | null {
  const name = captures.get("name");
  const prefix = match.setProperties?.prefix ?? "";
  if (name) {
    const qualifier = captures.get("qualifier");
    const before = qualifier ? `${ownText(text, qualifier.startIndex, qualifier.endIndex)}.` : (match.setProperties?.before ?? "");
    return before + ownText(text, name.startIndex + (text.startsWith(prefix, name.startIndex) ? prefix.length : 0), name.endIndex);
  }
  const end = captures.get("name.end");
  if (end) return ownText(text, definition.startIndex, end.startIndex);
  return match.setProperties?.name ?? null;
}

/** The name in a path; "" for what has none. */
export function nameOf(draft: Draft): string {
  draft.name ??= elementName(draft.rawName, draft.kind);
  return draft.name;
}

/** Copies matches out of a tree. `treeHasErrors` false spares asking each node. */
export function plainMatches(matches: readonly QueryMatch[], text: string, treeHasErrors: boolean): SymbolMatch[] {
  return matches.map((match) => plainMatch(match, text, treeHasErrors));
}

function kept<T extends Place>(place: T, places: Place[]): T {
  places.push(place);
  return place;
}

function placeOf(node: Node, places: Place[]): Place {
  return kept({ start: node.startIndex, end: node.endIndex }, places);
}

function nodePlaceOf(node: Node, places: Place[], treeHasErrors: boolean): NodePlace {
  const hasError = treeHasErrors && holdsError(node);
  return kept({ start: node.startIndex, end: node.endIndex, type: node.typeId, hasError }, places);
}

function plainMatch(match: QueryMatch, text: string, treeHasErrors: boolean): SymbolMatch {
  const captures = new Map<string, Node>();
  const places: Place[] = [];
  const ranges: CapturedRange[] = [];
  const owners: string[] = [];
  let kind: string | null = null;
  for (const { name, node } of match.captures) {
    captures.set(name, node);
    if (name === "owner") owners.push(ownText(text, node.startIndex, node.endIndex));
    else if (name === "section") kind ??= "heading";
    else if (name.startsWith("definition.")) kind ??= name.slice("definition.".length);
  }
  for (const { name, node } of match.captures) {
    if (!isRangeCapture(name)) continue;
    const inner = name === "tail" ? captures.get("body") : undefined;
    const place = placeOf(node, places);
    ranges.push({ capture: name, place, hasError: treeHasErrors && holdsError(node), body: inner ? placeOf(inner, places) : null });
  }
  const rootNode = captures.get(PATTERN_ROOT) ?? captures.get(PATTERN_CHILD);
  if (!rootNode) throw new Error(`Pattern ${match.patternIndex} of the symbol query has no outermost node.`);
  const wrapped = captures.get("wrapped");
  const wrapper = captures.get("wrapper");
  const { body, bodyStyle } = kind !== null || wrapped ? bodyOf(captures, places) : NO_BODY;
  const headNode = captures.get("body.head");
  const packageNode = captures.get("package");
  return {
    pattern: match.patternIndex,
    root: placeOf(rootNode, places),
    places,
    draft: kind === null ? null : draftOf(match, captures, { kind, owners, body, bodyStyle }, places, text, treeHasErrors),
    wrapper:
      wrapped && wrapper
        ? {
            wrapped: nodePlaceOf(wrapped, places, treeHasErrors),
            node: nodePlaceOf(wrapper, places, treeHasErrors),
            kind,
            body: body && kept({ ...body }, places),
          }
        : null,
    ranges,
    head: headNode ? { first: placeOf(headNode, places), last: placeOf(captures.get("body.head.end") ?? headNode, places) } : null,
    packageName: packageNode
      ? { text: ownText(text, packageNode.startIndex, packageNode.endIndex), place: placeOf(packageNode, places) }
      : null,
  };
}

function draftOf(
  match: QueryMatch,
  captures: ReadonlyMap<string, Node>,
  known: Pick<Draft, "kind" | "owners" | "body" | "bodyStyle">,
  places: Place[],
  text: string,
  treeHasErrors: boolean,
): Draft | null {
  const section = captures.get("section");
  const definition = section ?? captures.get(`definition.${known.kind}`);
  const rawName = definition && rawNameOf(match, captures, definition, text);
  if (!definition || rawName === null || rawName === undefined) return null;
  const nameNode = captures.get("name");
  return {
    node: nodePlaceOf(definition, places, treeHasErrors),
    nameNode: nameNode ? placeOf(nameNode, places) : null,
    rawName,
    name: null,
    kind: known.kind,
    owners: known.owners,
    body: section ? null : known.body,
    bodyStyle: section ? "section" : known.bodyStyle,
    level: section ? Number(match.setProperties?.level ?? 1) : 0,
  };
}

const NO_BODY: Pick<Draft, "body" | "bodyStyle"> = { body: null, bodyStyle: "braces" };

function bodyOf(captures: ReadonlyMap<string, Node>, places: Place[]): Pick<Draft, "body" | "bodyStyle"> {
  const open = captures.get("body.open");
  const indented = captures.get("body.indent");
  if (indented)
    return { body: kept({ start: open?.endIndex ?? indented.startIndex, end: indented.endIndex }, places), bodyStyle: "indent" };
  const head = captures.get("body.rest");
  if (head) return { body: kept({ start: head.endIndex, end: Number.POSITIVE_INFINITY }, places), bodyStyle: "rest" };
  const close = captures.get("body.close");
  if (open && close) return { body: kept({ start: open.endIndex, end: close.startIndex }, places), bodyStyle: "between" };
  const body = captures.get("body");
  return { body: body ? placeOf(body, places) : null, bodyStyle: "braces" };
}

/** The matches of a whole tree. */
export function allMatches(query: Query, root: Node, text: string, giveUp: () => boolean): SymbolMatch[] {
  return plainMatches(query.matches(root, { progressCallback: giveUp }), text, root.hasError);
}
