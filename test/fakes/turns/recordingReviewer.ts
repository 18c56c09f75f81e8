import type { BlockOutcome, Proposal, Review, Reviewer, ReviewOutcome } from "../../../src/ports/review.ts";
import type { FileSnapshot } from "../../../src/ports/workspace.ts";

/** What a reviewer was shown of one file. */
export interface RecordedReview {
  readonly path: string;
  readonly callId: string;
  readonly updates: Proposal[];
  decided: Proposal | null;
  disposed: boolean;
}

/** Keeps what it is shown and decides as it is told. */
export class RecordingReviewer implements Reviewer {
  readonly reviews: RecordedReview[] = [];
  private readonly answer: Review["decide"];

  /** `answer` gives the decision; left out, every block is accepted. */
  constructor(answer: Review["decide"] = acceptAll) {
    this.answer = answer;
  }

  open(snapshot: FileSnapshot, callId: string): Review {
    const review: RecordedReview = { path: snapshot.file.path, callId, updates: [], decided: null, disposed: false };
    this.reviews.push(review);
    return {
      update: (proposal) => review.updates.push(proposal()),
      decide: (proposal, signal, decided) => {
        review.decided = proposal;
        return this.answer(proposal, signal, decided);
      },
      dispose: () => {
        review.disposed = true;
      },
    };
  }
}

async function acceptAll({ text, blocks }: Proposal): Promise<ReviewOutcome> {
  return { text, userDiff: null, blocks: blocks.map(({ blockId }): BlockOutcome => ({ blockId, status: "applied", reason: null })) };
}
