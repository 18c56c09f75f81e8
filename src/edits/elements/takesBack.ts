import type { OffsetRange } from "../../base/text/scan.ts";
import { squeezed } from "../text/lineChecks.ts";

/** What an earlier block of the message did. */
export interface EarlierChange {
  /** Its address. */
  readonly target: string;
  /** What it replaced. */
  readonly old: string;
  /** Where its text is now. */
  readonly now: OffsetRange;
}

/**
 * The first of `changes` inside a range of `text` that a body for all of the range takes back: the
 * body has the text from before that change, or not what it inserted. Null for none.
 */
export function takesBack(
  text: string,
  range: OffsetRange,
  changes: readonly EarlierChange[],
  lines: readonly string[],
): EarlierChange | null {
  const body = squeezed(lines.join(""));
  const isTaken = ({ old, now }: EarlierChange) => {
    const [before, written] = [squeezed(old), squeezed(text.slice(now.start, now.end))];
    const isKept = written === before || (written !== "" && body.includes(written));
    return !isKept && body.includes(before);
  };
  return (
    changes.find(
      (change) => range.start <= change.now.start && change.now.end <= range.end && isTaken(change),
    ) ?? null
  );
}
