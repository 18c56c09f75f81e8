import type { Failure } from "../block.ts";
import type { WholeFileFit } from "./captureOptions.ts";

/** From the weakest to the strongest. */
const FITS: readonly WholeFileFit[] = ["open", "language", "named"];

/** Which plain block of a message is the whole file: the first of those that fit best, if sure. */
export class WholeFileChoice {
  private fit: WholeFileFit | null = null;
  private candidates: readonly string[] = [];

  /** The block that is the file so far. */
  get taken(): string | null {
    return this.candidates.length === 1 ? (this.candidates[0] ?? null) : null;
  }

  /** False for a block that fits less well than the one that is taken, and so is a sample. */
  admits(fit: WholeFileFit): boolean {
    return this.fit === null || FITS.indexOf(fit) >= FITS.indexOf(this.fit);
  }

  /** Considers a block; gives what becomes of those that are not the file, itself included. */
  offer(blockId: string, fit: WholeFileFit): readonly (Failure & { readonly blockId: string })[] {
    const before = this.candidates;
    if (fit === this.fit && fit !== "open")
      return [{ blockId, status: "refused", reason: { code: "other-whole-file" } }];
    const isBetter = fit !== this.fit;
    this.fit = fit;
    this.candidates = isBetter ? [blockId] : [...before, blockId];
    if (isBetter)
      return before.map((other) => ({
        blockId: other,
        status: "ignored",
        reason: { code: "other-whole-file" },
      }));
    return this.candidates.map((other) => ({
      blockId: other,
      status: "refused",
      reason: { code: "which-whole-file" },
    }));
  }
}
