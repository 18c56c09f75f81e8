/** A replacement in UTF-16 offsets, half-open, of the text it is applied to. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly newText: string;
}

/** Half-open range of 0-based lines. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** One difference between the real file and the proposal. */
export interface Hunk {
  /** Stays the same while the hunk's own lines do. */
  readonly id: string;
  readonly real: LineRange;
  readonly proposed: LineRange;
  /** The blocks that wrote it; empty for a change that is the user's own. */
  readonly blockIds: readonly string[];
  readonly warning: string | null;
  /** True when the user changed these lines of the real file while the hunk was pending: never accepted with the rest. */
  readonly conflict: boolean;
}

/** Edits to one side, worked out but not yet made. `edits` are sorted, do not overlap, and all refer to the text before. */
export interface ReviewPlan {
  readonly side: "real" | "proposed";
  readonly edits: readonly TextEdit[];
  readonly textBefore: string;
  readonly textAfter: string;
}

/**
 * The state of one file's review, free of any editor. Two texts, one state: pending hunks are the differences between the real
 * text and the proposed one; accepting moves a hunk to the real text, rejecting moves the real lines to the proposal.
 *
 * Whoever shows it asks for a plan, makes its edits, and then says `commit(plan)`; a plan that could not be made is dropped
 * and changes nothing. What the user types goes in through `userEdited`.
 */
export interface ReviewModel {
  readonly real: string;
  readonly proposed: string;
  /** Sorted by line. Linear in the texts; cached until one of them changes. */
  hunks(): readonly Hunk[];
  /** The proposal as the stream has it now; the user's own edits to either side are kept. */
  planProposal(proposal: import("../ports/review.ts").Proposal): ReviewPlan;
  /** Edits that accept hunks. Unknown ids are left out. */
  planAccept(hunkIds: readonly string[]): ReviewPlan;
  /** Edits that reject hunks. */
  planReject(hunkIds: readonly string[]): ReviewPlan;
  /** The plan's edits have been made. */
  commit(plan: ReviewPlan): void;
  /** The user changed one side. For the real side the answer is the edits that keep the proposal in step (outside pending hunks), else null. */
  userEdited(side: "real" | "proposed", edits: readonly TextEdit[], textAfter: string): ReviewPlan | null;
  /** The result so far; hunks still pending count as rejected. */
  outcome(): import("../ports/review.ts").ReviewOutcome;
}
