import { diffArrays } from "diff";
import type { TextLine } from "../base/text.ts";

/** Lines of the searched text that are compared, words of a place and of a line, and places that are compared as wholes, at most. */
const MAX_COMPARED = 200;
const MAX_WORDS = 400;
const MAX_LINE_WORDS = 60;
const MAX_PLACES = 20;

/**
 * The 0-based line at which `lines` are most like `wanted`, by the words of it that are missing there; null where neither a line is equal
 * to one of them but for outer blanks, nor has most words of the longest one.
 */
export function nearestPlace(lines: readonly TextLine[], wanted: readonly string[]): number | null {
  const compared = wanted.slice(0, MAX_COMPARED).map((line) => line.trim());
  const search = wordsOf(compared);
  let place: number | null = null;
  let best = search.length + 1;
  for (const start of [...placesOfEqualLines(lines, compared), ...placeOfLikeLine(lines, compared)]) {
    const there = wordsOf(lines.slice(Math.max(0, start), Math.max(0, start + compared.length)).map(({ text }) => text));
    const distance = distanceOf(there, search, best);
    if (distance >= best) continue;
    place = Math.max(0, start);
    best = distance;
  }
  return place;
}

/** Where the text would begin by lines that are equal but for outer blanks, the longest of them together first. */
function placesOfEqualLines(lines: readonly TextLine[], wanted: readonly string[]): readonly number[] {
  const sizes = new Map<number, number>();
  for (const [index, { text }] of lines.entries()) {
    const line = text.trim();
    if (!WORD.test(line)) continue;
    for (const [offset, part] of wanted.entries()) {
      if (WORD.test(part) && isSameLine(line, part, offset, wanted.length))
        sizes.set(index - offset, (sizes.get(index - offset) ?? 0) + part.length);
    }
  }
  const sorted = [...sizes].sort(([a, sizeA], [b, sizeB]) => sizeB - sizeA || a - b);
  return sorted.slice(0, MAX_PLACES).map(([start]) => start);
}

/** A search may begin and end within a line. */
function isSameLine(line: string, part: string, offset: number, count: number): boolean {
  return line === part || (offset === 0 && line.endsWith(part)) || (offset === count - 1 && line.startsWith(part));
}

/** Where the text would begin by the line that has most words of its longest one, and more than half of them; at most one place. */
function placeOfLikeLine(lines: readonly TextLine[], wanted: readonly string[]): readonly number[] {
  const longest = wanted.reduce((best, line, index) => (line.length > (wanted[best]?.length ?? 0) ? index : best), 0);
  const search = wordsOf([wanted[longest] ?? ""], MAX_LINE_WORDS);
  const known = new Set(search);
  let place: number | null = null;
  let best = search.length / 2;
  for (const [index, { text }] of lines.entries()) {
    const words = wordsOf([text], MAX_LINE_WORDS);
    // No more can be shared than these, which are quickly counted.
    if (search.length - words.filter((word) => known.has(word)).length >= best) continue;
    const distance = distanceOf(words, search, best);
    if (distance >= best) continue;
    best = distance;
    place = index - longest;
  }
  return place === null ? [] : [place];
}

const WORD = /[\p{L}\p{N}]/u;

function wordsOf(lines: readonly string[], limit = MAX_WORDS): string[] {
  const words: string[] = [];
  for (const line of lines) {
    for (const [word] of line.matchAll(/[\p{L}\p{N}_$]+/gu)) {
      if (words.length === limit) return words;
      words.push(word);
    }
  }
  return words;
}

/**
 * How many of the words of `search` are not in `text` in their order; where that is equal, the fewer others the nearer. What is not
 * below `limit` is not looked for.
 */
function distanceOf(text: string[], search: string[], limit: number): number {
  // Fewer missing words than the limit leave no more differences than these.
  const parts = diffArrays(text, search, { maxEditLength: Math.max(0, 2 * limit + text.length - search.length) });
  if (!parts) return limit;
  let distance = 0;
  for (const { added, removed, value } of parts) {
    if (added) distance += value.length;
    else if (removed) distance += value.length / (10 * MAX_WORDS);
  }
  return distance;
}
