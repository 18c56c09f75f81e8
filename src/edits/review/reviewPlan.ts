import type { OffsetRange } from "../../base/text/scan.ts";
import type { BlockWarning } from "../../ports/review.ts";
import type { TextEdit } from "../text/changeSet.ts";
import type { LineRange } from "../text/lineDiff.ts";

/** One difference between the real file and the proposal. */
export interface Hunk {
  /** Stable while the hunk's own lines are. */
  readonly id: string;
  readonly real: LineRange;
  readonly proposed: LineRange;
  /** The blocks that wrote it; empty for a change that is the user's own. */
  readonly blockIds: readonly string[];
  /** A hunk with warnings is never accepted with the rest. */
  readonly warnings: readonly BlockWarning[];
  /** True when the user changed its lines of the file meanwhile: never accepted with the rest. */
  readonly conflict: boolean;
}

/** A hunk with its place in UTF-16 offsets on both sides. */
export interface PlacedHunk extends Hunk {
  readonly realRange: OffsetRange;
  readonly proposedRange: OffsetRange;
  /** Equal for hunks that remove and add the same lines. */
  readonly content: string;
}

/** A hunk that keeps its id when it is found again; `start` is its offset in the proposal. */
export interface KnownHunk {
  readonly id: string;
  readonly content: string;
  readonly start: number;
}

/** Edits of the file, not yet made, that accept hunks and lead from one text to another. */
export interface AcceptPlan {
  /** Sorted, without overlap, in offsets of the text before. */
  readonly edits: readonly TextEdit[];
  readonly textBefore: string;
  readonly textAfter: string;
  readonly hunkIds: readonly string[];
  /** One entry per hunk and block. */
  readonly blockIds: readonly string[];
}
