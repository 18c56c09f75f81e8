import type * as vscode from "vscode";
import { SerialQueue } from "../../base/serialQueue.ts";
import type { Hunk } from "../../edits/review/reviewPlan.ts";
import type { ReviewState } from "../../edits/review/reviewState.ts";
import { editsBetween } from "../../edits/text/changeSet.ts";
import type { BlockOutcome, Proposal, Review, ReviewOutcome, ReviewReason } from "../../ports/review.ts";
import type { FileError, FileRef, FileSnapshot } from "../../ports/workspace.ts";
import { documentLineEnd, textWithLineEnds, withDocumentLineEnds } from "../workspace/lineEnds.ts";
import { firstLineOf } from "./hunkLocations.ts";
import { ProposalDocument, type ProposalDocumentOptions } from "./proposalDocument.ts";
import { type DocumentChange, type EditorDocument, type ForeignChange, TrackedDocument } from "./trackedDocument.ts";

/** Milliseconds between two updates of the preview while an answer streams. */
const UPDATE_INTERVAL_MS = 100;

/** What a review needs from the preview it belongs to. */
export interface FileReviewDeps<D extends EditorDocument>
  extends Pick<ProposalDocumentOptions<D>, "memory" | "apply" | "save" | "cleanUpOnSave" | "isInUse"> {
  readonly model: ReviewState;
  readonly proposalUri: vscode.Uri;
  uriOf(file: FileRef): vscode.Uri;
  /** Opens the document of a file that exists. */
  openFile(uri: vscode.Uri): Promise<D>;
  /** True while the document shows an older text than its file has. */
  isStale(document: D): Promise<boolean>;
  /** Writes a new file; false when it cannot be created. */
  createFile(uri: vscode.Uri, text: string): Promise<boolean>;
  /** Null when the file can be written, else why not. */
  refusal(): Promise<FileError | null>;
  /** True when changes that need no second look are accepted as soon as the proposal is complete. */
  acceptsAtOnce(): boolean;
  /** A change has reached the file; `before` is null where there was none. */
  applied(before: string | null, after: string): void;
  /** The proposal grew; `offset` is where it was written last. */
  grew(review: FileReview<D>, offset: number): void;
  /** The proposal is complete: from now on hunks can be decided. */
  complete(review: FileReview<D>): void;
  /** The user typed in the proposal after its last hunk was decided. */
  typedLate(review: FileReview<D>): void;
  /** Anything that is drawn may have changed. */
  changed(): void;
  /** The review is over; `line` is the 0-based line of the real file where the last decision was made, or null. Called once. */
  over(review: FileReview<D>, line: number | null): Promise<void>;
  /** Tells the user why a decision had no effect, without waiting for an answer. */
  tell(problem: DecisionProblem): void;
  log(message: string): void;
}

/** Why a decision had no effect. */
export type DecisionProblem =
  | { readonly code: "still-streaming" | "out-of-step" | "cannot-open" | "stale" | "conflict" | "not-applied" | "cannot-create" }
  | { readonly code: "file-error"; readonly error: FileError };

/** One file's review: keeps the model of it, the proposal's document and the user's document in step. */
export class FileReview<D extends EditorDocument = vscode.TextDocument> implements Review {
  readonly snapshot: FileSnapshot;
  readonly proposalUri: vscode.Uri;
  /** Where the real file is; follows it when it is renamed. */
  realUri: vscode.Uri;
  file: FileRef;
  readonly proposal: ProposalDocument<D>;
  /** True when the last decision was made in the diff itself: then the focus is there. */
  decidedInDiff = false;
  private readonly deps: FileReviewDeps<D>;
  private readonly queue = new SerialQueue();
  private readonly lineEnd: "\n" | "\r\n";
  private readonly real: TrackedDocument<D>;
  private exists: boolean;
  private phase: "streaming" | "deciding" | "over" = "streaming";
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
  private readonly withdrawn = new Map<string, ReviewReason>();
  private readonly outcome: Promise<ReviewOutcome>;
  private settle: (outcome: ReviewOutcome) => void = () => undefined;
  private tellDecided: (blocks: readonly BlockOutcome[]) => void = () => undefined;

  constructor(snapshot: FileSnapshot, deps: FileReviewDeps<D>) {
    this.snapshot = snapshot;
    this.file = snapshot.file;
    this.deps = deps;
    this.proposalUri = deps.proposalUri;
    this.outcome = new Promise((resolve) => {
      this.settle = resolve;
    });
    this.realUri = deps.uriOf(snapshot.file);
    this.exists = snapshot.exists;
    this.lineEnd = documentLineEnd(snapshot.text);
    const { lineEnd } = this;
    this.real = new TrackedDocument<D>(deps.model.real, lineEnd, deps.apply, (change) => this.realEdited(change));
    this.proposal = new ProposalDocument<D>(snapshot.text, {
      ...deps,
      lineEnd,
      typed: (edits, textAfter) => {
        if (this.phase === "over") return deps.typedLate(this);
        this.decidedInDiff = true;
        deps.model.userEdited("proposed", edits, textAfter);
        this.reviewed();
      },
      progressed: () => deps.changed(),
    });
    this.ready = this.followRealDocument();
  }

