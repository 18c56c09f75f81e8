import type * as vscode from "vscode";
import { SerialQueue } from "../../base/serialQueue.ts";
import type { Hunk, ReviewPlan } from "../../edits/review/reviewPlan.ts";
import { editsBetween } from "../../edits/text/changeSet.ts";
import type { BlockOutcome, Proposal, Review, ReviewEvents, ReviewOrigin, ReviewOutcome, ReviewReason } from "../../ports/review.ts";
import type { FileRef } from "../../ports/workspace.ts";
import { ProposalDocument } from "../proposals/proposalDocument.ts";
import type { StoredProposal } from "../proposals/proposalStore.ts";
import { keyOf, type ReviewedBlock, ReviewedBlocks } from "../proposals/reviewedBlocks.ts";
import { type DocumentChange, type EditorDocument, type ForeignChange, TrackedDocument } from "../proposals/trackedDocument.ts";
import { documentLineEnd, textWithLineEnds, withDocumentLineEnds } from "../workspace/lineEnds.ts";
import type { DecisionProblem, FileReviewDeps, ReviewedFile } from "./fileReviewDeps.ts";
import { firstLineOf, latestDrawn } from "./hunkLocations.ts";

type Applied = ReviewEvents["applied"];

/** Milliseconds between two updates of the preview while an answer streams. */
const UPDATE_INTERVAL_MS = 100;

/** One file's review: keeps the model of it, the proposal's document and the user's document in step. */
export class FileReview<D extends EditorDocument = vscode.TextDocument> {
  readonly proposalUri: vscode.Uri;
  /** Where the real file is; follows it when it is renamed. */
  realUri: vscode.Uri;
  file: FileRef;
  readonly proposal: ProposalDocument<D>;
  /** True once the real file is there to compare with. */
  fileExists: boolean;
  ended = false;
  /** How the last decision was made. After one in an editor the focus is there. */
  decidedBy: "panel" | "command" | "typing" = "panel";
  /** As it began. */
  private readonly begun: ReviewedFile;
  private readonly deps: FileReviewDeps<D>;
  private readonly queue = new SerialQueue();
  private readonly lineEnd: "\n" | "\r\n";
  private readonly real: TrackedDocument<D>;
  private readonly blocks: ReviewedBlocks;
  /** The message that writes to the proposal now. */
  private message: ReviewOrigin | null = null;
  /** An accept that is on its way into the file. */
  private inFlight: Promise<unknown> | null = null;
  private stopped = false;
  private readonly ready: Promise<void>;
  private latest: (() => Proposal) | null = null;
  private flushedAt = 0;
  /** The last proposal's text, where a document shows it as it is. */
  private shownText: string | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private lastLine: number | null = null;
  private readonly drawn = latestDrawn();

  constructor(begun: ReviewedFile, deps: FileReviewDeps<D>) {
    const { file, exists, blocks } = begun;
    const { model } = deps;
    this.begun = begun;
    this.file = file;
    this.deps = deps;
    this.proposalUri = deps.proposalUri;
    this.realUri = deps.uriOf(file);
    this.fileExists = exists;
    this.lineEnd = documentLineEnd(model.real);
    this.blocks = new ReviewedBlocks(blocks, { decided: deps.decided, outcomes: () => model.outcomes() });
    const { lineEnd } = this;
    this.real = new TrackedDocument<D>(model.real, lineEnd, deps.apply, (change) => this.realEdited(change));
    this.proposal = new ProposalDocument<D>(model.proposed, {
      ...deps,
      lineEnd,
      typed: (edits, textAfter) => {
        if (this.ended) return deps.typedLate(this);
        this.decidedBy = "typing";
        model.userEdited("proposed", edits, textAfter);
        this.reviewed();
      },
      progressed: () => deps.changed(),
    });
    // What was pending before a restart can be typed in at once.
    if (blocks.length > 0) this.proposal.complete();
    this.ready = this.followRealDocument().then(() => this.reviewed());
  }

  get path(): string {
    return this.file.path;
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
    if (complete.size === 0) return [];
    return this.deps.model.outcomes().filter(({ blockId }) => complete.has(blockId));
  }

  /** What the review needs to go on after a restart; null when nothing is left to decide. */
  stored(): StoredProposal | null {
    if (this.ended || this.blocks.all.length === 0) return null;
    const { begun, file, fileExists, blocks } = this;
    const review = this.deps.model.record(this.message ? "before-message" : "now");
    return { ...begun, file, exists: fileExists, blocks: blocks.all, review };
  }

  /** What is left to decide, each where VS Code draws it. */
  hunks(): readonly Hunk[] {
    return this.ended ? [] : this.drawn(this.deps.model.hunks(), this.realText, this.proposedText);
  }

