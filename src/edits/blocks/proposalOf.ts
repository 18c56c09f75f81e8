import type { Proposal, ProposedBlock } from "../../ports/review.ts";
import type { Placer } from "../drafts/placer.ts";
import type { StreamingMoment } from "../drafts/streamingText.ts";
import type { WrittenBlock } from "../drafts/writtenBlock.ts";
import type { EditedFile } from "./editedFile.ts";

/**
 * The text of a file with the blocks that wait or are on their way, and where each is; `written` is
 * the block that is being written.
 */
export function proposalOf(
  captured: readonly WrittenBlock[],
  placer: Placer | null,
  { text: base, bom }: EditedFile,
  written: (StreamingMoment & { readonly blockId: string }) | null,
): Proposal {
  const complete = placer?.text() ?? base;
  const ranges = placer?.ranges();
  const delta = (written?.text.length ?? 0) - complete.length;
  const blocks: ProposedBlock[] = [];
  for (const { blockId, warnings, status } of captured) {
    if (status !== "captured" && status !== "pending" && status !== "streaming") continue;
    const isWritten = blockId === written?.blockId;
    const range = isWritten ? written.range : ranges?.get(blockId);
    if (!range) continue;
    const isBelow = written && !isWritten && range.start >= written.range.start;
    const shift = bom.length + (isBelow ? delta : 0);
    blocks.push({ blockId, warnings, start: range.start + shift, end: range.end + shift });
  }
  return { text: bom + (written?.text ?? complete), blocks };
}
