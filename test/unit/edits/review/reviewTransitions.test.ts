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

/** Another message has these lines in the proposal, by a block of its own. */
function written(state: ReviewState, lines: string, command: string | null): void {
  const seen = state.proposed;
  state.beginMessage(seen, command);
  const [start, end] = [4, seen.indexOf("\n", 4) + 1];
  const text = seen.slice(0, start) + lines + seen.slice(end);
  const block = { blockId: "later", start, end: start + lines.length, warnings: [] };
  state.propose({ text, blocks: text === seen ? [] : [block] });
}

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
  "a later edit of it": (state: ReviewState) => written(state, "2\n", null),
  "a command's change of it": (state: ReviewState) => written(state, "2\n", "call-1"),
  "a later edit that restores it": (state: ReviewState) => written(state, "two\n", null),
  "a command that restores it": (state: ReviewState) => written(state, "two\n", "call-1"),
} as const;

type Event = keyof typeof EVENTS;
type State =
  | "pending"
  | "conflict"
  | "unsaved"
  | "saved"
  | "lost"
  | "rejected"
  | "superseded"
  | "withdrawn"
  | "withdrawn by call-1";

/** The events that lead to each state from the proposal. */
const WAYS: Readonly<Record<State, readonly Event[]>> = {
  pending: [],
  conflict: ["edit these lines"],
  unsaved: ["accept"],
  saved: ["accept", "save"],
  lost: ["accept", "lose it"],
  rejected: ["reject"],
  superseded: ["a later edit of it"],
  withdrawn: ["a later edit that restores it"],
  "withdrawn by call-1": ["a command that restores it"],
};

/** What other edits make of a change that is not decided. */
const OVERTAKEN = {
  "a later edit of it": "superseded",
  "a command's change of it": "superseded",
  "a later edit that restores it": "withdrawn",
  "a command that restores it": "withdrawn by call-1",
} as const;

/** What each event makes of a state; nothing where it is not named. */
const NEXT: Readonly<Record<State, Partial<Record<Event, State>>>> = {
  pending: {
    accept: "unsaved",
    overwrite: "unsaved",
    reject: "rejected",
    "revert in the diff": "rejected",
    "edit these lines": "conflict",
    // The user typed the same: it is there, and nothing of Graft's is to be saved.
    redo: "saved",
    ...OVERTAKEN,
  },
  conflict: {
    overwrite: "unsaved",
    reject: "rejected",
    "revert in the diff": "rejected",
    undo: "pending",
    redo: "saved",
    ...OVERTAKEN,
    // What was there before is another text now that the file has the user's.
    "a later edit that restores it": "superseded",
    "a command that restores it": "superseded",
  },
  unsaved: { save: "saved", undo: "pending", "lose it": "lost" },
  saved: { undo: "pending" },
  lost: {
    accept: "unsaved",
    overwrite: "unsaved",
    redo: "unsaved",
    reject: "rejected",
    "revert in the diff": "rejected",
    "edit these lines": "conflict",
    ...OVERTAKEN,
  },
  rejected: {},
  superseded: {},
  withdrawn: {},
  "withdrawn by call-1": {},
};

function nameOf(state: ReviewState): string {
  const [outcome] = state.outcomes();
  const { status, reason } = outcome ?? {};
  if (status === "pending" && reason?.code === "not-saved") return "lost";
  if (status === "withdrawn" && reason?.code === "taken-back" && reason.callId !== undefined)
    return `withdrawn by ${reason.callId}`;
  if (status === "applied") return state.unsaved ? "unsaved" : "saved";
  return status ?? "";
}

describe("a change in its review", () => {
  for (const name of Object.keys(WAYS) as State[])
    for (const event of Object.keys(EVENTS) as Event[]) {
      const expected = NEXT[name][event] ?? name;
      it(`is ${expected} after ${event} where it was ${name}`, () => {
        const state = proposed();
        for (const earlier of WAYS[name]) EVENTS[earlier](state);
        assert.equal(nameOf(state), name);
        EVENTS[event](state);
        assert.equal(nameOf(state), expected);
        // What is kept over a restart is the same.
        const again = ReviewState.from(state.record());
        assert.deepEqual(again.outcomes(), state.outcomes());
        assert.deepEqual(again.unsaved, state.unsaved);
      });
    }
});

describe("accepts that undo takes back at once, as reverting the file does", () => {
  const both = "ONE\nTWO\nthree\n";
  const accepted = () => {
    const state = new ReviewState(BASE);
    state.beginMessage(BASE);
    const [first, second] = [
      { blockId: "first", start: 0, end: 4, warnings: [] },
      { blockId: "second", start: 4, end: 8, warnings: [] },
    ];
    state.propose({ text: "ONE\ntwo\nthree\n", blocks: [first] });
    state.commit(state.planAccept(idsOf(state)));
    state.propose({ text: both, blocks: [first, second] });
    state.commit(state.planAccept(idsOf(state)));
    return state;
  };
  const statuses = (state: ReviewState) => state.outcomes().map(({ status }) => status);

  it("are pending again, and accepted again by redo", () => {
    const state = accepted();
    fileBecomes(state, BASE);
    assert.deepEqual([statuses(state), state.proposed], [["pending", "pending"], both]);
    assert.equal(state.unsaved, null);
    fileBecomes(state, both);
    assert.deepEqual([statuses(state), idsOf(state)], [["applied", "applied"], []]);
    assert.deepEqual(state.unsaved, { text: BASE, blockIds: ["first", "second"] });
  });

  it("are pending again where the file lost them with an edit of the user's", () => {
    const state = accepted();
    fileBecomes(state, `${both}mine\n`);
    fileBecomes(state, BASE);
    assert.deepEqual(statuses(state), ["pending", "pending"]);
    assert.deepEqual([state.proposed, state.unsaved], [`${both}mine\n`, null]);
  });
});
