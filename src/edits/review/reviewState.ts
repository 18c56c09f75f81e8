import type { ChangeSet } from "@codemirror/state";
import { lineStart, nextLine, type OffsetRange } from "../../base/text/scan.ts";
import type { BlockOutcome, Proposal } from "../../ports/review.ts";
import type { TextEdit } from "../text/changeSet.ts";
import { applyChanges, applyEdits, changesBetween, changesOf, editsBetween, exactEdits, noChanges } from "../text/changeSet.ts";
import { unifiedDiff } from "../text/lineDiff.ts";
import { BlockOutcomes } from "./blockOutcomes.ts";
import { growTexts } from "./growTexts.ts";
import { mirrorRealEdits } from "./mirrorRealEdits.ts";
import type { KnownHunk, PlacedHunk, ReviewSnapshot, TrackedBlock } from "./reviewHunks.ts";
import { placeHunks, touchLines } from "./reviewHunks.ts";
import type { ReviewEdits, ReviewPlan } from "./reviewPlan.ts";
import type { ReviewRecord } from "./reviewRecord.ts";
import { reopenedFrom, type UnsavedAccepts, withAccept, withoutAccept } from "./unsavedAccepts.ts";
import { changedRanges, followUserLines, innermost, outermost, type UserLines, withUserLines } from "./userLines.ts";

/** Maximum number of the user's edits to pending lines that undo restores exactly. */
const MAX_MOMENTS = 100;

/**
 * The state of one file's review, independent of the editor. Pending hunks are the differences between the real text and the proposed
 * one: accepting moves a hunk to the real text, rejecting moves the real lines to the proposal.
 *
 * What changes the proposal is done at once, and gives the edits that the proposal's document still needs. To accept, a caller asks for
 * a plan, makes its edits of the file, then calls `commit(plan)`; a dropped plan changes nothing.
 *
 * There are three layers: the stream's text; the model's text, with rejected hunks reverted and the user's edits to the file applied;
 * and the proposal, with the user's typing. Additions of the stream are mapped through both.
 */
export class ReviewState {
  private fates = new BlockOutcomes();
  private userLines: UserLines = { touched: [], cuts: [] };
  private realText: string;
  private proposedText: string;
  private streamText: string;
  /** The stream's text when the latest message began. */
  private seenText = "";
  private modelText: string;
  private modelToProposed: ChangeSet;
  /** The blocks of earlier messages, then those of the one that {@link propose} was called for last. */
  private blocks: readonly TrackedBlock[] = [];
  private earlierBlocks = 0;
  /** What the user changed in the proposal before the latest message began. */
  private earlierDiffs: readonly string[] = [];
  private known: readonly KnownHunk[] = [];
  private cached: readonly PlacedHunk[] | null = null;
  /** The accepts that reached the file, in order. */
  private readonly accepted: ReviewPlan[] = [];
  /** What the disk may not have of them. */
  unsaved: UnsavedAccepts | null = null;
  /** Oldest first; valid while only the user's edits to the file change the review. */
  private moments: ReviewSnapshot[] = [];
  private lastHunkNumber = 0;

  constructor(snapshotText: string) {
    this.realText = snapshotText;
    this.proposedText = snapshotText;
    this.streamText = snapshotText;
    this.modelText = snapshotText;
    this.modelToProposed = noChanges(snapshotText.length);
  }

  /** The review that a record was made of, with the same hunks pending. */
  static from(record: ReviewRecord): ReviewState {
    const state = new ReviewState(record.real);
    state.proposedText = record.proposed;
    state.streamText = record.model;
    state.modelText = record.model;
    state.recompareModel();
    state.blocks = record.blocks;
    state.earlierDiffs = record.userDiffs;
    state.userLines = record.userLines;
    state.fates = new BlockOutcomes(record.decided);
    state.unsaved = record.unsaved ?? null;
    return state;
  }

  /** All that the review is, but for what undo in the file needs; of what the latest message has written only `part`, where one is given. */
  record(part: Proposal | "before-message" | null = null): ReviewRecord {
    if (part !== null) return this.upTo(part === "before-message" ? { text: this.seenText, blocks: [] } : part).record();
    const { realText, proposedText, modelText, blocks, earlierDiffs, userLines, fates, unsaved } = this;
    const kept = { userLines, decided: fates.record(), ...(unsaved && { unsaved }) };
    return { real: realText, proposed: proposedText, model: modelText, blocks, userDiffs: earlierDiffs, ...kept };
  }

