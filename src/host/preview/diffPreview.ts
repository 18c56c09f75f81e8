import * as vscode from "vscode";
import { type Disposable, DisposableStack } from "../../base/disposable.ts";
import { Emitter } from "../../base/emitter.ts";
import { newId } from "../../base/ids.ts";
import { SerialQueue } from "../../base/serialQueue.ts";
import { ReviewState } from "../../edits/review/reviewState.ts";
import { documentLineEnd, textWithLineEnds } from "../../edits/text/lineEnds.ts";
import type { Logger } from "../../ports/logger.ts";
import type {
  PendingProposal,
  Review,
  ReviewEvents,
  Reviewer,
  ReviewOrigin,
} from "../../ports/review.ts";
import type { FileRef, FileSnapshot, Workspace } from "../../ports/workspace.ts";
import type { WorkspaceFiles } from "../../ports/workspaceFiles.ts";
import type { ChatTitles } from "../../review/chats/chatTitles.ts";
import { refusedReview } from "../../review/proposals/refusedReview.ts";
import type { SharedProposals } from "../../review/proposals/sharedProposals.ts";
import type { ProposalStore, StoredProposal } from "../../review/storage/proposalStore.ts";
import { isProtectedPath } from "../../tools/permissions/protectedPath.ts";
import { deletionDiff } from "../documents/deletionDiff.ts";
import { PROPOSAL_SCHEME, ProposalFiles } from "../documents/proposalFiles.ts";
import { proposalAddress, watchProposalLanguage } from "../documents/proposalLanguage.ts";
import { t } from "../localize.ts";
import { FileReview } from "../proposals/fileReview.ts";
import type { DecidedBy, ToShow } from "../proposals/fileReviewDeps.ts";
import { ProposedOperations } from "../proposals/proposedOperations.ts";
import { reopenProposal } from "../proposals/reopenProposal.ts";
import { reviewDocuments } from "../proposals/reviewDocuments.ts";
import { ReviewList } from "../proposals/reviewList.ts";
import { WorkspaceEditApplier } from "../workspace/workspaceEditApplier.ts";
import { workspacePathOf } from "../workspace/workspacePath.ts";
import type { AcceptedIn } from "./acceptMany.ts";
import { BehindDiffs } from "./behindDiffs.ts";
import { DiffView } from "./diffView.ts";
import { hunkMark } from "./hunkLenses.ts";
import { createInlineDiffPrompt, type InlineDiffSetting } from "./inlineDiffPrompt.ts";
import {
  decisionProblemMessage,
  deletionTitle,
  goneMessage,
  twiceProposedMessage,
} from "./messages.ts";
import { ReviewCommands } from "./reviewCommands.ts";
import { watchFiles } from "./watchFiles.ts";

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
  /** What the chats are called that wrote in one file. */
  readonly titles?: Pick<ChatTitles, "of" | "onChange">;
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
  private readonly reviews = new ReviewList();
  private readonly view: DiffView;
  readonly commands: ReviewCommands;
  readonly operations: ProposedOperations;
  private readonly scheme: string;
  private readonly loads = new SerialQueue();
  /**
   * Kept proposals for files that have another one pending, newest first: each is pending once that
   * one is over.
   */
  private later: readonly StoredProposal[] = [];
  /**
   * Ended reviews whose proposal changed since, be it by the user or by what formats it when its
   * tab is saved to be closed.
   */
  private readonly changedLate = new WeakSet<FileReview>();
  /** Diffs that have been behind their proposals for a while. */
  readonly behind: BehindDiffs;
  private toldPending = false;
  private readonly pendingChanged = new Emitter<void>();
  /** Called often: when anything about {@link pendingReviews} may have changed. */
  readonly onPending = this.pendingChanged.on.bind(this.pendingChanged);

  constructor(options: DiffPreviewOptions) {
    this.options = options;
    this.applier = new WorkspaceEditApplier(options.workspace);
    const { scheme = PROPOSAL_SCHEME } = options;
    this.scheme = scheme;
    const { workspace: editor } = vscode;
    this.owned.add(this.files);
    this.owned.add(
      editor.registerFileSystemProvider(scheme, this.files, { isCaseSensitive: true }),
    );
    this.owned.add(watchProposalLanguage(scheme));
    const { logger, workspace } = options;
    const offerInline = createInlineDiffPrompt(options.memento, () => options.settings().inline);
    const reviews = () => this.pendingReviews;
    this.behind = this.owned.add(new BehindDiffs(reviews));
    const nothingLeft = (by: DecidedBy) => {
      offerInline();
      if (by === "command") options.focusComposer?.();
    };
    const { titles } = options;
    const titleOf = (chatId: string) => titles?.of(chatId) ?? "";
    this.view = this.owned.add(new DiffView(scheme, reviews, titleOf, nothingLeft, logger));
    if (titles) this.owned.add(titles.onChange(() => this.view.redrawSoon()));
    const { operations: files, store, events } = options;
    this.operations = new ProposedOperations({
      ...{ workspace, files, store, events, reviews: this.reviews, shared: options.shared },
      beforehand: () => options.settings().review === "before",
    });
    const deletions = deletionDiff(scheme, this.files);
    this.owned.add(
      this.operations.onChange(() => {
        this.pendingChanged.fire();
        void deletions.closeDecided((uri) => this.operations.find(uri) !== undefined);
      }),
    );
    this.owned.add(this.onPending(() => this.tellPending()));
    this.commands = new ReviewCommands(
      reviews,
      this.view,
      this.operations,
      (change) => this.takeBack(change),
      () => this.tellChange(),
      async () => (await options.shared?.own()) ?? true,
      (file) => deletions.show(file, deletionTitle(t, file.path)),
    );
    this.owned.add(
      watchFiles(this.reviews, (review, event) => {
        const { path } = review;
        const message = t("You edited the proposal for {path} after it was decided.", { path });
        if (event.type === "moved") void this.moved(review, event.uri);
        else if (event.type === "deleted") this.gone(review, "deleted");
        else if (this.changedLate.delete(review)) void this.view.offerText(review, message);
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

  /** Which commands the palette offers: some also decide on files to delete or rename. */
  private tellPending(): void {
    const isPending = this.pendingPaths.length > 0;
    if (this.toldPending === isPending) return;
    this.toldPending = isPending;
    void vscode.commands.executeCommand("setContext", "graft.pending", isPending);
  }

  /**
   * Brings back what was pending when the window closed, rebased on the files as they are now. Where
   * two windows proposed for one file, the newer proposal is pending first.
   */
  load(): Promise<void> {
    return this.loads.run(async () => {
      const kept = await this.options.store.load();
      for (const stored of kept) if ("to" in stored) await this.operations.bringBack(stored);
      const { pending, unsaved } = this.reviews;
      const known = new Set([...pending, ...unsaved].map(({ id }) => id));
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

  /**
   * Adds proposals that were made elsewhere. One for a file that has another one is pending once
   * that is over; gives how many wait so.
   */
  adopt(all: readonly StoredProposal[]): Promise<number> {
    return this.loads.run(async () => {
      const waiting = all.filter(({ file }) => this.reviews.of(file.uri));
      this.later = [...this.later, ...waiting];
      for (const stored of all) {
        await this.options.store.keep(stored.id, () => stored);
        if (!waiting.includes(stored)) await this.bringBack(stored);
      }
      return waiting.length;
    });
  }

  /** True while an answer writes a proposal, or an accept is on its way. */
  get isBusy(): boolean {
    return this.pendingReviews.some((review) => review.streaming || review.real.isChanging);
  }

  /** Closes what is pending without deciding it: another window has the proposals now. */
  letGo(): void {
    const pending = this.reviews.clear();
    this.later = [];
    this.operations.letGo();
    for (const review of pending) void review.letGo();
    this.tellChange();
  }

  private async bringBack(stored: StoredProposal): Promise<void> {
    const { review: _, ...reviewed } = stored;
    const place = await this.options.workspace.resolve(reviewed.file.path);
    if (!place.ok || this.reviews.of(place.value.uri)) return;
    const model = await reopenProposal(stored, place.value, this.options.events);
    // The user may have lost it to another window, or an answer may have begun one, meanwhile.
    if (this.options.shared?.isOurs === false || this.reviews.of(place.value.uri)) return;
    if (model === "done") await this.options.store.keep(stored.id, () => null);
    else if (model) this.add({ ...reviewed, file: place.value }, model, model.hunks().length === 0);
  }

  /** Brings back the next proposal of a file whose last one is over. */
  private bringBackLater({ file }: FileReview): void {
    const next = this.later.find((stored) => stored.file.path === file.path);
    if (!next || this.reviews.of(file.uri)) return;
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
    const known = this.reviews.of(file.uri);
    if (known?.isWrittenBeside(origin)) return refusedReview("being-written");
    this.view.diffs.began(origin.turnId);
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
    const stored = this.reviews.takeUnsaved(file.uri)?.stored();
    if (!stored) return null;
    const { review, ...reviewed } = stored;
    const model = ReviewState.from({ ...review, userDiffs: [], untyped: [] });
    model.reopened(textWithLineEnds(text, documentLineEnd(review.real)));
    return this.add({ ...reviewed, file }, model);
  }

  pending(file: FileRef): PendingProposal | null {
    return this.reviews.of(file.uri)?.complete() ?? null;
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
    const marks = found.map(({ uri, hunk, text }) => hunkMark(this.reviews.of(uri), hunk, text));
    this.view.mark(marks.filter((mark) => mark !== undefined));
    return marks.map((mark) => mark?.hunkId);
  }

  /** The reviews of the workspace, oldest first. */
  get pendingReviews(): readonly FileReview[] {
    return this.reviews.pending;
  }

  /** What is pending stays on record. */
  dispose(): void {
    this.view.diffs.closing = true;
    for (const review of this.pendingReviews) review.close();
    this.owned.dispose();
  }

  /** `wasOver` where nothing is left to decide, and thus to show. */
  private add(
    reviewed: Omit<StoredProposal, "review">,
    model: ReviewState,
    wasOver = false,
  ): FileReview {
    const { id } = reviewed;
    const { events, store, settings, workspace } = this.options;
    // The same record may have had another review, whose documents are still closing.
    const proposalUri = proposalAddress(
      this.scheme,
      newId("review"),
      vscode.Uri.parse(reviewed.file.uri),
    );
    const review: FileReview = new FileReview(reviewed, {
      ...reviewDocuments(proposalUri, this.files),
      model,
      proposalUri,
      createFile: (uri, text) =>
        this.applier.rewrite([{ uri, before: null, after: text }]).catch(() => false),
      workspace,
      events,
      acceptsAtOnce: () => settings().review === "after" && !review.file.protected,
      show: (what) => this.show(review, what),
      keepRecord: async () =>
        this.reviews.has(review) ? store.keep(id, () => review.stored()) : undefined,
      over: async (last) => {
        const others = this.reviews.over(review);
        void this.operations.decideNew(review.file);
        this.tellChange();
        if (wasOver) return;
        const { closing } = this.reviews;
        closing.add(review);
        await this.view.ended(review, last, others).finally(() => {
          closing.delete(review);
          this.bringBackLater(review);
        });
      },
      log: (message) => this.options.logger.warn(message),
    });
    this.reviews.add(review, wasOver);
    this.view.redrawSoon();
    return review;
  }

  /**
   * Takes a change back as one undo step: the file gets its earlier text, and the proposal is
   * pending again. False for a file that changed since, which stays as it is.
   */
  private async takeBack({ review, origin, change }: AcceptedIn): Promise<boolean> {
    const { uri } = change.file;
    const isLive = () => this.reviews.of(uri) === review;
    // A review that goes on cannot follow its file to where there is none.
    if (isLive() ? change.before === null : this.reviews.of(uri)) return false;
    const { before, after } = change;
    const rewrite = { uri: vscode.Uri.parse(uri, true), before: after, after: before };
    if (!(await this.applier.rewrite([rewrite]).catch(() => false))) return false;
    this.options.events.takenBack(origin, change);
    if (isLive()) return true;
    this.reviews.takeUnsaved(uri);
    const { review: record, ...reviewed } = review.takenBack(before);
    this.add(reviewed, ReviewState.from(record));
    return true;
  }

  private show(review: FileReview, what: ToShow): void {
    const { showWarningMessage, setStatusBarMessage } = vscode.window;
    if (what.type === "grew") this.view.grew(review, what.offset);
    else if (what.type === "complete") this.view.complete(review);
    else if (what.type === "changed") this.tellChange();
    else if (what.type === "protected") this.pendingChanged.fire();
    else if (what.type === "typed-late") this.changedLate.add(review);
    else if (what.type === "refused")
      void showWarningMessage(decisionProblemMessage(t, what.problem, review.path));
    else
      void setStatusBarMessage(
        t("Undo here only takes back what you typed in the proposal."),
        5_000,
      );
  }

  /** While many files are decided, nobody hears of each. */
  private tellChange(): void {
    if (this.view.isDecidingMany) return;
    this.view.redrawSoon();
    this.behind.look();
    this.pendingChanged.fire();
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
    const replaced = this.reviews.move(review, from.toString(), file.value.uri);
    void replaced?.withdraw({ code: "file-gone" });
    await review.moved(file.value);
    await this.view.moved(review, from);
  }

  private gone(review: FileReview, how: "deleted" | "moved"): void {
    review.real.exists = false;
    void review.withdraw({ code: "file-gone" });
    void this.view.offerText(review, goneMessage(t, review.path, how));
  }
}
