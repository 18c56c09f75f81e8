import type { OffsetRange } from "../../base/text/scan.ts";
import type { BlockWarning, ProposedBlock } from "../../ports/review.ts";
import { lineDiff } from "../text/lineDiff.ts";
import type { ReviewLayers, WrittenPart } from "./reviewLayers.ts";
import type { Hunk, KnownHunk, PlacedHunk } from "./reviewPlan.ts";
import { changedRanges, isEmpty } from "./userLines.ts";

/** The differences of real text and proposal, sorted, with their blocks; new ones get new ids. */
export function placeHunks(
  { real, proposed, typing, blocks, userLines, known }: ReviewLayers,
  newHunkId: () => string,
): PlacedHunk[] {
  const typed = changedRanges(typing);
  // What a later block wrote anew is no longer an earlier one's.
  const written = blocks.filter(
    (block, index) =>
      !block.isOver && !blocks.slice(index + 1).some((later) => covers(later, block)),
  );
  const unused = [...known];
  return lineDiff(real, proposed).map((part) => {
    const realRange = { start: part.beforeStart, end: part.beforeEnd };
    const proposedRange = { start: part.afterStart, end: part.afterEnd };
    const content = `${real.slice(realRange.start, realRange.end)}\u0000${proposed.slice(proposedRange.start, proposedRange.end)}`;
    const writers = writersOf(proposedRange, written, typed);
    return {
      id: takeNearest(unused, content, proposedRange.start) ?? newHunkId(),
      real: part.beforeLines,
      proposed: part.afterLines,
      blockIds: [...new Set(writers.map((block) => block.blockId))],
      warnings: uniqueWarnings(writers),
      conflict:
        userLines.touched.some((lines) => inConflict(lines, realRange)) ||
        userLines.cuts.some((cut) => touch(cut, realRange)),
      realRange,
      proposedRange,
      content,
    };
  });
}

/** Blocks of one hunk may share a warning. */
function uniqueWarnings(blocks: readonly ProposedBlock[]): readonly BlockWarning[] {
  return [
    ...new Map(
      blocks.flatMap(({ warnings }) =>
        warnings.map((warning) => [JSON.stringify(warning), warning]),
      ),
    ).values(),
  ];
}

/** True when two hunks change the same or adjacent lines of the file. */
export function touchLines(a: Hunk, b: Hunk): boolean {
  return a.real.start <= b.real.end && b.real.start <= a.real.end;
}

/**
 * The blocks that share text with a hunk; if none does and the user typed nothing there, the
 * adjacent ones, as for a deletion. One of repeated lines may be shown at another of them: then the
 * nearest block.
 */
function writersOf(
  range: OffsetRange,
  blocks: readonly ProposedBlock[],
  typed: readonly OffsetRange[],
): ProposedBlock[] {
  const sharing = blocks.filter(
    (block) => overlap(block, range) || (isEmpty(block) && touch(block, range)),
  );
  if (sharing.length > 0 || typed.some((part) => touch(part, range))) return sharing;
  const adjacent = blocks.filter((block) => touch(block, range));
  if (adjacent.length > 0 || !isEmpty(range)) return adjacent;
  const distance = ({ start, end }: ProposedBlock) =>
    Math.max(start - range.end, range.start - end);
  const nearest = [...blocks].sort((a, b) => distance(a) - distance(b))[0];
  return nearest ? [nearest] : [];
}

/** Adjacent lines do not conflict; an insertion does with lines around or removed at its place. */
function inConflict(lines: OffsetRange, hunk: OffsetRange): boolean {
  return overlap(lines, hunk) || (isEmpty(lines) && isEmpty(hunk) && lines.start === hunk.start);
}

function takeNearest(unused: KnownHunk[], content: string, start: number): string | null {
  let best = -1;
  let bestDistance = Number.POSITIVE_INFINITY;
  unused.forEach((hunk, index) => {
    const distance = Math.abs(hunk.start - start);
    if (hunk.content !== content || distance >= bestDistance) return;
    best = index;
    bestDistance = distance;
  });
  return unused.splice(best, best < 0 ? 0 : 1)[0]?.id ?? null;
}

function overlap(a: OffsetRange, b: OffsetRange): boolean {
  return a.start < b.end && b.start < a.end;
}

/** True where a block of a later message wrote over all of an earlier one's text. */
function covers(later: WrittenPart, earlier: WrittenPart): boolean {
  if (later.message === earlier.message || isEmpty(later)) return false;
  return isEmpty(earlier)
    ? later.start < earlier.start && earlier.start < later.end
    : later.start <= earlier.start && earlier.end <= later.end;
}

function touch(a: OffsetRange, b: OffsetRange): boolean {
  return a.start <= b.end && b.start <= a.end;
}