  /**
   * Another message writes to the proposal: its texts begin at `snapshotText`, the proposal as the model saw it. What differs from it now
   * is the user's.
   */
  beginMessage(snapshotText: string): void {
    const diff = this.modelToProposed.empty ? null : unifiedDiff(this.modelText, this.proposedText);
    if (diff !== null) this.earlierDiffs = [...this.earlierDiffs, diff];
    this.earlierBlocks = this.blocks.length;
    this.seenText = snapshotText;
    this.streamText = snapshotText;
    this.modelText = snapshotText;
    this.moments = [];
    this.recompareModel();
    this.cached = null;
  }

  get real(): string {
    return this.realText;
  }

  get proposed(): string {
    return this.proposedText;
  }

  /** Sorted by line. Linear in the texts; cached until one of them changes. */
  hunks(): readonly PlacedHunk[] {
    if (this.cached) return this.cached;
    const hunks = placeHunks({
      real: this.realText,
      proposed: this.proposedText,
      blocks: this.blocks,
      userLines: this.userLines,
      typed: changedRanges(this.modelToProposed),
      known: this.known,
      newHunkId: () => `hunk-${++this.lastHunkNumber}`,
    });
    this.known = hunks.map(({ id, content, proposedRange }) => ({ id, content, start: proposedRange.start }));
    this.cached = hunks;
    return hunks;
  }

  /** Updates the proposal from the stream; keeps the user's edits to either side. */
  propose(proposal: Proposal): ReviewEdits {
    const { streamText, modelText, proposedText, modelToProposed } = this;
    const grown = growTexts(proposal, { streamText, modelText, proposedText, modelToProposed });
    this.modelText = grown.modelText;
    this.streamText = proposal.text;
    this.moments = [];
    this.modelToProposed = grown.modelToProposed;
    this.changeProposed(grown.changes, grown.proposedText);
    const written = proposal.blocks.map(({ blockId, warnings, start, end }) => ({
      blockId,
      warnings,
      range: grown.placed({ start, end }),
    }));
    this.blocks = [...this.blocks.slice(0, this.earlierBlocks), ...written];
    return { edits: grown.edits, textBefore: proposedText, textAfter: grown.proposedText };
  }

  /** How to accept hunks; skips unknown ids, and hunks in conflict unless `overwrite`. */
  planAccept(hunkIds: readonly string[], overwrite = false): ReviewPlan {
    const chosen = this.chosenHunks(hunkIds).filter((hunk) => overwrite || !hunk.conflict);
    const edits = chosen.map(({ realRange, proposedRange }) => ({
      start: realRange.start,
      end: realRange.end,
      newText: this.proposedText.slice(proposedRange.start, proposedRange.end),
    }));
    return {
      edits,
      textBefore: this.realText,
      textAfter: applyEdits(edits, this.realText),
      hunkIds: chosen.map(({ id }) => id),
      blockIds: chosen.flatMap((hunk) => hunk.blockIds),
    };
  }

  /** The plan's edits have been made. If the file changed since, they count as the user's edit. */
  commit(plan: ReviewPlan): void {
    const { edits, textBefore, textAfter, hunkIds, blockIds } = plan;
    if (edits.length > 0) this.unsaved = withAccept(this.unsaved, this.realText, blockIds);
    if (this.realText !== textBefore) return void this.userEdited("real", editsBetween(this.realText, textAfter), textAfter);
    if (edits.length === 0) return;
    this.changeReal(changesOf(edits, textBefore.length), edits);
    this.moments = [];
    this.fates.accept(blockIds);
    this.accepted.push(plan);
    this.forget(hunkIds);
  }

  /** Rejects hunks; skips unknown ids. `why` is the user's reason. */
  reject(hunkIds: readonly string[], why: string | null = null): ReviewEdits {
    const chosen = this.chosenHunks(hunkIds);
    const textBefore = this.proposedText;
    const edits = chosen.map((hunk) => this.rejection(hunk));
    this.moments = [];
    this.changeModel(this.modelRejections(chosen));
    this.changeProposed(changesOf(edits, textBefore.length));
    this.recompareModel();
    for (const { blockIds } of chosen) this.fates.reject(blockIds, why);
    this.forget(chosen.map(({ id }) => id));
    return { edits, textBefore, textAfter: this.proposedText };
  }

  /** The user changed one side. For the real side, gives what this changed in the proposal, outside pending hunks, or null. */
  userEdited(side: "real" | "proposed", edits: readonly TextEdit[], textAfter: string): ReviewEdits | null {
    const before = side === "real" ? this.realText : this.proposedText;
    if (before === textAfter) return null;
    const exact = exactEdits(edits, before, textAfter);
    if (side === "proposed") {
      this.userEditedProposed(exact);
      return null;
    }
    if (this.undoOrRedo(textAfter)) return null;
    const textBefore = this.proposedText;
    const moment = this.moments.find(({ realText }) => realText === textAfter);
    const changed = moment ? this.returnTo(moment) : this.userEditedReal(exact);
    return changed.length === 0 ? null : { edits: changed, textBefore, textAfter: this.proposedText };
  }

