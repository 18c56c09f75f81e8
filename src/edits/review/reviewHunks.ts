import type { OffsetRange } from "../../base/text/scan.ts";
import type { BlockWarning } from "../../ports/review.ts";
import { lineDiff } from "../text/lineDiff.ts";
import type { Hunk } from "./reviewPlan.ts";
import { isEmpty, type UserLines } from "./userLines.ts";

/** A block's part of the proposal, in offsets of the proposal as it is now. */
export interface TrackedBlock {
  readonly blockId: string;
  readonly warnings: readonly BlockWarning[];
  readonly range: OffsetRange;
}

/** A hunk with its place in UTF-16 offsets on both sides. */
export interface PlacedHunk extends Hunk {
  readonly realRange: OffsetRange;
  readonly proposedRange: OffsetRange;
  /** Equal for hunks that remove and add the same lines. */
  readonly content: string;
}

/**
 * A hunk that was shown before and keeps its id when it is found again. `start` is its offset in
 * the proposal.
 */
export interface KnownHunk {
  readonly id: string;
  readonly content: string;
  readonly start: number;
}

/** What hunks are made from. */
export interface HunkSources {
  readonly real: string;
  readonly proposed: string;
  readonly blocks: readonly TrackedBlock[];
  readonly userLines: UserLines;
  /** The parts of the proposal that the user typed. */
  readonly typed: readonly OffsetRange[];
  readonly known: readonly KnownHunk[];
  newHunkId(): string;
}

/**
 * The differences between the real text and the proposal, each with the blocks that wrote it;
 * sorted.
 */
export function placeHunks(sources: HunkSources): PlacedHunk[] {
  const { real, proposed, blocks, userLines, typed } = sources;
  const unused = [...sources.known];
  return lineDiff(real, proposed).map((part) => {
    const realRange = { start: part.beforeStart, end: part.beforeEnd };
    const proposedRange = { start: part.afterStart, end: part.afterEnd };
    const content = `${real.slice(realRange.start, realRange.end)}\u0000${proposed.slice(proposedRange.start, proposedRange.end)}`;
    const writers = writersOf(proposedRange, blocks, typed);
    return {
      id: takeNearest(unused, content, proposedRange.start) ?? sources.newHunkId(),
      real: part.beforeLines,
      proposed: part.afterLines,
      blockIds: writers.map((block) => block.blockId),
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
function uniqueWarnings(blocks: readonly TrackedBlock[]): readonly BlockWarning[] {
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
  blocks: readonly TrackedBlock[],
  typed: readonly OffsetRange[],
): TrackedBlock[] {
  const sharing = blocks.filter(
    (block) => overlap(block.range, range) || (isEmpty(block.range) && touch(block.range, range)),
  );
  if (sharing.length > 0 || typed.some((part) => touch(part, range))) return sharing;
  const adjacent = blocks.filter((block) => touch(block.range, range));
  if (adjacent.length > 0 || !isEmpty(range)) return adjacent;
  const distance = ({ range: { start, end } }: TrackedBlock) =>
    Math.max(start - range.end, range.start - end);
  const nearest = [...blocks].sort((a, b) => distance(a) - distance(b))[0];
  return nearest ? [nearest] : [];
}

/**
 * Adjacent lines do not conflict; an insertion conflicts with lines around its place, or removed
 * right there.
 */
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

function touch(a: OffsetRange, b: OffsetRange): boolean {
  return a.start <= b.end && b.start <= a.end;
}
