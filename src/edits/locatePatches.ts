import { counted } from "../base/counted.ts";
import { err, ok, type Result } from "../base/result.ts";
import { countLines, dominantEol, numberLines, splitLines, type TextLine } from "../base/text.ts";
import { nearestPlace } from "./nearestPlace.ts";
import type { TextEdit } from "./reviewPlan.ts";

/** A text to look for, and what to put in its place. */
export interface Patch {
  readonly search: string;
  readonly replace: string;
}

/** Why a patch has no place: `message` says where the conflict is and what is there. */
export interface PatchConflict {
  readonly kind: "not-found" | "ambiguous" | "overlap" | "unchanged";
  readonly message: string;
}

/** Lines shown of a near miss, UTF-16 units of each, and lines named, at most. */
const MAX_SHOWN = 12;
const MAX_LINE_LENGTH = 1_000;
const MAX_PLACES = 8;

/**
 * Where each patch goes in `text`, in the order of the patches: its search text must be there exactly once, and no two may touch the
 * same text. Line breaks count as equal where the file's own kind is not the model's; the replacement then gets the file's.
 */
export function locatePatches(text: string, patches: readonly Patch[]): Result<readonly TextEdit[], PatchConflict> {
  const lines = splitLines(text);
  const eol = dominantEol(lines) ?? "\n";
  const edits: TextEdit[] = [];
  for (const [index, patch] of patches.entries()) {
    const which = patches.length > 1 ? `Edit ${index + 1}: ` : "";
    const place = locate(text, lines, patch, eol);
    if (!place.ok) return err({ ...place.error, message: which + place.error.message });
    const other = edits.findIndex(({ start, end }) => place.value.start < end && start < place.value.end);
    if (other >= 0) {
      const message = `${which}conflict at line ${lineAt(text, place.value.start)}: edit ${other + 1} changes the same text. Make one edit of the two.`;
      return err({ kind: "overlap", message });
    }
    edits.push(place.value);
  }
  return ok(edits);
}

function locate(text: string, lines: readonly TextLine[], patch: Patch, eol: string): Result<TextEdit, PatchConflict> {
  if (patch.search === patch.replace)
    return err({ kind: "unchanged", message: "search and replace are the same, so nothing would change." });
  const exact = occurrences(text, patch.search);
  const adapted = withEol(patch.search, eol);
  const found = exact.length > 0 ? exact : occurrences(text, adapted);
  const length = exact.length > 0 ? patch.search.length : adapted.length;
  const [start, second] = found;
  if (start === undefined) return err({ kind: "not-found", message: nearMiss(lines, patch.search) });
  if (second !== undefined) {
    const places = new Set(found.slice(0, MAX_PLACES).map((offset) => lineAt(text, offset)));
    const named = `${places.size === 1 ? "line" : "lines"} ${[...places].join(", ")}${found.length > MAX_PLACES ? ", …" : ""}`;
    const message = `conflict at line ${lineAt(text, start)}: the text is there ${found.length} times (${named}). Search for more of the lines around the place that is meant.`;
    return err({ kind: "ambiguous", message });
  }
  const newText = /\r/.test(patch.replace) ? patch.replace : withEol(patch.replace, eol);
  return ok({ start, end: start + length, newText });
}

/** The offsets at which `search` occurs, overlapping ones too: an overlap makes the place as ambiguous. */
function occurrences(text: string, search: string): readonly number[] {
  const found: number[] = [];
  for (let at = text.indexOf(search); at >= 0; at = text.indexOf(search, at + 1)) found.push(at);
  return found;
}

function withEol(text: string, eol: string): string {
  return text.replace(/\r\n|\n|\r/g, eol);
}

/** The 1-based line of an offset. */
export function lineAt(text: string, offset: number): number {
  return countLines(text.slice(0, offset));
}

/** Where the file is most like the searched text, and what it has there. */
function nearMiss(lines: readonly TextLine[], search: string): string {
  const wanted = splitLines(search).map(({ text }) => text);
  const numbered = wanted.every((line) => line === "" || /^\d+\t/.test(line));
  const text = numbered ? wanted.map((line) => line.replace(/^\d+\t/, "")) : wanted;
  const first = nearestPlace(lines, text);
  if (first === null) return "conflict at line 1: neither the text nor anything like it is in the file; it may be in another one.";
  const there = lines.slice(first, first + wanted.length);
  const why = numbered
    ? "the search text begins its lines with numbers, which are not in the file"
    : sameButBlanks(there, text)
      ? "the text is not there exactly as given, its blanks are others"
      : "the text is not there exactly as given";
  const shown = there.slice(0, MAX_SHOWN).map((line) => ({ ...line, text: clipped(line.text) }));
  const rest = there.length - shown.length;
  const more = rest > 0 ? `\n[${counted(rest, "more line")}]` : "";
  return `conflict at line ${first + 1}: ${why}. The nearest text in the file is:\n${numberLines(shown, first + 1)}${more}`;
}

function sameButBlanks(there: readonly TextLine[], wanted: readonly string[]): boolean {
  const bare = (text: string) => text.replace(/\s+/g, "");
  return there
    .map(({ text }) => bare(text))
    .join("")
    .includes(bare(wanted.join("")));
}

function clipped(text: string): string {
  return text.length <= MAX_LINE_LENGTH ? text : `${text.slice(0, MAX_LINE_LENGTH)}… [line cut off: ${text.length} characters in all]`;
}