  /** The disk has `text`. */
  saved(text: string): void {
    if (text === this.realText) this.unsaved = null;
  }

  /**
   * The file was opened again, with `text`: of accepts that were not saved, what is not in it is pending again, and what is in it counts
   * as accepted, on record or not. Gives what this changed in the proposal, or null.
   */
  reopened(text: string): ReviewEdits | null {
    const { unsaved, realText, proposedText: textBefore } = this;
    if (text === realText) return null;
    this.moments = [];
    const idsOf = () => new Set(this.hunks().flatMap(({ blockIds }) => blockIds));
    const waited = idsOf();
    const { base, edits } = reopenedFrom(unsaved, realText, text);
    this.changeReal(changesBetween(realText, base), []);
    const changed = this.userEditedReal(edits, true);
    const pending = idsOf();
    const lost = base === realText ? [] : (unsaved?.blockIds.filter((id) => pending.has(id)) ?? []);
    this.fates.takeBack(lost, true);
    const found = [...waited].filter((id) => !pending.has(id));
    this.fates.accept(found);
    this.unsaved = withoutAccept(unsaved, text, lost);
    if (found.length > 0) this.unsaved = withAccept(this.unsaved, realText, found);
    return changed.length === 0 ? null : { edits: changed, textBefore, textAfter: this.proposedText };
  }

  /** What became of each block so far. */
  outcomes(): readonly BlockOutcome[] {
    const pending = this.hunks();
    return this.blocks.map(({ blockId }) => this.fates.outcome(blockId, pending));
  }

  /** What the user changed in the proposal, as unified diffs, or null. */
  userDiff(): string | null {
    const settled = applyEdits(this.modelRejections(this.hunks()), this.modelText);
    const diff = this.modelToProposed.empty || settled === this.realText ? null : unifiedDiff(settled, this.realText);
    const diffs = diff === null ? this.earlierDiffs : [...this.earlierDiffs, diff];
    return diffs.length === 0 ? null : diffs.join("\n");
  }

  private upTo(part: Proposal): ReviewState {
    const copy = ReviewState.from(this.record());
    copy.streamText = this.streamText;
    copy.earlierBlocks = this.earlierBlocks;
    copy.propose(part);
    return copy;
  }

  private userEditedProposed(edits: readonly TextEdit[]): void {
    const before = this.hunks();
    const rejections = this.modelRejections(before);
    const changes = changesOf(edits, this.proposedText.length);
    this.moments = [];
    this.modelToProposed = this.modelToProposed.compose(changes);
    this.changeProposed(changes);
    // A hunk that is gone was reverted by hand, for instance with the diff editor's arrow. The user's own typing does not count.
    const after = this.hunks();
    const taken = before.flatMap((hunk, index) => {
      const back = rejections[index];
      const isGone = back && !after.some((other) => touchLines(hunk, other));
      return isGone && this.modelText.slice(back.start, back.end) !== back.newText ? [{ hunk, back }] : [];
    });
    if (taken.length === 0) return;
    this.changeModel(taken.map(({ back }) => back));
    this.recompareModel();
    for (const { hunk } of taken) this.fates.reject(hunk.blockIds, null);
  }

  /** Gives what this changed in the proposal; `unseen` where the edits may have put in what is pending. */
  private userEditedReal(edits: readonly TextEdit[], unseen = false): readonly TextEdit[] {
    const before = this.realText;
    const hunks = this.hunks();
    const touches = hunks.some(({ realRange }) => edits.some(({ start, end }) => start <= realRange.end && realRange.start <= end));
    if (touches) this.remember();
    const mirrored = mirrorRealEdits(edits, before, this.proposedText, hunks, unseen);
    const changes = changesOf(edits, before.length);
    this.changeReal(changes, []);
    const touched = edits.map((edit, index) => {
      const range = { start: changes.mapPos(edit.start, -1), end: changes.mapPos(edit.end, 1) };
      if (mirrored.wholeLines[index]) return range;
      return { start: lineStart(this.realText, range.start), end: nextLine(this.realText, range.end) };
    });
    // A deletion leaves no lines inside the rest of a hunk.
    const cut = hunks.filter(({ realRange }) =>
      edits.some(({ start, end, newText }) => newText === "" && start < realRange.end && realRange.start < end),
    );
    const cuts = cut.map(({ realRange }) => outermost(realRange, changes));
    this.userLines = withUserLines(this.userLines, touched, cuts);
    if (mirrored.edits.length > 0) this.changeBoth(mirrored.edits);
    return mirrored.edits;
  }

