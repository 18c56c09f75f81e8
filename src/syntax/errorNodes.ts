import type { Node } from "web-tree-sitter";
import type { Place } from "./symbolMatches.ts";

/** Where the error and missing nodes of a subtree are. Walks only where errors are, without recursion. */
export function errorNodes(root: Node): Place[] {
  const found: Place[] = [];
  if (!root.hasError) return found;
  const cursor = root.walk();
  try {
    for (;;) {
      const node = cursor.currentNode;
      if (node.isError || node.isMissing) found.push({ start: node.startIndex, end: node.endIndex });
      if (node.hasError && cursor.gotoFirstChild()) continue;
      while (!cursor.gotoNextSibling()) if (!cursor.gotoParent()) return found;
    }
  } finally {
    cursor.delete();
  }
}
