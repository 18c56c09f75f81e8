import { err, ok, type Result } from "../base/result.ts";
import { dominantEol, numberLines, splitLines, type TextLine } from "../base/text.ts";
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

/** Lines shown of a near miss, lines compared to find it, and places named, at most. */
const MAX_SHOWN = 12;
const MAX_COMPARED = 200;
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
    const places = found.slice(0, MAX_PLACES).map((offset) => lineAt(text, offset));
    const more = found.length > MAX_PLACES ? ", …" : "";
    const message = `conflict at line ${places[0]}: the text is there ${found.length} times (lines ${places.join(", ")}${more}). Search for more of the lines around the place that is meant.`;
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
  return splitLines(text.slice(0, offset)).length;
}

/** What the file has where most of the searched text is, line by line, compared without outer blanks. */
function nearMiss(lines: readonly TextLine[], search: string): string {
  const wanted = splitLines(search)
    .slice(0, MAX_COMPARED)
    .map(({ text }) => text.trim());
  const votes = new Map<number, number>();
  for (const [index, { text }] of lines.entries()) {
    const line = text.trim();
    if (line === "") continue;
    for (const [offset, part] of wanted.entries()) {
      if (part !== "" && isSameLine(line, part, offset, wanted.length))
        votes.set(index - offset, (votes.get(index - offset) ?? 0) + part.length);
    }
  }
  const [best] = [...votes].sort(([a, sizeA], [b, sizeB]) => sizeB - sizeA || a - b);
  if (!best) return "conflict: neither the text nor any of its lines is in the file.";
  const first = Math.max(0, best[0]);
  const shown = lines.slice(first, first + Math.min(wanted.length, MAX_SHOWN));
  return `conflict at line ${first + 1}: the text is not there exactly as given. The file has:\n${numberLines(shown, first + 1)}`;
}

/** A search may begin and end within a line. */
function isSameLine(line: string, part: string, offset: number, count: number): boolean {
  return line === part || (offset === 0 && line.endsWith(part)) || (offset === count - 1 && line.startsWith(part));
}
