import type { Node } from "web-tree-sitter";
import { skipSpace, skipSpaceBack } from "../../base/text/scan.ts";
import type { SyntaxDocument } from "../syntax.ts";

/** The code on both sides of `offset`, as {@link SyntaxDocument.codeAround} has it. */
export function codeAround(
  root: Node,
  text: string,
  offset: number,
): ReturnType<SyntaxDocument["codeAround"]> {
  return { before: codeBefore(root, text, offset), after: codeAfter(root, text, offset) };
}

function codeBefore(root: Node, text: string, offset: number) {
  for (let at = skipSpaceBack(text, offset); at > 0; ) {
    const node = root.descendantForIndex(at - 1, at);
    if (!node) return null;
    const comment = commentOf(node);
    if (!comment) return { at, holder: holderOf(node, (each) => each.endIndex === at) };
    at = skipSpaceBack(text, comment.startIndex);
  }
  return null;
}

function codeAfter(root: Node, text: string, offset: number) {
  for (let at = skipSpace(text, offset, text.length); at < text.length; ) {
    const node = root.descendantForIndex(at, at + 1);
    if (!node) return null;
    const comment = commentOf(node);
    if (!comment) return { at, holder: holderOf(node, (each) => each.startIndex === at) };
    at = skipSpace(text, Math.max(comment.endIndex, at + 1), text.length);
  }
  return null;
}

/** What a token belongs to that may stand anywhere, as comments do. */
function commentOf(token: Node): Node | null {
  for (let node: Node | null = token; node; node = node.parent) if (node.isExtra) return node;
  return null;
}

/** The kind of the smallest node around a token that is more than `isSame` tells. */
function holderOf(token: Node, isSame: (node: Node) => boolean): string {
  let node = token;
  for (let up = node.parent; up && isSame(up); up = node.parent) node = up;
  return node.parent?.type ?? "";
}
