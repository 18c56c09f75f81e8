import * as vscode from "vscode";
import { hunkBeside } from "../../edits/review/hunkLocations.ts";
import type { Hunk } from "../../edits/review/reviewPlan.ts";
import { isProtectedOperation, type PendingOperation } from "../../ports/review.ts";
import type { FileRef } from "../../ports/workspace.ts";
import type { DecidedBy } from "../../review/proposals/fileReviewDeps.ts";
import { keyOf } from "../../review/proposals/outcomeReporter.ts";
import type { WorkspaceProposals } from "../../review/proposals/workspaceProposals.ts";
import type { EditorReview } from "../documents/editorReview.ts";
import { t } from "../localize.ts";
import { acceptMany, askedFile, tellAccepted, tellShared } from "./acceptMany.ts";
import { askToDelete } from "./askToDelete.ts";
import type { DiffView } from "./diffView.ts";
import { type AskedChange, askReason, askWhatToChange } from "./reviewPrompts.ts";
import {
  decidedBy,
  hunksOf,
  hunksOfBlock,
  type IsOwn,
  idsOf,
  isShared,
  needsUser,
  reviewNamed,
  stepAcross,
  targetIn,
} from "./reviewTargets.ts";

/**
 * What the user decides on proposals, by lens, key, panel or command. Files are named by workspace
 * path or by URI string, the file's or the proposal's. Commands never reject.
 */
export class ReviewCommands {
  private readonly proposals: WorkspaceProposals<vscode.TextDocument>;
  private readonly view: DiffView;
  private readonly showDeletion: (file: FileRef) => Promise<void>;

  constructor(
    proposals: WorkspaceProposals<vscode.TextDocument>,
    view: DiffView,
    showDeletion: (file: FileRef) => Promise<void>,
  ) {
    this.proposals = proposals;
    this.view = view;
    this.showDeletion = showDeletion;
  }

  /**
   * Accepts one hunk; without arguments the one at the cursor or the next one, then selects the one
   * after it. Asks first if the user edited the same lines.
   */
  acceptHunk(file?: string, hunkId?: string, overwrite = false): Promise<void> {
    return this.decideHunk(file, hunkId, (review, hunk) => {
      // A warning is read before it is overruled.
      if (hunkId === undefined && hunk.warnings.length > 0 && !this.view.sees(review, hunk))
        return this.view.select(review, hunk);
      return this.acceptHunks(review, [hunk], overwrite, decidedBy(review, file));
    });
  }

  /**
   * Rejects one hunk, and asks why if `asks`; without arguments the one at the cursor or the next
   * one, then selects the one after it.
   */
  rejectHunk(file?: string, hunkId?: string, asks = false): Promise<void> {
    return this.decideHunk(file, hunkId, async (review, hunk) => {
      const why = asks ? await askReason(review.path) : null;
      if (why !== undefined) await review.decisions.reject([hunk.id], decidedBy(review, file), why);
    });
  }

  /**
   * Accepts all hunks that a block wrote. Unless `overwrite`, asks first if the user edited their
   * lines.
   */
  async acceptBlock(turnId: string, blockId: string, overwrite = false): Promise<void> {
    if (!(await this.proposals.own())) return;
    const operation = this.proposals.operations.find({ turnId, blockId });
    if (operation) return this.proposals.operations.accept(operation, overwrite);
    const found = this.block(turnId, blockId);
    if (found) await this.acceptHunks(found.review, found.hunks, overwrite, "panel");
  }

  /** Rejects all hunks that a block wrote, and asks why if `asks`. */
  async rejectBlock(turnId: string, blockId: string, asks = false): Promise<void> {
    if (!(await this.proposals.own())) return;
    const operation = this.proposals.operations.find({ turnId, blockId });
    const found = operation ? null : this.block(turnId, blockId);
    const path = operation?.file.path ?? found?.review.path;
    if (path === undefined) return;
    const why = asks ? await askReason(path) : null;
    if (why === undefined) return;
    if (operation) await this.proposals.operations.reject(operation, why);
    else await found?.review.decisions.reject(idsOf(found.hunks), "panel", why);
  }

  /**
   * Asks the user what should change about a hunk, by default the one at the cursor; gives the
   * request to the model of the chat that wrote it, or null.
   */
  async askForChange(file?: string, hunkId?: string): Promise<AskedChange | null> {
    if (!(await this.proposals.own())) return null;
    const found = this.hunk(file, hunkId);
    return found && askWhatToChange(found.review, found.hunk.proposed, found.hunk.blockIds);
  }

  /**
   * Asks the user what should change about what a block wrote; gives the request as {@link
   * askForChange}.
   */
  async askForBlockChange(turnId: string, blockId: string): Promise<AskedChange | null> {
    if (!(await this.proposals.own())) return null;
    const found = this.block(turnId, blockId);
    if (!found) return null;
    const { start } = found.hunks[0].proposed;
    const end = found.hunks.at(-1)?.proposed.end ?? start;
    return askWhatToChange(found.review, { start, end }, [keyOf({ turnId }, blockId)]);
  }