  /** Changes the proposal and the model's text alike, for edits that the user made to the file. */
  private changeBoth(proposedEdits: readonly TextEdit[]): void {
    const back = this.modelToProposed.invertedDesc;
    const edits = proposedEdits.map((edit) => ({ ...edit, start: back.mapPos(edit.start, -1), end: back.mapPos(edit.end, 1) }));
    const followed = changesOf(edits, this.modelText.length);
    this.changeModel(edits);
    this.changeProposed(changesOf(proposedEdits, this.proposedText.length));
    const layers = [this.modelToProposed.map(followed, true), this.modelToProposed.map(followed)];
    const layer = layers.find(
      (candidate) => candidate.length === this.modelText.length && applyChanges(candidate, this.modelText) === this.proposedText,
    );
    if (layer) this.modelToProposed = layer;
    else this.recompareModel();
  }

  /** Undoing an accept in the file makes its hunks pending again; redoing accepts them. */
  private undoOrRedo(textAfter: string): boolean {
    const { realText, accepted } = this;
    const undone = accepted.findLast((plan) => plan.textAfter === realText && plan.textBefore === textAfter);
    const redone = accepted.findLast((plan) => plan.textBefore === realText && plan.textAfter === textAfter);
    const blockIds = (undone ?? redone)?.blockIds;
    if (!blockIds) return false;
    if (undone) this.fates.takeBack(blockIds);
    else this.fates.accept(blockIds);
    this.unsaved = undone ? withoutAccept(this.unsaved, textAfter, blockIds) : withAccept(this.unsaved, realText, blockIds);
    this.changeReal(changesBetween(realText, textAfter), []);
    this.moments = [];
    return true;
  }

  private remember(): void {
    const { realText, proposedText, modelText, modelToProposed, blocks, known, userLines } = this;
    const moment = { realText, proposedText, modelText, modelToProposed, blocks, known, userLines };
    this.moments = [...this.moments, moment].slice(-MAX_MOMENTS);
  }

  /** The file is as it was then, so the proposal becomes what it was then. Gives what this changed in the proposal. */
  private returnTo(moment: ReviewSnapshot): readonly TextEdit[] {
    const edits = editsBetween(this.proposedText, moment.proposedText);
    this.realText = moment.realText;
    this.proposedText = moment.proposedText;
    this.modelText = moment.modelText;
    this.modelToProposed = moment.modelToProposed;
    this.blocks = moment.blocks;
    this.known = moment.known;
    this.userLines = moment.userLines;
    this.moments = this.moments.slice(0, this.moments.indexOf(moment));
    this.cached = null;
    return edits;
  }

  private rejection(hunk: PlacedHunk): TextEdit {
    return { ...hunk.proposedRange, newText: this.realText.slice(hunk.realRange.start, hunk.realRange.end) };
  }

  /** The edits of the model's text that revert hunks, one per hunk, in order. */
  private modelRejections(hunks: readonly PlacedHunk[]): TextEdit[] {
    const back = this.modelToProposed.invertedDesc;
    return hunks.map((hunk) => {
      const { start, end, newText } = this.rejection(hunk);
      return { start: back.mapPos(start, -1), end: back.mapPos(end, 1), newText };
    });
  }

  private changeModel(edits: readonly TextEdit[]): void {
    const apart = edits.filter((edit, index) => edit.start >= (edits[index - 1]?.end ?? 0));
    const changes = changesOf(apart, this.modelText.length);
    this.modelText = applyChanges(changes, this.modelText);
  }

  private recompareModel(): void {
    this.modelToProposed = changesBetween(this.modelText, this.proposedText);
  }

  private changeProposed(changes: ChangeSet, textAfter = applyChanges(changes, this.proposedText)): void {
    this.proposedText = textAfter;
    this.blocks = this.blocks.map((block) => ({ ...block, range: innermost(block.range, changes) }));
    this.known = this.known.map((hunk) => ({ ...hunk, start: changes.mapPos(hunk.start, 1) }));
    this.cached = null;
  }

  /** What lies in `settled` ranges is no longer an edit of the user's. */
  private changeReal(changes: ChangeSet, settled: readonly OffsetRange[]): void {
    this.userLines = followUserLines(this.userLines, changes, settled);
    this.realText = applyChanges(changes, this.realText);
    this.cached = null;
  }

  private chosenHunks(ids: readonly string[]): PlacedHunk[] {
    const wanted = new Set(ids);
    return this.hunks().filter((hunk) => wanted.has(hunk.id));
  }

  private forget(hunkIds: readonly string[]): void {
    this.known = this.known.filter(({ id }) => !hunkIds.includes(id));
  }
}
