import * as z from "zod/mini";
import type { Result } from "../base/result.ts";
import { FILE_ERROR_CODES } from "./fileErrorCodes.ts";
import type { FileError, FileRef, FileSnapshot } from "./workspace.ts";
import { changeRefusal } from "./workspaceFiles.ts";

/** {@link BlockWarning} in a history file. */
export const blockWarningSchema = z.discriminatedUnion("code", [
  z.object({ code: z.literal("elision"), line: z.string() }),
  z.object({ code: z.literal("deletion"), removed: z.int(), written: z.int() }),
  z.object({ code: z.enum(["syntax", "edited-meanwhile"]) }),
  // A tag behind it may end reasoning, of which it would be a part.
  z.object({ code: z.literal("maybe-reasoning") }),
  z.object({ code: z.literal("never-read"), forgotten: z.boolean() }),
  // The lines it names may not be those it means.
  z.object({ code: z.literal("repeats-line"), line: z.string() }),
  // It replaces a line that returned, and nothing in its place does.
  z.object({ code: z.literal("loses-return"), line: z.string() }),
  z.object({ code: z.enum(["cuts-brackets", "unchecked-end"]) }),
  // Its indentation, or a blank at a line end, is likely a slip.
  z.object({ code: z.literal("whitespace"), line: z.string() }),
  z.object({ code: z.literal("cuts-element"), path: z.string() }),
  // A copied line has a word that is nowhere else in place of one that the file knows.
  z.object({ code: z.literal("typo"), word: z.string(), known: z.string() }),
  // The body does not hold the element it replaces, or also holds a sibling.
  z.object({ code: z.enum(["loses-element", "doubles-element"]), path: z.string() }),
  // Members of the element it replaces are gone, and the answer names none of them.
  z.object({ code: z.literal("loses-members"), path: z.string(), names: z.array(z.string()) }),
  // The head of the element it replaces had more: decorators, modifiers.
  z.object({ code: z.literal("loses-head"), lost: z.string() }),
  // The code of a line of the element it replaces is kept, the comment after it is not.
  z.object({ code: z.literal("loses-comment"), line: z.string() }),
  // A comment may be there twice, or lines are.
  z.object({ code: z.enum(["doubles-comment", "doubles-lines"]), line: z.string() }),
]);

/**
 * What speaks against accepting a block unseen; `forgotten` where Graft no longer knows what the
 * model read.
 */
export type BlockWarning = Readonly<z.infer<typeof blockWarningSchema>>;

/** A {@link FileError} in a history file. */
export const fileErrorSchema = z.object({
  code: z.enum(FILE_ERROR_CODES),
  path: z.string(),
  detail: z.exactOptional(z.string()),
  bytes: z.exactOptional(z.number()),
});

/** {@link ReviewReason} in a history file. */
export const reviewReasonSchema = z.discriminatedUnion("code", [
  z.object({
    code: z.enum([
      "rejected-by-user",
      "edited-meanwhile",
      "already-there",
      "not-accepted-automatically",
    ]),
  }),
  z.object({
    code: z.enum([
      "withdrawn",
      "review-closed",
      "file-gone",
      "deletion-proposed",
      "file-changed",
      "proposals-elsewhere",
      // It is an answer beside those of other models, of which the user chooses.
      "compared",
      // The answer of another chat writes the file.
      "being-written",
    ]),
  }),
  // The user accepted it, and the file lost it before it was saved.
  z.object({ code: z.literal("not-saved") }),
  // A later edit has other text for the same place: the block `by`, in its file's review, or one of
  // another chat or agent; `became` is what became of that one, absent while it waits.
  z.object({
    code: z.literal("superseded"),
    by: z.exactOptional(z.string()),
    ofOthers: z.exactOptional(z.literal(true)),
    became: z.exactOptional(z.enum(["applied", "partly-applied", "rejected", "withdrawn"])),
  }),
  // The proposal has the file's own text there again, by a later edit, or by this call's command.
  z.object({ code: z.literal("taken-back"), callId: z.exactOptional(z.string()) }),
  z.object({ code: z.literal("partly-accepted"), accepted: z.int(), hunks: z.int() }),
  z.object({ code: z.literal("write-failed"), error: fileErrorSchema }),
]);

