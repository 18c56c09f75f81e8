import { firstPart } from "./clip.ts";
/** The start of a text on one line, at most `limit` characters, with `…` if clipped. */
export function firstWords(text: string, limit: number): string {
  const line = text
    .slice(0, limit * 4)
    .replace(/\s+/g, " ")
    .trim();
  return line.length > limit || text.length > limit * 4
    ? `${firstPart(line, limit).trimEnd()}…`
    : line;
}
