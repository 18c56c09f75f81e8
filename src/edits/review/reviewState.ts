import type { BlockOutcome, Proposal, ProposedBlock, ReviewReason } from "../../ports/review.ts";
import { retraced, type TextChange } from "../history/retraced.ts";
import {
  applyEdits,
  changesBetween,
  changesOf,
  editsBetween,
  exactEdits,
  type TextEdit,
} from "../text/changeSet.ts";
import { BlockOutcomes } from "./blockOutcomes.ts";
import { fileEdited } from "./fileEdits.ts";
import { growTexts } from "./growTexts.ts";
import { blocksOf, lostBlocks } from "./lostBlocks.ts";
import { placeHunks, touchLines } from "./reviewHunks.ts";
import {
  forgotten,
  layersFrom,
  layersOf,
  layersRecord,
  modelRejections,
  type ReviewLayers,
  recompared,
  rejection,
  withMessage,
  withModel,
  withoutTypingIn,
  withProposed,
  withReal,
  withRejected,
  withTypedDiff,
  withTyping,
} from "./reviewLayers.ts";
import type { AcceptPlan, PlacedHunk } from "./reviewPlan.ts";
import type { ReviewRecord } from "./reviewRecord.ts";
import { reopenedFrom, type UnsavedAccepts, withAccept, withoutAccept } from "./unsavedAccepts.ts";
import { outermost } from "./userLines.ts";

/** An accept that reached the file; one block id per hunk and block. */
interface Accepted extends TextChange {
  readonly blockIds: readonly string[];
}

/** Maximum number of the user's edits to pending lines that undo restores exactly. */
const MAX_SNAPSHOTS = 100;

/**
 * The state of one file's review, independent of the editor. Pending hunks are the differences
 * between the real text and the proposed one: accepting moves a hunk to the real text, rejecting
 * moves the real lines to the proposal.
 *
 * Changes of the proposal are done at once, and give the edits, sorted and without overlap, that its
 * document still needs. To accept, a caller asks for a plan, makes its edits of the file, then calls
 * `commit(plan)`; a dropped plan changes nothing.
 */
export class ReviewState {
  private layers: ReviewLayers;
  /** The message that {@link propose} is for: the proposal as the model saw it, and its text now. */
  private message: {
    readonly seen: string;
    readonly stream: string;
    readonly number: number;
    /** The call whose command writes; null for an answer. */
    readonly command: string | null;
  };
  /** The hunks when it was last known who changes what. */
  private waiting: readonly PlacedHunk[] = [];
  /** What the user changed in the proposal before the latest message began. */
  private earlierDiffs: readonly string[] = [];
  private decided = new BlockOutcomes();
  /** The accepts that reached the file, in order. */
  private readonly accepted: Accepted[] = [];
  private lacking: UnsavedAccepts | null = null;
  /** Oldest first; valid while only the user's edits to the file change the review. */
  private snapshots: readonly ReviewLayers[] = [];
  private placed: readonly PlacedHunk[] | null = null;
  private lastHunkNumber = 0;

  constructor(snapshotText: string) {
    this.layers = layersOf(snapshotText);
    const texts = { seen: snapshotText, stream: snapshotText };
    this.message = { ...texts, number: 0, command: null };
  }

  /** The review that a record was made of, with the same hunks pending. */
  static from(record: ReviewRecord): ReviewState {
    const state = new ReviewState(record.model);
    state.layers = layersFrom(record);
    state.earlierDiffs = record.userDiffs;
    state.decided = new BlockOutcomes(record.decided);
    state.lacking = record.unsaved ?? null;
    return state;
  }

  /**
   * All that the review is, but for what undo in the file needs; of what the latest message has
   * written only `part`, where one is given.
   */
  record(part: Proposal | "before-message" | null = null): ReviewRecord {
    if (part !== null)
      return (part === "before-message" ? this.beforeMessage() : this.upTo(part)).record();
    const { layers, earlierDiffs, decided, unsaved } = this;
    const kept = { userDiffs: earlierDiffs, decided: decided.record() };
    return { ...layersRecord(layers), ...kept, ...(unsaved && { unsaved }) };
  }

