import type { ReviewReason } from "../../ports/review.ts";
import { touchLines } from "./reviewHunks.ts";
import type { PlacedHunk } from "./reviewPlan.ts";

/**
 * The blocks that have lost their last hunk between two moments in which the file did not change,
 * and why: another block has other text in its place, or the file's own text is there again, by
 * this call's `command` or (null) by an answer.
 */
export function lostBlocks(
  before: readonly PlacedHunk[],
  now: readonly PlacedHunk[],
  command: string | null,
): readonly (readonly [blockId: string, reason: ReviewReason])[] {
  const [known, left] = [blocksOf(before), blocksOf(now)];
  const taken = { code: "taken-back", ...(command !== null && { callId: command }) } as const;
  const written = now.filter(({ blockIds }) => blockIds.some((id) => !known.has(id)));
  return [...known]
    .filter((id) => !left.has(id))
    .map((id) => {
      const own = before.filter(({ blockIds }) => blockIds.includes(id));
      const hunk = written.find((each) => own.some((other) => touchLines(each, other)));
      const by = hunk?.blockIds.find((other) => !known.has(other));
      return [id, by === undefined ? taken : { code: "superseded", by }];
    });
}

/** The blocks that wrote these hunks. */
export function blocksOf(hunks: readonly PlacedHunk[]): ReadonlySet<string> {
  return new Set(hunks.flatMap(({ blockIds }) => blockIds));
}