  /**
   * Accepts the hunks of a file, by default the active one, except conflicts. Then deletes or
   * renames the file, where that is proposed.
   */
  async acceptFile(file?: string): Promise<void> {
    if (!(await this.proposals.own())) return;
    const operation = this.operationOn(file);
    const review = this.find(file, operation !== undefined);
    const isDone =
      !review ||
      (await this.acceptUnless(
        [review],
        () => decidedBy(review, file),
        (hunk) => hunk.conflict,
      ));
    if (operation && isDone) await this.proposals.operations.accept(operation);
  }

  /** Rejects all hunks of a file, by default the active one, and its deletion or renaming. */
  async rejectFile(file?: string): Promise<void> {
    if (!(await this.proposals.own())) return;
    const operation = this.operationOn(file);
    const review = this.find(file, operation !== undefined);
    if (review) await review.decisions.reject(idsOf(review.hunks()), decidedBy(review, file));
    if (operation) await this.proposals.operations.reject(operation);
  }

  /**
   * Accepts the hunks of every file, except conflicts, hunks with a warning and protected files,
   * then deletes and renames files; asks before it deletes many. Where only some files could be changed, tells which, and offers
   * to take these changes back.
   */
  async acceptAll(by: DecidedBy = "command"): Promise<void> {
    if (!(await this.proposals.own())) return;
    const operations = await askToDelete(this.proposals.operations.sound);
    if (!operations) return;
    await this.decideAll(by, async (reviews, byOf) => {
      const isDone = await this.acceptUnless(reviews, byOf, needsUser);
      // What was accepted can only be taken back where it is.
      if (isDone) await this.proposals.operations.acceptAll(operations);
    });
  }

  /** Rejects all hunks of every file, and all deletions and renamings. */
  rejectAll(by: DecidedBy = "command"): Promise<void> {
    return this.decideAll(by, async (reviews, byOf) => {
      for (const review of reviews)
        await review.decisions.reject(idsOf(review.hunks()), byOf(review));
      await this.proposals.operations.rejectAll();
    });
  }

  /**
   * Accepts what a call or chat wrote in every file, but for what {@link acceptAll} leaves and what
   * another chat wrote, too.
   */
  acceptOf(isOwn: IsOwn): Promise<void> {
    return this.decideOf(isOwn, async (reviews, all) => {
      const operations = await askToDelete(all.filter((each) => !isProtectedOperation(each)));
      if (!operations) return;
      const isDone = await this.acceptUnless(reviews, () => "panel", needsUser, isOwn);
      for (const operation of isDone ? operations : [])
        await this.proposals.operations.accept(operation);
    });
  }

  /** Rejects what a call or chat wrote in every file, but for what another chat wrote, too. */
  rejectOf(isOwn: IsOwn): Promise<void> {
    return this.decideOf(isOwn, async (reviews, operations) => {
      const kept: EditorReview[] = [];
      for (const review of reviews) {
        const hunks = hunksOf(review, isOwn);
        const own = hunks.filter((hunk) => !isShared(hunk, review, isOwn));
        if (own.length < hunks.length) kept.push(review);
        await review.decisions.reject(idsOf(own), "panel");
      }
      for (const operation of operations) await this.proposals.operations.reject(operation);
      void tellShared(kept, (review) => this.view.show(review));
    });
  }

  /**
   * Selects the next or previous hunk of the active file, after its last one the first of the next
   * file, before its first one the last of the file before; elsewhere opens the oldest proposal.
   */
  async step(direction: "next" | "previous"): Promise<void> {
    if (!(await this.proposals.own())) return;
    const here = this.view.place();
    const near = here && hunkBeside(here.review.hunks(), here, direction);
    if (near) return this.view.select(here.review, near);
    if (await this.view.stepInMultiDiff(direction)) return;
    const there = stepAcross(this.all(), here, direction);
    if (there) await this.view.select(there.review, there.hunk);
  }

  /**
   * Brings a diff to the front at a hunk, by default the first: by default the active file's, else
   * the oldest.
   */
  async show(file?: string, hunkId?: string): Promise<void> {
    if (!(await this.proposals.own())) return;
    const first =
      file === undefined && this.proposals.reviews.length === 0
        ? this.proposals.operations.pending[0]
        : undefined;
    const operation = this.operationOn(file) ?? first;
    const isFound = file !== undefined || operation !== undefined;
    const review = isFound
      ? this.find(file, operation !== undefined)
      : (this.view.place()?.review ?? this.all()[0]);
    if (!review && operation?.to === null) await this.showDeletion(operation.file);
    else if (!review && operation)
      await vscode.commands.executeCommand(
        "vscode.open",
        vscode.Uri.parse(operation.file.uri, true),
      );
    if (!review) return;
    await this.view.show(
      review,
      review.hunks().find(({ id }) => id === hunkId),
    );
  }

  /** Shows every pending proposal in one editor. */
  async reviewAll(): Promise<void> {
    if (!(await this.proposals.own())) return;
    const reviews = this.all();
    if (reviews.length > 0) await this.view.showAll(reviews);
  }

