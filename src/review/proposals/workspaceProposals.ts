import { Emitter } from "../../base/emitter.ts";
import { newId } from "../../base/ids.ts";
import { SerialQueue } from "../../base/serialQueue.ts";
import { ReviewState } from "../../edits/review/reviewState.ts";
import { documentLineEnd, textWithLineEnds } from "../../edits/text/lineEnds.ts";
import type {
  PendingProposal,
  Review,
  ReviewEvents,
  Reviewer,
  ReviewOrigin,
} from "../../ports/review.ts";
import type { FileRef, FileSnapshot, Workspace } from "../../ports/workspace.ts";
import type { WorkspaceFiles } from "../../ports/workspaceFiles.ts";
import { isProtectedPath } from "../../tools/permissions/protectedPath.ts";
import type { EditorDocument } from "../documents/documentSync.ts";
import type { EditorFiles } from "../documents/editorFiles.ts";
import type { ProposalStore, StoredProposal } from "../storage/proposalStore.ts";
import { FileReview } from "./fileReview.ts";
import type { AcceptedChange, LastDecision, ProposalPlace, ToShow } from "./fileReviewDeps.ts";
import { following } from "./following.ts";
import { type OperationsView, ProposedOperations } from "./proposedOperations.ts";
import { refusedReview } from "./refusedReview.ts";
import { reopenProposal } from "./reopenProposal.ts";
import type { SharedProposals } from "./sharedProposals.ts";

/** What shows the proposals of a window to the user. */
export interface ProposalsView<D extends EditorDocument> extends OperationsView {
  /** This turn writes to a proposal from now on. */
  began(turnId: string): void;
  /** There is another pending review. */
  opened(): void;
  /** Something happened to a pending review. */
  show(review: FileReview<D>, what: Exclude<ToShow, { readonly type: "changed" }>): void;
  /** The review's file was renamed; it was at the URI `from`. Settles when that is shown. */
  moved(review: FileReview<D>, from: string): Promise<void>;
  /** The review's file is gone, so its proposal is withdrawn. */
  gone(review: FileReview<D>, how: "deleted" | "moved"): void;
  /**
   * A review is over: closes what shows it, and goes on to the first of `others` that can be
   * decided. Settles when nothing more comes from its document.
   */
  ended(review: FileReview<D>, last: LastDecision, others: readonly FileReview<D>[]): Promise<void>;
  /** Two windows proposed for each of these files: the newer proposal is pending first. */
  foundTwice(paths: readonly string[]): void;
}

/** What {@link WorkspaceProposals} needs. */
export interface WorkspaceProposalsDeps<D extends EditorDocument> {
  readonly workspace: Pick<Workspace, "writable" | "resolve" | "read">;
  readonly editor: EditorFiles<D>;
  /** Makes a place for the document of a new proposal for the file at this URI. */
  newPlace(uri: string): ProposalPlace;
  /** Deletes and renames the user's files. */
  readonly files: WorkspaceFiles;
  /** Keeps what is pending over a restart. */
  readonly store: Pick<ProposalStore, "load" | "keep" | "idle">;
  /** Where other windows may decide too. */
  readonly shared: Pick<SharedProposals, "isOurs" | "own" | "paths"> | undefined;
  readonly events: ReviewEvents;
  readonly view: ProposalsView<D>;
  /** Whether the user reviews before or after changes are made. Read each time. */
  reviewed(): "before" | "after";
  log(message: string): void;
}

/** What an accept changed in the file of a review, which can be taken back. */
export interface AcceptedIn<D extends EditorDocument> extends AcceptedChange {
  readonly review: FileReview<D>;
}

