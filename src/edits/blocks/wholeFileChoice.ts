import type { BlockFailure, WrittenBlock } from "../drafts/writtenBlock.ts";
import type { WholeFileFit } from "./captureOptions.ts";

/** From the weakest to the strongest. */
const FITS: readonly WholeFileFit[] = ["open", "language", "named"];

/**
 * Which plain block of a message is the whole file: the first one that fits best. Of several that
 * only may be it, none is.
 */
export class WholeFileChoice {
  private fit: WholeFileFit | null = null;
  private candidates: readonly WrittenBlock[] = [];

  /** The block that is the file so far. */
  get taken(): WrittenBlock | null {
    return this.candidates.length === 1 ? (this.candidates[0] ?? null) : null;
  }

  /** False for a block that fits less well than the one that is taken, and so is a sample. */
  admits(fit: WholeFileFit): boolean {
    return this.fit === null || FITS.indexOf(fit) >= FITS.indexOf(this.fit);
  }

  /** Considers a block; gives what becomes of those that are not the file, itself included. */
  offer(
    block: WrittenBlock,
    fit: WholeFileFit,
  ): readonly { readonly block: WrittenBlock; readonly failure: BlockFailure }[] {
    const before = this.candidates;
    if (fit === this.fit && fit !== "open")
      return [{ block, failure: { status: "refused", reason: { code: "other-whole-file" } } }];
    const isBetter = fit !== this.fit;
    this.fit = fit;
    this.candidates = isBetter ? [block] : [...before, block];
    if (isBetter)
      return before.map((other) => ({
        block: other,
        failure: { status: "ignored", reason: { code: "other-whole-file" } },
      }));
    return this.candidates.map((other) => ({
      block: other,
      failure: { status: "refused", reason: { code: "which-whole-file" } },
    }));
  }
}
