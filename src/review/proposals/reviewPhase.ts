/**
 * The life of a file's review: open, about to be withdrawn once no accept is on its way, over with
 * all decided, or over without the user, so that nothing of it is kept.
 */
export type ReviewPhase = "open" | "stopping" | "decided" | "dropped";

/** It is to be withdrawn; nothing is left to decide; it is withdrawn, or another window has it. */
export type ReviewEnd = "withdrawn" | "settled" | "dropped";

const NEXT: Readonly<Record<ReviewPhase, Partial<Record<ReviewEnd, ReviewPhase>>>> = {
  open: { withdrawn: "stopping", settled: "decided", dropped: "dropped" },
  stopping: { settled: "decided", dropped: "dropped" },
  decided: {},
  dropped: {},
};

/** The phase after an event; one that comes late or twice changes nothing. */
export function nextReviewPhase(phase: ReviewPhase, event: ReviewEnd): ReviewPhase {
  return NEXT[phase][event] ?? phase;
}
