import type { TextEdit } from "../../edits/text/changeSet.ts";
import { applyEdits, singleLineEditsBetween } from "../../edits/text/changeSet.ts";

/** A change as VS Code reports it: UTF-16 offset and length of what was replaced. */
export interface ContentChange {
  readonly rangeOffset: number;
  readonly rangeLength: number;
  readonly text: string;
}

/**
 * A reported change as sorted edits of the text before; `applyEdits(result, before) === after` always holds. Reports that do not fit,
 * such as several merged changes, become the difference of the two texts.
 */
export function reportedEdits(before: string, changes: readonly ContentChange[], after: string): TextEdit[] {
  const edits = changes
    .map((change) => ({ start: change.rangeOffset, end: change.rangeOffset + change.rangeLength, newText: change.text }))
    .sort((a, b) => a.start - b.start || a.end - b.end);
  const disjoint = edits.every((edit, i) => edit.start >= (edits[i - 1]?.end ?? 0) && edit.end <= before.length);
  return disjoint && applyEdits(edits, before) === after ? edits : singleLineEditsBetween(before, after);
}

/** Splits edits of several lines at unchanged lines: VS Code reports a reloaded file as one edit from the first changed line to the last. */
export function splitEdits(before: string, edits: readonly TextEdit[]): TextEdit[] {
  return edits.flatMap((edit) => {
    const old = before.slice(edit.start, edit.end);
    if (!old.includes("\n") || !edit.newText.includes("\n")) return [edit];
    return singleLineEditsBetween(old, edit.newText).map(({ start, end, newText }) => ({
      start: edit.start + start,
      end: edit.start + end,
      newText,
    }));
  });
}
