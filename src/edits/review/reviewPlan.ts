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
  /**
   * True when the user changed these lines of the real file while the hunk was pending. Never
   * accepted with the rest.
   */
  readonly conflict: boolean;
}

/**
 * Edits that lead from one text to another; sorted, without overlap, in offsets of the text before.
 */
export interface ReviewEdits {
  readonly edits: readonly TextEdit[];
  readonly textBefore: string;
  readonly textAfter: string;
}

/** Edits of the file, not yet made, that accept hunks. */
export interface ReviewPlan extends ReviewEdits {
  readonly hunkIds: readonly string[];
  /** One entry per hunk and block. */
  readonly blockIds: readonly string[];
}
