import type { Proposal, ProposedBlock } from "../../ports/review.ts";
import type { Draft } from "../drafts/draft.ts";
import type { StreamingMoment } from "../drafts/streamingText.ts";
import type { CapturedBlock } from "./capturedBlock.ts";
import type { EditedFile } from "./editedFile.ts";

/** The text of a file with the blocks that wait or are on their way, and where each is; `written` is the block that is being written. */
export function proposalOf(
  captured: readonly CapturedBlock[],
  draft: Draft | null,
  { text: base, bom }: EditedFile,
  written: (StreamingMoment & { readonly blockId: string }) | null,
): Proposal {
  const complete = draft?.text() ?? base;
  const ranges = new Map(draft?.ranges());
  if (written) {
    const delta = written.text.length - complete.length;
    for (const [id, { start, end }] of ranges) if (start >= written.range.start) ranges.set(id, { start: start + delta, end: end + delta });
    ranges.set(written.blockId, written.range);
  }
  const blocks = captured.flatMap(({ blockId, warnings, status }): ProposedBlock[] => {
    const range = status === "captured" || status === "pending" || status === "streaming" ? ranges.get(blockId) : undefined;
    return range ? [{ blockId, warnings, start: range.start + bom.length, end: range.end + bom.length }] : [];
  });
  return { text: bom + (written?.text ?? complete), blocks };
}
