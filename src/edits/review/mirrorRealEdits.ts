import { lineAt, lineStarts } from "../../base/text/lineTable.ts";
import type { TextEdit } from "../text/changeSet.ts";
import type { PlacedHunk } from "./reviewPlan.ts";

/** The user's edits to the real text, as far as the proposal follows them. */
export interface MirroredEdits {
  /** Edits of the proposal, in its offsets. */
  readonly edits: readonly TextEdit[];
  /** For each edit of the real text, true when it only inserts or removes whole lines. */
  readonly wholeLines: readonly boolean[];
}

/**
 * Repeats sorted `edits` of the real text in the proposal: those outside hunks, and of the others
 * what they remove outside hunks. Where the edits are `unseen`, lines put in beside a hunk that has
 * them are its own, in the file already.
 */
export function mirrorRealEdits(
  edits: readonly TextEdit[],
  real: string,
  proposed: string,
  hunks: readonly PlacedHunk[],
  unseen = false,
): MirroredEdits {
  const isOwn = ({ start, end, newText }: TextEdit) =>
    unseen &&
    newText !== "" &&
    hunks.some(
      ({ realRange, proposedRange }) =>
        start <= realRange.end &&
        realRange.start <= end &&
        proposed.slice(proposedRange.start, proposedRange.end).includes(newText),
    );
  const starts = lineStarts(real);
  const wholeLines = edits.map((edit) => changesWholeLines(edit, starts));
  const mirrored = edits.flatMap((edit, index) => {
    const start = lineAt(starts, edit.start);
    const end = lineAt(starts, edit.end) + (wholeLines[index] ? 0 : 1);
    const meetsHunk = hunks.some(({ real: lines }) => start < lines.end && lines.start < end);
    if (isOwn(edit)) return [];
    if (!meetsHunk) return [shift(edit, start, hunks)];
    return wholeLines[index]
      ? outsideHunks(edit, hunks).map((part) => shift(part, lineAt(starts, part.start), hunks))
      : [];
  });
  // Edits overlap only when the texts are out of step; then nothing is repeated.
  const sound = mirrored.every(
    (edit, index) => edit.start >= (mirrored[index - 1]?.end ?? 0) && edit.end <= proposed.length,
  );
  return { edits: sound ? mirrored : [], wholeLines };
}

/** What an edit removes around the hunks it meets, which would else come back. */
function outsideHunks(edit: TextEdit, hunks: readonly PlacedHunk[]): TextEdit[] {
  const parts: TextEdit[] = [];
  let position = edit.start;
  for (const { realRange } of hunks) {
    if (realRange.end < position || realRange.start > edit.end) continue;
    if (position < realRange.start)
      parts.push({ start: position, end: realRange.start, newText: "" });
    position = Math.max(position, realRange.end);
  }
  if (position < edit.end) parts.push({ start: position, end: edit.end, newText: "" });
  return parts;
}

function changesWholeLines(edit: TextEdit, starts: readonly number[]): boolean {
  const atLineStarts =
    starts[lineAt(starts, edit.start)] === edit.start &&
    starts[lineAt(starts, edit.end)] === edit.end;
  return atLineStarts && (edit.newText === "" || /[\r\n]$/.test(edit.newText));
}

function shift(edit: TextEdit, firstLine: number, hunks: readonly PlacedHunk[]): TextEdit {
  let delta = 0;
  for (const hunk of hunks) {
    if (hunk.real.end > firstLine) break;
    // Lines inserted exactly before a replaced one stay before it.
    delta = hunk.proposedRange.end - hunk.realRange.end;
  }
  return { start: edit.start + delta, end: edit.end + delta, newText: edit.newText };
}
