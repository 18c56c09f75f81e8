import { countTextLines } from "../base/text/lines.ts";
import type { Proposal, Review, Reviewer, ReviewOrigin, ReviewOutcome } from "../ports/review.ts";
import type { FileRef, FileSnapshot } from "../ports/workspace.ts";
import type { ViewedFiles } from "../tools/files/viewedFiles.ts";
import type { EmitTurnEvent } from "../turns/streamRegistry.ts";
import {
  editBlockOf,
  isAlreadyThere,
  isApplied,
  isPending,
  outcomeFields,
  type WrittenBlock,
} from "./drafts/writtenBlock.ts";
import { editReport } from "./editReport.ts";

/** Captured blocks of one file, complete. */
export interface CompleteBlocks {
  readonly file: FileRef;
  readonly origin: ReviewOrigin;
  readonly blocks: readonly WrittenBlock[];
  readonly proposal: Proposal;
  /** The answer was stopped, or broke off. */
  readonly stopped: boolean;
}

/**
 * Leaves blocks to the user: each gets its first outcome, which is shown, and the model counts as
 * knowing what it wrote.
 */
export async function proposeBlocks(
  review: Review,
  { file, origin, blocks, proposal, stopped }: CompleteBlocks,
  emit: EmitTurnEvent,
  shown: Pick<ViewedFiles, "edited" | "wrote">,
): Promise<ReviewOutcome> {
  const outcome = await review.propose(proposal, stopped);
  const { path } = file;
  const { callId, turnId } = origin;
  const kept = new Set<string>();
  for (const block of blocks) {
    const { blockId, target } = block;
    const first = outcome.blocks.find((other) => other.blockId === blockId);
    // A command that only took proposals back made no edit of its own.
    if (!first || (origin.isCommand && isAlreadyThere(first))) continue;
    Object.assign(block, outcomeFields(first));
    emit({ type: "edit-update", edit: editBlockOf(block, callId, path) });
    if (isApplied(block) && !isAlreadyThere(block))
      emit({ type: "change-done", callId, blockId, path, target });
    if (isApplied(block) || isPending(block)) kept.add(blockId);
  }
  if (kept.size > 0) shown.edited(path, turnId);
  shown.wrote(path, turnId, proposal, kept);
  return outcome;
}

/** Leaves blocks to the user that did not stream; gives the report on them for the model. */
export async function proposeWithReport(
  {
    reviewer,
    emit,
    shown,
  }: { readonly reviewer: Reviewer; readonly emit: EmitTurnEvent; readonly shown: ViewedFiles },
  snapshot: FileSnapshot,
  origin: ReviewOrigin,
  blocks: readonly WrittenBlock[],
  proposal: Proposal,
): Promise<string> {
  const { file } = snapshot;
  const { text } = await proposeBlocks(
    reviewer.open(snapshot, origin),
    { file, origin, blocks, proposal, stopped: false },
    emit,
    shown,
  );
  return editReport({ path: file.path, mode: null, blocks, lineCount: countTextLines(text ?? "") });
}
