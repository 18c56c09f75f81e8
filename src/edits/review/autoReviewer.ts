import type { Result } from "../../base/result.ts";
import type { BlockOutcome, Proposal, Reviewer, ReviewOutcome } from "../../ports/review.ts";
import type { FileError, FileSnapshot } from "../../ports/workspace.ts";
import { ReviewState } from "./reviewState.ts";

/** Replaces a snapshot's text by the accepted one. */
export type WriteAccepted = (
  snapshot: FileSnapshot,
  text: string,
) => Promise<Result<unknown, FileError>>;

/**
 * Reviews without a user: each proposal is decided at once. Every hunk without a warning is
 * accepted and the file written, or none is. Nothing is accepted in a protected file.
 */
export function createAutoReviewer(accept: "all" | "none", write: WriteAccepted): Reviewer {
  const decide = async (
    snapshot: FileSnapshot,
    proposal: Proposal,
    acceptsAll: boolean,
  ): Promise<ReviewOutcome> => {
    const state = new ReviewState(snapshot.text);
    state.propose(proposal);
    const sound =
      acceptsAll && !snapshot.file.protected
        ? state.hunks().filter((hunk) => hunk.warnings.length === 0)
        : [];
    state.commit(state.planAccept(sound.map((hunk) => hunk.id)));
    state.reject(state.hunks().map((hunk) => hunk.id));
    // What is accepted is written below.
    state.saved(state.real);
    const blocks = acceptsAll ? state.outcomes().map(notAccepted) : state.outcomes();
    const text = snapshot.exists ? snapshot.text : null;
    if (!blocks.some(({ status }) => status === "applied" || status === "partly-applied"))
      return { text, blocks };
    if (state.real === text) return { text, blocks };
    const written = await write(snapshot, state.real);
    if (written.ok) return { text: state.real, blocks };
    const reason = { code: "write-failed" as const, error: written.error };
    return {
      blocks: blocks.map(({ blockId }) => ({ blockId, status: "conflict" as const, reason })),
      text,
    };
  };
  return {
    open: (snapshot) => ({
      update() {},
      async keep() {},
      propose: (proposal, stopped) => decide(snapshot, proposal, accept === "all" && !stopped),
      dispose() {},
    }),
    pending: () => null,
    allPending: () => [],
  };
}

function notAccepted(outcome: BlockOutcome): BlockOutcome {
  return outcome.status === "rejected"
    ? { ...outcome, reason: { code: "not-accepted-automatically" } }
    : outcome;
}
