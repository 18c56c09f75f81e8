import { countTextLines } from "../../base/text/lines.ts";
import type {
  Proposal,
  ProposedBlock,
  Review,
  Reviewer,
  ReviewOrigin,
} from "../../ports/review.ts";
import type { FileRef, FileSnapshot } from "../../ports/workspace.ts";
import type { ViewedFiles } from "../../tools/files/viewedFiles.ts";
import type { EmitTurnEvent } from "../../turns/streamRegistry.ts";
import type { AddressFormat } from "../answer/captureOptions.ts";
import {
  type Block,
  become,
  editBlockOf,
  isAlreadyThere,
  isApplied,
  isCaptured,
  isPending,
  outcomeFields,
} from "../block.ts";
import type { EditedFile } from "../place/editedFile.ts";
import type { Draft } from "../place/placer.ts";
import type { StreamingMoment } from "../place/streamingText.ts";
import { editReport } from "./editReport.ts";

/** A file's text with the blocks that wait or are on their way; `written` still streams. */
export function proposalOf(
  blocks: readonly Block[],
  draft: Draft | null,
  { text: base, bom }: EditedFile,
  written: (StreamingMoment & { readonly blockId: string }) | null,
): Proposal {
  const complete = draft?.text() ?? base;
  const ranges = draft?.ranges();
  const delta = (written?.text.length ?? 0) - complete.length;
  const proposed: ProposedBlock[] = [];
  for (const { blockId, warnings, status } of blocks) {
    if (status !== "captured" && status !== "pending" && status !== "streaming") continue;
    const isWritten = blockId === written?.blockId;
    const range = isWritten ? written.range : ranges?.get(blockId);
    if (!range) continue;
    const isBelow = written && !isWritten && range.start >= written.range.start;
    const shift = bom.length + (isBelow ? delta : 0);
    proposed.push({ blockId, warnings, start: range.start + shift, end: range.end + shift });
  }
  return { text: bom + (written?.text ?? complete), blocks: proposed };
}

/** Blocks of one file, complete; what is captured of them is left to the review. */
interface CompleteBlocks {
  readonly file: FileRef;
  readonly origin: ReviewOrigin;
  readonly blocks: readonly Block[];
  readonly proposal: Proposal;
  /** The answer was stopped, or broke off. */
  readonly stopped: boolean;
}

/**
 * Leaves captured blocks to the user: each gets its first outcome, which is shown, and the model
 * counts as knowing what it wrote. Gives the blocks as they are then, and the file's text with them,
 * null for no file.
 */
export async function proposeBlocks(
  review: Review,
  { file, origin, blocks, proposal, stopped }: CompleteBlocks,
  emit: EmitTurnEvent,
  shown: Pick<ViewedFiles, "edited" | "wrote">,
): Promise<{ readonly blocks: readonly Block[]; readonly text: string | null }> {
  const outcome = await review.propose(proposal, stopped);
  const { path } = file;
  const { callId, turnId } = origin;
  const kept = new Set<string>();
  const decided = blocks.map((block) => {
    const { blockId, target } = block;
    const first = outcome.blocks.find((other) => other.blockId === blockId);
    if (!first || !isCaptured(block)) return block;
    const next = become(block, outcomeFields(first));
    // A command that only took proposals back made no edit of its own.
    if (origin.isCommand && isAlreadyThere(next)) return next;
    emit({ type: "edit-update", edit: editBlockOf(next, callId, path) });
    if (isApplied(next) && !isAlreadyThere(next))
      emit({ type: "change-done", callId, blockId, path, target });
    if (isApplied(next) || isPending(next)) kept.add(blockId);
    return next;
  });
  if (kept.size > 0) shown.edited(path, turnId);
  shown.wrote(path, turnId, proposal, kept);
  return { blocks: decided, text: outcome.text };
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
  blocks: readonly Block[],
  proposal: Proposal,
  mode: AddressFormat = null,
): Promise<string> {
  const { file } = snapshot;
  const proposed = await proposeBlocks(
    reviewer.open(snapshot, origin),
    { file, origin, blocks, proposal, stopped: false },
    emit,
    shown,
  );
  const lineCount = countTextLines(proposed.text ?? "");
  return editReport({ path: file.path, mode, blocks: proposed.blocks, lineCount });
}
