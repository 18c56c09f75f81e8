import type { TextEdit } from "../../edits/text/changeSet.ts";
import { applyEdits, singleLineEditsBetween } from "../../edits/text/changeSet.ts";

/** A change as VS Code reports it: UTF-16 offset and length of what was replaced. */
export interface ContentChange {
  readonly rangeOffset: number;
  readonly rangeLength: number;
  readonly text: string;
}

/** A string, or a text that is not in one piece. */
interface Sliced {
  readonly length: number;
  slice(start: number, end: number): string;
}

/**
 * A reported change as sorted edits of the text before; `applyEdits(result, before) === after`
 * always holds. Reports that do not fit, such as several merged changes, become the difference of
 * the two texts.
 */
export function reportedEdits(
  before: string,
  changes: readonly ContentChange[],
  after: string,
): TextEdit[] {
  const edits = sortedEdits(changes, before);
  return edits && applyEdits(edits, before) === after
    ? edits
    : singleLineEditsBetween(before, after);
}

/**
 * True where one reported change leads from `before` to the same text as sorted `edits`; costs the
 * text between the outermost of both.
 */
export function reportsEdits(
  before: Sliced,
  changes: readonly ContentChange[],
  edits: readonly TextEdit[],
): boolean {
  const reported = sortedEdits(changes, before);
  const [first, firstReported] = [edits[0], reported?.[0]];
  if (!reported || !first || !firstReported) return false;
  const start = Math.min(first.start, firstReported.start);
  const end = Math.max(edits.at(-1)?.end ?? 0, reported.at(-1)?.end ?? 0);
  const part = before.slice(start, end);
  const inPart = (all: readonly TextEdit[]) =>
    all.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start }));
  return applyEdits(inPart(reported), part) === applyEdits(inPart(edits), part);
}

/** Null for changes that do not fit one text, such as several merged reports. */
function sortedEdits(changes: readonly ContentChange[], before: Sliced): TextEdit[] | null {
  const edits = changes
    .map((change) => ({
      start: change.rangeOffset,
      end: change.rangeOffset + change.rangeLength,
      newText: change.text,
    }))
    .sort((a, b) => a.start - b.start || a.end - b.end);
  return edits.every(
    (edit, i) => edit.start >= (edits[i - 1]?.end ?? 0) && edit.end <= before.length,
  )
    ? edits
    : null;
}

/**
 * Splits edits of several lines at unchanged lines: VS Code reports a reloaded file as one edit
 * from the first changed line to the last.
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
