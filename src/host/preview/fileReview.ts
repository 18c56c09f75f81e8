import type * as vscode from "vscode";
import { SerialQueue } from "../../base/serialQueue.ts";
import { firstLineOf, latestDrawn } from "../../edits/review/hunkLocations.ts";
import type { Hunk, ReviewPlan } from "../../edits/review/reviewPlan.ts";
import { editsBetween } from "../../edits/text/changeSet.ts";
import type {
  BlockOutcome,
  Proposal,
  Review,
  ReviewOrigin,
  ReviewOutcome,
  ReviewReason,
} from "../../ports/review.ts";
import type { FileRef } from "../../ports/workspace.ts";
import { ProposalDocument } from "../proposals/proposalDocument.ts";
import { type Landed, RealFile } from "../proposals/realFile.ts";
import { keyOf, type ReviewedBlock, ReviewedBlocks } from "../proposals/reviewedBlocks.ts";
import { StreamedPart } from "../proposals/streamedPart.ts";
import type {
  DocumentChange,
  EditorDocument,
  ForeignChange,
} from "../proposals/trackedDocument.ts";
import type { StoredProposal } from "../storage/proposalStore.ts";
import { documentLineEnd } from "../workspace/lineEnds.ts";
import type {
  DecidedBy,
  DecisionProblem,
  FileReviewDeps,
  LastDecision,
  OneOfMany,
  ReviewedFile,
} from "./fileReviewDeps.ts";

/**
 * One file's review: keeps the model of it, the proposal's document and the user's document in
 * step.
 */
export class FileReview<D extends EditorDocument = vscode.TextDocument> {
  readonly proposalUri: vscode.Uri;
  readonly real: RealFile<D>;
  readonly proposal: ProposalDocument<D>;
  ended = false;
  /** It ended without the user, so that nothing of it is kept. */
  private dropped = false;
  /** As it began. */
  private readonly begun: ReviewedFile;
  private readonly deps: FileReviewDeps<D>;
  private readonly queue = new SerialQueue();
  private readonly lineEnd: "\n" | "\r\n";
  private readonly blocks: ReviewedBlocks;
  /** What writes to the proposal now. */
  private message: StreamedPart | null = null;
  /** Settles when the latest message is on record: an accept takes its hunks from there. */
  private recorded = Promise.resolve();
  private stopped = false;
  private readonly ready: Promise<void>;
  private last: LastDecision = { by: "panel", line: null };
  private readonly drawn = latestDrawn();

