import { splitLines } from "../base/text.ts";
import type { PlacedHunk } from "./reviewHunks.ts";
import type { TextEdit } from "./reviewPlan.ts";

/** The user's edits to the real text, sorted into those the proposal follows and those that meet a pending hunk. */
export interface MirroredEdits {
  /** The same edits in offsets of the proposal. */
  readonly edits: readonly TextEdit[];
  /** Edits that touch lines a pending hunk would change, as they were made. */
  readonly conflicts: readonly TextEdit[];
}

/** Decides which of the sorted `edits` of the real text can be repeated in the proposal. Lines outside hunks are equal on both sides. */
export function mirrorRealEdits(edits: readonly TextEdit[], real: string, proposed: string, hunks: readonly PlacedHunk[]): MirroredEdits {
  const starts = lineStarts(real);
  const mirrored: TextEdit[] = [];
  const conflicts: TextEdit[] = [];
  for (const edit of edits) {
    const lines = editedLines(edit, starts);
    const meets = hunks.some((hunk) => intersect(lines, hunk.real));
    if (meets) conflicts.push(edit);
    else mirrored.push(shift(edit, lines.start, hunks));
  }
  // Two edits of one gesture may come to lie on one another only when the texts are out of step; then nothing is repeated.
  const sound = mirrored.every((edit, index) => edit.start >= (mirrored[index - 1]?.end ?? 0) && edit.end <= proposed.length);
  return sound ? { edits: mirrored, conflicts } : { edits: [], conflicts: edits };
}

/** The lines an edit changes, 0-based and half-open; empty where it only puts whole lines between two others. */
function editedLines(edit: TextEdit, starts: readonly number[]): { start: number; end: number } {
  const first = lineAt(starts, edit.start);
  const last = lineAt(starts, edit.end);
  const fromLineStart = starts[first] === edit.start;
  const toLineStart = starts[last] === edit.end;
  const wholeLines = edit.newText === "" || /[\r\n]$/.test(edit.newText);
  if (fromLineStart && toLineStart && wholeLines) return { start: first, end: last };
  return { start: first, end: last + 1 };
}

function intersect(lines: { start: number; end: number }, hunk: { start: number; end: number }): boolean {
  return lines.start < hunk.end && hunk.start < lines.end;
}

function shift(edit: TextEdit, firstLine: number, hunks: readonly PlacedHunk[]): TextEdit {
  let delta = 0;
  for (const hunk of hunks) {
    if (hunk.real.end > firstLine) break;
    // A hunk that adds lines above the edited one comes first; lines put exactly before a replaced one stay before it.
    delta = hunk.proposedRange.end - hunk.realRange.end;
  }
  return { start: edit.start + delta, end: edit.end + delta, newText: edit.newText };
}

function lineStarts(text: string): number[] {
  const starts: number[] = [];
  let offset = 0;
  for (const line of splitLines(text)) {
    starts.push(offset);
    offset += line.text.length + line.eol.length;
  }
  return starts;
}

/** The last line that starts at or before `offset`. */
function lineAt(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
