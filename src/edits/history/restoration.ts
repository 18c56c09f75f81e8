import { err, ok, type Result } from "../../base/result.ts";
import type { LineRange } from "../text/lineDiff.ts";
import { lineDiff } from "../text/lineDiff.ts";
import { mergeTexts } from "../text/mergeTexts.ts";
import type { TextChange } from "./retraced.ts";

/** What reverting changes would do to a file. */
export type Restoration =
  /** The file already is as it was. */
  | { readonly kind: "nothing" }
  /** `keepsEdits` where the user's edits stay in it; `changes` counts differences from now. */
  | {
      readonly kind: "possible";
      readonly text: string | null;
      readonly changes: number;
      readonly keepsEdits: boolean;
    }
  | { readonly kind: "blocked"; readonly reason: BlockedReason };

/** Why changes cannot be reverted; `lines` are 0-based and half-open, empty when unknown. */
export type BlockedReason =
  | { readonly code: "deleted" | "created-again" | "created-and-edited" }
  | { readonly code: "lines-changed"; readonly lines: readonly LineRange[] };

/**
 * Reverts `changes` of one file, given in order, and keeps the edits that others made between and
 * after them. Blocked where others changed the same or adjoining lines. Ignores undone changes.
 */
export function restoration(changes: readonly TextChange[], current: string | null): Restoration {
  const standing = standingChanges(changes, current);
  let text = standing[0]?.before ?? null;
  const original = text;
  if (standing.length === 0) return { kind: "nothing" };
  for (const [index, { after }] of standing.entries()) {
    const following = standing[index + 1];
    const next = following ? following.before : current;
    const merged = mergeFiles(after, text, next);
    if (!merged.ok) {
      const { error } = merged;
      // Lines of an earlier state are not those of the current file.
      const reason =
        error.code === "lines-changed" && next !== current ? { ...error, lines: [] } : error;
      return { kind: "blocked", reason };
    }
    text = merged.value;
  }
  if (text === current) return { kind: "nothing" };
  const changed = text === null || current === null ? 1 : lineDiff(current, text).length;
  return { kind: "possible", text, changes: changed, keepsEdits: text !== original };
}

/** The changes without those that were undone: the file was later again as before them. */
export function standingChanges<Change extends TextChange>(
  changes: readonly Change[],
  current: string | null,
): readonly Change[] {
  const standing: Change[] = [];
  const cameBackTo = (text: string | null) => {
    const first = standing.findIndex(({ before }) => before === text);
    if (first >= 0) standing.length = first;
  };
  for (const change of changes) {
    cameBackTo(change.before);
    standing.push(change);
  }
  cameBackTo(current);
  return standing;
}

/** {@link mergeTexts} where a side may be no file; lines of the error are those of `theirs`. */
function mergeFiles(
  base: string | null,
  ours: string | null,
  theirs: string | null,
): Result<string | null, BlockedReason> {
  if (base === theirs || ours === theirs) return ok(ours);
  if (base === ours) return ok(theirs);
  if (theirs === null) return err({ code: "deleted" });
  if (base === null) return err({ code: "created-again" });
  if (ours === null) return err({ code: "created-and-edited" });
  const merged = mergeTexts(base, ours, theirs);
  return merged.ok ? merged : err({ code: "lines-changed", lines: merged.error });
}