  /**
   * Another message writes to the proposal: its texts begin at `snapshotText`, the proposal as the
   * model saw it. What differs from it now stays, be it the user's or another writer's. `command` is
   * the call whose command writes; null for an answer.
   */
  beginMessage(snapshotText: string, command: string | null = null): void {
    this.settle();
    const { blocks } = this.layers;
    this.earlierDiffs = withTypedDiff(this.earlierDiffs, this.layers);
    const number = 1 + Math.max(0, ...blocks.map((block) => block.message));
    const texts = { seen: snapshotText, stream: snapshotText };
    this.message = { ...texts, number, command };
    const waiting = blocksOf(this.hunks());
    const isOver = (id: string) => !waiting.has(id) && this.decided.isRefused(id);
    this.become(withMessage(this.layers, snapshotText, isOver));
  }

  get real(): string {
    return this.layers.real;
  }

  get proposed(): string {
    return this.layers.proposed;
  }

  /** What the disk may not have of the accepts. */
  get unsaved(): UnsavedAccepts | null {
    return this.lacking;
  }

  /** Sorted by line. Linear in the texts; cached until one of them changes. */
  hunks(): readonly PlacedHunk[] {
    if (this.placed) return this.placed;
    const { layers } = this;
    const hunks = placeHunks(layers, () => `hunk-${++this.lastHunkNumber}`);
    const known = hunks.map(({ id, content, proposedRange: { start } }) => ({
      id,
      content,
      start,
    }));
    this.layers = { ...layers, known };
    this.placed = hunks;
    return hunks;
  }

  /** Updates the proposal from the stream; keeps the user's edits to either side. */
  propose(proposal: Proposal): readonly TextEdit[] {
    const { layers, message } = this;
    const grown = growTexts(proposal, message.stream, layers);
    const own = { message: message.number };
    const written = proposal.blocks.map((block) => ({ ...block, ...grown.placed(block), ...own }));
    const { model, typing } = grown;
    const changed = withProposed({ ...layers, model, typing }, grown.changes, grown.proposed);
    const blocks = [
      ...changed.blocks.filter((block) => block.message < message.number),
      ...written,
    ];
    this.message = { ...message, stream: proposal.text };
    this.become({ ...changed, blocks });
    return grown.edits;
  }

  /** How to accept hunks; skips unknown ids, and hunks in conflict unless `overwrite`. */
  planAccept(hunkIds: readonly string[], overwrite = false): AcceptPlan {
    const { real, proposed } = this.layers;
    const chosen = this.chosenHunks(hunkIds).filter((hunk) => overwrite || !hunk.conflict);
    const edits = chosen.map(({ realRange, proposedRange }) => ({
      start: realRange.start,
      end: realRange.end,
      newText: proposed.slice(proposedRange.start, proposedRange.end),
    }));
    return {
      edits,
      textBefore: real,
      textAfter: applyEdits(edits, real),
      hunkIds: chosen.map(({ id }) => id),
      blockIds: chosen.flatMap((hunk) => hunk.blockIds),
    };
  }

  /** The plan's edits have been made. If the file changed since, they count as the user's edit. */
  commit(plan: AcceptPlan): void {
    this.settle();
    const { edits, textBefore, textAfter, hunkIds, blockIds } = plan;
    if (edits.length > 0) this.lacking = withAccept(this.lacking, this.real, blockIds);
    if (this.real !== textBefore)
      return void this.userEdited("real", editsBetween(this.real, textAfter), textAfter);
    if (edits.length === 0) return;
    const changed = withReal(this.layers, changesOf(edits, textBefore.length), edits);
    this.become(forgotten(changed, hunkIds));
    this.decided.accept(blockIds);
    this.accepted.push({ before: textBefore, after: textAfter, blockIds });
    this.waiting = this.hunks();
  }

