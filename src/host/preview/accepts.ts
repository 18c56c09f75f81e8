import * as vscode from "vscode";
import { Emitter } from "../../base/emitter.ts";
import type { AppliedChange, ReviewOrigin } from "../../ports/review.ts";
import type { StoredProposal } from "../proposals/proposalStore.ts";
import type { WorkspaceEditApplier } from "../workspace/workspaceEditApplier.ts";
import type { FileReview } from "./fileReview.ts";
import type { DecisionProblem } from "./fileReviewDeps.ts";

/** A change that an accept made to a file. */
interface ReviewedChange {
  readonly review: FileReview;
  readonly origin: ReviewOrigin;
  readonly change: AppliedChange;
}

/** A change that can be taken back, with the proposal as it was before. */
export interface AcceptedChange extends ReviewedChange {
  readonly proposal: StoredProposal;
}

/** What {@link Accepts} needs of the preview. */
export interface AcceptsDeps {
  readonly applier: Pick<WorkspaceEditApplier, "rewrite">;
  /** A review as it would be kept now; null where nothing is left to decide. */
  stored(review: FileReview): StoredProposal | null;
  /** The pending review of a file. */
  reviewOf(uri: string): FileReview | undefined;
  /** Makes a proposal pending again. */
  reopen(proposal: StoredProposal): void;
  /** A file has the text again that it had before the change. */
  takenBack(origin: ReviewOrigin, change: AppliedChange): void;
}

/** Accepts hunks so that the change can be taken back: the file gets its earlier text, and the proposal is pending again. */
export class Accepts {
  private readonly deps: AcceptsDeps;
  private readonly made = new Emitter<ReviewedChange>();

  constructor(deps: AcceptsDeps) {
    this.deps = deps;
  }

  /** A change has just reached a file; its review still goes on. */
  applied(review: FileReview, origin: ReviewOrigin, change: AppliedChange): void {
    this.made.fire({ review, origin, change });
  }

  /** Accepts hunks. The user is not told of a problem. */
  async accept(
    review: FileReview,
    hunkIds: readonly string[],
  ): Promise<{ readonly problem: DecisionProblem | null; readonly accepted: AcceptedChange | null }> {
    const { stored } = this.deps;
    const before = stored(review);
    let accepted: AcceptedChange | null = null;
    const listening = this.made.on((made) => {
      const now = made.review === review ? stored(review) : null;
      if (!now || !before) return;
      // What the user typed in the proposal while the accept was on its way is in it, too.
      const { real, userLines, decided } = before.review;
      accepted = { ...made, proposal: { ...before, ...now, exists: before.exists, review: { ...now.review, real, userLines, decided } } };
    });
    try {
      const problem = await review.accept(hunkIds, false, "quiet").catch(() => ({ code: "not-applied" }) as const);
      return { problem, accepted };
    } finally {
      listening.dispose();
    }
  }

  /** Takes changes back, each as one undo step. Gives the paths of the files that changed since, which stay as they are. */
  async takeBack(accepted: readonly AcceptedChange[]): Promise<readonly string[]> {
    const left: string[] = [];
    for (const one of accepted) if (!(await this.takeBackOne(one))) left.push(one.change.file.path);
    return left;
  }

  private async takeBackOne({ review, origin, change, proposal }: AcceptedChange): Promise<boolean> {
    const { applier, reviewOf, reopen, takenBack } = this.deps;
    const { uri } = change.file;
    const isLive = () => reviewOf(uri) === review;
    // A review that goes on cannot follow its file to where there is none.
    if (isLive() ? change.before === null : reviewOf(uri)) return false;
    const rewrite = { uri: vscode.Uri.parse(uri, true), before: change.after, after: change.before };
    if (!(await applier.rewrite([rewrite]).catch(() => false))) return false;
    takenBack(origin, change);
    if (!isLive()) reopen(proposal);
    return true;
  }
}
