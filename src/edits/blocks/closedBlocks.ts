import type { ProposedBlock } from "../../ports/review.ts";
import type { OffsetRange } from "../../syntax/syntax.ts";
import type { CapturedBlock } from "./capturedBlock.ts";

/** The blocks of a proposal whose lines are complete. While the others stay as they are, a new one costs nothing but itself. */
export class ClosedBlocks {
  readonly blocks: ProposedBlock[] = [];
  /** Where the last one in the text begins; -1 without any. */
  lastStart = -1;
  readonly ranges: ReadonlyMap<string, OffsetRange> | null;
  /** How many captured blocks are among them, or are not part of the proposal. */
  private counted = 0;

  /** `ranges` are the blocks' places in the draft's text. */
  constructor(ranges: ReadonlyMap<string, OffsetRange> | null) {
    this.ranges = ranges;
  }

  /** Adds those of `captured` that came since, up to the open one; `shift` is what precedes the draft's text. */
  add(captured: readonly CapturedBlock[], open: CapturedBlock | undefined, shift: number): void {
    for (; this.counted < captured.length; this.counted++) {
      const block = captured[this.counted];
      if (!block || block === open) return;
      const { blockId, status, warnings } = block;
      const range = this.ranges?.get(blockId);
      if (!range || (status !== "captured" && status !== "pending")) continue;
      this.lastStart = Math.max(this.lastStart, range.start + shift);
      this.blocks.push({ blockId, warnings, start: range.start + shift, end: range.end + shift });
    }
  }
}