  constructor(begun: ReviewedFile, deps: FileReviewDeps<D>) {
    const { file, exists, blocks } = begun;
    const { model } = deps;
    this.begun = begun;
    this.deps = deps;
    this.proposalUri = deps.proposalUri;
    this.lineEnd = documentLineEnd(model.real);
    this.blocks = new ReviewedBlocks(blocks, {
      decided: deps.decided,
      outcomes: () => model.outcomes(),
    });
    const { lineEnd } = this;
    this.real = new RealFile<D>(file, exists, model.real, lineEnd, {
      ...deps,
      edited: (change) => this.realEdited(change),
      opened: (document) => this.realOpened(document),
      isOver: () => this.ended,
    });
    this.proposal = new ProposalDocument<D>(model.proposed, {
      ...deps,
      lineEnd,
      typed: (edits, textAfter) => {
        if (this.ended) return deps.typedLate(this);
        this.last = { ...this.last, by: "typing" };
        model.userEdited("proposed", edits, textAfter);
        this.reviewed();
      },
      progressed: () => deps.changed(),
    });
    // What was pending before a restart can be typed in at once.
    if (blocks.length > 0) this.proposal.complete();
    this.ready = this.real.follow().then(() => this.reviewed());
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

  /** Where the real file is. */
  get realUri(): vscode.Uri {
    return this.real.uri;
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

  /** The real file's text as the review knows it; its line ends are those that it began with. */
  get realText(): string {
    return this.deps.model.real;
  }

  /** The text as it is proposed now, with what the user typed in it. */
  get proposedText(): string {
    return this.deps.model.proposed;
  }

  /** True while the diff does not show the whole proposal yet. */
  get isBehind(): boolean {
    return this.proposal.isBehind;
  }

  /** The blocks that wrote the proposal. */
  get reviewedBlocks(): readonly ReviewedBlock[] {
    return this.blocks.all;
  }

  /** What became of the blocks of complete messages. */
  outcomes(): readonly BlockOutcome[] {
    const complete = new Set(this.blocks.all.map(({ origin, blockId }) => keyOf(origin, blockId)));
    return this.deps.model.outcomes().filter(({ blockId }) => complete.has(blockId));
  }

  /**
   * What the review needs to go on after a restart; null when nothing is left to decide, and all
   * that was accepted is saved.
   */
  stored(): StoredProposal | null {
    const { begun, file, fileExists, message } = this;
    const kept = message?.kept ?? null;
    const blocks = [...this.blocks.all, ...(kept?.blocks ?? [])];
    if (blocks.length === 0) return null;
    const review = this.deps.model.record(message && (kept?.proposal ?? "before-message"));
    if (this.ended && (this.dropped || !review.unsaved)) return null;
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
    this.last = { ...this.last, by: "panel" };
    this.deps.model.beginMessage(snapshotText);
    return {
      update: (proposal) => {
        if (this.message === part) part.update(proposal);
      },
      keep: async (complete) => {
        if (this.message !== part) return;
        part.complete = complete;
        await this.deps.keep();
      },
      propose: (proposal, stopped) => this.propose(proposal, part, stopped),
      dispose: () => {
        if (this.message === part) this.takeBack(part, snapshotText);
      },
    };
  }

  /** Stops all timers: the window closes, and what is pending is on record. */
  close(): void {
    this.message?.stop();
  }

  /** True while an accept is on its way into the file. */
  get isAccepting(): boolean {
    return this.real.isChanging;
  }

  /** Closes the review without deciding: its record is another window's now. */
  async letGo(): Promise<void> {
    if (this.ended) return;
    this.ended = true;
    this.dropped = true;
    this.close();
    this.message = null;
    await this.deps.over(this, { by: "elsewhere", line: null });
    this.proposal.dispose();
  }

  /** Ends the review; what is undecided counts as rejected, for this reason. */
  async withdraw(reason: ReviewReason): Promise<void> {
    this.stopped = true;
    await this.real.idle();
    this.last = { ...this.last, by: "panel" };
    if (!this.ended) await this.end(reason);
  }

  /** The real file has another name or place: the review goes on there. */
  async moved(file: FileRef): Promise<void> {
    await this.real.moved(file);
    this.reviewed();
  }

  /**
   * Accepts hunks; unknown ids are left out, and hunks in conflict too unless the user asked to
   * `overwrite` their lines. Settles when the user's document has them, or with the reason why not.
   * One of `many` accepts tells the user of that reason itself.
   */
  accept(
    hunkIds: readonly string[],
    by: DecidedBy = "panel",
    overwrite = false,
    many?: OneOfMany,
  ): Promise<DecisionProblem | null> {
    return this.decideHunks(async () => {
      await this.recorded;
      const refusal = await this.deps.refusal();
      if (refusal) return { code: "file-error", error: refusal };
      return this.acceptIntoFile(hunkIds, by, overwrite, many);
    }, many !== undefined);
  }

  /** Rejects hunks; unknown ids are left out. `why` is the user's reason. */
  async reject(
    hunkIds: readonly string[],
    by: DecidedBy = "panel",
    why: string | null = null,
  ): Promise<void> {
    await this.decideHunks(async () => {
      this.proposal.takeTyping();
      const { edits, textBefore, textAfter } = this.deps.model.reject(hunkIds, why);
      this.last = { by, line: firstLineOf(textBefore, edits) };
      this.proposal.advance(edits, textAfter, "user");
      return null;
    });
  }

  /**
   * The editor changed the real file's document: by an accepted plan, by the user, or because the
   * file changed on disk.
   */
  realChanged(document: D, change: DocumentChange): void {
    if (!this.real.changed(document, change)) return;
    if (this.ended) void this.deps.keep();
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
      if (mirrored) this.proposal.advance(mirrored.edits, mirrored.textAfter, "others");
      if (this.deps.model.unsaved) void this.realSaved(document);
    });
    this.reviewed();
  }

