import type {
  BlockOutcome,
  PendingProposal,
  Proposal,
  Review,
  Reviewer,
  ReviewOrigin,
  ReviewOutcome,
} from "../../../src/ports/review.ts";
import type { FileRef, FileSnapshot } from "../../../src/ports/workspace.ts";

/** What a reviewer was shown of one file. */
export interface RecordedReview {
  readonly path: string;
  readonly origin: ReviewOrigin;
  readonly updates: Proposal[];
  /** The complete blocks, each time there was one more. */
  readonly kept: Proposal[];
  proposed: Proposal | null;
  /** True where the answer was stopped. */
  stopped: boolean;
  disposed: boolean;
}

/** Gives the outcome of a complete proposal. */
export type Answer = (proposal: Proposal, stopped: boolean) => Promise<ReviewOutcome>;

/** Keeps what it is shown and answers as it is told. Has nothing pending, whatever it answers. */
export class RecordingReviewer implements Reviewer {
  readonly reviews: RecordedReview[] = [];
  private readonly answer: Answer;

  /** `answer` left out, every block is accepted at once. */
  constructor(answer: Answer = answerAll("applied")) {
    this.answer = answer;
  }

  open(snapshot: FileSnapshot, origin: ReviewOrigin): Review {
    const review: RecordedReview = {
      path: snapshot.file.path,
      origin,
      updates: [],
      kept: [],
      proposed: null,
      stopped: false,
      disposed: false,
    };
    this.reviews.push(review);
    return {
      update: (proposal) => review.updates.push(proposal()),
      async keep(complete) {
        review.kept.push(complete);
      },
      propose: (proposal, stopped) => {
        Object.assign(review, { proposed: proposal, stopped });
        return this.answer(proposal, stopped);
      },
      dispose: () => {
        review.disposed = true;
      },
    };
  }

  pending(_file: FileRef): PendingProposal | null {
    return null;
  }

  allPending(): readonly PendingProposal[] {
    return [];
  }
}

/** The same outcome for every block; those of a stopped answer are pending. */
export function answerAll(
  status: BlockOutcome["status"],
  reason: BlockOutcome["reason"] = null,
): Answer {
  return async ({ text, blocks }, stopped) => {
    const outcome = stopped ? { status: "pending" as const, reason: null } : { status, reason };
    return { text, blocks: blocks.map(({ blockId }): BlockOutcome => ({ blockId, ...outcome })) };
  };
}
