import type * as vscode from "vscode";
import type { ReviewState } from "../../edits/review/reviewState.ts";
import type { ReviewEvents } from "../../ports/review.ts";
import type { FileError, FileRef } from "../../ports/workspace.ts";
import type { ProposalDocumentOptions } from "../proposals/proposalDocumentOptions.ts";
import type { StoredProposal } from "../proposals/proposalStore.ts";
import type { ReviewedBlocksDeps } from "../proposals/reviewedBlocks.ts";
import type { EditorDocument } from "../proposals/trackedDocument.ts";
import type { FileReview } from "./fileReview.ts";

/** What a review needs from the preview it belongs to. */
export interface FileReviewDeps<D extends EditorDocument>
  extends Pick<ProposalDocumentOptions<D>, "memory" | "apply" | "save" | "cleanUpOnSave" | "isInUse" | "keptUndone">,
    Pick<ReviewEvents, "applied">,
    Pick<ReviewedBlocksDeps, "decided"> {
  readonly model: ReviewState;
  readonly proposalUri: vscode.Uri;
  uriOf(file: FileRef): vscode.Uri;
  /** Opens the document of a file that exists. */
  openFile(uri: vscode.Uri): Promise<D>;
  /** True while the document shows an older text than its file has. */
  isStale(document: D): Promise<boolean>;
  /** The text that the document's file has, as the editor would read it; null where it cannot be read. */
  onDisk(document: D): Promise<string | null>;
  /** Writes a new file; false when it cannot be created. */
  createFile(uri: vscode.Uri, text: string): Promise<boolean>;
  /** Null when the file can be written, else why not. */
  refusal(): Promise<FileError | null>;
  /** True when changes that need no second look are accepted as soon as the proposal is complete. */
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
  /** The review is over; `line` is the 0-based line of the real file where the last decision was made, or null. Called once. */
  over(review: FileReview<D>, line: number | null): Promise<void>;
  /** Tells the user why a decision had no effect, without waiting for an answer. */
  tell(problem: DecisionProblem): void;
  log(message: string): void;
}

/** Why a decision had no effect. */
export type DecisionProblem =
  | { readonly code: "still-streaming" | "out-of-step" | "cannot-open" | "stale" | "conflict" | "not-applied" | "cannot-create" }
  | { readonly code: "file-error"; readonly error: FileError };

/** What a review is about; `blocks` are those of earlier messages, for a review that goes on after a restart. */
export type ReviewedFile = Omit<StoredProposal, "review">;
