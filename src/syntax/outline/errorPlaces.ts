import type { Node } from "web-tree-sitter";
import {
  lineEnd,
  lineStart,
  type OffsetRange,
  skipSpace,
  skipSpaceBack,
} from "../../base/text/scan.ts";
import type { MovedRanges } from "./movedRanges.ts";

/**
 * The error and missing nodes of the tree of `text`. After edits it looks only where they changed
 * the tree: `places` are those before the edits that `moved` holds; null for a new tree.
 */
export function errorPlaces(
  root: Node,
  text: string,
  places: readonly OffsetRange[] | null,
  moved: MovedRanges,
): readonly OffsetRange[] {
  if (places && moved.changed.length === 0) return places;
  const near = places && root.hasError ? errorsAfter(root, text, places, moved) : [];
  // Only the root tells for certain that there is one: none near by means that it is elsewhere.
  return near.length > 0 || !root.hasError ? near : allErrors(root);
}

function allErrors(root: Node): OffsetRange[] {
  const whole = { start: root.startIndex, end: root.endIndex };
  return errorsAt(root, whole, [whole]);
}

/** The errors that edits left where they were, and those of the lines around the edits. */
function errorsAfter(
  root: Node,
  text: string,
  places: readonly OffsetRange[],
  moved: MovedRanges,
): OffsetRange[] {
  // The parser puts a missing node beside a token near by, and counts it to no change.
  const reached = moved.changed.map(({ start, end }) => ({
    start: lineStart(text, skipSpaceBack(text, start)),
    end: lineEnd(text, nextToken(root, text, end)),
  }));
  const kept = places.flatMap(({ start, end }) => {
    const delta = moved.movedBy({ start, end });
    const now = delta === null ? null : { start: start + delta, end: end + delta };
    return now && !reached.some((range) => isTouchedBy(now, range)) ? [now] : [];
  });
  return [...kept, ...reached.flatMap((range) => errorsAt(root, range, reached))];
}

function isTouchedBy(a: OffsetRange, b: OffsetRange): boolean {
  return a.start <= b.end && a.end >= b.start;
}

/** A comment has few levels of nodes. */
const MAX_EXTRA_DEPTH = 4;

/** Where the first token at `offset` or after it begins: after white space and comments. */
function nextToken(root: Node, text: string, offset: number): number {
  for (let at = skipSpace(text, offset, text.length); ; ) {
    if (at >= text.length) return at;
    let node = root.descendantForIndex(at);
    for (let up = 0; node && !node.isExtra && up < MAX_EXTRA_DEPTH; up++) node = node.parent;
    if (!node?.isExtra || node.isError || node.endIndex <= at) return at;
    at = skipSpace(text, node.endIndex, text.length);
  }
}

/**
 * The errors that touch the range, and none of the changes before it. Walks only where errors are,
 * without recursion.
 */
function errorsAt(root: Node, range: OffsetRange, changed: readonly OffsetRange[]): OffsetRange[] {
  const found: OffsetRange[] = [];
  const cursor = root.walk();
  try {
    for (;;) {
      const start = cursor.startIndex;
      if (start > range.end) return found;
      // Making a node takes longer than passing it.
      if (cursor.endIndex >= range.start) {
        const node = cursor.currentNode;
        const isFound = node.isError || node.isMissing;
        const place = { start, end: node.endIndex };
        const touching = isFound && changed.find((other) => isTouchedBy(place, other));
        if (touching === range) found.push(place);
        if (node.hasError && cursor.gotoFirstChild()) continue;
      }
      while (!cursor.gotoNextSibling()) if (!cursor.gotoParent()) return found;
    }
  } finally {
    cursor.delete();
  }
}

/**
 * Deeper errors are not examined one by one: in endless nesting, every element around them would do
 * so again.
 */
const MAX_DEPTH = 60;

/**
 * True when a subtree contains a syntax error that may have moved its end. A missing `;` does not:
 * a macro call in C or a half-typed statement lacks it inside of complete braces.
 */
export function holdsError(root: Node): boolean {
  if (!root.hasError) return false;
  const cursor = root.walk();
  try {
    for (let depth = 0; depth <= MAX_DEPTH; ) {
      const node = cursor.currentNode;
      if (node.isError || (node.isMissing && node.type !== ";")) return true;
      if (node.hasError && cursor.gotoFirstChild()) {
        depth++;
        continue;
      }
      if (node.hasError && !node.isMissing) return true;
      for (; !cursor.gotoNextSibling(); depth--) if (!cursor.gotoParent()) return false;
    }
    return true;
  } finally {
    cursor.delete();
  }
}
