import type * as vscode from "vscode";
import type { ReviewState } from "../../edits/review/reviewState.ts";
import type { ReviewEvents } from "../../ports/review.ts";
import type { FileError } from "../../ports/workspace.ts";
import type { ProposalDocumentOptions } from "../proposals/proposalDocumentOptions.ts";
import type { FileAccess, FileProblem } from "../proposals/realFile.ts";
import type { ReviewedBlocksDeps } from "../proposals/reviewedBlocks.ts";
import type { EditorDocument } from "../proposals/trackedDocument.ts";
import type { StoredProposal } from "../storage/proposalStore.ts";
import type { FileReview } from "./fileReview.ts";

/** What a review needs from the preview it belongs to. */
export interface FileReviewDeps<D extends EditorDocument>
  extends FileAccess<D>,
    Pick<
      ProposalDocumentOptions<D>,
      "memory" | "save" | "cleanUpOnSave" | "isInUse" | "keptUndone"
    >,
    Pick<ReviewEvents, "applied">,
    Pick<ReviewedBlocksDeps, "decided"> {
  readonly model: ReviewState;
  readonly proposalUri: vscode.Uri;
  /** Null when the file can be written, else why not. */
  refusal(): Promise<FileError | null>;
  /**
   * True when changes that need no second look are accepted as soon as the proposal is complete.
   */
  acceptsAtOnce(): boolean;
  /** The proposal grew; `offset` is where it was written last. */
  grew(review: FileReview<D>, offset: number): void;
  /** A message is complete: from now on its hunks can be decided. */
  complete(review: FileReview<D>): void;
  /** The user may have typed in the proposal after its last hunk was decided. */
  typedLate(review: FileReview<D>): void;
  /** Anything that is drawn may have changed. */
  changed(): void;
  /** Anything that outlasts the window may have changed; settles when it is on record. */
  keep(): Promise<void>;
  /** The review is over. Called once. */
  over(review: FileReview<D>, last: LastDecision): Promise<void>;
  /** Tells the user why a decision had no effect, without waiting for an answer. */
  tell(problem: DecisionProblem): void;
}

/**
 * Where a decision was made. After one by a command in an editor the focus moves on from there;
 * `elsewhere` is another window, which now has the review.
 */
export type DecidedBy = "panel" | "command" | "typing" | "elsewhere";

/** The last decision on a review, and the 0-based line of the file where it was made, or null. */
export interface LastDecision {
  readonly by: DecidedBy;
  readonly line: number | null;
}

/** One of many accepts that are made together. */
export interface OneOfMany {
  /** The file has the change. */
  readonly made: ReviewEvents["applied"];
  /** Called when the file could be changed; settles when it may be, false where it may not. */
  mayChange(): Promise<boolean>;
}

/** Why a decision had no effect. */
export type DecisionProblem =
  | FileProblem
  | { readonly code: "still-streaming" | "out-of-step" | "conflict" }
  | { readonly code: "file-error"; readonly error: FileError };

/**
 * What a review is about; `blocks` are those of earlier messages, for a review that goes on after a
 * restart.
 */
export type ReviewedFile = Omit<StoredProposal, "review">;
