import type { BlockOutcome } from "../../ports/review.ts";
import type { Hunk } from "./reviewPlan.ts";

/** Counts the accepted and rejected hunks of each block and derives its outcome. */
export class BlockOutcomes {
  private readonly acceptedHunks = new Map<string, number>();
  private readonly rejectedHunks = new Map<string, number>();
  private current: ReadonlySet<string> = new Set();

  /** The blocks of the current proposal. */
  proposed(blockIds: readonly string[]): void {
    this.current = new Set(blockIds);
  }

  /** One entry per hunk and block. */
  accept(blockIds: readonly string[]): void {
    count(this.acceptedHunks, blockIds, 1);
  }

  /** An accept was undone. */
  takeBack(blockIds: readonly string[]): void {
    count(this.acceptedHunks, blockIds, -1);
  }

  reject(blockIds: readonly string[]): void {
    count(this.rejectedHunks, blockIds, 1);
  }

  /** The outcome of a block; its pending hunks count as rejected. */
  outcome(blockId: string, pending: readonly Hunk[]): BlockOutcome {
    const left = pending.filter((hunk) => hunk.blockIds.includes(blockId));
    const conflict = left.some((hunk) => hunk.conflict);
    const accepted = this.acceptedHunks.get(blockId) ?? 0;
    const rejected = this.rejectedHunks.get(blockId) ?? 0;
    const hunks = accepted + rejected + left.length;
    if (!this.current.has(blockId)) return { blockId, status: "rejected", reason: { code: "no-longer-proposed" } };
    if (accepted > 0 && accepted === hunks) return { blockId, status: "applied", reason: null };
    if (accepted > 0) return { blockId, status: "partly-applied", reason: { code: "partly-accepted", accepted, hunks } };
    if (conflict) return { blockId, status: "conflict", reason: { code: "edited-meanwhile" } };
    if (left.length > 0 && rejected === 0) return { blockId, status: "rejected", reason: { code: "withdrawn" } };
    if (rejected > 0) return { blockId, status: "rejected", reason: { code: "rejected-by-user" } };
    return { blockId, status: "applied", reason: { code: "already-there" } };
  }
}

function count(counts: Map<string, number>, blockIds: readonly string[], step: number): void {
  for (const id of blockIds) counts.set(id, (counts.get(id) ?? 0) + step);
}
