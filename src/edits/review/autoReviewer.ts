import type { Result } from "../../base/result.ts";
import type { AppliedChange, BlockOutcome, Proposal, Reviewer, ReviewOutcome } from "../../ports/review.ts";
import type { FileError, FileSnapshot } from "../../ports/workspace.ts";
import { ReviewState } from "./reviewState.ts";

/** Replaces a snapshot's text by the accepted one. */
export type WriteAccepted = (snapshot: FileSnapshot, text: string) => Promise<Result<unknown, FileError>>;

/** A review without a user: accepts every hunk without a warning and writes the file, or rejects them all. */
export function createAutoReviewer(accept: "all" | "none", write: WriteAccepted): Reviewer {
  return {
    open: (snapshot, _callId, applied) => ({
      update() {},
      decide: (proposal, signal) => decide(snapshot, proposal, signal.aborted ? "none" : accept, write, applied),
      dispose() {},
    }),
  };
}

async function decide(
  snapshot: FileSnapshot,
  proposal: Proposal,
  accept: "all" | "none",
  write: WriteAccepted,
  applied?: (change: AppliedChange) => void,
): Promise<ReviewOutcome> {
  const state = new ReviewState(snapshot.text, snapshot.exists);
  state.commit(state.planProposal(proposal));
  const sound = accept === "all" ? state.hunks().filter((hunk) => hunk.warnings.length === 0) : [];
  state.commit(state.planAccept(sound.map((hunk) => hunk.id)));
  state.commit(state.planReject(state.hunks().map((hunk) => hunk.id)));
  const outcome = state.outcome();
  const blocks = accept === "all" ? outcome.blocks.map(notAccepted) : outcome.blocks;
  if (!blocks.some(({ status }) => status === "applied" || status === "partly-applied")) return { ...outcome, blocks };
  if (state.real === snapshot.text && snapshot.exists) return { ...outcome, blocks };
  const written = await write(snapshot, state.real);
  if (written.ok) {
    applied?.({ file: snapshot.file, before: snapshot.exists ? snapshot.text : null, after: state.real });
    return { ...outcome, text: state.real, blocks };
  }
  const failed = blocks.map(({ blockId }) => ({
    blockId,
    status: "conflict" as const,
    reason: { code: "write-failed" as const, error: written.error },
  }));
  return { blocks: failed, text: snapshot.exists ? snapshot.text : null, userDiff: null };
}

function notAccepted(outcome: BlockOutcome): BlockOutcome {
  return outcome.status === "rejected" ? { ...outcome, reason: { code: "not-accepted-automatically" } } : outcome;
}
