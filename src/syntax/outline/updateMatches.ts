import type { Node, Point, Query, Tree } from "web-tree-sitter";
import { PATTERN_ROOT } from "../grammar/patternRoots.ts";
import { type Match, plainMatch } from "./matches.ts";

/** What an edit may have changed, in offsets of the old and the new text. Everything else only moved. */
export interface Change {
  readonly start: number;
  readonly oldEnd: number;
  readonly newEnd: number;
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

/** Where an offset is as tree-sitter counts rows: only `\n` ends one. */
export function pointAt(text: string, offset: number): Point {
  let row = 0;
  let start = 0;
  for (let end = text.indexOf("\n"); end >= 0 && end < offset; end = text.indexOf("\n", start)) {
    start = end + 1;
    row += 1;
  }
  return { row, column: offset - start };
}

/** A query's cost grows with the square of the nesting: 5,000 levels of HTML took 20 s. Named elements nest 64 deep at most, each of a few nodes. */
const MAX_NODE_DEPTH = 512;

/** The matches that depend on a node that touches what changed, down to 512 nodes deep. */
function changedMatches(query: Query, root: Node, text: string, { start, newEnd }: Change, isOver: () => boolean): Match[] {
  const rows = {
    startPosition: { row: Math.max(0, pointAt(text, start).row - 1), column: 0 },
    endPosition: { row: pointAt(text, newEnd).row + 1, column: 0 },
  };
  const found: Match[] = [];
  for (const match of query.matches(root, { ...rows, maxStartDepth: MAX_NODE_DEPTH, progressCallback: isOver })) {
    const node = match.captures.find(({ name }) => name === PATTERN_ROOT)?.node;
    if (!node) throw new Error(`Pattern ${match.patternIndex} of the symbol query has no outermost node.`);
    if (node.startIndex <= newEnd && node.endIndex >= start) found.push(plainMatch(match, node, text, root.hasError));
  }
  return found;
}

/**
 * The matches of `text`, whose tree has this root. Keeps what precedes the change, moves what follows it, and searches for what touches
 * it. Takes over `known`.
 */
export function updateMatches(
  known: readonly Match[],
  query: Query,
  root: Node,
  text: string,
  change: Change,
  isOver: () => boolean,
): Match[] {
  const { start, oldEnd, newEnd } = change;
  const before = known.filter((match) => match.root.end < start);
  const after = known.filter((match) => match.root.start > oldEnd);
  for (const { places } of after) {
    for (const place of places) {
      place.start += newEnd - oldEnd;
      place.end += newEnd - oldEnd;
    }
  }
  return [...before, ...changedMatches(query, root, text, change, isOver), ...after];
}
