import type { FileError, FileRef, FileSnapshot } from "./workspace.ts";

/** What speaks against accepting a block unseen; `forgotten` where Graft no longer knows what the model read. */
export type BlockWarning =
  | { readonly code: "elision"; readonly line: string }
  | { readonly code: "deletion"; readonly removed: number; readonly written: number }
  | { readonly code: "syntax" | "edited-meanwhile" }
  | { readonly code: "never-read"; readonly forgotten: boolean }
  | { readonly code: "repeats-line"; readonly line: string }
  | { readonly code: "cuts-brackets" | "unchecked-end" }
  | { readonly code: "cuts-element" | "loses-element" | "doubles-element"; readonly path: string };

/** Why a review did not simply apply a block. */
export type ReviewReason =
  | { readonly code: "rejected-by-user" | "edited-meanwhile" | "already-there" | "not-accepted-automatically" }
  | { readonly code: "withdrawn" | "no-longer-proposed" | "request-stopped" | "review-closed" | "file-gone" }
  | { readonly code: "partly-accepted"; readonly accepted: number; readonly hunks: number }
  | { readonly code: "write-failed"; readonly error: FileError };

/** One captured block inside a proposal. */
export interface ProposedBlock {
  /** Unique in the turn. */
  readonly blockId: string;
  /** Half-open range of UTF-16 offsets in the proposal's text that the block wrote; empty for a deletion. */
  readonly start: number;
  readonly end: number;
  /** A block with warnings is never accepted automatically. */
  readonly warnings: readonly BlockWarning[];
}

/** The step from an earlier text `before` to a proposal's: at `start`, `oldText` became `newText`. */
export interface ProposalChange {
  readonly before: string;
  readonly start: number;
  readonly oldText: string;
  readonly newText: string;
}

/** A file's whole proposed text and where each block's part of it is. It grows while the answer streams. */
export interface Proposal {
  readonly text: string;
  readonly blocks: readonly ProposedBlock[];
  /** The step from an earlier text, most often the proposal before, where it is known: comparing whole texts takes long. */
  readonly change?: ProposalChange;
}

/** The outcome of one block. */
export interface BlockOutcome {
  readonly blockId: string;
  readonly status: "applied" | "partly-applied" | "rejected" | "conflict";
  /** Null for plain success. */
  readonly reason: ReviewReason | null;
}

/** How a review ended. */
export interface ReviewOutcome {
  readonly blocks: readonly BlockOutcome[];
  /** The real file's text afterwards; null when the file still does not exist. */
  readonly text: string | null;
  /** A unified diff of what the user changed in the proposal, null when nothing. */
  readonly userDiff: string | null;
  /** Where the file is now, if it was renamed or moved during the review. */
  readonly file?: FileRef;
}

/** One file's proposal before the user. Nothing touches the user's file until the user accepts. */
export interface Review {
  /** The proposal has grown while the answer streams: `proposal` gives it as it stands when it is called. Cheap to call often; returns at once. */
  update(proposal: () => Proposal): void;
  /** Waits until every hunk is decided; aborting withdraws the rest. `decided` gets the decided and conflicting ones each time. */
  decide(proposal: Proposal, signal: AbortSignal, decided: (blocks: readonly BlockOutcome[]) => void): Promise<ReviewOutcome>;
  /** Withdraws what is undecided and closes the preview. */
  dispose(): void;
}

/** A change that reached the user's file: its whole text before and after, null where there was no file. */
export interface AppliedChange {
  readonly file: FileRef;
  readonly before: string | null;
  readonly after: string;
}

/** Opens reviews: the diff editor in VS Code, an automatic answer on the command line. */
export interface Reviewer {
  /** Starts a review of changes to `snapshot` for the edit request `callId`. `applied` gets each change right after it is made. */
  open(snapshot: FileSnapshot, callId: string, applied?: (change: AppliedChange) => void): Review;
}