/** The proposals of the workspace: one a file at most is pending, and others are kept. */
export class WorkspaceProposals<D extends EditorDocument> implements Reviewer {
  readonly operations: ProposedOperations;
  private readonly deps: WorkspaceProposalsDeps<D>;
  /** The pending reviews by the URI of their file, oldest first. */
  private readonly byUri = new Map<string, FileReview<D>>();
  /** Decided reviews whose accepts are not saved, and so stay on record. */
  private readonly unsavedByUri = new Map<string, FileReview<D>>();
  /** Decided reviews whose document is still closing. */
  private readonly closing = new Set<FileReview<D>>();
  /** Kept proposals for files that have another one pending, newest first. */
  private later: readonly StoredProposal[] = [];
  private readonly loads = new SerialQueue();
  private readonly changes = new Emitter<void>();
  /** Settles once many files are decided. */
  private deciding: Promise<void> | null = null;
  /** Called often: when anything about the proposals may have changed. */
  readonly onChange = this.changes.on.bind(this.changes);

  constructor(deps: WorkspaceProposalsDeps<D>) {
    this.deps = deps;
    const { workspace, files, editor, store, events, shared, view } = deps;
    this.operations = new ProposedOperations({
      ...{ workspace, files, editor, store, events, shared, view },
      isReviewed: (uri) => this.of(uri) !== undefined,
      beforehand: () => deps.reviewed() === "before",
    });
    this.operations.onChange(() => this.changes.fire());
  }

  /** The pending reviews, oldest first. */
  get reviews(): readonly FileReview<D>[] {
    return [...this.byUri.values()];
  }

  /** The reviews that follow the documents of their files: also decided ones with unsaved accepts. */
  get onRecord(): readonly FileReview<D>[] {
    return [...this.byUri.values(), ...this.unsavedByUri.values()];
  }

  /** The reviews whose own documents are open: also decided ones that are closing. */
  get shown(): readonly FileReview<D>[] {
    return [...this.byUri.values(), ...this.closing];
  }

  /** The pending review of the file at this URI. */
  of(uri: string): FileReview<D> | undefined {
    return this.byUri.get(uri);
  }

  /**
   * The workspace paths with pending proposals: of texts in the order they were opened, of file
   * operations, and of other windows.
   */
  get pendingPaths(): readonly string[] {
    return [
      ...new Set([
        ...this.reviews.map((review) => review.path),
        ...this.operations.paths,
        ...(this.deps.shared?.paths ?? []),
      ]),
    ];
  }

  /** True while an answer writes a proposal, or an accept is on its way. */
  get isBusy(): boolean {
    return this.reviews.some((review) => review.streaming || review.real.isChanging);
  }

  pending(file: FileRef): PendingProposal | null {
    return this.of(file.uri)?.complete() ?? null;
  }

  allPending(): readonly PendingProposal[] {
    return this.reviews.flatMap(({ file }) => this.pending(file) ?? []);
  }

  open(snapshot: FileSnapshot, origin: ReviewOrigin): Review {
    if (this.deps.shared?.isOurs === false) return refusedReview("proposals-elsewhere");
    if (this.operations.deletes(snapshot.file)) return refusedReview("deletion-proposed");
    const { exists, text } = snapshot;
    // Whoever named the file may not have looked at its name.
    const file: FileRef = isProtectedPath(snapshot.file.path)
      ? { ...snapshot.file, protected: true }
      : snapshot.file;
    const known = this.of(file.uri);
    if (known?.isWrittenBeside(origin)) return refusedReview("being-written");
    this.deps.view.began(origin.turnId);
    const begun = { id: newId("review"), begunAt: Date.now(), file, exists, blocks: [] };
    const review = known ?? this.continued(file, text) ?? this.add(begun, new ReviewState(text));
    return review.begin(text, origin);
  }

