import type { ChangeSet } from "@codemirror/state";
import type { OffsetRange } from "../../base/text/scan.ts";
import type { Proposal } from "../../ports/review.ts";
import type { TextEdit } from "../text/changeSet.ts";
import {
  applyChanges,
  changesOf,
  coveringEdits,
  editsBetween,
  lineEditsBetween,
  noChanges,
  singleLineEditsBetween,
} from "../text/changeSet.ts";
import type { ReviewLayers } from "./reviewLayers.ts";
import { innermost } from "./userLines.ts";

type Texts = Pick<ReviewLayers, "model" | "proposed" | "typing">;

/** The texts after the stream has grown. */
export interface GrownTexts extends Texts {
  /** What this did to the proposal: edits for a document, and changes that ranges follow. */
  readonly edits: readonly TextEdit[];
  readonly changes: ChangeSet;
  /** The place in the proposal of a range of the stream's text. */
  placed(range: OffsetRange): OffsetRange;
}

/** Adds what the stream added to `streamText`, and keeps what the user changed on either side. */
export function growTexts(
  proposal: Proposal,
  streamText: string,
  { model: modelText, proposed: proposedText, typing }: Texts,
): GrownTexts {
  const untouched = streamText === modelText;
  const growth = untouched
    ? growthTo(proposal, streamText)
    : coveringEdits(lineEditsBetween(streamText, proposal.text), lineByLine(streamText, modelText));
  const modelGrowth = changesOf(growth, modelText.length);
  // Where the user changed nothing, all three texts are one, and need not be read.
  if (untouched && typing.empty) {
    const { text } = proposal;
    const same = { model: text, proposed: text, typing: noChanges(text.length) };
    return { ...same, edits: growth, changes: modelGrowth, placed: (range) => range };
  }
  const changes = modelGrowth.map(typing);
  const proposedAfter = applyChanges(changes, proposedText);
  const modelAfter = untouched ? proposal.text : applyChanges(modelGrowth, modelText);
  const streamToModel = untouched
    ? noChanges(proposal.text.length)
    : lineByLine(proposal.text, modelAfter);
  const layer = typing.map(modelGrowth, true);
  return {
    model: modelAfter,
    proposed: proposedAfter,
    typing: layer,
    edits: editsBetween(proposedText, proposedAfter),
    changes,
    placed: (range) => innermost(innermost(range, streamToModel), layer),
  };
}

/** Line by line, so that additions next to a line of the user's leave it alone. */
function lineByLine(before: string, after: string): ChangeSet {
  return changesOf(singleLineEditsBetween(before, after), before.length);
}

function growthTo({ change, text }: Proposal, streamText: string): readonly TextEdit[] {
  if (!change || change.before !== streamText) return editsBetween(streamText, text);
  const { oldText, newText, start } = change;
  return editsBetween(oldText, newText).map((edit) => ({
    ...edit,
    start: start + edit.start,
    end: start + edit.end,
  }));
}
