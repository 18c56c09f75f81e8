import type { Reviewer } from "../ports/review.ts";
import type { ChangeJournal } from "./changeJournal.ts";

/** A reviewer whose applied changes go on record, under the turn that runs when a review is opened. */
export function journalReviews(reviewer: Reviewer, journal: ChangeJournal, runningTurn: () => string | null): Reviewer {
  return {
    open: (snapshot, callId, applied) => {
      const turnId = runningTurn();
      return reviewer.open(snapshot, callId, (change) => {
        const { file, before, after } = change;
        void journal.record({ at: Date.now(), turnId, callId, path: file.path, uri: file.uri, before, after });
        applied?.(change);
      });
    },
  };
}
