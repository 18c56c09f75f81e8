import * as vscode from "vscode";
import { SerialQueue } from "../../base/serialQueue.ts";
import type { Hunk, ReviewPlan } from "../../edits/reviewPlan.ts";
import type { ReviewState } from "../../edits/reviewState.ts";
import type { BlockOutcome, Proposal, Review, ReviewOutcome } from "../../ports/review.ts";
import type { FileRef, FileSnapshot } from "../../ports/workspace.ts";
import type { WorkspaceEditApplier } from "../workspaceEditApplier.ts";
import { type ContentChange, contentEdits, splitEdits } from "./contentEdits.ts";
import { firstLineOf } from "./hunkPlaces.ts";
import { isBehindDisk } from "./isBehindDisk.ts";
import { ProposalDocument } from "./proposalDocument.ts";
import type { ProposalFiles } from "./proposalFiles.ts";
import { documentLineEnd, editsWithLineEnds, textWithLineEnds, withLineEnds } from "./proposalLineEnds.ts";

/** Milliseconds between two updates of the preview while an answer streams. */
const UPDATE_INTERVAL_MS = 100;

/** What a review needs from the preview it belongs to. */
export interface FileReviewDeps {
  readonly files: ProposalFiles;
  readonly applier: WorkspaceEditApplier;
  readonly model: ReviewState;
  readonly proposalUri: vscode.Uri;
  /** Null when the file can be written, else the sentence that says why not. */
  refusal(): Promise<string | null>;
  /** True when changes that need no second look are accepted as soon as the proposal is complete. */
  acceptsAtOnce(): boolean;
  /** A change has reached the file; `before` is null where there was none. */
  applied(before: string | null, after: string): void;
  /** The proposal grew; `offset` is where it was written last. */
  grew(review: FileReview, offset: number): void;
  /** The proposal is complete: from now on hunks can be decided. */
  complete(review: FileReview): void;
  /** Anything that is drawn may have changed. */
  changed(): void;
  /** The review is over; `line` is the 0-based line of the real file where the last decision was made, or null. Called once. */
  over(review: FileReview, line: number | null): Promise<void>;
  /** Tells the user, without waiting for an answer. */
  tell(message: string): void;
  log(message: string): void;
}

/** One file's review: keeps the model of it, the proposal's document and the user's document in step. */
export class FileReview implements Review {
  readonly snapshot: FileSnapshot;
  /** Where the real file is; follows it when it is renamed. */
  realUri: vscode.Uri;
  file: FileRef;
  readonly proposal: ProposalDocument;
  /** True when the last decision was made in the diff itself: then the focus is there. */
  decidedInDiff = false;
  private readonly deps: FileReviewDeps;
  private readonly queue = new SerialQueue();
  private readonly lineEnd: "\n" | "\r\n";
  private exists: boolean;
  private phase: "streaming" | "deciding" | "over" = "streaming";
  private realDocument: vscode.TextDocument | null = null;
  private readonly ready: Promise<void>;
  private latest: (() => Proposal) | null = null;
  private flushedAt = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private expected: ReviewPlan | null = null;
  private lastLine: number | null = null;
  private readonly withdrawn = new Map<string, string>();
  private readonly outcome: Promise<ReviewOutcome>;
  private settle: (outcome: ReviewOutcome) => void = () => undefined;
  private tellDecided: (blocks: readonly BlockOutcome[]) => void = () => undefined;

