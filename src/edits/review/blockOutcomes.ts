import type { BlockOutcome } from "../../ports/review.ts";
import type { Hunk } from "./reviewPlan.ts";

/** How many hunks of a block were decided, and what is to be said of that. */
export interface DecidedHunks {
  readonly accepted: number;
  readonly rejected: number;
  readonly why?: readonly string[];
  /** The user accepted some, and the file lost them unsaved. */
  readonly notSaved?: boolean;
}

const NONE: DecidedHunks = { accepted: 0, rejected: 0 };

/** Counts the accepted and rejected hunks of each block and derives its outcome. */
export class BlockOutcomes {
  private readonly counts: Map<string, DecidedHunks>;

  /** `counts` is an earlier {@link record}. */
  constructor(counts: Iterable<readonly [string, DecidedHunks]> = []) {
    this.counts = new Map(counts);
  }

  /** What a later review of the same blocks begins with. */
  record(): readonly (readonly [string, DecidedHunks])[] {
    return [...this.counts];
  }

  /** One entry per hunk and block. */
  accept(blockIds: readonly string[]): void {
    this.count(blockIds, 1, 0, null, false);
  }

  /** An accept was undone, or `notSaved`. */
  takeBack(blockIds: readonly string[], notSaved = false): void {
    this.count(blockIds, -1, 0, null, notSaved || undefined);
  }

  /** `why` is the user's reason, or null. */
  reject(blockIds: readonly string[], why: string | null): void {
    this.count(blockIds, 0, 1, why);
  }

  /** The outcome of a block with these `pending` hunks among others. */
  outcome(blockId: string, pending: readonly Hunk[]): BlockOutcome {
    const { why = [] } = this.counts.get(blockId) ?? NONE;
    const outcome = this.state(blockId, pending);
    return why.length > 0 ? { ...outcome, rejection: why.join("; ") } : outcome;
  }

  private state(blockId: string, pending: readonly Hunk[]): BlockOutcome {
    const left = pending.filter((hunk) => hunk.blockIds.includes(blockId));
    const { accepted, rejected, notSaved } = this.counts.get(blockId) ?? NONE;
    const hunks = accepted + rejected + left.length;
    if (left.some((hunk) => hunk.conflict))
      return { blockId, status: "conflict", reason: { code: "edited-meanwhile" } };
    const partly = { code: "partly-accepted", accepted, hunks } as const;
    if (left.length > 0 && notSaved)
      return { blockId, status: "pending", reason: { code: "not-saved" } };
    if (left.length > 0)
      return { blockId, status: "pending", reason: accepted > 0 ? partly : null };
    if (accepted > 0)
      return accepted === hunks
        ? { blockId, status: "applied", reason: null }
        : { blockId, status: "partly-applied", reason: partly };
    if (rejected > 0) return { blockId, status: "rejected", reason: { code: "rejected-by-user" } };
    return { blockId, status: "applied", reason: { code: "already-there" } };
  }

  private count(
    blockIds: readonly string[],
    accepted: number,
    rejected: number,
    why: string | null,
    notSaved?: boolean,
  ): void {
    for (const id of blockIds) {
      const before = this.counts.get(id) ?? NONE;
      const reasons =
        why === null || before.why?.includes(why) ? {} : { why: [...(before.why ?? []), why] };
      const counts = { accepted: before.accepted + accepted, rejected: before.rejected + rejected };
      this.counts.set(id, {
        ...before,
        ...counts,
        ...reasons,
        ...(notSaved !== undefined && { notSaved }),
      });
    }
  }
}
