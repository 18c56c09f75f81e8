import * as vscode from "vscode";
import type { AppliedChange, ReviewOrigin } from "../../ports/review.ts";
import type { StoredProposal } from "../proposals/proposalStore.ts";
import type { WorkspaceEditApplier } from "../workspace/workspaceEditApplier.ts";
import type { FileReview } from "./fileReview.ts";
import type { DecisionProblem } from "./fileReviewDeps.ts";

/** A change that an accept made to a file, and the proposal as it was before, so that the change can be taken back. */
export interface AcceptedChange {
  readonly review: FileReview;
  readonly origin: ReviewOrigin;
  readonly change: AppliedChange;
  readonly proposal: StoredProposal;
}

/** What {@link takeBack} needs of the preview. */
export interface TakeBackDeps {
  readonly applier: Pick<WorkspaceEditApplier, "rewrite">;
  /** The pending review of a file. */
  reviewOf(uri: string): FileReview | undefined;
  /** Makes a proposal pending again. */
  reopen(proposal: StoredProposal): void;
  /** A file has the text again that it had before the change. */
  takenBack(origin: ReviewOrigin, change: AppliedChange): void;
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
    const { real, userLines, decided } = before.review;
    const proposal = { ...now, exists: before.exists, review: { ...now.review, real, userLines, decided } };
    accepted = { review, origin, change, proposal };
  };
  const problem = await review.accept(hunkIds, false, made).catch(() => ({ code: "not-applied" }) as const);
  return { problem, accepted };
}

/**
 * Takes a change back as one undo step: the file gets its earlier text, and the proposal is pending again. False for a file that changed
 * since, which stays as it is.
 */
export async function takeBack({ review, origin, change, proposal }: AcceptedChange, deps: TakeBackDeps): Promise<boolean> {
  const { uri } = change.file;
  const isLive = () => deps.reviewOf(uri) === review;
  // A review that goes on cannot follow its file to where there is none.
  if (isLive() ? change.before === null : deps.reviewOf(uri)) return false;
  const rewrite = { uri: vscode.Uri.parse(uri, true), before: change.after, after: change.before };
  if (!(await deps.applier.rewrite([rewrite]).catch(() => false))) return false;
  deps.takenBack(origin, change);
  if (!isLive()) deps.reopen(proposal);
  return true;
}