  /** The editor may have saved the real file: what the disk has now need not be kept. */
  async realSaved(document: D): Promise<void> {
    const text = await this.real.onDisk(document);
    if (text !== null) this.deps.model.saved(text);
    await this.deps.keep();
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
      this.blocks.add(origin, proposal.blocks);
      this.recorded = this.deps.keep();
      if (this.deps.acceptsAtOnce() && !stopped)
        await this.acceptSound(
          new Set(proposal.blocks.map(({ blockId }) => keyOf(origin, blockId))),
        );
      if (!this.ended) this.deps.complete(this);
      this.reviewed();
      // What the model and the chat's history know as pending outlasts a crash.
      await this.deps.keep();
    }
    const blocks = this.blocks.tell(origin, proposal.blocks);
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
    if (this.blocks.all.length === 0) void this.withdraw({ code: "review-closed" });
    else this.reviewed();
  }

  private grown(proposal: Proposal): void {
    const { edits, textAfter } = this.deps.model.propose(proposal);
    this.proposal.advance(edits, textAfter, "others");
    if (proposal.blocks.length > 0 || edits.length > 0)
      this.deps.grew(this, proposal.blocks.at(-1)?.end ?? 0);
  }

  /** Somebody other than Graft changed the file. */
  private realEdited({ edits, after }: ForeignChange): void {
    const mirrored = this.deps.model.userEdited("real", edits, after);
    if (mirrored && !this.ended)
      this.proposal.advance(mirrored.edits, mirrored.textAfter, "others");
  }

  /**
   * Decisions are made one after the other, on a proposal that is complete and that the diff shows
   * as the review knows it.
   */
  private decideHunks(
    decide: () => Promise<DecisionProblem | null>,
    quiet = false,
  ): Promise<DecisionProblem | null> {
    return this.queue.run(async () => {
      let problem: DecisionProblem | null = { code: "still-streaming" };
      if (!this.message) {
        await this.ready;
        this.proposal.takeTyping();
        await this.proposal.caughtUp();
        if (this.ended || this.stopped) return null;
        problem = this.showsWhatIsKnown() ? await decide() : { code: "out-of-step" };
        this.reviewed();
      }
      if (problem && !quiet) this.deps.tell(problem);
      return problem;
    });
  }

  /**
   * What is decided on is what the review knows; a diff that shows anything else is set right
   * first.
   */
  private showsWhatIsKnown(): boolean {
    const { proposed } = this.deps.model;
    if (this.proposal.text === proposed) return true;
    this.deps.log(`The proposal of ${this.path} was out of step with its review.`);
    this.proposal.advance(editsBetween(this.proposal.text, proposed), proposed, "others");
    return false;
  }

  /** Something was decided, typed, or proposed. */
  private reviewed(): void {
    if (this.ended) return;
    if (!this.message && !this.real.isChanging && this.blocks.all.length > 0) {
      if (this.deps.model.hunks().length === 0) return void this.end(null);
      this.blocks.report(null);
    }
    void this.deps.keep();
    this.deps.changed();
  }

  /** Neither a hunk with a warning nor one in conflict is ever accepted without the user. */
  private async acceptSound(keys: ReadonlySet<string>): Promise<void> {
    await this.ready;
    const isSound = ({ warnings, conflict, blockIds }: Hunk) =>
      warnings.length === 0 && !conflict && blockIds.every((id) => keys.has(id));
    const sound = this.deps.model.hunks().filter(isSound);
    if (sound.length > 0) await this.accept(sound.map(({ id }) => id));
  }

  private async acceptIntoFile(
    hunkIds: readonly string[],
    by: DecidedBy,
    overwrite: boolean,
    many: OneOfMany | undefined,
  ): Promise<DecisionProblem | null> {
    const { model } = this.deps;
    const planned = () => {
      this.proposal.takeTyping();
      return model.planAccept(hunkIds, overwrite);
    };
    const landed: Landed = (plan, before, after) => {
      // At once: the editor's next event may end the review.
      this.last = { by, line: before === null ? 0 : firstLineOf(plan.textBefore, plan.edits) };
      this.landed(plan, before, after, many?.made);
    };
    const outcome = this.fileExists
      ? await this.real.accept(planned, () => this.stopped, landed, many?.mayChange)
      : await this.real.create(planned(), landed);
    if ("code" in outcome) return outcome;
    if (outcome.edits.length > 0) return null;
    const asked = model.hunks().filter(({ id, conflict }) => conflict && hunkIds.includes(id));
    return asked.length > 0 ? { code: "conflict" } : null;
  }

  /** The plan's edits are in the file, whose text they changed from `before` to `after`. */
  private landed(
    plan: ReviewPlan,
    before: string | null,
    after: string,
    made: OneOfMany["made"] | undefined,
  ): void {
    this.deps.model.commit(plan);
    const origin = this.blocks.latestOf(plan.blockIds);
    if (!origin) return;
    for (const tell of [this.deps.applied, made])
      tell?.(origin, { file: this.file, before, after });
    if (before === null) this.deps.model.saved(after);
  }

  private async end(reason: ReviewReason | null): Promise<void> {
    if (this.ended) return;
    const userDiff = this.deps.model.userDiff();
    this.ended = true;
    this.dropped = reason !== null;
    this.message?.stop();
    this.message = null;
    this.blocks.end(reason, userDiff);
    void this.deps.keep();
    await this.deps.over(this, this.last);
    this.proposal.dispose();
  }
}
