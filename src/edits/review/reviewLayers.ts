import type { ChangeSet } from "@codemirror/state";
import type { OffsetRange } from "../../base/text/scan.ts";
import type { ProposedBlock } from "../../ports/review.ts";
import type { TextEdit } from "../text/changeSet.ts";
import {
  applyChanges,
  changesBetween,
  changesFromJson,
  changesJson,
  changesOf,
  editsOf,
  invertedChanges,
  noChanges,
} from "../text/changeSet.ts";
import { unifiedDiff } from "../text/lineDiff.ts";
import type { KnownHunk, PlacedHunk } from "./reviewPlan.ts";
import type { ReviewRecord } from "./reviewRecord.ts";
import { followUserLines, innermost, type UserLines } from "./userLines.ts";

/** What a block of the review's message of this number wrote. */
export interface WrittenPart extends ProposedBlock {
  readonly message: number;
  /** Set where it was rejected, or lost its text, before a later message: nothing is its any more. */
  readonly isOver?: true;
}

/** The texts of a review at one moment, and what is known of their parts. Immutable. */
export interface ReviewLayers {
  /** The file's text. */
  readonly real: string;
  /** The stream's text, with rejected hunks reverted and the user's edits to the file applied. */
  readonly model: string;
  /** The model's text with the user's typing in the proposal. */
  readonly proposed: string;
  /** What differs between them: the user's typing, and what others wrote since the model looked. */
  readonly typing: ChangeSet;
  /** Takes the user's own typing since the latest message began out of the proposal. */
  readonly untyped: ChangeSet;
  /** In offsets of the proposal, in the order of their messages. */
  readonly blocks: readonly WrittenPart[];
  readonly known: readonly KnownHunk[];
  readonly userLines: UserLines;
}

/** All three texts are one. */
export function layersOf(text: string): ReviewLayers {
  return {
    real: text,
    model: text,
    proposed: text,
    typing: noChanges(text.length),
    untyped: noChanges(text.length),
    blocks: [],
    known: [],
    userLines: { touched: [], cuts: [] },
  };
}

/** The file changed. What lies in `settled` ranges is no longer an edit of the user's. */
export function withReal(
  layers: ReviewLayers,
  changes: ChangeSet,
  settled: readonly OffsetRange[] = [],
): ReviewLayers {
  return {
    ...layers,
    real: applyChanges(changes, layers.real),
    userLines: followUserLines(layers.userLines, changes, settled),
  };
}

/** The proposal changed, other than by the user's typing; what is known of its parts follows. */
export function withProposed(
  layers: ReviewLayers,
  changes: ChangeSet,
  proposed = applyChanges(changes, layers.proposed),
): ReviewLayers {
  return {
    ...layers,
    proposed,
    untyped: layers.untyped.map(changes),
    blocks: layers.blocks.map((block) => ({ ...block, ...innermost(block, changes) })),
    known: layers.known.map((hunk) => ({ ...hunk, start: changes.mapPos(hunk.start, 1) })),
  };
}

/** The user typed in the proposal. */
export function withTyping(layers: ReviewLayers, changes: ChangeSet): ReviewLayers {
  const { proposed, typing, untyped } = layers;
  return {
    ...withProposed(layers, changes),
    typing: typing.compose(changes),
    untyped: invertedChanges(changes, proposed).compose(untyped),
  };
}

/** The same where nothing in or beside these ranges of the proposal is the user's typing. */
export function withoutTypingIn(
  layers: ReviewLayers,
  ranges: readonly OffsetRange[],
): ReviewLayers {
  const edits = editsOf(layers.untyped);
  const left = edits.filter(
    ({ start, end }) => !ranges.some((range) => start <= range.end && range.start <= end),
  );
  if (left.length === edits.length) return layers;
  return { ...layers, untyped: changesOf(left, layers.proposed.length) };
}

/** The proposal without what the user typed in it since the latest message began. */
function untypedText({ untyped, proposed }: ReviewLayers): string {
  return untyped.empty ? proposed : applyChanges(untyped, proposed);
}

/** Another message begins at `model`: nothing is typed since, and what is over gets no text. */
export function withMessage(
  layers: ReviewLayers,
  model: string,
  isOver: (blockId: string) => boolean,
): ReviewLayers {
  const blocks = layers.blocks.map((part): WrittenPart => {
    return isOver(part.blockId) ? { ...part, isOver: true } : part;
  });
  const untyped = noChanges(layers.proposed.length);
  return recompared({ ...layers, model, blocks, untyped });
}

/** The layers of a record. */
export function layersFrom(record: ReviewRecord): ReviewLayers {
  const { real, model, proposed, userLines } = record;
  const blocks = record.blocks.map(({ range, message = 0, ...block }) => ({
    ...{ ...block, ...range },
    message,
  }));
  return { ...layersOf(model), proposed, ...typingOf(record), real, blocks, userLines };
}

