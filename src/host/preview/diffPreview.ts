import * as vscode from "vscode";
import { type Disposable, DisposableStack } from "../../base/disposable.ts";
import { Emitter } from "../../base/emitter.ts";
import { newId } from "../../base/ids.ts";
import { SerialQueue } from "../../base/serialQueue.ts";
import { ReviewState } from "../../edits/review/reviewState.ts";
import type { Logger } from "../../ports/logger.ts";
import type {
  PendingProposal,
  Review,
  ReviewEvents,
  Reviewer,
  ReviewOrigin,
} from "../../ports/review.ts";
import type { FileError, FileRef, FileSnapshot, Workspace } from "../../ports/workspace.ts";
import type { WorkspaceFiles } from "../../ports/workspaceFiles.ts";
import { isProtectedPath } from "../../tools/permissions/protectedPath.ts";
import { t } from "../localize.ts";
import { PROPOSAL_SCHEME, ProposalFiles } from "../proposals/proposalFiles.ts";
import { proposalAddress, watchProposalLanguage } from "../proposals/proposalLanguage.ts";
import { ProposedOperations } from "../proposals/proposedOperations.ts";
import { reopenProposal } from "../proposals/reopenProposal.ts";
import type { SharedProposals } from "../proposals/sharedProposals.ts";
import type { ProposalStore, StoredProposal } from "../storage/proposalStore.ts";
import { documentLineEnd, textWithLineEnds } from "../workspace/lineEnds.ts";
import { WorkspaceEditApplier } from "../workspace/workspaceEditApplier.ts";
import { workspacePathOf } from "../workspace/workspacePath.ts";
import type { AcceptedChange } from "./acceptMany.ts";
import { FileReview } from "./fileReview.ts";
import type { ReviewedFile } from "./fileReviewDeps.ts";
import { createInlineDiffPrompt, type InlineDiffSetting } from "./inlineDiffPrompt.ts";
import { decisionProblemMessage, goneMessage, twiceProposedMessage } from "./messages.ts";
import { PreviewWindow } from "./previewWindow.ts";
import { ReviewCommands } from "./reviewCommands.ts";
import { reviewDocuments } from "./reviewDocuments.ts";
import { following } from "./reviewTargets.ts";
import { watchFiles } from "./watchFiles.ts";

/** Milliseconds after which the panel says that a diff is behind. */
const BEHIND_SHOWN_MS = 500;

/** What the preview is built from. */
export interface DiffPreviewOptions {
  readonly logger: Logger;
  /** Read each time, so that changed settings take effect at once. */
  settings(): { readonly inline: InlineDiffSetting; readonly review: "before" | "after" };
  /** Remembers across windows that the user was asked about inline diffs. */
  readonly memento: vscode.Memento;
  readonly workspace: Pick<Workspace, "writable" | "resolve" | "read">;
  /** Deletes and renames the user's files. */
  readonly operations: WorkspaceFiles;
  /** Keeps what is pending over a restart. */
  readonly store: Pick<ProposalStore, "load" | "keep" | "idle">;
  /** Where other windows may decide too. */
  readonly shared?: Pick<SharedProposals, "isOurs" | "own" | "paths">;
  readonly events: ReviewEvents;
  /** Called when the user decided on the last pending change in an editor. */
  focusComposer?(): void;
  /**
   * Default `graft-proposal`. A second preview in one window needs its own scheme with that prefix.
   */
  readonly scheme?: string;
}

/** The proposals of the workspace, one a file at most, in VS Code's diff editor. */
export class DiffPreview implements Reviewer, Disposable {
  private readonly options: DiffPreviewOptions;
  private readonly owned = new DisposableStack();
  private readonly files = new ProposalFiles();
  private readonly applier: WorkspaceEditApplier;
  private readonly reviews = new Map<string, FileReview>();
  /** Ended reviews with accepts that are not saved yet, by file: until then they stay on record. */
  private readonly unsaved = new Map<string, FileReview>();
  private readonly window: PreviewWindow;
  readonly commands: ReviewCommands;
  readonly operations: ProposedOperations;
  private readonly scheme: string;
  private readonly loads = new SerialQueue();
  /**
   * Kept proposals for files that have another one pending, newest first: each is pending once that
   * one is over.
   */
  private later: readonly StoredProposal[] = [];
  /** Ended reviews whose diffs are still closing: reports about their documents still count. */
  private readonly closing = new Set<FileReview>();
  /**
   * Ended reviews whose proposal changed since, be it by the user or by what formats it when its
   * tab is saved to be closed.
   */
  private readonly changedLate = new WeakSet<FileReview>();
  /** The workspace paths of files whose diff has been behind its proposal for a while. */
  behindPaths: readonly string[] = [];
  private behindTimer: ReturnType<typeof setTimeout> | undefined;
  private readonly behindChanged = new Emitter<void>();
  /** Called when {@link behindPaths} changes. */
  readonly onBehind = this.behindChanged.on.bind(this.behindChanged);
  private readonly pendingChanged = new Emitter<void>();
  /** Called often: when anything about {@link pendingReviews} may have changed. */
  readonly onPending = this.pendingChanged.on.bind(this.pendingChanged);