  constructor(snapshot: FileSnapshot, deps: FileReviewDeps) {
    this.snapshot = snapshot;
    this.file = snapshot.file;
    this.deps = deps;
    this.outcome = new Promise((resolve) => {
      this.settle = resolve;
    });
    this.realUri = vscode.Uri.parse(snapshot.file.uri, true);
    this.exists = snapshot.exists;
    this.lineEnd = documentLineEnd(snapshot.text);
    this.proposal = new ProposalDocument(deps.files, deps.proposalUri, snapshot.text, (edits, textAfter) => {
      if (this.phase === "over") return;
      this.decidedInDiff = true;
      deps.model.userEdited("proposed", edits, textAfter);
      this.decidedMaybe();
      deps.changed();
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
    const stop = () => void this.withdraw("the request was stopped before it was decided");
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
    void this.withdraw("the review was closed before it was decided");
  }

  /** Ends the review; what is undecided counts as rejected, for this reason. */
  async withdraw(reason: string): Promise<void> {
    if (this.phase === "over") return;
    for (const hunk of this.deps.model.hunks()) for (const blockId of hunk.blockIds) this.withdrawn.set(blockId, reason);
    await this.end();
  }

  /** Withdraws because the file is no longer where it was. */
  async lose(reason: string): Promise<void> {
    this.exists = false;
    await this.withdraw(reason);
  }

  /** The real file has another name or place: the review goes on there. */
  async moved(file: FileRef): Promise<void> {
    this.file = file;
    this.realUri = vscode.Uri.parse(file.uri, true);
    this.realDocument = null;
    await this.followRealDocument();
    this.decidedMaybe();
    this.deps.changed();
  }

  /** Accepts hunks; unknown ids are left out. Settles when the user's document has them, or the user has been told why not. */
  accept(hunkIds: readonly string[]): Promise<void> {
    return this.queue.run(async () => {
      await this.ready;
      if (!this.decidable()) return;
      const refusal = await this.deps.refusal();
      if (refusal) return this.deps.tell(refusal);
      const problem = this.exists ? await this.acceptIntoDocument(hunkIds) : await this.acceptAsNewFile(hunkIds);
      if (problem) this.deps.tell(problem);
      this.decidedMaybe();
      this.deps.changed();
    });
  }

  /** Rejects hunks; unknown ids are left out. */
  reject(hunkIds: readonly string[]): Promise<void> {
    return this.queue.run(async () => {
      await this.ready;
      if (!this.decidable()) return;
      const plan = this.deps.model.planReject(hunkIds);
      this.deps.model.commit(plan);
      this.lastLine = firstLineOf(plan.textBefore, plan.edits);
      this.proposal.advance(plan.edits, plan.textAfter);
      this.decidedMaybe();
      this.deps.changed();
    });
  }

  /** The editor changed the real file's document: by an accepted plan, by the user, or because the file changed on disk. */
  realChanged(document: vscode.TextDocument, changes: readonly ContentChange[]): void {
    if (this.phase === "over" || document !== this.realDocument) return;
    this.takeOver(document.getText(), changes);
    this.decidedMaybe();
    this.deps.changed();
  }

  /** The editor let go of the real file's document. */
  realClosed(document: vscode.TextDocument): void {
    if (document === this.realDocument) this.realDocument = null;
  }

  /** The editor opened a document for the real file. */
  realOpened(document: vscode.TextDocument): void {
    if (this.phase === "over" || !this.exists) return;
    this.realDocument = document;
    this.takeOver(document.getText(), []);
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.flushedAt = Date.now();
    const proposal = this.latest?.() ?? null;
    this.latest = null;
    if (!proposal || this.phase !== "streaming") return;
    const plan = this.deps.model.planProposal(withLineEnds(proposal, this.lineEnd));
    this.deps.model.commit(plan);
    this.proposal.advance(plan.edits, plan.textAfter);
    if (proposal.blocks.length > 0 || plan.edits.length > 0) this.deps.grew(this, proposal.blocks.at(-1)?.end ?? 0);
  }

  private async followRealDocument(): Promise<void> {
    if (!this.exists) return;
    try {
      const document = await vscode.workspace.openTextDocument(this.realUri);
      if (!this.ended && this.realDocument !== document) this.realOpened(document);
    } catch (error) {
      this.deps.log(`${this.path} could not be opened for review: ${String(error)}`);
    }
  }

  private takeOver(documentText: string, changes: readonly ContentChange[]): void {
    const { model } = this.deps;
    // Other line ends are no other lines: the review goes on with those that it began with.
    const text = textWithLineEnds(documentText, this.lineEnd);
    if (text === model.real) return;
    if (this.expected && text === this.expected.textAfter) {
      model.commit(this.expected);
      this.expected = null;
      return;
    }
    const edits = splitEdits(model.real, contentEdits(model.real, changes, text));
    const mirror = model.userEdited("real", edits, text);
    if (!mirror) return;
    model.commit(mirror);
    this.proposal.advance(mirror.edits, mirror.textAfter);
  }

  private decidable(): boolean {
    if (this.phase === "streaming") this.deps.tell(`Graft is still writing its proposal for ${this.path}; decide when it is complete.`);
    return this.phase === "deciding";
  }

  /** Neither a hunk with a warning nor one in conflict is ever accepted without the user. */
  private async acceptSound(): Promise<void> {
    await this.ready;
    const sound = this.deps.model.hunks().filter(({ warning, conflict }) => warning === null && !conflict);
    if (sound.length > 0) await this.accept(sound.map(({ id }) => id));
  }

  private async acceptIntoDocument(hunkIds: readonly string[]): Promise<string | null> {
    const { model, applier } = this.deps;
    const known = new Set(model.hunks().flatMap(({ id, conflict }) => (conflict ? [id] : [])));
    for (let attempt = 0; attempt < 2; attempt++) {
      await this.followRealDocument();
      if (!this.realDocument) return `${this.path} could not be opened; nothing was changed. The proposal stays.`;
      if (await isBehindDisk(this.realDocument)) {
        return `${this.path} has changed on disk, and the editor does not show it yet; nothing was changed. Revert the file in its editor, then decide again.`;
      }
      // The user decided on what he saw: a change that meets his only now is not meant.
      const met = new Set(model.hunks().flatMap(({ id, conflict }) => (conflict && !known.has(id) ? [id] : [])));
      const plan = model.planAccept(hunkIds.filter((id) => !met.has(id)));
      if (plan.edits.length === 0)
        return met.size > 0 ? `${this.path} has changed in the same lines; nothing was changed. Look at the conflict.` : null;
      this.expected = plan;
      this.lastLine = firstLineOf(plan.textBefore, plan.edits);
      const lineEnd = this.realDocument.eol === vscode.EndOfLine.CRLF ? "\r\n" : "\n";
      const applied = await applier.apply(this.realUri, editsWithLineEnds(plan, lineEnd));
      if (applied.ok && this.expected) model.commit(plan);
      this.expected = null;
      if (!applied.ok) continue;
      this.deps.applied(textWithLineEnds(plan.textBefore, lineEnd), textWithLineEnds(plan.textAfter, lineEnd));
      // Another extension may have changed the text along with the edit: what the document says holds.
      this.takeOver(this.realDocument.getText(), []);
      return null;
    }
    return `The editor did not take the change to ${this.path}; nothing was changed. The proposal stays: try again.`;
  }

  private async acceptAsNewFile(hunkIds: readonly string[]): Promise<string | null> {
    const { model, applier } = this.deps;
    const plan = model.planAccept(hunkIds);
    if (plan.edits.length === 0) return null;
    const created = await applier.create(this.realUri, plan.textAfter);
    if (!created.ok) return created.error;
    this.exists = true;
    model.commit(plan);
    this.deps.applied(null, plan.textAfter);
    this.lastLine = 0;
    await this.followRealDocument();
    return null;
  }

  private decidedMaybe(): void {
    if (this.phase !== "deciding" || this.expected) return;
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
