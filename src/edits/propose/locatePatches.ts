import { err, ok, type Result } from "../../base/result.ts";
import { dominantEol, lineNumberAt, splitLines, type TextLine } from "../../base/text/lines.ts";
import type { OffsetRange } from "../../base/text/scan.ts";
import { type Excerpt, excerpt } from "../../turns/blockReason.ts";
import { LINE_BREAKS } from "../fit/lineBreaks.ts";
import { type Patch, type RepairedPatch, SEARCH_SLIPS } from "../fit/searchSlips.ts";

/** Why a patch has no place; `edit` is its number, null for the only one. All are 1-based. */
export type PatchConflict = { readonly edit: number | null } & Conflict;

type Conflict =
  | { readonly code: "unchanged" }
  | { readonly code: "overlap"; readonly line: number; readonly other: number }
  /** The text is there `count` times, in these lines and `more`. */
  | {
      readonly code: "ambiguous";
      readonly count: number;
      readonly lines: readonly number[];
      readonly more: boolean;
    }
  /** The text is there once, but begins or ends in the middle of a word. */
  | { readonly code: "inside-word"; readonly line: number }
  | { readonly code: "not-found"; readonly nearest: NearestLines | null };

/** Lines of a file; `first` is the 1-based number of the first one. */
interface NearestLines {
  readonly first: number;
  readonly lines: Excerpt;
}

const MAX_PLACES = 8;
const MAX_COMPARED = 50;
/** How many words of other lines count as much as one that is shared. */
const EXTRA_WORDS = 1_000;

/**
 * The edit of each patch, in their order. A search text must be there exactly once, and no two may
 * overlap. Line breaks of another kind than the file's match too; the replacement then gets the
 * file's. Other slips in white space are corrected, see {@link SEARCH_SLIPS}.
 */
export function locatePatches(
  text: string,
  patches: readonly Patch[],
  path = "",
): Result<readonly RepairedPatch[], PatchConflict> {
  const lines = splitLines(text);
  const eol = dominantEol(lines) ?? "\n";
  const edits: RepairedPatch[] = [];
  for (const [index, patch] of patches.entries()) {
    const edit = patches.length > 1 ? index + 1 : null;
    const place = locatePatch(text, lines, patch, eol, path);
    if (!place.ok) return err({ ...place.error, edit });
    const other = edits.findIndex(
      ({ start, end }) => place.value.start < end && start < place.value.end,
    );
    if (other >= 0)
      return err({
        code: "overlap",
        edit,
        line: lineNumberAt(text, place.value.start),
        other: other + 1,
      });
    edits.push(place.value);
  }
  return ok(edits);
}

function locatePatch(
  text: string,
  lines: readonly TextLine[],
  patch: Patch,
  eol: string,
  path: string,
): Result<RepairedPatch, Conflict> {
  if (patch.search === patch.replace) return err({ code: "unchanged" });
  const exact = occurrences(text, patch.search);
  const adapted = withEol(patch.search, eol);
  const found = exact.length > 0 ? exact : occurrences(text, adapted);
  const repaired = found.length === 0 ? SEARCH_SLIPS.apply({ ...patch, text, path }) : null;
  const replacement = repaired?.newText ?? patch.replace;
  const newText = withEol(replacement, eol);
  if (repaired && !cutsWord(text, repaired.start) && !cutsWord(text, repaired.end))
    return ok(withLineBreaks(text, { ...repaired, newText }, eol));
  const length = exact.length > 0 ? patch.search.length : adapted.length;
  const [start, second] = found;
  if (start === undefined)
    return err({ code: "not-found", nearest: nearestLines(lines, patch.search) });
  if (second !== undefined) {
    const places = new Set(found.slice(0, MAX_PLACES).map((offset) => lineNumberAt(text, offset)));
    return err({
      code: "ambiguous",
      count: found.length,
      lines: [...places],
      more: found.length > MAX_PLACES,
    });
  }
  const cut = [start, start + length].find((offset) => cutsWord(text, offset));
  if (cut !== undefined) return err({ code: "inside-word", line: lineNumberAt(text, cut) });
  const place = { ...withWholeBreaks(text, start, start + length), newText, slips: [] };
  return ok(withLineBreaks(text, place, eol));
}

/** A patch with the line breaks that its replacement lacks. */
function withLineBreaks(text: string, patch: RepairedPatch, eol: string): RepairedPatch {
  const kept = LINE_BREAKS.apply({ text, edit: patch, eol });
  return kept ? { ...kept, slips: [...patch.slips, "line-break"] } : patch;
}

/** A range that begins or ends between the two characters of a line break, with both of them. */
function withWholeBreaks(text: string, start: number, end: number): OffsetRange {
  const splits = (offset: number) => text[offset - 1] === "\r" && text[offset] === "\n";
  return { start: splits(start) ? start - 1 : start, end: splits(end) ? end + 1 : end };
}

/** Scripts with letters that only spaces divide into words. */
const WORD = /[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{N}_]/u;

function cutsWord(text: string, offset: number): boolean {
  const isEscape = text[offset - 2] === "\\";
  return !isEscape && WORD.test(text[offset - 1] ?? "") && WORD.test(text[offset] ?? "");
}

function occurrences(text: string, search: string): readonly number[] {
  const found: number[] = [];
  for (let at = text.indexOf(search); at >= 0; at = text.indexOf(search, at + 1)) found.push(at);
  return found;
}

function withEol(text: string, eol: string): string {
  return text.replace(/\r\n|\n|\r/g, eol);
}

/** The lines that share most words with a searched text; null for less than a quarter. */
function nearestLines(lines: readonly TextLine[], searched: string): NearestLines | null {
  const there = lines.map(({ text }) => tokensOf(text));
  const wanted = splitLines(searched).map(({ text }) => text);
  const search = wanted.slice(0, MAX_COMPARED).map((line) => new Set(tokensOf(line)));
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
  return {
    first: place + 1,
    lines: excerpt(lines.slice(place, place + wanted.length).map(({ text }) => text)),
  };
}

function tokensOf(line: string): string[] {
  return line.match(/[\p{L}\p{N}_$]+/gu) ?? [];
}