  constructor(options: DiffPreviewOptions) {
    this.options = options;
    this.applier = new WorkspaceEditApplier(options.workspace);
    this.scheme = options.scheme ?? PROPOSAL_SCHEME;
    this.owned.add(this.files);
    this.owned.add(
      vscode.workspace.registerFileSystemProvider(this.scheme, this.files, {
        isCaseSensitive: true,
      }),
    );
    this.owned.add(watchProposalLanguage(this.scheme));
    const offerInline = createInlineDiffPrompt(options.memento, () => options.settings().inline);
    const reviews = () => this.pendingReviews;
    const focusComposer = () => options.focusComposer?.();
    this.window = this.owned.add(
      new PreviewWindow({
        scheme: this.scheme,
        reviews,
        offerInline,
        focusComposer,
        logger: options.logger,
      }),
    );
    const { workspace, operations: files, store, events } = options;
    this.operations = new ProposedOperations({
      ...{ workspace, files, store, events },
      beforehand: () => options.settings().review === "before",
      isOurs: () => options.shared?.isOurs ?? true,
      isEdited: ({ uri }) => this.reviews.has(uri),
      changed: () => this.pendingChanged.fire(),
    });
    this.commands = new ReviewCommands(
      reviews,
      this.window,
      this.operations,
      (change) => this.takeBack(change),
      () => this.tellChange(),
      async () => (await options.shared?.own()) ?? true,
    );
    this.owned.add(
      watchFiles({
        reviews,
        shown: () => [...reviews(), ...this.closing],
        gesture: (review) => {
          const { path } = review;
          if (this.changedLate.delete(review))
            void this.offerText(
              review,
              t("You edited the proposal for {path} after it was decided.", { path }),
            );
        },
        unsaved: () => [...this.unsaved.values()],
        deleted: (review) => this.gone(review, "deleted"),
        moved: (review, uri) => void this.moved(review, uri),
      }),
    );
  }

  /**
   * The workspace paths of files with pending proposals, in the order they were opened, then those
   * of file operations.
   */
  get pendingPaths(): readonly string[] {
    return [
      ...new Set([
        ...this.pendingReviews.map((review) => review.path),
        ...this.operations.paths,
        ...(this.options.shared?.paths ?? []),
      ]),
    ];
  }

  /**
   * Brings back what was pending when the window closed, rebased on the files as they are now. Where
   * two windows proposed for one file, the newer proposal is pending first.
   */
  load(): Promise<void> {
    return this.loads.run(async () => {
      const kept = await this.options.store.load();
      for (const stored of kept) if ("to" in stored) await this.operations.bringBack(stored);
      const known = new Set(
        [...this.reviews.values(), ...this.unsaved.values()].map(({ id }) => id),
      );
      const texts = kept.flatMap((stored) =>
        "to" in stored || known.has(stored.id) ? [] : [stored],
      );
      const newest = new Map(texts.map((stored) => [stored.file.path, stored]));
      for (const stored of newest.values()) await this.bringBack(stored);
      this.later = texts.filter((stored) => stored !== newest.get(stored.file.path)).reverse();
      if (this.later.length > 0) {
        const paths = [...new Set(this.later.map(({ file }) => file.path))];
        void vscode.window.showInformationMessage(twiceProposedMessage(t, paths));
      }
    });
  }

  /** True while an answer writes a proposal, or an accept is on its way. */
  get isBusy(): boolean {
    return this.pendingReviews.some((review) => review.streaming || review.isAccepting);
  }

  /** Closes what is pending without deciding it: another window has the proposals now. */
  letGo(): void {
    const reviews = this.pendingReviews;
    this.reviews.clear();
    this.unsaved.clear();
    this.later = [];
    this.operations.letGo();
    for (const review of reviews) void review.letGo();
    this.tellChange();
  }

  private async bringBack(stored: StoredProposal): Promise<void> {
    const { review: _, ...reviewed } = stored;
    const place = await this.options.workspace.resolve(reviewed.file.path);
    if (!place.ok || this.reviews.has(place.value.uri)) return;
    const model = await reopenProposal(stored, place.value, this.options.events);
    // The user may have lost it to another window, or an answer may have begun one, meanwhile.
    if (this.options.shared?.isOurs === false || this.reviews.has(place.value.uri)) return;
    if (model === "done") await this.options.store.keep(stored.id, () => null);
    else if (model) this.add({ ...reviewed, file: place.value }, model, model.hunks().length === 0);
  }

