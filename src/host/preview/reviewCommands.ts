import * as vscode from "vscode";
import type { Hunk } from "../../edits/review/reviewPlan.ts";
import { t } from "../localize.ts";
import { keyOf } from "../proposals/reviewedBlocks.ts";
import type { FileReview } from "./fileReview.ts";
import { hunkRequest, remainingMessage } from "./messages.ts";
import type { PreviewWindow } from "./previewWindow.ts";
import { isUriOf, reviewNamed, stepAcross, stepInside, targetIn } from "./reviewTargets.ts";

/**
 * What the user decides on proposals, by lens, key, panel or command. Files are named by workspace path or by URI string, the file's or
 * the proposal's. Commands never reject.
 */
export class ReviewCommands {
  private readonly reviews: () => readonly FileReview[];
  private readonly window: PreviewWindow;

  /** `reviews` gives those that are pending, oldest first. */
  constructor(reviews: () => readonly FileReview[], window: PreviewWindow) {
    this.reviews = reviews;
    this.window = window;
  }

  /**
   * Accepts one hunk; without arguments the one at the cursor or the next one, then selects the one after it. Asks first if the user
   * edited the same lines.
   */
  acceptHunk(file?: string, hunkId?: string, overwrite = false): Promise<void> {
    return this.decideHunk(file, hunkId, async (review, hunk) => {
      // A warning is read before it is overruled.
      if (hunkId === undefined && hunk.warnings.length > 0 && !this.window.sees(review, hunk)) return this.window.select(review, hunk);
      if (overwrite || !hunk.conflict) return review.accept([hunk.id], overwrite);
      return this.resolveConflict(review, [hunk]);
    });
  }

  /** Rejects one hunk; without arguments the one at the cursor or the next one, then selects the one after it. */
  rejectHunk(file?: string, hunkId?: string): Promise<void> {
    return this.decideHunk(file, hunkId, (review, hunk) => review.reject([hunk.id]));
  }

  /** Accepts all hunks that a block wrote. Unless `overwrite`, asks first if the user edited their lines. */
  acceptBlock(turnId: string, blockId: string, overwrite = false): Promise<void> {
    return this.decideBlock(turnId, blockId, async (review, hunks) => {
      const conflict = hunks.some((hunk) => hunk.conflict);
      if (conflict && !overwrite) return this.resolveConflict(review, hunks);
      const ids = hunks.map(({ id }) => id);
      await review.accept(ids, conflict);
    });
  }

  /** Rejects all hunks that a block wrote. */
  rejectBlock(turnId: string, blockId: string): Promise<void> {
    return this.decideBlock(turnId, blockId, (review, hunks) => review.reject(hunks.map(({ id }) => id)));
  }

  /** Asks the user what should change about a hunk, by default the one at the cursor; gives the request to the model, or null. */
  async askForChange(file?: string, hunkId?: string): Promise<string | null> {
    const found = this.hunk(file, hunkId);
    if (!found) return null;
    const { review, hunk } = found;
    const words = await vscode.window.showInputBox({
      title: t("Graft: change the proposal for {path}", { path: review.path }),
      prompt: t("What should change about these lines? The answer becomes part of the proposal."),
      ignoreFocusOut: true,
    });
    if (words === undefined || words.trim() === "") return null;
    const lines = review.proposedText.split(/\r\n|\n|\r/).slice(hunk.proposed.start, hunk.proposed.end);
    return hunkRequest(t, review.path, hunk.proposed, lines, words.trim());
  }

  /** Accepts the hunks of a file, by default the active one, except conflicts. */
  async acceptFile(file?: string): Promise<void> {
    const review = this.find(file);
    if (review) await this.acceptUnless([review], (hunk) => hunk.conflict);
  }

  /** Rejects all hunks of a file, by default the active one. */
  async rejectFile(file?: string): Promise<void> {
    const review = this.find(file);
    if (review) await review.reject(review.hunks().map((hunk) => hunk.id));
  }

  /** Accepts the hunks of every file, except conflicts and hunks with a warning. */
  acceptAll(): Promise<void> {
    return this.decideAll((reviews) => this.acceptUnless(reviews, (hunk) => hunk.conflict || hunk.warnings.length > 0));
  }

  /** Rejects all hunks of every file. */
  rejectAll(): Promise<void> {
    return this.decideAll(async (reviews) => {
      for (const review of reviews) await review.reject(review.hunks().map((hunk) => hunk.id));
    });
  }

  /** Selects the next hunk of the active file, after its last one the first of the next file; elsewhere opens the oldest proposal. */
  nextChange(): Promise<void> {
    return this.step("next");
  }

  /** Selects the previous hunk of the active file, before its first one the last of the file before. */
  previousChange(): Promise<void> {
    return this.step("previous");
  }

  /** Brings a diff to the front at a hunk, by default the first: by default the active file's, else the oldest. */
  async show(file?: string, hunkId?: string): Promise<void> {
    const review = file === undefined ? (this.window.place()?.review ?? this.all()[0]) : this.find(file);
    if (!review) return;
    await this.window.show(
      review,
      review.hunks().find(({ id }) => id === hunkId),
    );
  }

