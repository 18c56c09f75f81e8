import type { Node, Query, QueryMatch, Tree } from "web-tree-sitter";
import { PATTERN_CHILD, PATTERN_ROOT } from "../grammar/patternRoots.ts";
import type { OffsetRange } from "../syntax.ts";
import { type Match, type Place, plainMatches } from "./matches.ts";

/** For a deeper change, everything is searched again. */
const MAX_DEPTH = 200;

/** Also when it touches more nodes side by side. */
const MAX_TOUCHED = 100;

/** What an edit may have changed, in offsets of the old and the new text. Everything else only moved. */
export interface Change {
  readonly start: number;
  readonly oldEnd: number;
  readonly newEnd: number;
}

function touches({ start, end }: OffsetRange, from: number, to: number): boolean {
  return start <= to && end >= from;
}

/** The edit, extended by what the parser made of it elsewhere. `old` is the edited tree, before the new parse. */
export function changeOf(old: Tree, tree: Tree, edit: Change): Change {
  let { start, newEnd } = edit;
  for (const { startIndex, endIndex } of old.getChangedRanges(tree)) {
    start = Math.min(start, startIndex);
    newEnd = Math.max(newEnd, endIndex);
  }
  return { start, newEnd, oldEnd: newEnd - edit.newEnd + edit.oldEnd };
}

/** The nodes around a change, from the root on, and the children of the last one that touch it. */
export interface ChangedNodes {
  readonly around: readonly Node[];
  readonly inside: readonly Node[];
}

/** The index of the first child that ends at or after `offset`. */
function firstChildAt(node: Node, offset: number): number {
  let low = 0;
  let high = node.childCount;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((node.child(middle)?.endIndex ?? offset) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Null when the change is too deep or touches too many nodes for a partial search to pay off. */
export function changedNodes(root: Node, { start, newEnd }: Change): ChangedNodes | null {
  const around: Node[] = [];
  for (let node = root; around.length < MAX_DEPTH; ) {
    around.push(node);
    const inside: Node[] = [];
    let index = firstChildAt(node, start);
    for (let child = node.child(index); child && child.startIndex <= newEnd; child = node.child(++index)) {
      inside.push(child);
      if (inside.length > MAX_TOUCHED) return null;
    }
    const [only] = inside;
    if (!only || inside.length > 1 || only.startIndex >= start || only.endIndex <= newEnd) return { around, inside };
    node = only;
  }
  return null;
}

/** Keeps what precedes the change, moves what follows it, and replaces what touches it by `fresh`. Takes over `known`. */
function updated<T>(
  known: readonly T[],
  rangeOf: (item: T) => OffsetRange,
  placesOf: (item: T) => readonly Place[],
  fresh: readonly T[],
  { start, oldEnd, newEnd }: Change,
): T[] {
  const before = known.filter((item) => rangeOf(item).end < start);
  const after = known.filter((item) => rangeOf(item).start > oldEnd);
  const delta = newEnd - oldEnd;
  if (delta !== 0) {
    for (const item of after) {
      for (const place of placesOf(item)) {
        place.start += delta;
        place.end += delta;
      }
    }
  }
  return [...before, ...fresh.filter((item) => touches(rangeOf(item), start, newEnd)), ...after];
}

/** True for a match whose pattern begins with this node and depends on what the change touches. */
function beginsWith({ captures }: QueryMatch, node: Node, { start, newEnd }: Change): boolean {
  for (const { name, node: captured } of captures) {
    if (name === PATTERN_ROOT) return captured.id === node.id;
    if (name !== PATTERN_CHILD) continue;
    return captured.startIndex <= newEnd && captured.endIndex >= start && captured.parent?.id === node.id;
  }
  return false;
}

function hasWildcardRoots(query: Query): boolean {
  for (let pattern = 0; pattern < query.patternCount(); pattern++) if (!query.isPatternRooted(pattern)) return true;
  return false;
}

/** The matches in the new tree: only patterns whose outermost node touches the change are searched again. Takes over `matches`. */
export function updateMatches(
  matches: readonly Match[],
  query: Query,
  { around, inside }: ChangedNodes,
  text: string,
  change: Change,
  isOver: () => boolean,
): Match[] {
  // A pattern that begins with a wildcard counts as one level deeper.
  const maxStartDepth = hasWildcardRoots(query) ? 1 : 0;
  const found = [
    ...around.flatMap((node) =>
      query.matches(node, { maxStartDepth, progressCallback: isOver }).filter((match) => beginsWith(match, node, change)),
    ),
    ...inside.flatMap((node) => query.matches(node, { progressCallback: isOver })),
  ];
  const fresh = plainMatches(found, text, around[0]?.hasError ?? true);
  return updated(
    matches,
    ({ root }) => root,
    ({ places }) => places,
    fresh,
    change,
  );
}