  /**
   * Brings back what was pending when the window closed, rebased on the files as they are now. If
   * two windows proposed for one file, the newer proposal is pending first.
   */
  load(): Promise<void> {
    return this.loads.run(async () => {
      const kept = await this.deps.store.load();
      for (const stored of kept) if ("to" in stored) await this.operations.bringBack(stored);
      const known = new Set(this.onRecord.map(({ id }) => id));
      const texts = kept.flatMap((stored) =>
        "to" in stored || known.has(stored.id) ? [] : [stored],
      );
      const newest = new Map(texts.map((stored) => [stored.file.path, stored]));
      for (const stored of newest.values()) await this.bringBack(stored);
      this.later = texts.filter((stored) => stored !== newest.get(stored.file.path)).reverse();
      if (this.later.length > 0)
        this.deps.view.foundTwice([...new Set(this.later.map(({ file }) => file.path))]);
    });
  }

  /**
   * Adds proposals that were made elsewhere. One for a file that has another one is pending once
   * that is over; gives how many wait so.
   */
  adopt(all: readonly StoredProposal[]): Promise<number> {
    return this.loads.run(async () => {
      const waiting = all.filter(({ file }) => this.of(file.uri));
      this.later = [...this.later, ...waiting];
      for (const stored of all) {
        await this.deps.store.keep(stored.id, () => stored);
        if (!waiting.includes(stored)) await this.bringBack(stored);
      }
      return waiting.length;
    });
  }

  /** Makes this window the one that decides. False if it cannot be now, which the user is told. */
  async own(): Promise<boolean> {
    return (await this.deps.shared?.own()) ?? true;
  }

  /** Closes what is pending without deciding it: another window has the proposals now. */
  letGo(): void {
    const { reviews } = this;
    this.byUri.clear();
    this.unsavedByUri.clear();
    this.later = [];
    this.operations.letGo();
    for (const review of reviews) void review.letGo();
    this.tellChange();
  }

  /** Settles when what is pending is on record. */
  kept(): Promise<void> {
    return this.deps.store.idle();
  }

  /** Stops all timers: the window closes. What is pending stays on record. */
  close(): void {
    for (const review of this.reviews) review.close();
  }

  /** While this decides many files, nobody hears of each. */
  async decideMany(decide: () => Promise<void>): Promise<void> {
    const deciding = Promise.resolve().then(decide);
    this.deciding = deciding;
    try {
      await deciding;
    } finally {
      if (this.deciding === deciding) this.deciding = null;
      this.tellChange();
    }
  }

  /** Settles once the many files that are being decided are; null if there are none. */
  get decidingMany(): Promise<void> | null {
    return this.deciding;
  }

  /**
   * Takes a change back as one undo step: the file gets its earlier text, and the proposal is
   * pending again. False for a file that changed since, which stays as it is.
   */
  async takeBack({ review, origin, change }: AcceptedIn<D>): Promise<boolean> {
    const { uri } = change.file;
    const isLive = () => this.of(uri) === review;
    // A review that goes on cannot follow its file to where there is none.
    if (isLive() ? change.before === null : this.of(uri)) return false;
    const rewrite = { uri, before: change.after, after: change.before };
    if (!(await this.deps.editor.rewrite([rewrite]))) return false;
    this.deps.events.takenBack(origin, change);
    if (isLive()) return true;
    this.unsavedByUri.delete(uri);
    const { review: record, ...reviewed } = review.takenBack(change.before);
    this.add(reviewed, ReviewState.from(record));
    return true;
  }

  /**
   * A review's file was renamed: follows it to its path in the workspace, or withdraws the proposal
   * if it left, for which `path` is null.
   */
  async moved(review: FileReview<D>, path: string | null): Promise<void> {
    const file = path === null ? null : await this.deps.workspace.resolve(path);
    if (review.ended) return;
    if (!file?.ok) return this.gone(review, "moved");
    const from = review.file.uri;
    const to = file.value.uri;
    const replaced = this.of(to);
    if (this.of(from) === review) this.byUri.delete(from);
    this.byUri.set(to, review);
    if (replaced !== review) void replaced?.withdraw({ code: "file-gone" });
    await review.moved(file.value);
    await this.deps.view.moved(review, from);
  }

