import type { Node } from "web-tree-sitter";

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
