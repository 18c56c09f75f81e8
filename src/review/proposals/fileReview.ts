import { latestDrawn } from "../../edits/review/hunkLocations.ts";
import type { Hunk } from "../../edits/review/reviewPlan.ts";
import { editsBetween } from "../../edits/text/changeSet.ts";
import { documentLineEnd, textWithLineEnds } from "../../edits/text/lineEnds.ts";
import type {
  BlockOutcome,
  BlockSource,
  PendingProposal,
  Proposal,
  Review,
  ReviewOrigin,
  ReviewOutcome,
  ReviewReason,
} from "../../ports/review.ts";
import type { FileRef } from "../../ports/workspace.ts";
import type { DocumentChange, EditorDocument, ForeignChange } from "../documents/documentSync.ts";
import { ProposalDocument } from "../documents/proposalDocument.ts";
import type { StoredProposal } from "../storage/proposalStore.ts";
import type { FileReviewDeps } from "./fileReviewDeps.ts";
import { HunkDecisions } from "./hunkDecisions.ts";
import { OriginalFile } from "./originalFile.ts";
import { chatsOf, keyOf, OutcomeReporter } from "./outcomeReporter.ts";
import { nextReviewPhase, type ReviewEnd, type ReviewPhase } from "./reviewPhase.ts";
import { StreamedPart } from "./streamedPart.ts";

/**
 * One file's review: keeps the model of it, the proposal's document and the user's document in
 * step.
 */
export class FileReview<D extends EditorDocument> {
  /** The URI of the proposal's document. */
  readonly proposalUri: string;
  readonly real: OriginalFile<D>;
  readonly proposal: ProposalDocument<D>;
  phase: ReviewPhase = "open";
  /** What became of it so far, by request. */
  readonly reporter: OutcomeReporter;
  /** What the user decides. */
  readonly decisions: HunkDecisions<D>;
  /** As it began. */
  private readonly begun: Omit<StoredProposal, "review">;
  private readonly deps: FileReviewDeps<D>;
  private readonly lineEnd: "\n" | "\r\n";
  /** What writes to the proposal now. */
  private message: StreamedPart | null = null;
  /** Settles when the latest message is on record: an accept takes its hunks from there. */
  private recorded = Promise.resolve();
  private readonly followed: Promise<void>;
  private readonly drawn = latestDrawn();

  /** The blocks of `begun` are those of earlier messages, where a review goes on after a restart. */
  constructor(begun: Omit<StoredProposal, "review">, deps: FileReviewDeps<D>) {
    const { file, exists, blocks } = begun;
    const { model } = deps;
    this.begun = begun;
    this.deps = deps;
    this.proposalUri = deps.proposalUri;
    this.lineEnd = documentLineEnd(model.real);
    this.reporter = new OutcomeReporter(
      blocks,
      () => model.outcomes(),
      (origin, outcomes, diff) => deps.events.decided(origin, this.path, outcomes, diff),
    );
    const { lineEnd } = this;
    this.real = new OriginalFile<D>(file, exists, model.real, lineEnd, {
      ...deps,
      edited: (change) => this.realEdited(change),
      opened: (document) => this.realOpened(document),
      isOver: () => this.ended,
    });
    this.proposal = new ProposalDocument<D>(model.proposed, {
      ...deps,
      lineEnd,
      typed: (edits, textAfter) => {
        if (this.ended) return deps.show({ type: "typed-late" });
        this.decisions.by("typing");
        model.userEdited("proposed", edits, textAfter);
        this.reviewed();
      },
      progressed: () => deps.show({ type: "changed" }),
      keptUndone: () => deps.show({ type: "kept-undone" }),
    });
    this.decisions = new HunkDecisions<D>(this, deps);
    // What was pending before a restart can be typed in at once.
    if (blocks.length > 0) this.proposal.complete();
    this.followed = this.real.follow().then(() => this.reviewed());
  }

  /** True once it is over. */
  get ended(): boolean {
    return this.phase === "decided" || this.phase === "dropped";
  }

  get file(): FileRef {
    return this.real.file;
  }

  get path(): string {
    return this.file.path;
  }

  /** The name of its record. */
  get id(): string {
    return this.begun.id;
  }

  /** True once the real file is there to compare with. */
  get fileExists(): boolean {
    return this.real.exists;
  }

  /** The path that it began with. */
  get firstPath(): string {
    return this.begun.file.path;
  }