  /** What is pending of a block. */
  private block(turnId: string, blockId: string): ReturnType<typeof hunksOfBlock> {
    const found = hunksOfBlock(this.proposals.reviews, turnId, blockId);
    if (!found) void vscode.window.showInformationMessage(t("That change is already decided."));
    return found;
  }

  /**
   * Accepts hunks. Unless `overwrite`, asks about those of which the user edited some lines; the
   * others are accepted either way.
   */
  private async acceptHunks(
    review: EditorReview,
    hunks: readonly Hunk[],
    overwrite: boolean,
    by: DecidedBy,
  ): Promise<void> {
    const ids = idsOf(hunks);
    const conflicts = hunks.filter(({ conflict }) => conflict);
    // A conflict that came since nobody has seen.
    if (overwrite || conflicts.length === 0)
      return void (await review.decisions.accept(ids, by, conflicts.length > 0));
    const question = t("These lines of {path} changed meanwhile. Overwrite what is there now?", {
      path: review.path,
    });
    const [take, keep, show] = [t("Take proposed"), t("Keep Mine"), t("Show Both")];
    const answer = await vscode.window.showWarningMessage(question, take, keep, show);
    if (answer === keep) await review.decisions.reject(idsOf(conflicts), by);
    if (answer === take || answer === keep) await review.decisions.accept(ids, by, answer === take);
    else if (answer === show) await this.view.show(review, hunks[0]);
  }

  /** Only the last file moves the focus on, unless the panel has it. */
  private async decideAll(
    last: DecidedBy,
    decide: (
      reviews: readonly EditorReview[],
      byOf: (review: EditorReview) => DecidedBy,
    ) => Promise<void>,
  ): Promise<void> {
    if (!(await this.proposals.own())) return;
    const all = this.proposals.operations.pending.length > 0 ? this.proposals.reviews : this.all();
    const byOf = (review: EditorReview) => (review === all.at(-1) ? last : "panel");
    await this.proposals.decideMany(() => decide(all, byOf));
  }

  private async decideOf(
    isOwn: IsOwn,
    decide: (
      reviews: readonly EditorReview[],
      operations: readonly PendingOperation[],
    ) => Promise<void>,
  ): Promise<void> {
    if (!(await this.proposals.own())) return;
    const reviews = this.proposals.reviews.filter((review) => hunksOf(review, isOwn).length > 0);
    const operations = this.proposals.operations.pending.filter(({ origin }) => isOwn(origin));
    await this.proposals.decideMany(() => decide(reviews, operations));
  }

  private async decideHunk(
    file: string | undefined,
    hunkId: string | undefined,
    decide: (review: EditorReview, hunk: Hunk) => Promise<void>,
  ): Promise<void> {
    if (!(await this.proposals.own())) return;
    const found = this.hunk(file, hunkId);
    if (!found) return;
    const { review, hunk } = found;
    await decide(review, hunk);
    if (hunkId !== undefined || review.hunks().some(({ id }) => id === hunk.id)) return;
    const next = targetIn(review, this.view.place());
    if (next) await this.view.select(review, next);
  }

  private all(): readonly EditorReview[] {
    const reviews = this.proposals.reviews;
    if (reviews.length === 0)
      void vscode.window.showInformationMessage(t("No proposed changes are pending."));
    return reviews;
  }

  /** False where a file could not be changed. */
  private async acceptUnless(
    reviews: readonly EditorReview[],
    byOf: (review: EditorReview) => DecidedBy,
    held: (hunk: Hunk, review: EditorReview) => boolean,
    isOwn: IsOwn | null = null,
  ): Promise<boolean> {
    const files = reviews.map((review) => askedFile(review, byOf(review), held, isOwn));
    const show = (review: EditorReview) => this.view.show(review);
    return tellAccepted(files, await acceptMany(files), show, (change) =>
      this.proposals.takeBack(change),
    );
  }

  private operationOn(file: string | undefined): PendingOperation | undefined {
    return file === undefined ? undefined : this.proposals.operations.find(file);
  }

  /** Unless `quiet`, tells where there is none. */
  private find(name: string | undefined, quiet = false): EditorReview | null {
    const reviews = this.proposals.reviews;
    const here = this.view.place()?.review ?? (reviews.length === 1 ? reviews[0] : undefined);
    const found = name === undefined ? here : reviewNamed(reviews, name);
    if (!found && !quiet)
      void vscode.window.showInformationMessage(
        t("No proposed changes are pending for this file."),
      );
    return found ?? null;
  }

  private hunk(
    file: string | undefined,
    hunkId: string | undefined,
  ): { readonly review: EditorReview; readonly hunk: Hunk } | null {
    const here = this.view.place();
    const review = file === undefined && !here ? this.first() : this.find(file);
    if (!review) return null;
    const hunk =
      hunkId === undefined
        ? targetIn(review, here)
        : review.hunks().find(({ id }) => id === hunkId);
    if (hunk) return { review, hunk };
    void vscode.window.showInformationMessage(t("That change is already decided."));
    return null;
  }

  /** The review that a decision is about where the active editor shows none. */
  private first(): EditorReview | undefined {
    const reviews = this.all();
    return reviews.find((one) => !one.streaming && one.hunks().length > 0) ?? reviews[0];
  }
}