/** What a record keeps of the layers. */
export function layersRecord(
  layers: ReviewLayers,
): Omit<ReviewRecord, "userDiffs" | "decided" | "unsaved"> {
  const { real, proposed, model, userLines } = layers;
  const blocks = layers.blocks.map(({ start, end, ...block }) => {
    return { ...block, range: { start, end } };
  });
  return { real, proposed, model, blocks, userLines, ...typingRecord(layers) };
}

/** What a record keeps of the typing: the very changes, since a comparison may find others. */
function typingRecord({ typing, untyped }: ReviewLayers): Pick<ReviewRecord, "typing" | "untyped"> {
  const isNone = typing.empty && untyped.empty;
  return isNone ? {} : { typing: changesJson(typing), untyped: changesJson(untyped) };
}

/** The typing of a record; of an earlier one, what differs between its texts. */
function typingOf({
  model,
  proposed,
  typing: kept = [],
  untyped,
}: ReviewRecord): Pick<ReviewLayers, "typing" | "untyped"> {
  const exact = changesFromJson(kept, model.length);
  const isExact = exact !== null && applyChanges(exact, model) === proposed;
  const typing = isExact ? exact : changesBetween(model, proposed);
  if (untyped?.length === 0) return { typing, untyped: noChanges(proposed.length) };
  const own = isExact && untyped ? changesFromJson(untyped, proposed.length) : null;
  return { typing, untyped: own ?? invertedChanges(typing, model) };
}

/** The diffs, and what the user typed since the latest message began as one more. */
export function withTypedDiff(diffs: readonly string[], layers: ReviewLayers): readonly string[] {
  const diff = unifiedDiff(untypedText(layers), layers.proposed);
  return diff === null ? diffs : [...diffs, diff];
}

/** The proposal has the file's lines in place of these hunks, and so has the model's text. */
export function withRejected(layers: ReviewLayers, hunks: readonly PlacedHunk[]): ReviewLayers {
  const edits = hunks.map((hunk) => rejection(layers, hunk));
  const reverted = withModel(layers, modelRejections(layers, hunks));
  const changes = changesOf(edits, layers.proposed.length);
  return recompared(withProposed(withoutTypingIn(reverted, edits), changes));
}

/** The model's text changed; the user's typing does not fit until {@link recompared}. */
export function withModel(layers: ReviewLayers, edits: readonly TextEdit[]): ReviewLayers {
  const apart = edits.filter((edit, index) => edit.start >= (edits[index - 1]?.end ?? 0));
  return { ...layers, model: applyChanges(changesOf(apart, layers.model.length), layers.model) };
}

/** The same with hunks gone: what may look like them later is another one. */
export function forgotten(layers: ReviewLayers, hunkIds: readonly string[]): ReviewLayers {
  return { ...layers, known: layers.known.filter(({ id }) => !hunkIds.includes(id)) };
}

/** The user's typing is what differs between the model's text and the proposal. */
export function recompared(layers: ReviewLayers): ReviewLayers {
  return { ...layers, typing: changesBetween(layers.model, layers.proposed) };
}

/** Changes the proposal and the model's text alike, for edits that the user made to the file. */
export function withBoth(layers: ReviewLayers, edits: readonly TextEdit[]): ReviewLayers {
  const own = inModel(layers, edits);
  const followed = changesOf(own, layers.model.length);
  const changed = withProposed(withModel(layers, own), changesOf(edits, layers.proposed.length));
  const typing = [layers.typing.map(followed, true), layers.typing.map(followed)].find(
    (candidate) =>
      candidate.length === changed.model.length &&
      applyChanges(candidate, changed.model) === changed.proposed,
  );
  return typing ? { ...changed, typing } : recompared(changed);
}

/** The edit of the proposal that gives a hunk the file's lines. */
export function rejection(layers: ReviewLayers, hunk: PlacedHunk): TextEdit {
  const { start, end } = hunk.realRange;
  return { ...hunk.proposedRange, newText: layers.real.slice(start, end) };
}

/** The edits of the model's text that revert hunks, one per hunk, in order. */
export function modelRejections(layers: ReviewLayers, hunks: readonly PlacedHunk[]): TextEdit[] {
  return inModel(
    layers,
    hunks.map((hunk) => rejection(layers, hunk)),
  );
}

/** Edits of the proposal in offsets of the model's text. */
function inModel({ typing }: ReviewLayers, edits: readonly TextEdit[]): TextEdit[] {
  const back = typing.invertedDesc;
  return edits.map(({ start, end, newText }) => ({
    start: back.mapPos(start, -1),
    end: back.mapPos(end, 1),
    newText,
  }));
}
