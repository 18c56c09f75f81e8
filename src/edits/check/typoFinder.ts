import type { PlacedBody } from "../block.ts";

/** One word that a copied line has in place of another. */
export interface ChangedWord {
  readonly word: string;
  readonly known: string;
}

const WORD = /[A-Za-z_][A-Za-z_0-9]*/g;
/** Shorter words differ by a letter anyway. */
const MIN_LENGTH = 4;

/**
 * The changed word of a line copied from the text `before` with one letter of a word changed, dropped,
 * added or swapped, where that word is nowhere else in the text `after` all blocks, nor was before,
 * and the known one is. A change of nothing but that line is meant. Reads each text once for all
 * bodies.
 */
export function typoFinder(
  before: string,
  after: string,
): (placed: PlacedBody) => ChangedWord | null {
  let byFrame: ReadonlyMap<string, readonly string[]> | null = null;
  let counts: ReadonlyMap<string, number> | null = null;
  let wordsBefore: ReadonlyMap<string, number> | null = null;
  return ({ old, body }) => {
    const added = without(body, old);
    if (added.length < 2) return null;
    const beside = new Map(body.map((line, at) => [line, [body[at - 1], body[at + 1]]]));
    byFrame ??= linesByFrame(before);
    const candidates = changedWords(
      added,
      byFrame,
      (line, other) => beside.get(line)?.includes(other) ?? false,
    );
    if (candidates.length === 0) return null;
    counts ??= countWords(after);
    wordsBefore ??= countWords(before);
    const [words, then] = [counts, wordsBefore];
    return (
      candidates.find(
        ({ word, known }) => words.get(word) === 1 && words.has(known) && !then.has(word),
      ) ?? null
    );
  };
}

function countWords(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [word] of text.matchAll(WORD)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** The distinct lines of a text by what they are without their words. */
function linesByFrame(text: string): ReadonlyMap<string, readonly string[]> {
  const byFrame = new Map<string, string[]>();
  for (const line of new Set(text.split(/\r\n|\n|\r/))) {
    const frame = frameOf(line);
    const alike = byFrame.get(frame);
    if (alike) alike.push(line);
    else byFrame.set(frame, [line]);
  }
  return byFrame;
}

/** The words that new lines have in place of one in a line of the file that is not beside them. */
function changedWords(
  added: readonly string[],
  byFrame: ReadonlyMap<string, readonly string[]>,
  isBeside: (line: string, other: string) => boolean,
): readonly ChangedWord[] {
  return added.flatMap((line) => {
    const words = line.match(WORD) ?? [];
    const others = (byFrame.get(frameOf(line)) ?? []).filter((other) => !isBeside(line, other));
    return others.flatMap((other) => onlyChange(words, other.match(WORD) ?? []) ?? []);
  });
}

function frameOf(line: string): string {
  return line.replace(WORD, "\0");
}

function without(lines: readonly string[], others: readonly string[]): readonly string[] {
  const known = new Set(others);
  return lines.filter((line) => !known.has(line));
}

function onlyChange(words: readonly string[], others: readonly string[]): ChangedWord | null {
  const [at = -1, ...rest] = words.flatMap((word, index) =>
    word === others[index] ? [] : [index],
  );
  const [word = "", known = ""] = [words[at], others[at]];
  return rest.length === 0 && isOneLetterOff(word, known) ? { word, known } : null;
}

/** True where one letter is changed, dropped, added, or swapped with the next. */
function isOneLetterOff(word: string, other: string): boolean {
  if (Math.min(word.length, other.length) < MIN_LENGTH || Math.abs(word.length - other.length) > 1)
    return false;
  if (word.toLowerCase() === other.toLowerCase()) return false;
  let start = 0;
  while (start < word.length && word[start] === other[start]) start++;
  let [end, otherEnd] = [word.length, other.length];
  while (end > start && otherEnd > start && word[end - 1] === other[otherEnd - 1]) {
    end--;
    otherEnd--;
  }
  const [changed, known] = [word.slice(start, end), other.slice(start, otherEnd)];
  if (!/^[A-Za-z]*$/.test(changed + known)) return false;
  return (
    (changed.length <= 1 && known.length <= 1) ||
    (changed.length === 2 && changed === `${known[1]}${known[0]}`)
  );
}
