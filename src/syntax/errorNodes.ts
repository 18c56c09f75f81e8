import type { Tree } from "web-tree-sitter";

/** How many error and missing nodes a tree holds. Walks only into subtrees with errors, without recursion. */
export function countErrorNodes(tree: Tree): number {
  if (!tree.rootNode.hasError) return 0;
  const cursor = tree.walk();
  try {
    let count = 0;
    for (;;) {
      const node = cursor.currentNode;
      if (node.isError || node.isMissing) count++;
      if (node.hasError && cursor.gotoFirstChild()) continue;
      while (!cursor.gotoNextSibling()) if (!cursor.gotoParent()) return count;
    }
  } finally {
    cursor.delete();
  }
}
