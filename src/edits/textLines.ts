import { splitLines } from "../base/text.ts";

/** The offsets at which the lines begin. */
export function lineStarts(text: string): number[] {
  let offset = 0;
  return splitLines(text).map((line) => {
    const start = offset;
    offset += line.text.length + line.eol.length;
    return start;
  });
}

/** The offset at which the line holding `offset` begins. */
export function lineStart(text: string, offset: number): number {
  let at = offset;
  while (at > 0 && !isBreak(text, at - 1)) at--;
  return at;
}

/** The offset at which the line holding `offset` ends, before its line break. */
export function lineEnd(text: string, offset: number): number {
  let at = offset;
  while (at < text.length && !isBreak(text, at)) at++;
  return at;
}

/** The offset after the line break of the line holding `offset`, or the text's end. */
export function nextLine(text: string, offset: number): number {
  const end = lineEnd(text, offset);
  return end + lineBreakAt(text, end).length;
}

/** The offset before the line break that ends right before `lineStart`, or `lineStart` at the text's beginning. */
export function previousLineEnd(text: string, lineStart: number): number {
  if (text[lineStart - 1] === "\n" && text[lineStart - 2] === "\r") return lineStart - 2;
  return lineStart > 0 ? lineStart - 1 : 0;
}

/** The line break of the line holding `offset`, else the one before it, else `fallback`. */
export function lineBreakNear(text: string, offset: number, fallback: string): string {
  const after = lineBreakAt(text, lineEnd(text, offset));
  if (after !== "") return after;
  const start = lineStart(text, offset);
  return start > 0 ? text.slice(previousLineEnd(text, start), start) : fallback;
}

/** True when only spaces and tabs are between two offsets. */
export function isBlank(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (text[at] !== " " && text[at] !== "\t") return false;
  return true;
}

/** The first offset at or after `offset` that holds neither a space nor a tab. */
export function skipBlanks(text: string, offset: number): number {
  let at = offset;
  while (text[at] === " " || text[at] === "\t") at++;
  return at;
}

function lineBreakAt(text: string, offset: number): string {
  if (text[offset] === "\r") return text[offset + 1] === "\n" ? "\r\n" : "\r";
  return text[offset] === "\n" ? "\n" : "";
}

function isBreak(text: string, offset: number): boolean {
  return text[offset] === "\n" || text[offset] === "\r";
}