  /** Brings back the next proposal of a file whose last one is over. */
  private bringBackLater({ file }: FileReview): void {
    const next = this.later.find((stored) => stored.file.path === file.path);
    if (!next || this.reviews.has(file.uri)) return;
    this.later = this.later.filter((stored) => stored !== next);
    void this.loads.run(() => this.bringBack(next));
  }

  /** Settles when what is pending is on record. */
  kept(): Promise<void> {
    return this.options.store.idle();
  }

  open(snapshot: FileSnapshot, origin: ReviewOrigin): Review {
    if (this.options.shared?.isOurs === false) return refusedReview("proposals-elsewhere");
    if (this.operations.deletes(snapshot.file)) return refusedReview("deletion-proposed");
    const { exists, text } = snapshot;
    // Whoever named the file may not have looked at its name.
    const file: FileRef = isProtectedPath(snapshot.file.path)
      ? { ...snapshot.file, protected: true }
      : snapshot.file;
    const known = this.reviews.get(file.uri);
    this.window.began(origin.turnId);
    const begun = { id: newId("review"), begunAt: Date.now(), file, exists, blocks: [] };
    return (known ?? this.continued(file, text) ?? this.add(begun, new ReviewState(text))).begin(
      text,
      origin,
    );
  }

  /**
   * A review that is over goes on where its accepts are not saved: one record has all that the file
   * may lose.
   */
  private continued(file: FileRef, text: string): FileReview | null {
    const stored = this.unsaved.get(file.uri)?.stored();
    this.unsaved.delete(file.uri);
    if (!stored) return null;
    const { review, ...reviewed } = stored;
    const model = ReviewState.from({ ...review, userDiffs: [] });
    model.reopened(textWithLineEnds(text, documentLineEnd(review.real)));
    return this.add({ ...reviewed, file }, model);
  }

  pending(file: FileRef): PendingProposal | null {
    const review = this.reviews.get(file.uri);
    const blocks = review?.reviewedBlocks ?? [];
    if (!review || blocks.length === 0) return null;
    return { file: review.file, text: review.proposedText, hunks: review.hunks().length, blocks };
  }

  allPending(): readonly PendingProposal[] {
    return this.pendingReviews.flatMap(({ file }) => this.pending(file) ?? []);
  }

  /**
   * Says something over these hunks, and over no others; each by its index in its file's proposal,
   * null for what has none. Gives their ids, as far as they are there.
   */
  markHunks(
    found: readonly {
      readonly uri: string;
      readonly hunk: number | null;
      readonly text: string;
    }[],
  ): readonly (string | undefined)[] {
    const marks = found.map(({ uri, hunk, text }) => {
      const review = this.reviews.get(uri);
      const hunkId = review?.hunks()[hunk ?? -1]?.id;
      return review && hunkId !== undefined
        ? { proposal: review.proposalUri.toString(), hunkId, text }
        : undefined;
    });
    this.window.mark(marks.filter((mark) => mark !== undefined));
    return marks.map((mark) => mark?.hunkId);
  }

  /** The reviews of the workspace, oldest first. */
  get pendingReviews(): readonly FileReview[] {
    return [...this.reviews.values()];
  }

  /** What is pending stays on record. */
  dispose(): void {
    this.window.closing = true;
    clearTimeout(this.behindTimer);
    for (const review of this.pendingReviews) review.close();
    this.owned.dispose();
  }

