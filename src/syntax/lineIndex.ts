import { EDITOR_LINES, lineAt, lineStarts } from "./lineStarts.ts";

/** Answers the 1-based line an offset is in, as the editor counts lines. Building it reads the text once; an answer is a binary search. */
export function lineIndex(text: string): (offset: number) => number {
  const starts = lineStarts(text, EDITOR_LINES);
  return (offset) => lineAt(starts, offset);
}