  /** A review's file was deleted, or left the workspace. */
  gone(review: FileReview<D>, how: "deleted" | "moved"): void {
    review.real.exists = false;
    void review.withdraw({ code: "file-gone" });
    this.deps.view.gone(review, how);
  }

  private async bringBack(stored: StoredProposal): Promise<void> {
    const { review: _, ...reviewed } = stored;
    const { workspace, events, editor, shared, store } = this.deps;
    const place = await workspace.resolve(reviewed.file.path);
    if (!place.ok || this.of(place.value.uri)) return;
    const model = await reopenProposal(stored, place.value, events, editor);
    // The user may have lost it to another window, or an answer may have begun one, meanwhile.
    if (shared?.isOurs === false || this.of(place.value.uri)) return;
    if (model === "done") await store.keep(stored.id, () => null);
    else if (model) this.add({ ...reviewed, file: place.value }, model, model.hunks().length === 0);
  }

  /** Brings back the next proposal of a file whose last one is over. */
  private bringBackLater({ file }: FileReview<D>): void {
    const next = this.later.find((stored) => stored.file.path === file.path);
    if (!next || this.of(file.uri)) return;
    this.later = this.later.filter((stored) => stored !== next);
    void this.loads.run(() => this.bringBack(next));
  }

  /**
   * A decided review goes on if its accepts are not saved: one record has all that the file may
   * lose.
   */
  private continued(file: FileRef, text: string): FileReview<D> | null {
    const stored = this.unsavedByUri.get(file.uri)?.stored();
    this.unsavedByUri.delete(file.uri);
    if (!stored) return null;
    const { review, ...reviewed } = stored;
    const model = ReviewState.from({ ...review, userDiffs: [], untyped: [] });
    model.reopened(textWithLineEnds(text, documentLineEnd(review.real)));
    return this.add({ ...reviewed, file }, model);
  }

  /** `wasOver` if nothing is left to decide, and thus to show. */
  private add(
    reviewed: Omit<StoredProposal, "review">,
    model: ReviewState,
    wasOver = false,
  ): FileReview<D> {
    const { editor, events, store, view, workspace, log } = this.deps;
    // The same record may have had another review, whose documents are still closing.
    const { uri: proposalUri, ...place } = this.deps.newPlace(reviewed.file.uri);
    const review: FileReview<D> = new FileReview<D>(reviewed, {
      ...editor,
      ...place,
      ...{ model, proposalUri, workspace, events, log },
      acceptsAtOnce: () => this.deps.reviewed() === "after" && !review.file.protected,
      show: (what) => (what.type === "changed" ? this.tellChange() : view.show(review, what)),
      keepRecord: async () =>
        this.isOnRecord(review) ? store.keep(reviewed.id, () => review.stored()) : undefined,
      over: (last) => this.over(review, last, wasOver),
    });
    (wasOver ? this.unsavedByUri : this.byUri).set(review.file.uri, review);
    view.opened();
    return review;
  }

  private isOnRecord(review: FileReview<D>): boolean {
    const { uri } = review.file;
    return this.byUri.get(uri) === review || this.unsavedByUri.get(uri) === review;
  }

  private async over(review: FileReview<D>, last: LastDecision, wasOver: boolean): Promise<void> {
    const { uri } = review.file;
    const others = following(this.reviews, review);
    if (this.of(uri) === review) this.byUri.delete(uri);
    if (review.stored() !== null) this.unsavedByUri.set(uri, review);
    else if (this.unsavedByUri.get(uri) === review) this.unsavedByUri.delete(uri);
    void this.operations.decideNew(review.file);
    this.tellChange();
    if (wasOver) return;
    this.closing.add(review);
    await this.deps.view.ended(review, last, others).finally(() => {
      this.closing.delete(review);
      this.bringBackLater(review);
    });
  }

  private tellChange(): void {
    if (!this.deciding) this.changes.fire();
  }
}
