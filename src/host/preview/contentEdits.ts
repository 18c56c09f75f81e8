import { applyEdits, singleLineEditsBetween } from "../../edits/changeSet.ts";
import type { TextEdit } from "../../edits/reviewPlan.ts";

/** A change as the editor reports it: UTF-16 offset and length of what was replaced. */
export interface ContentChange {
  readonly rangeOffset: number;
  readonly rangeLength: number;
  readonly text: string;
}

/**
 * The editor's report of a change as sorted edits of the text before. Reports that cannot be read that way (several changes
 * merged into one report count one after the other) become the difference of the two texts, so that
 * `applyEdits(result, before) === after` always holds.
 */
export function contentEdits(before: string, changes: readonly ContentChange[], after: string): TextEdit[] {
  const edits = changes
    .map((change) => ({ start: change.rangeOffset, end: change.rangeOffset + change.rangeLength, newText: change.text }))
    .sort((a, b) => a.start - b.start || a.end - b.end);
  const disjoint = edits.every((edit, i) => edit.start >= (edits[i - 1]?.end ?? 0) && edit.end <= before.length);
  return disjoint && applyEdits(edits, before) === after ? edits : singleLineEditsBetween(before, after);
}

/**
 * The same edits, those of several lines split where lines stay as they are: the editor reports a file that it read anew as one edit from
 * the first line that differs to the last.
 */
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