  /** Begins a message's part in the proposal; `snapshotText` is the proposal as the model saw it. */
  begin(snapshotText: string, origin: ReviewOrigin): Review {
    this.message = origin;
    this.decidedBy = "panel";
    this.latest = null;
    this.shownText = null;
    this.deps.model.beginMessage(snapshotText);
    return {
      update: (proposal) => {
        if (this.message !== origin) return;
        this.latest = proposal;
        this.timer ??= setTimeout(() => this.flush(), Math.max(0, this.flushedAt + UPDATE_INTERVAL_MS - Date.now()));
      },
      propose: (proposal, stopped) => this.propose(proposal, origin, stopped),
      dispose: () => {
        if (this.message === origin) this.takeBack(snapshotText);
      },
    };
  }

  /** Stops all timers: the window closes, and what is pending is on record. */
  close(): void {
    clearTimeout(this.timer);
    this.latest = null;
  }

  /** Ends the review; what is undecided counts as rejected, for this reason. */
  async withdraw(reason: ReviewReason): Promise<void> {
    this.stopped = true;
    if (this.inFlight) await this.inFlight;
    if (!this.ended) await this.end(reason);
  }

  /** The real file has another name or place: the review goes on there. */
  async moved(file: FileRef): Promise<void> {
    this.file = file;
    this.realUri = this.deps.uriOf(file);
    this.real.close(() => this.real.text);
    await this.followRealDocument();
    this.reviewed();
  }

  /**
   * Accepts hunks; unknown ids are left out, and hunks in conflict too unless the user asked to `overwrite` their lines. Settles when the
   * user's document has them, or with the reason why not. A caller that wants the change `made` tells the user of that reason itself.
   */
  accept(hunkIds: readonly string[], overwrite = false, made?: Applied): Promise<DecisionProblem | null> {
    return this.decideHunks(async () => {
      const refusal = await this.deps.refusal();
      if (refusal) return { code: "file-error", error: refusal };
      return this.fileExists ? this.acceptIntoDocument(hunkIds, overwrite, made) : this.acceptAsNewFile(hunkIds, made);
    }, made !== undefined);
  }

  /** Rejects hunks; unknown ids are left out. `why` is the user's reason. */
  async reject(hunkIds: readonly string[], why: string | null = null): Promise<void> {
    await this.decideHunks(async () => {
      this.proposal.takeTyping();
      const { edits, textBefore, textAfter } = this.deps.model.reject(hunkIds, why);
      this.lastLine = firstLineOf(textBefore, edits);
      this.proposal.advance(edits, textAfter, "user");
      return null;
    });
  }

  /** The editor changed the real file's document: by an accepted plan, by the user, or because the file changed on disk. */
  realChanged(document: D, change: DocumentChange): void {
    if (this.ended || document !== this.real.document) return;
    this.real.changed(change);
    this.reviewed();
  }

  /** The editor let go of the real file's document. */
  realClosed(document: D): void {
    if (document === this.real.document) this.real.close(() => this.real.text);
  }

  /** The editor opened a document for the real file. */
  realOpened(document: D): void {
    if (this.ended || !this.fileExists) return;
    this.real.open(document, "foreign");
    this.reviewed();
  }

  private async propose(proposal: Proposal, origin: ReviewOrigin, stopped: boolean): Promise<ReviewOutcome> {
    if (this.message === origin) {
      this.latest = () => proposal;
      this.flush();
      this.message = null;
      this.proposal.complete();
      this.blocks.add(origin, proposal.blocks);
      if (this.deps.acceptsAtOnce() && !stopped)
        await this.acceptSound(new Set(proposal.blocks.map(({ blockId }) => keyOf(origin, blockId))));
      if (!this.ended) this.deps.complete(this);
      this.reviewed();
      // What the model and the chat's history know as pending outlasts a crash.
      await this.deps.keep();
    }
    const blocks = this.blocks.tell(origin, proposal.blocks);
    return { blocks, text: this.proposedText };
  }

  /** A message never became complete: the proposal is again as it was before, or over where nothing else was proposed. */
  private takeBack(snapshotText: string): void {
    this.latest = () => ({ text: snapshotText, blocks: [] });
    this.flush();
    this.message = null;
    if (this.blocks.all.length === 0) void this.withdraw({ code: "review-closed" });
    else this.reviewed();
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.flushedAt = Date.now();
    const { message } = this;
    const proposal = this.latest?.() ?? null;
    this.latest = null;
    if (!proposal || !message) return;
    const shown = withDocumentLineEnds(proposal, this.lineEnd, this.shownText);
    this.shownText = shown === proposal ? proposal.text : null;
    const blocks = shown.blocks.map((block) => ({ ...block, blockId: keyOf(message, block.blockId) }));
    const { edits, textAfter } = this.deps.model.propose({ ...shown, blocks });
    this.proposal.advance(edits, textAfter, "others");
    if (proposal.blocks.length > 0 || edits.length > 0) this.deps.grew(this, proposal.blocks.at(-1)?.end ?? 0);
  }

