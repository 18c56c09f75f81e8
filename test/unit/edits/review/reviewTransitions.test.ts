import assert from "node:assert/strict";
import { ReviewState } from "../../../../src/edits/review/reviewState.ts";
import { editsBetween } from "../../../../src/edits/text/changeSet.ts";

const BASE = "one\ntwo\nthree\n";
const PROPOSED = "one\nTWO\nthree\n";

/** A block of one hunk. */
function proposed(): ReviewState {
  const state = new ReviewState(BASE);
  state.beginMessage(BASE);
  state.propose({ text: PROPOSED, blocks: [{ blockId: "b", start: 4, end: 8, warnings: [] }] });
  return state;
}

const idsOf = (state: ReviewState) => state.hunks().map(({ id }) => id);
const fileBecomes = (state: ReviewState, text: string) =>
  state.userEdited("real", editsBetween(state.real, text), text);

const EVENTS = {
  accept: (state: ReviewState) => state.commit(state.planAccept(idsOf(state))),
  overwrite: (state: ReviewState) => state.commit(state.planAccept(idsOf(state), true)),
  reject: (state: ReviewState) => state.reject(idsOf(state)),
  "revert in the diff": (state: ReviewState) =>
    state.userEdited("proposed", editsBetween(state.proposed, state.real), state.real),
  save: (state: ReviewState) => state.saved(state.real),
  undo: (state: ReviewState) => fileBecomes(state, BASE),
  redo: (state: ReviewState) => fileBecomes(state, PROPOSED),
  "edit these lines": (state: ReviewState) => fileBecomes(state, "one\nmine\nthree\n"),
  "lose it": (state: ReviewState) => state.reopened(BASE),
} as const;

/** The events that lead to a state from the proposal, and what each event makes of it. */
const STATES = {
  pending: {
    by: [],
    next: {
      accept: "unsaved",
      reject: "rejected",
      "revert in the diff": "rejected",
      "edit these lines": "conflict",
      save: "pending",
    },
  },
  conflict: {
    by: ["edit these lines"],
    next: { accept: "conflict", overwrite: "unsaved", reject: "rejected", undo: "pending" },
  },
  unsaved: {
    by: ["accept"],
    next: { save: "saved", undo: "pending", "lose it": "lost", redo: "unsaved" },
  },
  saved: { by: ["accept", "save"], next: { save: "saved", undo: "pending" } },
  lost: { by: ["accept", "lose it"], next: { accept: "unsaved", reject: "rejected" } },
  rejected: { by: ["reject"], next: { accept: "rejected", reject: "rejected", save: "rejected" } },
} satisfies Record<
  string,
  { by: (keyof typeof EVENTS)[]; next: Partial<Record<keyof typeof EVENTS, string>> }
>;

function nameOf(state: ReviewState): string {
  const [outcome] = state.outcomes();
  const { status, reason } = outcome ?? {};
  if (status === "pending" && reason?.code === "not-saved") return "lost";
  if (status === "applied") return state.unsaved ? "unsaved" : "saved";
  return status ?? "";
}

describe("a change in its review", () => {
  for (const [name, { by, next }] of Object.entries(STATES))
    for (const [event, expected] of Object.entries(next))
      it(`is ${expected} after ${event} where it was ${name}`, () => {
        const state = proposed();
        for (const earlier of by) EVENTS[earlier](state);
        assert.equal(nameOf(state), name);
        EVENTS[event as keyof typeof EVENTS](state);
        assert.equal(nameOf(state), expected);
        // What is kept over a restart is the same.
        const again = ReviewState.from(state.record());
        assert.deepEqual(again.outcomes(), state.outcomes());
        assert.deepEqual(again.unsaved, state.unsaved);
      });
});
