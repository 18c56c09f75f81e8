import type { Node } from "web-tree-sitter";
import type { OffsetRange } from "../../base/text/scan.ts";
import { type Change, MovedRanges } from "./movedRanges.ts";

/** Counts the error and missing nodes of a tree; after an edit only where it changed. */
export class ErrorCount {
  /** Where they were before the edits that `moved` holds; null for a new tree. */
  private places: readonly OffsetRange[] | null = null;
  private moved = new MovedRanges();

  /** Follows an edit's changes; null where they can be anywhere. */
  edited(changes: readonly Change[] | null): void {
    if (!changes) this.places = null;
    if (this.places) for (const change of changes ?? []) this.moved.add(change);
  }

  /** The number of them in the tree as it is now. */
  of(root: Node): number {
    const { moved } = this;
    const changed = this.places ? moved.changed : [{ start: root.startIndex, end: root.endIndex }];
    const kept = (this.places ?? []).flatMap(({ start, end }) => {
      const delta = moved.movedBy({ start, end });
      return delta === null ? [] : [{ start: start + delta, end: end + delta }];
    });
    if (changed.length > 0) this.moved = new MovedRanges();
    this.places = root.hasError
      ? [...kept, ...changed.flatMap((range) => errorsAt(root, range, changed))]
      : [];
    return this.places.length;
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
        const touching =
          isFound && changed.find((other) => start <= other.end && node.endIndex >= other.start);
        if (touching === range) found.push({ start, end: node.endIndex });
        if (node.hasError && cursor.gotoFirstChild()) continue;
      }
      while (!cursor.gotoNextSibling()) if (!cursor.gotoParent()) return found;
    }
  } finally {
    cursor.delete();
  }
}