  private async followRealDocument(): Promise<void> {
    if (!this.fileExists) return;
    try {
      const document = await this.deps.openFile(this.realUri);
      if (!this.ended && this.real.document !== document) this.realOpened(document);
    } catch (error) {
      this.deps.log(`${this.path} could not be opened for review: ${String(error)}`);
    }
  }

  /** Somebody other than Graft changed the file. */
  private realEdited({ edits, after }: ForeignChange): void {
    const mirrored = this.deps.model.userEdited("real", edits, after);
    if (mirrored) this.proposal.advance(mirrored.edits, mirrored.textAfter, "others");
  }

  /** Decisions are made one after the other, on a proposal that is complete and that the diff shows as the review knows it. */
  private decideHunks(decide: () => Promise<DecisionProblem | null>, quiet = false): Promise<DecisionProblem | null> {
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

  /** What is decided on is what the review knows; a diff that shows anything else is set right first. */
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
    if (!this.message && !this.inFlight && this.blocks.all.length > 0) {
      if (this.deps.model.hunks().length === 0) return void this.end(null);
      this.blocks.report(null);
    }
    void this.deps.keep();
    this.deps.changed();
  }

  /** Neither a hunk with a warning nor one in conflict is ever accepted without the user. */
  private async acceptSound(keys: ReadonlySet<string>): Promise<void> {
    await this.ready;
    const isSound = ({ warnings, conflict, blockIds }: Hunk) => warnings.length === 0 && !conflict && blockIds.every((id) => keys.has(id));
    const sound = this.deps.model.hunks().filter(isSound);
    if (sound.length > 0) await this.accept(sound.map(({ id }) => id));
  }

  private async acceptIntoDocument(
    hunkIds: readonly string[],
    overwrite: boolean,
    made: Applied | undefined,
  ): Promise<DecisionProblem | null> {
    const { model, isStale } = this.deps;
    for (let attempt = 0; attempt < 2 && !this.stopped; attempt++) {
      await this.followRealDocument();
      const { document } = this.real;
      if (!document) return { code: "cannot-open" };
      if (await isStale(document)) return { code: "stale" };
      this.proposal.takeTyping();
      this.real.recheck();
      const plan = model.planAccept(hunkIds, overwrite);
      if (plan.edits.length === 0) {
        const asked = model.hunks().filter(({ id, conflict }) => conflict && hunkIds.includes(id));
        return asked.length > 0 ? { code: "conflict" } : null;
      }
      const edit = this.real.edit(plan.edits, plan.textAfter, () => {
        const documentEnd = document.getText().includes("\r\n") ? "\r\n" : "\n";
        this.landed(plan, textWithLineEnds(plan.textBefore, documentEnd), textWithLineEnds(plan.textAfter, documentEnd), made);
      });
      if (!(await this.waitFor(edit))) continue;
      this.lastLine = firstLineOf(plan.textBefore, plan.edits);
      return null;
    }
    return { code: "not-applied" };
  }

  /** The plan's edits are in the file, whose text they changed from `before` to `after`. */
  private landed(plan: ReviewPlan, before: string | null, after: string, made: Applied | undefined): void {
    this.deps.model.commit(plan);
    const origin = this.blocks.latestOf(plan.blockIds);
    if (!origin) return;
    const change = { file: this.file, before, after };
    this.deps.applied(origin, change);
    made?.(origin, change);
  }

  private async waitFor<T>(change: Promise<T>): Promise<T> {
    this.inFlight = change;
    try {
      return await change;
    } finally {
      this.inFlight = null;
    }
  }

  private async acceptAsNewFile(hunkIds: readonly string[], made: Applied | undefined): Promise<DecisionProblem | null> {
    this.proposal.takeTyping();
    const plan = this.deps.model.planAccept(hunkIds);
    if (plan.edits.length === 0) return null;
    const created = await this.waitFor(this.deps.createFile(this.realUri, plan.textAfter));
    if (!created) return { code: "cannot-create" };
    this.fileExists = true;
    this.landed(plan, null, plan.textAfter, made);
    this.lastLine = 0;
    await this.followRealDocument();
    return null;
  }

  private async end(reason: ReviewReason | null): Promise<void> {
    if (this.ended) return;
    const userDiff = this.deps.model.userDiff();
    this.ended = true;
    this.message = null;
    clearTimeout(this.timer);
    this.blocks.end(reason, userDiff);
    void this.deps.keep();
    await this.deps.over(this, this.lastLine);
    this.proposal.dispose();
  }
}
