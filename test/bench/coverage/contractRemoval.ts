import type { SyntaxElement } from "../../../src/syntax/syntax.ts";
import { isLineOver, lineEndAt, lineStartAt } from "./contractSlots.ts";

/** A range of UTF-16 offsets that is deleted. */
export interface Deletion {
  readonly start: number;
  readonly end: number;
}

function lineBehind(text: string, offset: number): number {
  const at = text.indexOf("\n", offset);
  return at < 0 ? text.length : at + 1;
}

function blankLines(text: string, from: number, step: "up" | "down"): number[] {
  const edges: number[] = [];
  for (let at = from; step === "up" ? at > 0 : at < text.length; ) {
    const start = step === "up" ? lineStartAt(text, at - 1) : at;
    const end = step === "up" ? at : lineBehind(text, at);
    if (text.slice(start, end).trim() !== "") break;
    at = step === "up" ? start : end;
    edges.push(at);
  }
  return edges;
}

/**
 * What the contract's `remove` deletes: the element with its comment block, what stands behind it
 * on its last line, and of the blank lines above and below those that would now be double. Null for
 * elements that share their lines with others.
 */
export function contractRemoval(text: string, element: SyntaxElement): Deletion | null {
  const { commentStart, range, path, sharedWith } = element;
  if (path === "@file" || path === "@imports" || sharedWith.length > 0) return null;
  const start = lineStartAt(text, commentStart);
  if (text.slice(start, commentStart).trim() !== "" || !isLineOver(text, range.end)) return null;
  const end = lineBehind(text, range.end);
  const above = blankLines(text, start, "up");
  const below = blankLines(text, end, "down");
  const top = above.at(-1) ?? start;
  const bottom = below.at(-1) ?? end;
  if (bottom === text.length && top > 0) {
    // The last line takes the line break before it along where the file has no final newline.
    const isOpen = !text.endsWith("\n") && below.length === 0;
    const from = text[top - 2] === "\r" ? top - 2 : top - 1;
    return { start: isOpen ? from : top, end };
  }
  if (top === 0) return { start, end: bottom };
  return { start, end: below[Math.min(above.length, below.length) - 1] ?? end };
}

/** What an empty body deletes: the element's own lines, and nothing else. */
export function contractEmptying(text: string, element: SyntaxElement): Deletion | null {
  const { range, path, sharedWith } = element;
  if (path === "@file" || sharedWith.length > 0 || range.start === range.end) return null;
  const start = lineStartAt(text, range.start);
  const lineEnd = lineEndAt(text, range.end);
  if (text.slice(start, range.start).trim() !== "" || text.slice(range.end, lineEnd).trim() !== "")
    return null;
  if (lineEnd === text.length) return null;
  return { start, end: lineBehind(text, range.end) };
}
