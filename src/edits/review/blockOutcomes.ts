import type { BlockOutcome, ReviewReason } from "../../ports/review.ts";
import type { Hunk } from "./reviewPlan.ts";

/** How many hunks of a block were decided, and what is to be said of that. */
export interface DecidedHunks {
  readonly accepted: number;
  readonly rejected: number;
  readonly why?: readonly string[];
  /** The user accepted some, and the file lost them unsaved. */
  readonly notSaved?: boolean;
  /** Why its last hunk went without a decision; it counts while no other one is there. */
  readonly gone?: ReviewReason;
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

  /** The last hunk of a block went without a decision. */
  lost(blockId: string, gone: ReviewReason): void {
    this.counts.set(blockId, { ...(this.counts.get(blockId) ?? NONE), gone });
  }

  /** True for a block of which {@link lost} was told: what names it again is not its text. */
  isGone(blockId: string): boolean {
    return this.counts.get(blockId)?.gone !== undefined;
  }

  /** True for one that the user rejected, or whose text another writer took. */
  isRefused(blockId: string): boolean {
    const { accepted, rejected, gone } = this.counts.get(blockId) ?? NONE;
    return (
      accepted === 0 && (rejected > 0 || (gone !== undefined && gone.code !== "already-there"))
    );
  }

  /** The outcome of a block with these `pending` hunks among others. */
  outcome(blockId: string, pending: readonly Hunk[]): BlockOutcome {
    const { why = [] } = this.counts.get(blockId) ?? NONE;
    const outcome = { ...this.state(blockId, pending), ...this.part(blockId, pending) };
    return why.length > 0 ? { ...outcome, rejection: why.join("; ") } : outcome;
  }

  private state(blockId: string, pending: readonly Hunk[]): BlockOutcome {
    const left = pending.filter((hunk) => hunk.blockIds.includes(blockId));
    const { accepted, rejected, notSaved, gone } = this.counts.get(blockId) ?? NONE;
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
    if (gone?.code === "superseded") return { blockId, status: "superseded", reason: gone };
    if (gone?.code === "taken-back") return { blockId, status: "withdrawn", reason: gone };
    if (gone?.code === "rejected-by-user") return { blockId, status: "rejected", reason: gone };
    return { blockId, status: "applied", reason: { code: "already-there" } };
  }

  private part(blockId: string, pending: readonly Hunk[]): Pick<BlockOutcome, "part"> {
    const { accepted, rejected } = this.counts.get(blockId) ?? NONE;
    if (accepted + rejected > 0 || !pending.some(({ blockIds }) => blockIds.includes(blockId)))
      return {};
    const own = pending.filter(({ blockIds }) => blockIds.at(-1) === blockId);
    const addedLines = own.reduce((sum, { proposed }) => sum + proposed.end - proposed.start, 0);
    const removedLines = own.reduce((sum, { real }) => sum + real.end - real.start, 0);
    return { part: { addedLines, removedLines } };
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
