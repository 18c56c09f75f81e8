import * as vscode from "vscode";
import { type Disposable, DisposableStack } from "../../base/disposable.ts";
import { Emitter } from "../../base/emitter.ts";
import { newId } from "../../base/ids.ts";
import type { Hunk } from "../../edits/review/reviewPlan.ts";
import { ReviewState } from "../../edits/review/reviewState.ts";
import type { Logger } from "../../ports/logger.ts";
import type { PendingProposal, Review, ReviewEvents, Reviewer, ReviewOrigin } from "../../ports/review.ts";
import type { FileRef, FileSnapshot, Workspace } from "../../ports/workspace.ts";
import { isEditorConfigPath } from "../../tools/permissions/protectedPath.ts";
import { t } from "../localize.ts";
import { WorkspaceEditApplier } from "../workspace/workspaceEditApplier.ts";
import { workspacePathOf } from "../workspace/workspacePath.ts";
import { BehindMonitor } from "./behindMonitor.ts";
import { FileReview } from "./fileReview.ts";
import type { ReviewedFile } from "./fileReviewDeps.ts";
import { createInlineDiffPrompt, type InlineDiffSetting } from "./inlineDiffPrompt.ts";
import { decisionProblemMessage, goneMessage, remainingMessage } from "./messages.ts";
import { PreviewWindow } from "./previewWindow.ts";
import { PROPOSAL_SCHEME, ProposalFiles } from "./proposalFiles.ts";
import type { ProposalStore } from "./proposalStore.ts";
import { reviewDocuments } from "./reviewDocuments.ts";
import { keyOf } from "./reviewedBlocks.ts";
import { following, isUriOf, reviewNamed, stepAcross, stepInside, targetIn } from "./reviewTargets.ts";
import { watchFiles } from "./watchFiles.ts";

/** What the preview is built from. */
export interface DiffPreviewOptions {
  readonly logger: Logger;
  /** Read each time, so that changed settings take effect at once. */
  settings(): { readonly inline: InlineDiffSetting; readonly review: "before" | "after" };
  /** Remembers across windows that the user was asked about inline diffs. */
  readonly memento: vscode.Memento;
  readonly workspace: Pick<Workspace, "writable" | "resolve">;
  /** Keeps what is pending over a restart. */
  readonly store: Pick<ProposalStore, "load" | "keep" | "idle">;
  readonly events: ReviewEvents;
  /** Called when the user decided on the last pending change in an editor. */
  readonly focusComposer?: () => void;
  /** Default `graft-proposal`. A second preview in one window needs its own scheme with that prefix. */
  readonly scheme?: string;
}

type Decide<T> = (review: FileReview, what: T) => Promise<void>;

/**
 * The proposals of the workspace, in VS Code's diff editor, and their commands. Files are named by workspace path or by URI string, the file's or the proposal's.
 * Commands never reject.
 */
export class DiffPreview implements Reviewer, Disposable {
  private readonly options: DiffPreviewOptions;
  private readonly owned = new DisposableStack();
  private readonly files = new ProposalFiles();
  private readonly applier = new WorkspaceEditApplier();
  private readonly reviews = new Map<string, FileReview>();
  private readonly window: PreviewWindow;
  private readonly scheme: string;
  /** Ended reviews whose diffs are still closing: reports about their documents still count. */
  private readonly closing = new Set<FileReview>();
  private readonly behind = this.owned.add(new BehindMonitor());
  private readonly pendingChanged = new Emitter<void>();

  constructor(options: DiffPreviewOptions) {
    this.options = options;
    this.scheme = options.scheme ?? PROPOSAL_SCHEME;
    this.owned.add(this.files);
    this.owned.add(vscode.workspace.registerFileSystemProvider(this.scheme, this.files, { isCaseSensitive: true }));
    const offerInline = createInlineDiffPrompt(options.memento, () => options.settings().inline);
    const reviews = () => this.pendingReviews;
    const { logger, focusComposer = () => undefined } = options;
    this.window = this.owned.add(new PreviewWindow({ scheme: this.scheme, reviews, offerInline, focusComposer, logger }));
    this.owned.add(
      watchFiles({
        reviews,
        shown: () => [...reviews(), ...this.closing],
        deleted: (review) => this.gone(review, "deleted"),
        moved: (review, uri) => void this.moved(review, uri),
      }),
    );
  }

