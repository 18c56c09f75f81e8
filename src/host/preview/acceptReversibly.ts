import type { AppliedChange, ReviewOrigin } from "../../ports/review.ts";
import type { StoredProposal } from "../proposals/proposalStore.ts";
import type { FileReview } from "./fileReview.ts";
import type { DecisionProblem } from "./fileReviewDeps.ts";

/** A change that an accept made to a file, and the proposal as it was before, so that the change can be taken back. */
export interface AcceptedChange {
  readonly review: FileReview;
  readonly origin: ReviewOrigin;
  readonly change: AppliedChange;
  readonly proposal: StoredProposal;
}

/** Accepts hunks so that the change can be taken back. The user is not told of a problem. */
export async function acceptReversibly(
  review: FileReview,
  hunkIds: readonly string[],
): Promise<{ readonly problem: DecisionProblem | null; readonly accepted: AcceptedChange | null }> {
  const before = review.stored();
  let accepted: AcceptedChange | null = null;
  const made = (origin: ReviewOrigin, change: AppliedChange) => {
    const now = review.stored();
    if (!now || !before) return;
    // What the user typed in the proposal while the accept was on its way is in it, too.
    const { real, userLines, decided, unsaved } = before.review;
    const { unsaved: _, ...typed } = now.review;
    const record = { ...typed, real, userLines, decided, ...(unsaved && { unsaved }) };
    const proposal = { ...now, exists: before.exists, review: record };
    accepted = { review, origin, change, proposal };
  };
  const problem = await review.accept(hunkIds, false, made).catch(() => ({ code: "not-applied" }) as const);
  return { problem, accepted };
}