/** Why a review did not simply apply a block. */
export type ReviewReason = Readonly<z.infer<typeof reviewReasonSchema>>;

/** One captured block inside a proposal. */
export interface ProposedBlock {
  /** Unique in the turn. */
  readonly blockId: string;
  /**
   * Half-open range of UTF-16 offsets in the proposal's text that the block wrote; empty for a
   * deletion.
   */
  readonly start: number;
  readonly end: number;
  /** A block with warnings is never accepted automatically. */
  readonly warnings: readonly BlockWarning[];
}

/**
 * The step from an earlier text `before` to a proposal's: at `start`, `oldText` became `newText`.
 */
export interface ProposalChange {
  readonly before: string;
  readonly start: number;
  readonly oldText: string;
  readonly newText: string;
}

/**
 * A file's whole proposed text and where each block's part of it is. It grows while the answer
 * streams.
 */
export interface Proposal {
  readonly text: string;
  readonly blocks: readonly ProposedBlock[];
  /**
   * The step from an earlier text, most often the proposal before, where it is known: comparing
   * whole texts takes long.
   */
  readonly change?: ProposalChange;
}

/** A {@link BlockOutcome} in a file. */
export const blockOutcomeSchema = z.object({
  blockId: z.string(),
  status: z.enum([
    "pending",
    "applied",
    "partly-applied",
    "rejected",
    "conflict",
    "superseded",
    "withdrawn",
  ]),
  /** Null for plain success, and while the block is pending. */
  reason: z.nullable(reviewReasonSchema),
  /**
   * While nothing of it is decided, its part of the file's difference; absent otherwise. Of a hunk
   * that several blocks wrote, the last one has all.
   */
  part: z.exactOptional(z.object({ addedLines: z.int(), removedLines: z.int() })),
  /** Set where something of it was accepted that the disk may not have yet. */
  isUnsaved: z.exactOptional(z.literal(true)),
  /** Why the user rejected it, or a part of it, in their words; absent where they did not say. */
  rejection: z.exactOptional(z.string()),
});

/** What became of one block so far. A `pending` one, and one in `conflict`, waits for the user. */
export type BlockOutcome = Readonly<z.infer<typeof blockOutcomeSchema>>;

/** What became of the blocks of one message so far. */
export interface ReviewOutcome {
  readonly blocks: readonly BlockOutcome[];
  /**
   * The proposed text; the file's own where nothing is pending, null where there is no file
   * either.
   */
  readonly text: string | null;
}

/**
 * One message's part in a file's proposal. Nothing touches the user's file until the user accepts.
 */
export interface Review {
  /**
   * The part has grown while the answer streams: `proposal` gives it as it stands when it is
   * called. Cheap to call often; returns at once.
   */
  update(proposal: () => Proposal): void;
  /**
   * Blocks of the part are complete, while others may follow: settles when they outlast a crash, or
   * cannot.
   */
  keep(complete: Proposal): Promise<void>;
  /**
   * The part is complete and pending until the user decides, whenever that is: {@link ReviewEvents}
   * tell of it. Settles at once, or when everything is accepted that a setting accepts without the
   * user; nothing is where the answer was `stopped`.
   */
  propose(proposal: Proposal, stopped: boolean): Promise<ReviewOutcome>;
  /** Takes back a part that was never complete. */
  dispose(): void;
}

/**
 * A change that reached the user's file: its whole text before and after, null where there is no
 * file.
 */
export interface AppliedChange {
  readonly file: FileRef;
  readonly before: string | null;
  readonly after: string | null;
  /** The path that the text moved to, where a rename took it away. */
  readonly movedTo?: string;
  /** Set where it was a program that was deleted or moved away. */
  readonly executable?: true;
  /** The blocks that were accepted with it. */
  readonly blocks?: { readonly turnId: string; readonly blockId: string }[];
}