  /** `wasOver` where nothing is left to decide, and thus to show. */
  private add(reviewed: ReviewedFile, model: ReviewState, wasOver = false): FileReview {
    const { id } = reviewed;
    const { events, store, settings } = this.options;
    // The same record may have had another review, whose documents are still closing.
    const proposalUri = proposalAddress(this.scheme, newId("review"), reviewed.file.path);
    const isKept = () =>
      [this.reviews, this.unsaved].some((all) => all.get(review.file.uri) === review);
    const review: FileReview = new FileReview(reviewed, {
      ...reviewDocuments(proposalUri, this.files),
      model,
      proposalUri,
      createFile: (uri, text) =>
        this.applier.rewrite([{ uri, before: null, after: text }]).catch(() => false),
      refusal: () => this.refusal(review),
      acceptsAtOnce: () => settings().review === "after" && !review.file.protected,
      applied: (origin, change) => events.applied(origin, change),
      decided: (origin, blocks, userDiff) => events.decided(origin, review.path, blocks, userDiff),
      keptUndone: () =>
        void vscode.window.setStatusBarMessage(
          t("This was not typed in the proposal, so it stays."),
          5_000,
        ),
      grew: (grown, offset) => this.window.grew(grown, offset),
      complete: (completed) => this.window.complete(completed),
      typedLate: (late) => void this.changedLate.add(late),
      changed: () => this.tellChange(),
      keep: async () => (isKept() ? store.keep(id, () => review.stored()) : undefined),
      over: (ended, last) => {
        const others = following(this.pendingReviews, ended);
        if (this.reviews.get(ended.file.uri) === ended) this.reviews.delete(ended.file.uri);
        if (ended.stored() !== null) this.unsaved.set(ended.file.uri, ended);
        else if (this.unsaved.get(ended.file.uri) === ended) this.unsaved.delete(ended.file.uri);
        this.tellChange();
        if (wasOver) return Promise.resolve();
        this.closing.add(ended);
        return this.window.ended(ended, last, others).finally(() => {
          this.closing.delete(ended);
          this.bringBackLater(ended);
        });
      },
      tell: (problem) =>
        void vscode.window.showWarningMessage(decisionProblemMessage(t, problem, review.path)),
      log: (message) => this.options.logger.warn(message),
    });
    (wasOver ? this.unsaved : this.reviews).set(reviewed.file.uri, review);
    this.window.redrawSoon();
    return review;
  }

  /**
   * Takes a change back as one undo step: the file gets its earlier text, and the proposal is
   * pending again. False for a file that changed since, which stays as it is.
   */
  private async takeBack({ review, origin, change, proposal }: AcceptedChange): Promise<boolean> {
    const { uri } = change.file;
    const isLive = () => this.reviews.get(uri) === review;
    // A review that goes on cannot follow its file to where there is none.
    if (isLive() ? change.before === null : this.reviews.has(uri)) return false;
    const rewrite = {
      uri: vscode.Uri.parse(uri, true),
      before: change.after,
      after: change.before,
    };
    if (!(await this.applier.rewrite([rewrite]).catch(() => false))) return false;
    this.options.events.takenBack(origin, change);
    const { review: record, ...reviewed } = proposal;
    if (isLive()) return true;
    this.unsaved.delete(uri);
    this.add(reviewed, ReviewState.from(record));
    return true;
  }

  /**
   * Why a file cannot be written now. Where its path leads to a protected file by now, its mark is
   * shown first.
   */
  private async refusal(review: FileReview): Promise<FileError | null> {
    const { workspace } = this.options;
    const { path } = review;
    const now = await workspace.resolve(path);
    if (!now.ok) return now.error;
    if (now.value.versionControl && !review.file.versionControl)
      return { code: "version-control", path };
    if (now.value.protected && !review.file.protected) {
      review.real.file = now.value;
      this.pendingChanged.fire();
      return { code: "protected-meanwhile", path };
    }
    return workspace.writable(review.file);
  }

  /** While many files are decided, nobody hears of each. */
  private tellChange(): void {
    if (this.window.staysPut) return;
    this.window.redrawSoon();
    this.watchBehind();
    this.pendingChanged.fire();
  }

  /** Shows at once what changes while a diff is known to be behind, and late that one is. */
  private watchBehind(isLate = this.behindPaths.length > 0): void {
    const behind = this.pendingReviews
      .filter((review) => review.isBehind)
      .map((review) => review.path);
    if (behind.length > 0 && !isLate) {
      this.behindTimer ??= setTimeout(() => this.watchBehind(true), BEHIND_SHOWN_MS);
      return;
    }
    clearTimeout(this.behindTimer);
    this.behindTimer = undefined;
    if (behind.join("\n") === this.behindPaths.join("\n")) return;
    this.behindPaths = behind;
    this.behindChanged.fire();
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
    review.real.exists = false;
    void review.withdraw({ code: "file-gone" });
    void this.offerText(review, goneMessage(t, review.path, how));
  }

  private async offerText(review: FileReview, message: string): Promise<void> {
    const chosen = await vscode.window.showWarningMessage(message, t("Open Proposed Text"));
    if (!chosen) return;
    await vscode.window.showTextDocument(
      await vscode.workspace.openTextDocument({
        content: review.proposal.text,
        language: "plaintext",
      }),
    );
  }
}

/** Takes no part in the proposal of a file, for this reason. */
function refusedReview(code: "deletion-proposed" | "proposals-elsewhere"): Review {
  const reason = { code };
  return {
    update() {},
    async keep() {},
    async propose({ blocks }) {
      return {
        blocks: blocks.map(({ blockId }) => ({ blockId, status: "rejected" as const, reason })),
        text: null,
      };
    },
    dispose() {},
  };
}