  /** True while an answer writes the proposal. */
  get streaming(): boolean {
    return this.message !== null;
  }

  /** True while the answer of another chat writes the proposal: one does at a time. */
  isWrittenBeside({ chatId }: ReviewOrigin): boolean {
    return this.message !== null && this.message.origin.chatId !== chatId;
  }

  /** The real file's text as the review knows it; its line ends are those that it began with. */
  get realText(): string {
    return this.deps.model.real;
  }

  /** The text as it is proposed now, with what the user typed in it. */
  get proposedText(): string {
    return this.deps.model.proposed;
  }

  /** What complete messages propose, without what an answer is writing now; null for nothing. */
  complete(): PendingProposal | null {
    const { file, message } = this;
    const known = new Map(
      this.reporter.all.map((block) => [keyOf(block.origin, block.blockId), block]),
    );
    if (known.size === 0) return null;
    const model = message ? this.deps.model.beforeMessage() : this.deps.model;
    const blocks = model.written.flatMap((part) => {
      const block = known.get(part.blockId);
      return block ? [{ ...part, ...block }] : [];
    });
    const hunks = model.hunks().map(({ blockIds }) => chatsOf(this.reporter.all, blockIds));
    return { file, text: model.proposed, hunks, blocks };
  }

  /** The blocks that wrote the proposal. */
  get reviewedBlocks(): readonly BlockSource[] {
    return this.reporter.all;
  }

  /** What became of the blocks of complete messages. */
  outcomes(): readonly BlockOutcome[] {
    const complete = new Set(
      this.reporter.all.map(({ origin, blockId }) => keyOf(origin, blockId)),
    );
    return this.deps.model.outcomes().filter(({ blockId }) => complete.has(blockId));
  }

  /**
   * What the review needs to go on after a restart; null when nothing is left to decide, and all
   * that was accepted is saved.
   */
  stored(): StoredProposal | null {
    const { begun, file, fileExists, message } = this;
    const kept = message?.kept ?? null;
    const blocks = [...this.reporter.all, ...(kept?.blocks ?? [])];
    if (blocks.length === 0) return null;
    const review = this.deps.model.record(message && (kept?.proposal ?? "before-message"));
    const isKept = this.phase !== "dropped" && (!this.ended || review.unsaved);
    if (!isKept) return null;
    return { ...begun, file, exists: fileExists, blocks, review };
  }

  /** What is left to decide, each where VS Code draws it. */
  hunks(): readonly Hunk[] {
    return this.ended ? [] : this.drawn(this.deps.model.hunks(), this.realText, this.proposedText);
  }

  /**
   * Begins a message's part in the proposal; `snapshotText` is the proposal as the model saw it.
   */
  begin(snapshotText: string, origin: ReviewOrigin): Review {
    const part = new StreamedPart(origin, this.lineEnd, (proposal) => this.grown(proposal));
    this.message = part;
    this.decisions.by("panel");
    this.deps.model.beginMessage(snapshotText, origin.isCommand ? origin.callId : null);
    return {
      update: (proposal) => {
        if (this.message === part) part.update(proposal);
      },
      keep: async (complete) => {
        if (this.message !== part) return;
        part.complete = complete;
        await this.deps.keepRecord();
      },
      propose: (proposal, stopped) => this.propose(proposal, part, stopped),
      dispose: () => {
        if (this.message === part) this.takeBack(part, snapshotText);
      },
    };
  }

  /** Settles when the file is followed, and the latest message on record. */
  async ready(): Promise<void> {
    await Promise.all([this.followed, this.recorded]);
  }

  /** Stops all timers: the window closes, and what is pending is on record. */
  close(): void {
    this.message?.stop();
  }

  /** Closes the review without deciding: its record is another window's now. */
  async letGo(): Promise<void> {
    if (this.ended) return;
    this.enter("dropped");
    this.close();
    this.message = null;
    await this.deps.over({ by: "elsewhere", line: null });
    this.proposal.dispose();
  }

  /** Ends the review; what is undecided counts as rejected, for this reason. */
  async withdraw(reason: ReviewReason): Promise<void> {
    this.enter("withdrawn");
    await this.real.idle();
    this.decisions.by("panel");
    if (!this.ended) await this.end(reason);
  }

  /** The real file has another name or place: the review goes on there. */
  async moved(file: FileRef): Promise<void> {
    await this.real.moved(file);
    this.reviewed();
  }