  /** The workspace paths of files with pending proposals, in the order they were opened. */
  get pendingPaths(): readonly string[] {
    return [...this.reviews.values()].map((review) => review.path);
  }

  /** Brings back what was pending when the window closed, rebased on the files as they are now. */
  async load(): Promise<void> {
    for (const { id, file, exists, languageId, blocks, review } of await this.options.store.load()) {
      const place = await this.options.workspace.resolve(file.path);
      if (place.ok && !this.reviews.has(place.value.uri)) {
        this.add({ file: place.value, exists, languageId, blocks }, ReviewState.from(review), id);
      }
    }
  }

  /** Settles when what is pending is on record. */
  kept(): Promise<void> {
    return this.options.store.idle();
  }

  open(snapshot: FileSnapshot, origin: ReviewOrigin): Review {
    const known = this.reviews.get(snapshot.file.uri);
    const review = known ?? this.add(snapshot, new ReviewState(snapshot.text), newId("review"));
    return review.begin(snapshot.text, origin);
  }

  pending(file: FileRef): PendingProposal | null {
    const review = this.reviews.get(file.uri);
    const blocks = review?.reviewedBlocks ?? [];
    if (!review || blocks.length === 0) return null;
    return { file: review.file, text: review.proposedText, hunks: review.hunks().length, blocks };
  }