  /** Rejects hunks; skips unknown ids. `why` is the user's reason. */
  reject(hunkIds: readonly string[], why: string | null = null): readonly TextEdit[] {
    this.settle();
    const { layers } = this;
    const chosen = this.chosenHunks(hunkIds);
    const edits = chosen.map((hunk) => rejection(layers, hunk));
    const gone = chosen.map(({ id }) => id);
    this.become(forgotten(withRejected(layers, chosen), gone));
    for (const { blockIds } of chosen) this.decided.reject(blockIds, why);
    this.waiting = this.hunks();
    return edits;
  }

  /**
   * The user changed one side. For the real side, gives what this changed in the proposal, outside
   * pending hunks.
   */
  userEdited(
    side: "real" | "proposed",
    edits: readonly TextEdit[],
    textAfter: string,
  ): readonly TextEdit[] {
    this.settle();
    const before = this.layers[side];
    if (before === textAfter) return [];
    const exact = exactEdits(edits, before, textAfter);
    if (side === "proposed") this.userEditedProposed(exact);
    const changed = side === "real" ? this.fileEdited(exact, textAfter) : [];
    this.settle(side === "real" ? { code: "already-there" } : { code: "rejected-by-user" });
    return changed;
  }

  private fileEdited(exact: readonly TextEdit[], textAfter: string): readonly TextEdit[] {
    if (this.undoOrRedo(textAfter)) return [];
    // The file is as before all accepts that are not saved, as after its revert.
    if (textAfter === this.lacking?.text) return this.reopened(textAfter);
    const earlier = this.snapshots.findIndex(({ real }) => real === textAfter);
    return earlier < 0 ? this.userEditedReal(exact) : this.returnTo(earlier);
  }

  /** The disk has `text`. */
  saved(text: string): void {
    if (text === this.real) this.lacking = null;
  }

  /**
   * The file was opened again, with `text`: of accepts that were not saved, what is not in it is
   * pending again, and what is in it counts as accepted, on record or not. Gives what this changed
   * in the proposal.
   */
  reopened(text: string): readonly TextEdit[] {
    this.settle();
    const { lacking: unsaved } = this;
    const { real } = this.layers;
    if (text === real) return [];
    const waited = blocksOf(this.hunks());
    const { base, edits } = reopenedFrom(unsaved, real, text);
    this.become(withReal(this.layers, changesBetween(real, base)));
    const changed = this.userEditedReal(edits, true);
    const pending = blocksOf(this.hunks());
    const lost = base === real ? [] : (unsaved?.blockIds.filter((id) => pending.has(id)) ?? []);
    this.decided.takeBack(lost, true);
    const found = [...waited].filter((id) => !pending.has(id) && !this.decided.isGone(id));
    this.decided.accept(found);
    this.lacking = withoutAccept(unsaved, text, lost);
    if (found.length > 0) this.lacking = withAccept(this.lacking, real, found);
    this.waiting = this.hunks();
    return changed;
  }

  /** The parts of the proposal that blocks wrote, in its offsets; one block may have several. */
  get written(): readonly ProposedBlock[] {
    return this.layers.blocks;
  }

  /** What became of each block so far. */
  outcomes(): readonly BlockOutcome[] {
    this.settle();
    const pending = this.hunks();
    const ids = new Set(this.layers.blocks.map(({ blockId }) => blockId));
    const isUnsaved = (blockId: string) => this.lacking?.blockIds.includes(blockId);
    return [...ids].map((blockId) => ({
      ...this.decided.outcome(blockId, pending),
      ...(isUnsaved(blockId) && { isUnsaved: true }),
    }));
  }

  /** What the user changed in the proposal, as unified diffs, or null. */
  userDiff(): string | null {
    const diffs = withTypedDiff(this.earlierDiffs, withRejected(this.layers, this.hunks()));
    return diffs.length === 0 ? null : diffs.join("\n");
  }