  /**
   * The file has the text again that it had before an accept, null for no file: gives what a review
   * needs to go on from there.
   */
  takenBack(before: string | null): StoredProposal {
    const { begun, file } = this;
    const { model } = this.deps;
    const text = textWithLineEnds(before ?? "", this.lineEnd);
    model.userEdited("real", editsBetween(model.real, text), text);
    const [blocks, review] = [this.reporter.all, model.record()];
    return { ...begun, file, exists: before !== null, blocks, review };
  }

  /**
   * The editor changed the real file's document: by an accepted plan, by the user, or because the
   * file changed on disk.
   */
  realChanged(document: D, change: DocumentChange): void {
    if (!this.real.documentChanged(document, change)) return;
    if (this.ended) void this.deps.keepRecord();
    else this.reviewed();
  }

  /** The editor let go of the real file's document. */
  realClosed(document: D): void {
    this.real.closed(document);
  }

  /** The editor opened a document for the real file. */
  realOpened(document: D): void {
    if (this.ended || !this.fileExists) return;
    this.real.open(document, () => {
      const mirrored = this.deps.model.reopened(this.real.text);
      this.proposal.advance(mirrored, this.proposedText, "others");
      if (this.deps.model.unsaved) void this.realSaved(document);
    });
    this.reviewed();
  }

  /** The editor may have saved the real file: what the disk has now need not be kept. */
  async realSaved(document: D): Promise<void> {
    const text = await this.real.onDisk(document);
    if (text !== null) {
      this.deps.model.saved(text);
      // What was undone since then is the journal's to tell.
      if (!this.ended || this.deps.model.hunks().length === 0) this.reporter.report(null);
    }
    await this.deps.keepRecord();
  }

  private async propose(
    proposal: Proposal,
    part: StreamedPart,
    stopped: boolean,
  ): Promise<ReviewOutcome> {
    const { origin } = part;
    if (this.message === part) {
      part.update(() => proposal);
      part.flush();
      this.message = null;
      this.proposal.complete();
      this.reporter.add(origin, proposal.blocks);
      this.recorded = this.deps.keepRecord();
      if (this.deps.acceptsAtOnce() && !stopped)
        await this.decisions.acceptSound(
          new Set(proposal.blocks.map(({ blockId }) => keyOf(origin, blockId))),
        );
      if (!this.ended) this.deps.show({ type: "complete" });
      this.reviewed();
      // What the model and the chat's history know as pending outlasts a crash.
      await this.deps.keepRecord();
    }
    const blocks = this.reporter.tell(origin, proposal.blocks);
    return { blocks, text: this.proposedText };
  }

  /**
   * A message never became complete: the proposal is again as it was before, or over where nothing
   * else was proposed.
   */
  private takeBack(part: StreamedPart, snapshotText: string): void {
    part.update(() => ({ text: snapshotText, blocks: [] }));
    part.flush();
    this.message = null;
    if (this.reporter.all.length === 0) void this.withdraw({ code: "review-closed" });
    else this.reviewed();
  }

  private grown(proposal: Proposal): void {
    const edits = this.deps.model.propose(proposal);
    this.proposal.advance(edits, this.proposedText, "others");
    if (proposal.blocks.length > 0 || edits.length > 0)
      this.deps.show({ type: "grew", offset: proposal.blocks.at(-1)?.end ?? 0 });
  }

  /** Somebody other than Graft changed the file. */
  private realEdited({ edits, after }: ForeignChange): void {
    const mirrored = this.deps.model.userEdited("real", edits, after);
    if (!this.ended) this.proposal.advance(mirrored, this.proposedText, "others");
  }

  /** Something was decided, typed, or proposed. */
  reviewed(): void {
    if (this.ended) return;
    if (!this.message && !this.real.isChanging && this.reporter.all.length > 0) {
      if (this.deps.model.hunks().length === 0) return void this.end(null);
      this.reporter.report(null);
    }
    void this.deps.keepRecord();
    this.deps.show({ type: "changed" });
  }

  private enter(event: ReviewEnd): void {
    this.phase = nextReviewPhase(this.phase, event);
  }

  private async end(reason: ReviewReason | null): Promise<void> {
    if (this.ended) return;
    const userDiff = this.deps.model.userDiff();
    this.enter(reason === null ? "settled" : "dropped");
    this.message?.stop();
    this.message = null;
    this.reporter.end(reason, userDiff);
    void this.deps.keepRecord();
    await this.deps.over(this.decisions.last);
    this.proposal.dispose();
  }
}