  allPending(): readonly PendingProposal[] {
    return [...this.reviews.values()].flatMap(({ file }) => this.pending(file) ?? []);
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
      await this.resolveConflict(review, [hunk]);
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
      return review.accept(
        hunks.map(({ id }) => id),
        conflict,
      );
    });
  }

  /** Rejects all hunks that a block wrote. */
  rejectBlock(turnId: string, blockId: string): Promise<void> {
    return this.decideBlock(turnId, blockId, (review, hunks) => review.reject(hunks.map(({ id }) => id)));
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
    const hunk = review?.hunks().find(({ id }) => id === hunkId);
    if (review) await this.window.show(review, hunk);
  }

  /** Shows every pending proposal in one editor. */
  async reviewAll(): Promise<void> {
    if (this.all().length > 0) await this.window.showAll(this.pendingReviews);
  }

  /** The reviews of the workspace, oldest first. */
  get pendingReviews(): readonly FileReview[] {
    return [...this.reviews.values()];
  }

  /** Called often: when anything about {@link pendingReviews} may have changed. */
  onPending(listener: () => void): Disposable {
    return this.pendingChanged.on(listener);
  }

  /** The workspace paths of files whose diff has been behind its proposal for a while. */
  get behindPaths(): readonly string[] {
    return this.behind.paths;
  }

  /** Called when {@link behindPaths} changes. */
  onBehind(listener: () => void): Disposable {
    return this.behind.on(listener);
  }

  /** What is pending stays on record. */
  dispose(): void {
    this.window.closing = true;
    for (const review of this.reviews.values()) review.close();
    this.owned.dispose();
  }

  private add(reviewed: ReviewedFile, model: ReviewState, id: string): FileReview {
    const { events, store, workspace, settings } = this.options;
    const proposalUri = vscode.Uri.from({ scheme: this.scheme, authority: id, path: `/${reviewed.file.path}` });
    const review: FileReview = new FileReview(reviewed, {
      ...reviewDocuments(proposalUri, this.files),
      model,
      proposalUri,
      createFile: (uri, text) => this.applier.create(uri, text),
      refusal: () => workspace.writable(review.file),
      acceptsAtOnce: () => settings().review === "after" && !isEditorConfigPath(review.path),
      applied: (origin, before, after) => events.applied(origin, { file: review.file, before, after }),
      decided: (origin, blocks, userDiff) => events.decided(origin, review.path, blocks, userDiff),
      grew: (grown, offset) => this.window.grew(grown, offset),
      complete: (completed) => this.window.complete(completed),
      typedLate: (late) => void this.offerText(late, t("You edited the proposal for {path} after it was decided.", { path: late.path })),
      changed: () => {
        this.window.redrawSoon();
        this.behind.check(this.pendingReviews);
        this.pendingChanged.fire();
      },
      keep: () =>
        store.keep(id, () => {
          const record = review.record();
          const { file, languageId, fileExists, reviewedBlocks } = review;
          return record && { id, file, exists: fileExists, languageId, blocks: reviewedBlocks, review: record };
        }),
      over: (ended, line) => {
        const others = following(this.pendingReviews, ended);
        if (this.reviews.get(ended.file.uri) === ended) this.reviews.delete(ended.file.uri);
        this.closing.add(ended);
        this.pendingChanged.fire();
        return this.window.ended(ended, line, others).finally(() => this.closing.delete(ended));
      },
      tell: (problem) => void vscode.window.showWarningMessage(decisionProblemMessage(t, problem, review.path)),
      log: (message) => this.options.logger.warn(message),
    });
    this.reviews.set(reviewed.file.uri, review);
    this.window.redrawSoon();
    return review;
  }

  private async decideBlock(turnId: string, blockId: string, decide: Decide<readonly Hunk[]>): Promise<void> {
    const key = keyOf({ turnId }, blockId);
    const written = (hunk: Hunk) => hunk.blockIds.includes(key);
    const review = this.pendingReviews.find((each) => each.hunks().some(written));
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
    if (answer === take || answer === keep)
      await review.accept(
        hunks.map(({ id }) => id),
        answer === take,
      );
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

  private async decideHunk(file: string | undefined, hunkId: string | undefined, decide: Decide<Hunk>): Promise<void> {
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
    if (this.reviews.size === 0) void vscode.window.showInformationMessage(t("No proposed changes are pending."));
    return this.pendingReviews;
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
    const reviews = this.pendingReviews;
    const here = this.window.place()?.review ?? (reviews.length === 1 ? reviews[0] : undefined);
    const found = name === undefined ? here : reviewNamed(reviews, name);
    if (found) found.decidedBy = name === undefined || isUriOf(found, name) ? "command" : "panel";
    else void vscode.window.showInformationMessage(t("No proposed changes are pending for this file."));
    return found ?? null;
  }

  private hunk(file: string | undefined, hunkId: string | undefined): { readonly review: FileReview; readonly hunk: Hunk } | null {
    const here = this.window.place();
    const isElsewhere = file === undefined && !here;
    const review = isElsewhere
      ? (this.all().find((one) => !one.streaming && one.hunks().length > 0) ?? this.pendingReviews[0])
      : this.find(file);
    if (!review) return null;
    if (isElsewhere) review.decidedBy = "command";
    const hunk = hunkId === undefined ? targetIn(review, here) : review.hunks().find(({ id }) => id === hunkId);
    if (hunk) return { review, hunk };
    void vscode.window.showInformationMessage(t("That change is already decided."));
    return null;
  }

  /** Follows a file to its new place, or withdraws its proposal if it left the workspace. */
  private async moved(review: FileReview, uri: vscode.Uri): Promise<void> {
    const path = workspacePathOf(uri);
    const file = path === null ? null : await this.options.workspace.resolve(path);
    if (review.ended) return;
    if (!file?.ok) {
      this.gone(review, "moved");
      return;
    }
    const from = review.realUri;
    const replaced = this.reviews.get(file.value.uri);
    if (replaced !== review) void replaced?.withdraw({ code: "file-gone" });
    if (this.reviews.get(from.toString()) === review) this.reviews.delete(from.toString());
    this.reviews.set(file.value.uri, review);
    await review.moved(file.value);
    await this.window.moved(review, from);
  }

  private gone(review: FileReview, how: "deleted" | "moved"): void {
    review.decidedBy = "panel";
    void review.lose({ code: "file-gone" });
    void this.offerText(review, goneMessage(t, review.path, how));
  }

  private async offerText(review: FileReview, message: string): Promise<void> {
    const { languageId } = review;
    const chosen = await vscode.window.showWarningMessage(message, t("Open Proposed Text"));
    if (!chosen) return;
    const content = review.proposal.text;
    const document = await vscode.workspace.openTextDocument({ content, ...(languageId ? { language: languageId } : {}) });
    await vscode.window.showTextDocument(document);
  }
}