  /**
   * Records why blocks lost their last hunk since this was last called: by what `message` wrote
   * where no `reason` is given.
   */
  private settle(reason: ReviewReason | null = null): void {
    const hunks = this.hunks();
    if (hunks === this.waiting) return;
    for (const [id, why] of lostBlocks(this.waiting, hunks, this.message.command))
      this.decided.lost(id, reason ?? why);
    this.waiting = hunks;
  }

  /**
   * The only way from one state to the next. Unless `snapshots` are given, the user's edits to the
   * file before it can no longer be undone exactly.
   */
  private become(layers: ReviewLayers, snapshots: readonly ReviewLayers[] = []): void {
    this.layers = layers;
    this.snapshots = snapshots;
    this.placed = null;
  }

  /** The review without what the latest message has written so far. */
  beforeMessage(): ReviewState {
    return this.upTo({ text: this.message.seen, blocks: [] });
  }

  private upTo(part: Proposal): ReviewState {
    const copy = ReviewState.from(this.record());
    copy.message = this.message;
    copy.propose(part);
    return copy;
  }

  private userEditedProposed(edits: readonly TextEdit[]): void {
    const before = this.hunks();
    const { layers } = this;
    const rejections = modelRejections(layers, before);
    const changes = changesOf(edits, layers.proposed.length);
    this.become(withTyping(layers, changes));
    // A hunk that is gone was reverted by hand, for instance with the diff editor's arrow. The
    // user's own typing does not count.
    const after = this.hunks();
    const taken = before.flatMap((hunk, index) => {
      const back = rejections[index];
      const isGone = back && !after.some((other) => touchLines(hunk, other));
      return isGone && layers.model.slice(back.start, back.end) !== back.newText
        ? [{ hunk, back }]
        : [];
    });
    if (taken.length === 0) return;
    const backs = taken.map(({ back }) => back);
    const reverted = withModel(this.layers, backs);
    const ranges = taken.map(({ hunk }) => outermost(hunk.proposedRange, changes));
    this.become(recompared(withoutTypingIn(reverted, ranges)));
    for (const { hunk } of taken) this.decided.reject(hunk.blockIds, null);
  }

  /**
   * Gives what this changed in the proposal; `unseen` where the edits may have put in what is
   * pending.
   */
  private userEditedReal(edits: readonly TextEdit[], unseen = false): readonly TextEdit[] {
    const { layers } = this;
    const edited = fileEdited(layers, this.hunks(), edits, unseen);
    const snapshots = edited.touches
      ? [...this.snapshots, layers].slice(-MAX_SNAPSHOTS)
      : this.snapshots;
    this.become(edited.layers, snapshots);
    return edited.mirrored;
  }

  /**
   * Undoing accepts in the file, one or several at once, makes their hunks pending again; redoing
   * accepts them.
   */
  private undoOrRedo(textAfter: string): boolean {
    const { real } = this.layers;
    const found = retraced(this.accepted, real, textAfter);
    if (!found) return false;
    const blockIds = found.changes.flatMap((accepted) => accepted.blockIds);
    if (found.undone) this.decided.takeBack(blockIds);
    else this.decided.accept(blockIds);
    this.lacking = found.undone
      ? withoutAccept(this.lacking, textAfter, blockIds)
      : withAccept(this.lacking, real, blockIds);
    this.become(withReal(this.layers, changesBetween(real, textAfter)));
    return true;
  }

  /**
   * The file is as it was in a snapshot, so the proposal becomes what it was then. Gives what this
   * changed in the proposal.
   */
  private returnTo(index: number): readonly TextEdit[] {
    const earlier = this.snapshots[index] ?? this.layers;
    const edits = editsBetween(this.proposed, earlier.proposed);
    this.become(earlier, this.snapshots.slice(0, index));
    return edits;
  }

  private chosenHunks(ids: readonly string[]): PlacedHunk[] {
    const wanted = new Set(ids);
    return this.hunks().filter((hunk) => wanted.has(hunk.id));
  }
}
