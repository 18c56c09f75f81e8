import { isBlank, lineEnd, skipSpaceBack } from "../../base/text/scan.ts";
import type { SyntaxDocument, SyntaxElement } from "../../syntax/syntax.ts";
import { unnumbered } from "../elements/pathNames.ts";

/** An element of a text, or a line between elements. */
export interface Piece {
  /** Null for a line outside of elements. */
  readonly element: PieceElement | null;
  /** All of it, with the comment above, without a separator after it. */
  readonly text: string;
  /** Null where its inside is its own matter. */
  readonly inside: PieceInside | null;
}

/** Which element a piece is. */
export interface PieceElement {
  readonly path: string;
  /** The path without its numbers. */
  readonly name: string;
  readonly kind: string;
  /** How it begins, up to its body: two of one name can be told by it. */
  readonly head: string;
}

/**
 * What an element, or a file, holds: `head`, then `gaps[0]`, the first piece, `gaps[1]` and so on;
 * the last gap is before `tail`. Gaps are white space, with a `,` or `;` at most.
 */
export interface PieceInside {
  readonly style: string;
  readonly head: string;
  readonly tail: string;
  readonly pieces: readonly Piece[];
  readonly gaps: readonly string[];
}

/** Kinds whose inside is their own matter. */
const CLOSED: ReadonlySet<string> = new Set(["accessor", "constructor", "function", "method"]);

interface Node {
  readonly element: SyntaxElement;
  readonly start: number;
  readonly end: number;
  readonly children: Node[];
}

/**
 * The elements of a text, nested, and all that lies between them: put together again they are the
 * text. Null where an element's place is not certain, or elements overlap.
 */
export function splitText(document: SyntaxDocument): PieceInside | null {
  const roots = nestElements(document);
  const { text } = document;
  return roots && split(text, { start: 0, end: text.length }, roots, ["section", "", ""]);
}

/** The elements by where they stand; null where two overlap. */
function nestElements(document: SyntaxDocument): readonly Node[] | null {
  const found: SyntaxElement[] = [];
  const shared = new Set<string>();
  for (const { path } of document.outline()) {
    if (path === "@imports" || shared.has(path)) continue;
    const element = document.resolve(path);
    if (!element.ok || element.value.path !== path) return null;
    for (const other of element.value.sharedWith) shared.add(other);
    found.push(element.value);
  }
  found.sort((a, b) => a.range.start - b.range.start || b.range.end - a.range.end);
  const roots: Node[] = [];
  const around: Node[] = [];
  for (const element of found) {
    const { range } = element;
    while ((around.at(-1)?.element.range.end ?? Infinity) <= range.start) around.pop();
    const outer = around.at(-1);
    if (outer && outer.element.range.end < range.end) return null;
    const siblings = outer?.children ?? roots;
    const before = siblings.at(-1);
    const end = Math.min(endOf(document, element), outer?.end ?? Infinity);
    const start = Math.max(element.commentStart, before?.end ?? 0);
    if (start > range.start || end < start) return null;
    const node = { element, start, end, children: [] };
    siblings.push(node);
    around.push(node);
  }
  return roots;
}

/** The end of an element with the comment after it on its last line. */
function endOf(document: SyntaxDocument, element: SyntaxElement): number {
  const { text } = document;
  const end = Math.max(
    element.range.start,
    skipSpaceBack(text, Math.min(element.separatorStart, element.range.end)),
  );
  const line = lineEnd(text, end);
  if (element.separatorStart < element.range.end || isBlank(text, end, line)) return end;
  return document.endsLine(end) ? skipSpaceBack(text, line) : end;
}

function split(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
  nodes: readonly Node[],
  [style, head, tail]: readonly [string, string, string],
): PieceInside | null {
  const pieces: Piece[] = [];
  const gaps: string[] = [];
  let at = start;
  /** What stands before an element, or before the end. */
  const between = (to: number) => {
    const whole = text.slice(at, to);
    const isSeparator = /^\s*[,;]?\s*$/.test(whole);
    const before = pieces.length > 0 ? /^[ \t]*[,;]?\s*/ : /^\s*/;
    const first = isSeparator ? whole : (before.exec(whole)?.[0] ?? "");
    gaps.push(first);
    for (const [, line = "", gap = ""] of whole
      .slice(first.length)
      .matchAll(/(\S(?:.*\S)?)(\s*)/g)) {
      pieces.push({ element: null, text: line, inside: null });
      gaps.push(gap);
    }
  };
  for (const node of nodes) {
    // One name of several, such as that of `var a, b`, may stand in another's place.
    if (node.start < at || node.end > end) return null;
    between(node.start);
    pieces.push(pieceOf(text, node));
    at = node.end;
  }
  between(end);
  return { style, head, tail, pieces, gaps };
}

function pieceOf(text: string, { element, start, end, children }: Node): Piece {
  const { path, kind, body } = element;
  const whole = text.slice(start, end);
  const first = lineEnd(text, element.range.start);
  const head = text.slice(element.range.start, Math.min(end, body?.inner.start ?? first));
  const named = { path, name: unnumbered(path), kind, head };
  const inner = body && {
    start: Math.max(start, body.inner.start),
    end: Math.min(end, body.inner.end),
  };
  const isOpen = inner !== null && !CLOSED.has(kind) && inner.start <= inner.end;
  const parts =
    inner && ([body.style, text.slice(start, inner.start), text.slice(inner.end, end)] as const);
  const inside = isOpen && parts ? split(text, inner, children, parts) : null;
  return { element: named, text: whole, inside };
}

/** The text of what was split. */
export function joinPieces({ head, tail, pieces, gaps }: PieceInside): string {
  const inner = pieces.map((piece, index) => (gaps[index] ?? "") + piece.text).join("");
  return head + inner + (gaps[pieces.length] ?? "") + tail;
}
