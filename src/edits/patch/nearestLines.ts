import { splitLines, type TextLine } from "../../base/text/lines.ts";
import type { Excerpt } from "../../turns/blockReason.ts";
import { excerpt } from "../text/excerpt.ts";

/** Lines of a file; `first` is the 1-based number of the first one. */
export interface NumberedLines {
  readonly first: number;
  readonly lines: Excerpt;
}

/** Lines of the searched text that are compared, at most. */
const MAX_COMPARED = 50;

/** How many words of other lines count as much as one that is shared. */
const EXTRA_WORDS = 1_000;

/** The lines that share most words with a searched text, line by line; null where they share less than a quarter. */
export function nearestLines(lines: readonly TextLine[], searched: string): NumberedLines | null {
  const there = lines.map(({ text }) => wordsOf(text));
  const wanted = splitLines(searched).map(({ text }) => text);
  const search = wanted.slice(0, MAX_COMPARED).map((line) => new Set(wordsOf(line)));
  const size = search.reduce((count, words) => count + words.size, 0);
  let place: number | null = null;
  let best = Math.max(size / 4, 0.5);
  for (let start = 0; start < lines.length; start++) {
    let score = 0;
    for (const [offset, words] of search.entries()) {
      const line = there[start + offset] ?? [];
      const shared = new Set(line.filter((word) => words.has(word))).size;
      score += shared - (line.length - shared) / EXTRA_WORDS;
    }
    if (score <= best) continue;
    best = score;
    place = start;
  }
  if (place === null) return null;
  return { first: place + 1, lines: excerpt(lines.slice(place, place + wanted.length).map(({ text }) => text)) };
}

function wordsOf(line: string): string[] {
  return line.match(/[\p{L}\p{N}_$]+/gu) ?? [];
}
