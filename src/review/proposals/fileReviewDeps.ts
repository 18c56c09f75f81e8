import type { ReviewState } from "../../edits/review/reviewState.ts";
import type { AppliedChange, ReviewEvents, ReviewOrigin } from "../../ports/review.ts";
import type { FileError, Workspace } from "../../ports/workspace.ts";
import type { EditorDocument } from "../documents/documentSync.ts";
import type { EditorFiles } from "../documents/editorFiles.ts";
import type { ProposalDocumentOptions } from "../documents/proposalDocumentOptions.ts";
import type { FileProblem } from "./originalFile.ts";

/** What a file's review needs from the list of reviews and from the editor. */
export interface FileReviewDeps<D extends EditorDocument>
  extends Omit<EditorFiles<D>, "stateOf">,
    Omit<ProposalPlace, "uri"> {
  readonly model: ReviewState;
  readonly proposalUri: ProposalPlace["uri"];
  readonly workspace: Pick<Workspace, "resolve" | "writable">;
  readonly events: Pick<ReviewEvents, "decided" | "applied">;
  /**
   * True when changes that need no second look are accepted as soon as the proposal is complete.
   */
  acceptsAtOnce(): boolean;
  /** Hears what the window is to show. */
  show(what: ToShow): void;
  /** Anything that outlasts the window may have changed; settles when it is on record. */
  keepRecord(): Promise<void>;
  /** The review is over. Called once. */
  over(last: LastDecision): Promise<void>;
  log(message: string): void;
}

/** Where a proposal's document is. */
export interface ProposalPlace
  extends Pick<ProposalDocumentOptions<EditorDocument>, "memory" | "isInUse"> {
  readonly uri: string;
}

/** What the window is to show of a review. */
export type ToShow =
  /** The proposal grew; `offset` is where it was written last. */
  | { readonly type: "grew"; readonly offset: number }
  /** A message is complete: from now on its hunks can be decided. */
  | { readonly type: "complete" }
  /** Anything that is drawn may have changed. */
  | { readonly type: "changed" }
  /** The user may have typed in the proposal after its last hunk was decided. */
  | { readonly type: "typed-late" }
  /** The user undid in the proposal what came from the file or from Graft: that stays as it is. */
  | { readonly type: "kept-undone" }
  /** Why a decision had no effect. */
  | { readonly type: "refused"; readonly problem: DecisionProblem };

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

/** A change that an accept made to the file. */
export interface AcceptedChange {
  readonly origin: ReviewOrigin;
  readonly change: AppliedChange;
}

/** Why a decision had no effect. */
export type DecisionProblem =
  | FileProblem
  | { readonly code: "still-streaming" | "out-of-step" | "conflict" }
  | { readonly code: "file-error"; readonly error: FileError };