  get path(): string {
    return this.file.path;
  }

  /** True while the answer still writes the proposal. */
  get streaming(): boolean {
    return this.phase === "streaming";
  }

  get ended(): boolean {
    return this.phase === "over";
  }

  /** The real file's text as the review knows it; its line ends are those that it began with. */
  get realText(): string {
    return this.deps.model.real;
  }

  /** True once the real file is there to compare with. */
  get fileExists(): boolean {
    return this.exists;
  }

  /** True while the diff does not show the whole proposal yet. */
  get isBehind(): boolean {
    return this.proposal.isBehind;
  }

  hunks(): readonly Hunk[] {
    return this.phase === "over" ? [] : this.deps.model.hunks();
  }

  update(proposal: () => Proposal): void {
    if (this.phase !== "streaming") return;
    this.latest = proposal;
    this.timer ??= setTimeout(() => this.flush(), Math.max(0, this.flushedAt + UPDATE_INTERVAL_MS - Date.now()));
  }

  async decide(proposal: Proposal, signal: AbortSignal, decided: (blocks: readonly BlockOutcome[]) => void): Promise<ReviewOutcome> {
    if (this.phase !== "streaming") return this.outcome;
    this.tellDecided = decided;
    this.latest = () => proposal;
    this.flush();
    this.phase = "deciding";
    this.proposal.complete();
    const stop = () => void this.withdraw({ code: "request-stopped" });
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    if (this.deps.acceptsAtOnce() && !signal.aborted) await this.acceptSound();
    if (!this.ended) this.deps.complete(this);
    await this.ready;
    this.decidedMaybe();
    try {
      return await this.outcome;
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  dispose(): void {
    void this.withdraw({ code: "review-closed" });
  }

  /** Ends the review; what is undecided counts as rejected, for this reason. */
  async withdraw(reason: ReviewReason): Promise<void> {
    this.stopped = true;
    if (this.inFlight) await this.inFlight;
    if (this.phase === "over") return;
    for (const hunk of this.deps.model.hunks()) for (const blockId of hunk.blockIds) this.withdrawn.set(blockId, reason);
    await this.end();
  }

  /** Withdraws because the file is no longer where it was. */
  async lose(reason: ReviewReason): Promise<void> {
    this.exists = false;
    await this.withdraw(reason);
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
   * Accepts hunks; unknown ids are left out, and hunks in conflict too unless the user asked to `overwrite` his lines. Settles when the
   * user's document has them, or the user has been told why not.
   */
  accept(hunkIds: readonly string[], overwrite = false): Promise<void> {
    return this.decideHunks(async () => {
      const refusal = await this.deps.refusal();
      if (refusal) return { code: "file-error", error: refusal };
      return this.exists ? this.acceptIntoDocument(hunkIds, overwrite) : this.acceptAsNewFile(hunkIds);
    });
  }

  /** Rejects hunks; unknown ids are left out. */
  reject(hunkIds: readonly string[]): Promise<void> {
    return this.decideHunks(async () => {
      this.proposal.takeTyping();
      const plan = this.deps.model.planReject(hunkIds);
      this.deps.model.commit(plan);
      this.lastLine = firstLineOf(plan.textBefore, plan.edits);
      this.proposal.advance(plan.edits, plan.textAfter);
      return null;
    });
  }

  /** The editor changed the real file's document: by an accepted plan, by the user, or because the file changed on disk. */
  realChanged(document: D, change: DocumentChange): void {
    if (this.phase === "over" || document !== this.real.document) return;
    this.real.changed(change);
    this.reviewed();
  }

  /** The editor let go of the real file's document. */
  realClosed(document: D): void {
    if (document === this.real.document) this.real.close(() => this.real.text);
  }

  /** The editor opened a document for the real file. */
  realOpened(document: D): void {
    if (this.phase === "over" || !this.exists) return;
    this.real.open(document, "foreign");
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.flushedAt = Date.now();
    const proposal = this.latest?.() ?? null;
    this.latest = null;
    if (!proposal || this.phase !== "streaming") return;
    const shown = withDocumentLineEnds(proposal, this.lineEnd, this.shownText);
    this.shownText = shown === proposal ? proposal.text : null;
    const plan = this.deps.model.planProposal(shown);
    this.deps.model.commit(plan);
    this.proposal.advance(plan.edits, plan.textAfter);
    if (proposal.blocks.length > 0 || plan.edits.length > 0) this.deps.grew(this, proposal.blocks.at(-1)?.end ?? 0);
  }

  private async followRealDocument(): Promise<void> {
    if (!this.exists) return;
    try {
      const document = await this.deps.openFile(this.realUri);
      if (!this.ended && this.real.document !== document) this.realOpened(document);
    } catch (error) {
      this.deps.log(`${this.path} could not be opened for review: ${String(error)}`);
    }
  }

  /** Somebody other than Graft changed the file. */
  private realEdited({ edits, after }: ForeignChange): void {
    const { model } = this.deps;
    const mirror = model.userEdited("real", edits, after);
    if (!mirror) return;
    model.commit(mirror);
    this.proposal.advance(mirror.edits, mirror.textAfter);
  }

  /** Decisions are made one after the other, on a proposal that is complete and that the diff shows as the review knows it. */
  private decideHunks(decide: () => Promise<DecisionProblem | null>): Promise<void> {
    return this.queue.run(async () => {
      if (this.phase === "streaming") this.deps.tell({ code: "still-streaming" });
      if (this.phase !== "deciding") return;
      await this.ready;
      this.proposal.takeTyping();
      await this.proposal.caughtUp();
      if (this.ended || this.stopped) return;
      const problem: DecisionProblem | null = this.showsWhatIsKnown() ? await decide() : { code: "out-of-step" };
      if (problem) this.deps.tell(problem);
      this.reviewed();
    });
  }

  /** What is decided on is what the review knows; a diff that shows anything else is set right first. */
  private showsWhatIsKnown(): boolean {
    const { proposed } = this.deps.model;
    if (this.proposal.text === proposed) return true;
    this.deps.log(`The proposal of ${this.path} was out of step with its review.`);
    this.proposal.advance(editsBetween(this.proposal.text, proposed), proposed);
    return false;
  }

  private reviewed(): void {
    this.decidedMaybe();
    this.deps.changed();
  }

  /** Neither a hunk with a warning nor one in conflict is ever accepted without the user. */
  private async acceptSound(): Promise<void> {
    await this.ready;
    const sound = this.deps.model.hunks().filter(({ warnings, conflict }) => warnings.length === 0 && !conflict);
    if (sound.length > 0) await this.accept(sound.map(({ id }) => id));
  }

  private async acceptIntoDocument(hunkIds: readonly string[], overwrite: boolean): Promise<DecisionProblem | null> {
    const { model, isStale } = this.deps;
    for (let attempt = 0; attempt < 2 && !this.stopped; attempt++) {
      await this.followRealDocument();
      const { document } = this.real;
      if (!document) return { code: "cannot-open" };
      if (await isStale(document)) return { code: "stale" };
      this.proposal.takeTyping();
      const plan = model.planAccept(hunkIds, overwrite);
      if (plan.edits.length === 0) {
        const asked = model.hunks().filter(({ id, conflict }) => conflict && hunkIds.includes(id));
        return asked.length > 0 ? { code: "conflict" } : null;
      }
      const edit = this.real.edit(plan.edits, plan.textAfter, () => {
        model.commit(plan);
        const documentEnd = document.getText().includes("\r\n") ? "\r\n" : "\n";
        this.deps.applied(textWithLineEnds(plan.textBefore, documentEnd), textWithLineEnds(plan.textAfter, documentEnd));
      });
      if (!(await this.waitFor(edit))) continue;
      this.lastLine = firstLineOf(plan.textBefore, plan.edits);
      return null;
    }
    return { code: "not-applied" };
  }

  private async waitFor<T>(change: Promise<T>): Promise<T> {
    this.inFlight = change;
    try {
      return await change;
    } finally {
      this.inFlight = null;
    }
  }

  private async acceptAsNewFile(hunkIds: readonly string[]): Promise<DecisionProblem | null> {
    const { model } = this.deps;
    this.proposal.takeTyping();
    const plan = model.planAccept(hunkIds);
    if (plan.edits.length === 0) return null;
    const created = await this.waitFor(this.deps.createFile(this.realUri, plan.textAfter));
    if (!created) return { code: "cannot-create" };
    this.exists = true;
    model.commit(plan);
    this.deps.applied(null, plan.textAfter);
    this.lastLine = 0;
    await this.followRealDocument();
    return null;
  }

  private decidedMaybe(): void {
    if (this.phase !== "deciding" || this.inFlight) return;
    const hunks = this.deps.model.hunks();
    if (hunks.length === 0) {
      void this.end();
      return;
    }
    // A conflict is told as well: it waits for the user, but not for the same decision as the others.
    const undecided = new Set(hunks.flatMap((hunk) => (hunk.conflict ? [] : hunk.blockIds)));
    this.tellDecided(this.deps.model.outcome().blocks.filter(({ blockId }) => !undecided.has(blockId)));
  }

  private async end(): Promise<void> {
    if (this.phase === "over") return;
    this.phase = "over";
    clearTimeout(this.timer);
    const { blocks, text, userDiff } = this.deps.model.outcome();
    this.settle({
      blocks: blocks.map((block) => {
        const reason = this.withdrawn.get(block.blockId);
        return reason && block.status === "rejected" ? { ...block, reason } : block;
      }),
      text: this.exists ? text : null,
      userDiff,
      ...(this.file === this.snapshot.file ? {} : { file: this.file }),
    });
    await this.deps.over(this, this.lastLine);
    this.proposal.dispose();
  }
}