/** The edit request that a block belongs to. */
export interface ReviewOrigin {
  readonly chatId: string;
  readonly turnId: string;
  readonly callId: string;
  /** What an agent of another maker is called, see `guestName`; absent for Graft's own. */
  readonly agent?: string;
  /** Set where the call's command changed the file. */
  readonly isCommand?: true;
}

/**
 * What happens to a turn's blocks after they were proposed; the turn may be over, and its chat
 * closed.
 */
export interface ReviewEvents {
  /**
   * These blocks have another outcome. `userDiff` is what the user changed in the file's proposal,
   * where nothing of it is left to decide.
   */
  decided(
    origin: ReviewOrigin,
    path: string,
    blocks: readonly BlockOutcome[],
    userDiff: string | null,
  ): void;
  /** A change has just been made to the file. */
  applied(origin: ReviewOrigin, change: AppliedChange): void;
  /** A change was taken back: the file has the text again that it had before. */
  takenBack(origin: ReviewOrigin, change: AppliedChange): void;
}

/** A block by its name in the request that wrote it. */
export interface BlockSource {
  readonly origin: ReviewOrigin;
  /** Unique in the turn. */
  readonly blockId: string;
}

/** A file's proposal as it is now, without what an answer is still writing to it. */
export interface PendingProposal {
  readonly file: FileRef;
  readonly text: string;
  /** Its differences from the file: the chats that wrote each, none where the user alone did. */
  readonly hunks: readonly (readonly ReviewOrigin[])[];
  /** The blocks that wrote it, decided ones included, and where in the text each part of them is. */
  readonly blocks: readonly (ProposedBlock & BlockSource)[];
}

/** A file to delete, to move, or to make a program or none. */
export interface FileOperation {
  readonly file: FileRef;
  /** Where the file goes, itself where it stays; null to delete it. */
  readonly to: FileRef | null;
  /** Set where the file stays: whether it can be executed afterwards. */
  readonly executable?: boolean;
}

/** True for an operation that leaves the file where it is: it changes only its mode. */
export function changesMode({ executable }: FileOperation): boolean {
  return executable !== undefined;
}

/** True where an operation takes away or fills a protected file, or one that may hold keys. */
export function isProtectedOperation({ file, to }: FileOperation): boolean {
  return [file, to].some((place) => place !== null && changeRefusal(place, false) !== null);
}

/** A file operation that waits for the user. */
export interface PendingOperation extends FileOperation, BlockSource {}

/**
 * Deletions, moves and modes of files that the user decides on before they happen; {@link ReviewEvents}
 * tell of the decision.
 */
export interface OperationReviewer {
  /** False where the user reviews afterwards, so that operations are done at once. */
  readonly beforehand: boolean;
  /**
   * Set where nobody decides while a turn runs, so that new files and copies wait, too. `drop`
   * forgets what is pending of a file's text.
   */
  readonly aside?: { drop(file: FileRef): void } | undefined;
  /** All that wait, oldest first; of a file at most one. */
  readonly pending: readonly PendingOperation[];
  /**
   * Leaves an operation to the user. Settles, with its outcome so far, when it is on record; an
   * error when it cannot be proposed. Taking back a proposed mode withdraws that. A mode may be
   * that of a new file that is proposed: it is decided with the file.
   */
  propose(operation: PendingOperation): Promise<Result<BlockOutcome, FileError>>;
  /** The command of this call has brought the file back. */
  withdraw(operation: PendingOperation, callId: string): Promise<void>;
}

/**
 * The proposals of the workspace, one a file at most: in VS Code's diff editor, or decided
 * automatically on the command line.
 */
export interface Reviewer {
  /**
   * Begins a message's part in the proposal of `snapshot`'s file; where there is a proposal,
   * `snapshot` has its text.
   */
  open(snapshot: FileSnapshot, origin: ReviewOrigin): Review;
  /** What is pending for a file, or null. */
  pending(file: FileRef): PendingProposal | null;
  /** All that is pending, oldest first. */
  allPending(): readonly PendingProposal[];
  /** Absent where operations are done at once. */
  readonly operations?: OperationReviewer;
}
