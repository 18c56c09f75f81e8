import {
  applyEdits,
  lineEditsBetween,
  singleLineEditsBetween,
  type TextEdit,
} from "../text/changeSet.ts";

/** Accepts that may not be on the disk yet. */
export interface UnsavedAccepts {
  /** The file's text before them. */
  readonly text: string;
  /** One entry per hunk and block. */
  readonly blockIds: readonly string[];
}

/**
 * How a file that was known with the text `known` came to `now`: the text with those accepts only
 * that `now` has, where the user may have added to them, and the edits from there.
 */
export function reopenedFrom(
  unsaved: UnsavedAccepts | null,
  known: string,
  now: string,
): { readonly base: string; readonly edits: readonly TextEdit[] } {
  const base = unsaved ? savedPart(unsaved.text, known, now) : known;
  return { base, edits: singleLineEditsBetween(base, now) };
}

function savedPart(before: string, accepted: string, now: string): string {
  const found = lineEditsBetween(before, now);
  const isIn = ({ start, end, newText }: TextEdit) =>
    found.some(
      (edit) => edit.start <= start && end <= edit.end && holdsLines(edit.newText, newText),
    );
  return applyEdits(lineEditsBetween(before, accepted).filter(isIn), before);
}

/** True where all lines of `part` are in lines of `text`, in order. */
function holdsLines(text: string, part: string): boolean {
  const lines = text.split(/\r?\n/);
  let at = 0;
  return part
    .replace(/\r?\n$/, "")
    .split(/\r?\n/)
    .every((wanted) => {
      const found = lines.findIndex((line, index) => index >= at && line.includes(wanted));
      at = found + 1;
      return found >= 0;
    });
}

/** Another accept, made when the file had `text`. */
export function withAccept(
  unsaved: UnsavedAccepts | null,
  text: string,
  blockIds: readonly string[],
): UnsavedAccepts {
  return { text: unsaved?.text ?? text, blockIds: [...(unsaved?.blockIds ?? []), ...blockIds] };
}

/** One of the accepts was undone, which left the file with `text`. */
export function withoutAccept(
  unsaved: UnsavedAccepts | null,
  text: string,
  blockIds: readonly string[],
): UnsavedAccepts | null {
  if (!unsaved || unsaved.text === text) return null;
  const left = [...unsaved.blockIds];
  for (const id of blockIds) if (left.includes(id)) left.splice(left.lastIndexOf(id), 1);
  return { ...unsaved, blockIds: left };
}