  /** Shows every pending proposal in one editor. */
  async reviewAll(): Promise<void> {
    const reviews = this.all();
    if (reviews.length > 0) await this.window.showAll(reviews);
  }

  private async decideBlock(
    turnId: string,
    blockId: string,
    decide: (review: FileReview, hunks: readonly Hunk[]) => Promise<void>,
  ): Promise<void> {
    const key = keyOf({ turnId }, blockId);
    const written = (hunk: Hunk) => hunk.blockIds.includes(key);
    const review = this.reviews().find((each) => each.hunks().some(written));
    if (review) review.decidedBy = "panel";
    if (review) await decide(review, review.hunks().filter(written));
    else void vscode.window.showInformationMessage(t("That change is already decided."));
  }

  /** Asks about hunks of which the user edited some lines, and does what they answer; the others are accepted either way. */
  private async resolveConflict(review: FileReview, hunks: readonly Hunk[]): Promise<void> {
    const question = t("You edited these lines of {path}. Overwrite your edit?", { path: review.path });
    const [take, keep, show] = [t("Take Graft's"), t("Keep Mine"), t("Show Both")];
    const answer = await vscode.window.showWarningMessage(question, take, keep, show);
    if (answer === keep) await review.reject(hunks.filter(({ conflict }) => conflict).map(({ id }) => id));
    const ids = hunks.map(({ id }) => id);
    if (answer === take || answer === keep) await review.accept(ids, answer === take);
    else if (answer === show) await this.window.show(review, hunks[0]);
  }

  /** Only the last file moves the focus on. */
  private async decideAll(decide: (reviews: readonly FileReview[]) => Promise<void>): Promise<void> {
    const reviews = this.all();
    for (const review of reviews) review.decidedBy = review === reviews.at(-1) ? "command" : "panel";
    this.window.staysPut = true;
    try {
      await decide(reviews);
    } finally {
      this.window.staysPut = false;
    }
  }

  private async decideHunk(
    file: string | undefined,
    hunkId: string | undefined,
    decide: (review: FileReview, hunk: Hunk) => Promise<void>,
  ): Promise<void> {
    const found = this.hunk(file, hunkId);
    if (!found) return;
    const { review, hunk } = found;
    await decide(review, hunk);
    if (hunkId !== undefined || review.hunks().some(({ id }) => id === hunk.id)) return;
    const next = targetIn(review, this.window.place());
    if (next) await this.window.select(review, next);
  }

  private async step(direction: "next" | "previous"): Promise<void> {
    const here = this.window.place();
    const near = stepInside(here, direction);
    if (here && near) return this.window.select(here.review, near);
    if (await this.window.stepInMultiDiff(direction)) return;
    const there = stepAcross(this.all(), here, direction);
    if (there) await this.window.select(there.review, there.hunk);
  }

  private all(): readonly FileReview[] {
    const reviews = this.reviews();
    if (reviews.length === 0) void vscode.window.showInformationMessage(t("No proposed changes are pending."));
    return reviews;
  }

  private async acceptUnless(reviews: readonly FileReview[], held: (hunk: Hunk) => boolean): Promise<void> {
    const left = new Map<FileReview, number>();
    for (const review of reviews) {
      const hunks = review.hunks();
      const kept = hunks.filter(held).length;
      await review.accept(hunks.filter((hunk) => !held(hunk)).map((hunk) => hunk.id));
      if (kept > 0 && !review.ended && !review.streaming) left.set(review, kept);
    }
    const [first] = left.keys();
    if (!first) return;
    const count = [...left.values()].reduce((sum, kept) => sum + kept, 0);
    const paths = [...left.keys()].map(({ path }) => path).join(", ");
    const answer = vscode.window.showWarningMessage(remainingMessage(t, count, paths), t("Show"));
    void answer.then((chosen) => (chosen ? this.window.show(first) : undefined));
  }

  private find(name: string | undefined): FileReview | null {
    const reviews = this.reviews();
    const here = this.window.place()?.review ?? (reviews.length === 1 ? reviews[0] : undefined);
    const found = name === undefined ? here : reviewNamed(reviews, name);
    if (found) found.decidedBy = name === undefined || isUriOf(found, name) ? "command" : "panel";
    else void vscode.window.showInformationMessage(t("No proposed changes are pending for this file."));
    return found ?? null;
  }

  private hunk(file: string | undefined, hunkId: string | undefined): { readonly review: FileReview; readonly hunk: Hunk } | null {
    const here = this.window.place();
    const review = file === undefined && !here ? this.first() : this.find(file);
    if (!review) return null;
    const hunk = hunkId === undefined ? targetIn(review, here) : review.hunks().find(({ id }) => id === hunkId);
    if (hunk) return { review, hunk };
    void vscode.window.showInformationMessage(t("That change is already decided."));
    return null;
  }

  /** The review that a decision is about where the active editor shows none. */
  private first(): FileReview | undefined {
    const reviews = this.all();
    const review = reviews.find((one) => !one.streaming && one.hunks().length > 0) ?? reviews[0];
    if (review) review.decidedBy = "command";
    return review;
  }
}
