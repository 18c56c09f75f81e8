import assert from "node:assert/strict";
import fc from "fast-check";
import type { AcceptPlan } from "../../../../src/edits/review/reviewPlan.ts";
import { reviewRecordSchema } from "../../../../src/edits/review/reviewRecord.ts";
import { ReviewState } from "../../../../src/edits/review/reviewState.ts";
import type { TextEdit } from "../../../../src/edits/text/changeSet.ts";
import type { BlockWarning, Proposal, ProposedBlock } from "../../../../src/ports/review.ts";
import { pluck } from "../../../fakes/pluck.ts";

function block(
  blockId: string,
  start: number,
  end: number,
  warnings: readonly BlockWarning[] = [],
): ProposedBlock {
  return { blockId, start, end, warnings };
}

function propose(state: ReviewState, text: string, blocks: readonly ProposedBlock[] = []): void {
  assertMade(state, () => state.propose({ text, blocks }));
}

function replaced(text: string, plan: { readonly edits: readonly TextEdit[] }): string {
  let result = text;
  for (const edit of [...plan.edits].reverse())
    result = result.slice(0, edit.start) + edit.newText + result.slice(edit.end);
  return result;
}

function commit(state: ReviewState, plan: AcceptPlan): void {
  assert.equal(replaced(plan.textBefore, plan), plan.textAfter);
  state.commit(plan);
  assert.equal(state.real, plan.textAfter);
}

/** The edits lead to what is proposed now. */
function assertMade(
  state: ReviewState,
  change: () => readonly TextEdit[],
  before = state.proposed,
): void {
  assert.equal(replaced(before, { edits: change() }), state.proposed);
}

const OLD = "one\ntwo\nthree\nfour\nfive\nsix\n";

const outcomeOf = (state: ReviewState) => ({
  blocks: state.outcomes(),
  text: state.real,
  userDiff: state.userDiff(),
});

describe("the review of a proposal", () => {
  it("shows each change as a hunk with the block that wrote it", () => {
    const state = new ReviewState(OLD);
    propose(state, "one\nTWO\nthree\nfour\nfive\nsix\nseven\n", [
      block("a", 4, 8),
      block("b", 28, 34, [{ code: "syntax" }]),
    ]);
    assert.deepEqual(
      state
        .hunks()
        .map(({ real, proposed, blockIds, warnings }) => ({ real, proposed, blockIds, warnings })),
      [
        {
          real: { start: 1, end: 2 },
          proposed: { start: 1, end: 2 },
          blockIds: ["a"],
          warnings: [],
        },
        {
          real: { start: 6, end: 6 },
          proposed: { start: 6, end: 7 },
          blockIds: ["b"],
          warnings: [{ code: "syntax" }],
        },
      ],
    );
  });

  it("names the block of a deletion", () => {
    const state = new ReviewState(OLD);
    propose(state, "one\nfour\nfive\nsix\n", [block("gone", 4, 4)]);
    assert.deepEqual(state.hunks()[0]?.blockIds, ["gone"]);
  });

  it("gives a deletion that is shown at another of the same lines to its block", () => {
    const state = new ReviewState("a\nbreak;\nb\nbreak;\nb\nc\n");
    propose(state, "a\nbreak;\nb\nc\n", [block("gone", 2, 2)]);
    assert.deepEqual(state.hunks()[0]?.blockIds, ["gone"]);
  });

  it("accepts one hunk and rejects the other", () => {
    const state = new ReviewState(OLD);
    propose(state, "one\nTWO\nthree\nfour\nFIVE\nsix\n", [block("a", 4, 8), block("b", 19, 24)]);
    const [first, second] = state.hunks();
    assert.ok(first && second);
    commit(state, state.planAccept([first.id]));
    assert.deepEqual(pluck(state.hunks(), "id"), [second.id]);
    assertMade(state, () => state.reject([second.id]));
    assert.deepEqual(state.hunks(), []);
    assert.deepEqual(outcomeOf(state), {
      blocks: [
        { blockId: "a", status: "applied", reason: null, isUnsaved: true },
        { blockId: "b", status: "rejected", reason: { code: "rejected-by-user" } },
      ],
      text: "one\nTWO\nthree\nfour\nfive\nsix\n",
      userDiff: null,
    });
  });

  it("keeps why the user rejected a block, or a part of it, also in its record", () => {
    const state = new ReviewState(OLD);
    propose(state, "ONE\ntwo\nTHREE\nfour\nFIVE\nsix\n", [block("a", 0, 4), block("b", 8, 23)]);
    const [whole, part, rest] = state.hunks().map(({ id }) => id);
    assert.ok(whole && part && rest);
    assertMade(state, () => state.reject([whole], "no shouting"));
    assertMade(state, () => state.reject([part], "not here"));
    commit(state, state.planAccept([rest]));
    const outcomes = [
      {
        blockId: "a",
        status: "rejected",
        reason: { code: "rejected-by-user" },
        rejection: "no shouting",
      },
      {
        blockId: "b",
        status: "partly-applied",
        reason: { code: "partly-accepted", accepted: 1, hunks: 2 },
        rejection: "not here",
        isUnsaved: true,
      },
    ];
    assert.deepEqual(state.outcomes(), outcomes);
    assert.deepEqual(
      ReviewState.from(
        reviewRecordSchema.parse(JSON.parse(JSON.stringify(state.record()))),
      ).outcomes(),
      outcomes,
    );
  });

  it("keeps the ids of hunks while others change", () => {
    const state = new ReviewState(OLD);
    propose(state, "zero\none\ntwo\nthree\nzero\nfour\nfive\nsix\nzero\n");
    const [a, b, c] = state.hunks().map((hunk) => hunk.id);
    assert.ok(a && b && c);
    commit(state, state.planAccept([a]));
    assert.deepEqual(pluck(state.hunks(), "id"), [b, c]);
    assert.deepEqual(state.planAccept([a]).edits, [], "an old name does not accept another hunk");
  });

  it("counts the accepted hunks of a block", () => {
    const state = new ReviewState(OLD);
    propose(state, "ONE\ntwo\nthree\nfour\nFIVE\nsix\n", [block("a", 0, 24)]);
    const [first] = state.hunks();
    assert.ok(first);
    commit(state, state.planAccept([first.id]));
    assert.deepEqual(state.outcomes(), [
      {
        blockId: "a",
        status: "pending",
        reason: { code: "partly-accepted", accepted: 1, hunks: 2 },
        isUnsaved: true,
      },
    ]);
    assertMade(state, () => state.reject(state.hunks().map((hunk) => hunk.id)));
    assert.equal(state.outcomes()[0]?.status, "partly-applied");
  });

  it("counts a hunk reverted with the diff's arrow as rejected", () => {
    const state = new ReviewState(OLD);
    propose(state, "one\nTWO\nthree\nfour\nFIVE\nsix\n", [block("a", 4, 8), block("b", 19, 24)]);
    state.userEdited(
      "proposed",
      [{ start: 4, end: 8, newText: "two\n" }],
      "one\ntwo\nthree\nfour\nFIVE\nsix\n",
    );
    const [left] = state.hunks();
    assert.ok(left);
    commit(state, state.planAccept([left.id]));
    const outcome = outcomeOf(state);
    assert.deepEqual(pluck(outcome.blocks, "status"), ["rejected", "applied"]);
    assert.equal(outcome.userDiff, null);
  });

  it("tells the model what the user changed in the proposal", () => {
    const state = new ReviewState(OLD);
    propose(state, "one\nTWO\nthree\nfour\nFIVE\nsix\n", [block("a", 4, 8), block("b", 19, 24)]);
    state.userEdited(
      "proposed",
      [{ start: 7, end: 7, newText: "!" }],
      "one\nTWO!\nthree\nfour\nFIVE\nsix\n",
    );
    commit(state, state.planAccept(state.hunks().map((hunk) => hunk.id)));
    const outcome = outcomeOf(state);
    assert.equal(outcome.text, "one\nTWO!\nthree\nfour\nFIVE\nsix\n");
    assert.match(outcome.userDiff ?? "", /^-TWO\n\+TWO!$/m);
    assert.doesNotMatch(outcome.userDiff ?? "", /^[-+]FIVE/m);
  });

  it("applies the user's edits of the file to the proposal, outside the hunks", () => {
    const state = new ReviewState(OLD);
    propose(state, "one\ntwo\nthree\nfour\nFIVE\nsix\n", [block("a", 19, 24)]);
    const before = state.proposed;
    const plan = state.userEdited(
      "real",
      [{ start: 0, end: 0, newText: "zero\n" }],
      `zero\n${OLD}`,
    );
    assert.notDeepEqual(plan, []);
    assertMade(state, () => plan, before);
    assert.equal(state.proposed, "zero\none\ntwo\nthree\nfour\nFIVE\nsix\n");
    assert.equal(state.hunks().length, 1);
    commit(state, state.planAccept(state.hunks().map((hunk) => hunk.id)));
    assert.equal(state.real, state.proposed);
    assert.equal(outcomeOf(state).userDiff, null);
  });

  it("is in conflict when the user changes the lines of a hunk in the file", () => {
    const state = new ReviewState(OLD);
    propose(state, "one\nTWO\nthree\nfour\nFIVE\nsix\n", [block("a", 4, 8), block("b", 19, 24)]);
    const real = "one\ntwo, mine\nthree\nfour\nfive\nsix\n";
    assert.deepEqual(state.userEdited("real", [{ start: 7, end: 7, newText: ", mine" }], real), []);
    assert.deepEqual(pluck(state.hunks(), "conflict"), [true, false]);
    commit(state, state.planAccept(state.hunks().map((hunk) => hunk.id)));
    assert.equal(state.real, "one\ntwo, mine\nthree\nfour\nFIVE\nsix\n");
    assert.deepEqual(pluck(outcomeOf(state).blocks, "status"), ["conflict", "applied"]);
  });

  it("resolves the conflict when the user reverts their edit of a hunk's lines", () => {
    const state = new ReviewState(OLD);
    propose(state, "one\nTWO\nTHREE\nfour\nFIVE\nsix\n", [block("a", 4, 14), block("b", 19, 24)]);
    const conflicts = () => state.hunks().map((hunk) => hunk.conflict);
    for (const [edit, undo] of [
      [
        { start: 7, end: 7, newText: ", mine" },
        { start: 7, end: 13, newText: "" },
      ],
      [
        { start: 5, end: 11, newText: "wo\nand th" },
        { start: 5, end: 14, newText: "wo\nthr" },
      ],
    ] as const) {
      const changed = replaced(OLD, { edits: [edit] });
      assert.deepEqual(state.userEdited("real", [edit], changed), []);
      assert.deepEqual(conflicts(), [true, false], JSON.stringify(edit));
      const taken = replaced(changed, { edits: [undo] });
      assert.equal(taken, OLD);
      assert.deepEqual(state.userEdited("real", [undo], taken), []);
      assert.deepEqual(conflicts(), [false, false], JSON.stringify(edit));
    }
    commit(state, state.planAccept(state.hunks().map((hunk) => hunk.id)));
    assert.equal(state.real, "one\nTWO\nTHREE\nfour\nFIVE\nsix\n");
  });

  it("keeps the conflict in lines that only look like another hunk's", () => {
    const state = new ReviewState("a\nm\nx\nb\n");
    state.userEdited("real", [{ start: 4, end: 5, newText: "a" }], "a\nm\na\nb\n");
    propose(state, "A\nm\nA\nb\n", [block("first", 0, 2), block("second", 4, 6)]);
    state.userEdited("real", [{ start: 7, end: 7, newText: "!" }], "a\nm\na\nb!\n");
    assert.deepEqual(pluck(state.hunks(), "conflict"), [false, true]);
  });

  it("is in conflict when the user changed the lines before a block came for them", () => {
    const state = new ReviewState(OLD);
    const before = state.proposed;
    const plan = state.userEdited(
      "real",
      [{ start: 7, end: 7, newText: ", mine" }],
      "one\ntwo, mine\nthree\nfour\nfive\nsix\n",
    );
    assert.notDeepEqual(plan, []);
    assertMade(state, () => plan, before);
    propose(state, "one\nTWO\nthree\nfour\nFIVE\nsix\n", [block("a", 4, 8), block("b", 19, 24)]);
    assert.equal(
      state.proposed,
      "one\nTWO\nthree\nfour\nFIVE\nsix\n",
      "the proposal is the model's, the file the user's",
    );
    assert.deepEqual(pluck(state.hunks(), "conflict"), [true, false]);
  });

  it("shifts a pending change when the user adds or removes lines next to it", () => {
    const cases: readonly TextEdit[] = [
      { start: 4, end: 4, newText: "new\n" },
      { start: 8, end: 8, newText: "new\n" },
      { start: 0, end: 4, newText: "" },
      { start: 8, end: 14, newText: "" },
      { start: 3, end: 3, newText: ", mine" },
      { start: 8, end: 8, newText: "mine, " },
    ];
    for (const edit of cases) {
      const state = new ReviewState(OLD);
      propose(state, OLD.replace("two", "TWO"), [block("a", 4, 8)]);
      const real = replaced(OLD, { edits: [edit] });
      const before = state.proposed;
      const plan = state.userEdited("real", [edit], real);
      assertMade(state, () => plan, before);
      assert.deepEqual(pluck(state.hunks(), "conflict"), [false], JSON.stringify(edit));
      commit(state, state.planAccept(state.hunks().map((hunk) => hunk.id)));
      assert.equal(state.real, real.replace("two", "TWO"), JSON.stringify(edit));
    }
  });

  it("is in conflict when the user deletes a part of the lines that a hunk deletes", () => {
    const state = new ReviewState(OLD);
    propose(state, "one\nfour\nfive\nsix\n", [block("a", 4, 4)]);
    state.userEdited("real", [{ start: 4, end: 8, newText: "" }], OLD.replace("two\n", ""));
    assert.deepEqual(pluck(state.hunks(), "conflict"), [true]);
  });

  it("does not bring back lines that the user deleted together with a hunk's", () => {
    const state = new ReviewState(OLD);
    propose(state, OLD.replace("two\n", ""), [block("a", 4, 4)]);
    const real = OLD.replace("two\nthree\n", "");
    const before = state.proposed;
    const plan = state.userEdited("real", [{ start: 4, end: 14, newText: "" }], real);
    assertMade(state, () => plan, before);
    assert.equal(state.proposed, real);
    assert.deepEqual(state.hunks(), []);
  });

  it("forgets a refused block's text, even where the user rejected it", () => {
    const state = new ReviewState(OLD);
    propose(state, OLD.replace("two\n", "TWO\nmore\n"), [block("a", 4, 13)]);
    assertMade(state, () => state.reject(state.hunks().map((hunk) => hunk.id)));
    propose(state, OLD, []);
    assert.equal(state.proposed, OLD);
  });

  it("makes hunks pending again when the user undoes their accept", () => {
    const state = new ReviewState(OLD);
    propose(state, "one\nTWO\nthree\nfour\nfive\nsix\n", [block("a", 4, 8)]);
    const plan = state.planAccept(state.hunks().map((hunk) => hunk.id));
    commit(state, plan);
    assert.deepEqual(state.userEdited("real", [{ start: 4, end: 8, newText: "two\n" }], OLD), []);
    assert.equal(state.hunks().length, 1);
    assert.equal(outcomeOf(state).blocks[0]?.status, "pending");
    assert.deepEqual(
      state.userEdited("real", [{ start: 4, end: 8, newText: "TWO\n" }], plan.textAfter),
      [],
    );
    assert.equal(outcomeOf(state).blocks[0]?.status, "applied");
  });

  it("grows the proposal around the user's typing", () => {
    const state = new ReviewState(OLD);
    propose(state, "one\nTWO\nthree\nfour\nfive\nsix\n", [block("a", 4, 8)]);
    state.userEdited(
      "proposed",
      [{ start: 0, end: 0, newText: "mine\n" }],
      "mine\none\nTWO\nthree\nfour\nfive\nsix\n",
    );
    propose(state, "one\nTWO\nTHREE\nfour\nfive\nsix\n", [block("a", 4, 14)]);
    assert.equal(state.proposed, "mine\none\nTWO\nTHREE\nfour\nfive\nsix\n");
  });

  it("does not bring back a rejected hunk when the proposal grows elsewhere", () => {
    const state = new ReviewState(OLD);
    propose(state, "one\nTWO\nthree\nfour\nfive\nsix\n", [block("a", 4, 8)]);
    assertMade(state, () => state.reject(state.hunks().map((hunk) => hunk.id)));
    propose(state, "one\nTWO\nthree\nfour\nFIVE\nsix\n", [block("a", 4, 8), block("b", 19, 24)]);
    assert.equal(state.proposed, "one\ntwo\nthree\nfour\nFIVE\nsix\n");
  });

  describe("with a second message", () => {
    /**
     * A proposal with two blocks, the second of which the user has changed; a further message sees
     * it so.
     */
    function begun(): ReviewState {
      const state = new ReviewState(OLD);
      propose(state, "one\nTWO\nthree\nfour\nFIVE\nsix\n", [block("a", 4, 8), block("b", 19, 24)]);
      state.userEdited(
        "proposed",
        [{ start: 23, end: 23, newText: "!" }],
        "one\nTWO\nthree\nfour\nFIVE!\nsix\n",
      );
      state.beginMessage(state.proposed);
      return state;
    }

    it("is on record without that message while it is written, with the user's typing", () => {
      const state = begun();
      propose(state, "ONE\nTWO\nthree\nfour\nFIVE!\nsix\n", [block("c", 0, 4)]);
      state.userEdited(
        "proposed",
        [{ start: 17, end: 17, newText: "?" }],
        "ONE\nTWO\nthree\nfour?\nFIVE!\nsix\n",
      );
      const restarted = ReviewState.from(state.record("before-message"));
      assert.equal(restarted.proposed, "one\nTWO\nthree\nfour?\nFIVE!\nsix\n");
      assert.deepEqual(pluck(restarted.outcomes(), "blockId"), ["a", "b"]);
    });

    for (const by of ["a command", "another chat"])
      it(`never calls the user's what ${by} wrote since the model looked`, () => {
        for (const typed of [false, true])
          for (const restarts of [false, true]) {
            let state = new ReviewState(OLD);
            state.beginMessage(OLD, by === "a command" ? "call-1" : null);
            propose(state, OLD.replace("two", "TWO"), [block("c", 4, 8)]);
            if (typed) {
              const at = state.proposed.indexOf("four");
              const after = state.proposed.replace("four", "four!");
              state.userEdited("proposed", [{ start: at + 4, end: at + 4, newText: "!" }], after);
            }
            if (restarts) state = ReviewState.from(state.record());
            // The model looked before all of this.
            state.beginMessage(OLD);
            propose(state, OLD.replace("six", "SIX"), [block("d", 24, 28)]);
            if (restarts) state = ReviewState.from(state.record());
            commit(state, state.planAccept(state.hunks().map(({ id }) => id)));
            const text = OLD.replace("two", "TWO").replace("six", "SIX");
            assert.equal(state.real, typed ? text.replace("four", "four!") : text);
            const changed = (state.userDiff() ?? "").match(/^[-+].*$/gm);
            assert.deepEqual(changed, typed ? ["-four", "+four!"] : null);
          }
      });

    it("tells once what the user typed before and while the message is written", () => {
      const state = begun();
      const typed = (from: string, to: string) => {
        const start = state.proposed.indexOf(from);
        const text = state.proposed.replace(from, to);
        const edit = { start, end: start + from.length, newText: to };
        state.userEdited("proposed", [edit], text);
      };
      typed("four", "four!");
      propose(state, state.proposed.replace("four!", "four").replace("one", "ONE"), []);
      typed("ONE", "ONE?");
      commit(state, state.planAccept(state.hunks().map(({ id }) => id)));
      const lines = (state.userDiff() ?? "").match(/^\+.*$/gm) ?? [];
      assert.equal(lines.filter((line) => line === "+four!").length, 1);
      assert.equal(lines.filter((line) => line === "+ONE?").length, 1);
    });

    it("gives a rejected block no text of a later one at its place, also after a restart", () => {
      for (const restarts of [false, true]) {
        let state = new ReviewState(OLD);
        propose(state, `new\n${OLD}`, [block("a", 0, 4)]);
        state.userEdited("proposed", [{ start: 0, end: 4, newText: "" }], OLD);
        state.beginMessage(OLD);
        propose(state, `other\n${OLD}`, [block("b", 0, 6)]);
        if (restarts) state = ReviewState.from(reviewRecordSchema.parse(state.record()));
        assert.deepEqual(pluck(state.hunks(), "blockIds"), [["b"]]);
        commit(state, state.planAccept(pluck(state.hunks(), "id")));
        assert.deepEqual(pluck(state.outcomes(), "status"), ["rejected", "applied"]);
      }
    });

    it("counts the same lines after a restart where the user typed", () => {
      const state = new ReviewState(OLD);
      propose(state, `new 0\n${OLD}`, [block("a", 0, 6)]);
      const type = (from: string, to: string) => {
        const start = state.proposed.indexOf(from);
        const text = state.proposed.replace(from, to);
        state.userEdited("proposed", [{ start, end: start + from.length, newText: to }], text);
      };
      type("two\nthree\n", "");
      type("new 0\n", "mine\n");
      const again = ReviewState.from(
        reviewRecordSchema.parse(JSON.parse(JSON.stringify(state.record()))),
      );
      assert.deepEqual(again.outcomes(), state.outcomes());
      assert.equal(again.userDiff(), state.userDiff());
    });

    it("says nothing of what the user typed in a hunk that is rejected", () => {
      const state = new ReviewState(OLD);
      propose(state, OLD.replace("two", "TWO"), [block("a", 4, 8)]);
      state.userEdited(
        "proposed",
        [{ start: 7, end: 7, newText: "!" }],
        OLD.replace("two", "TWO!"),
      );
      state.reject(state.hunks().map(({ id }) => id));
      assert.deepEqual([state.proposed, state.userDiff()], [OLD, null]);
    });

    it("keeps the blocks of both", () => {
      const state = begun();
      propose(state, "ONE\nTWO\nthree\nfour\nFIVE!\nsix\n", [block("c", 0, 4)]);
      assert.deepEqual(pluck(state.hunks(), "blockIds"), [["a", "c"], ["b"]]);
      commit(state, state.planAccept(state.hunks().map(({ id }) => id)));
      assert.deepEqual(
        state.outcomes().map(({ blockId, status }) => `${blockId} ${status}`),
        ["a applied", "b applied", "c applied"],
      );
      assert.equal(state.real, "ONE\nTWO\nthree\nfour\nFIVE!\nsix\n");
      assert.match(state.userDiff() ?? "", /^-FIVE\n\+FIVE!$/m);
    });

    it("takes the place of the first where it writes the same lines again", () => {
      const state = begun();
      propose(state, "one\nzwei\nthree\nfour\nFIVE!\nsix\n", [block("c", 4, 9)]);
      assert.deepEqual(pluck(state.hunks(), "blockIds"), [["c"], ["b"]]);
      const [latest] = state.hunks();
      commit(state, state.planAccept([latest?.id ?? ""]));
      assert.equal(state.real, OLD.replace("two", "zwei"));
      assert.deepEqual(pluck(state.outcomes(), "status"), ["superseded", "pending", "applied"]);
    });

    it("is as before where that message is taken back", () => {
      const state = begun();
      propose(state, "ONE\nTWO\nthree\nfour\nFIVE!\nsix\n", [block("c", 0, 4)]);
      propose(state, "one\nTWO\nthree\nfour\nFIVE!\nsix\n", []);
      assert.deepEqual(pluck(state.hunks(), "blockIds"), [["a"], ["b"]]);
    });

    it("keeps what the user typed since the model saw the proposal", () => {
      const state = begun();
      const seen = state.proposed.replace("TWO", "2");
      state.beginMessage(seen);
      propose(state, seen.replace("six", "SIX"), [block("c", 23, 27)]);
      assert.equal(state.proposed, "one\nTWO\nthree\nfour\nFIVE!\nSIX\n");
    });
  });

  it("goes on after a restart as it was, conflicts included", () => {
    const state = new ReviewState(OLD);
    propose(state, "one\nTWO\nthree\nfour\nFIVE\nsix\n", [block("a", 4, 8), block("b", 19, 24)]);
    state.userEdited(
      "real",
      [{ start: 7, end: 7, newText: ", mine" }],
      "one\ntwo, mine\nthree\nfour\nfive\nsix\n",
    );
    state.userEdited(
      "proposed",
      [{ start: 23, end: 23, newText: "!" }],
      "one\nTWO\nthree\nfour\nFIVE!\nsix\n",
    );
    const again = ReviewState.from(
      reviewRecordSchema.parse(JSON.parse(JSON.stringify(state.record()))),
    );
    const shown = (one: ReviewState) =>
      one
        .hunks()
        .map(({ real, proposed, blockIds, conflict }) => ({ real, proposed, blockIds, conflict }));
    assert.deepEqual(shown(again), shown(state));
    assert.deepEqual(outcomeOf(again), outcomeOf(state));
    // The file changed while the window was closed.
    const before = again.proposed;
    const plan = again.userEdited(
      "real",
      [{ start: 0, end: 0, newText: "zero\n" }],
      `zero\n${again.real}`,
    );
    assertMade(again, () => plan, before);
    commit(again, again.planAccept(again.hunks().map(({ id }) => id)));
    assert.equal(again.real, "zero\none\ntwo, mine\nthree\nfour\nFIVE!\nsix\n");
    assert.deepEqual(pluck(again.outcomes(), "status"), ["conflict", "applied"]);
  });
});

describe("the review, for any texts", () => {
  const line = fc.constantFrom("a", "b", "c", "", "  x", "}");
  const eol = fc.constantFrom("\n", "\n", "\r\n");
  const text = fc
    .tuple(
      fc.array(
        fc.tuple(line, eol).map(([body, end]) => body + end),
        { maxLength: 12 },
      ),
      fc.constantFrom("", "", "last"),
    )
    .map(([lines, last]) => lines.join("") + last);

  for (const decision of ["accepted", "rejected"] as const) {
    it(`gives the proposal or the file when every hunk is ${decision}, in any order`, () => {
      fc.assert(
        fc.property(text, text, fc.infiniteStream(fc.nat()), (before, after, picks) => {
          const state = new ReviewState(before);
          propose(state, after);
          for (let hunks = state.hunks(); hunks.length > 0; hunks = state.hunks()) {
            const hunk = hunks[picks.next().value % hunks.length];
            assert.ok(hunk);
            if (decision === "accepted") commit(state, state.planAccept([hunk.id]));
            else assertMade(state, () => state.reject([hunk.id]));
          }
          const expected = decision === "accepted" ? after : before;
          assert.deepEqual(
            [state.real, state.proposed, outcomeOf(state).userDiff],
            [expected, expected, null],
          );
        }),
      );
    });
  }

  it("accepting all at once gives the proposal", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const state = new ReviewState(before);
        propose(state, after);
        commit(state, state.planAccept(state.hunks().map((hunk) => hunk.id)));
        assert.equal(state.real, after);
        assert.deepEqual(state.hunks(), []);
      }),
    );
  });

  it("returns to its state when accepting all is undone, and can be accepted again", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const state = new ReviewState(before);
        propose(state, after);
        const hunks = state.hunks();
        fc.pre(hunks.length > 0);
        const plan = state.planAccept(hunks.map((hunk) => hunk.id));
        commit(state, plan);
        const places = () =>
          state.hunks().map(({ real, proposed, conflict }) => ({ real, proposed, conflict }));
        state.userEdited("real", [{ start: 0, end: after.length, newText: before }], before);
        assert.equal(state.real, before);
        assert.equal(state.proposed, after);
        assert.deepEqual(
          places(),
          hunks.map(({ real, proposed, conflict }) => ({ real, proposed, conflict })),
        );
        commit(state, state.planAccept(state.hunks().map((hunk) => hunk.id)));
        assert.equal(state.real, after);
      }),
    );
  });

  it("returns to its state when the user reverts an edit of the file", () => {
    fc.assert(
      fc.property(text, text, text, (before, after, between) => {
        fc.pre(before !== between);
        const state = new ReviewState(before);
        propose(state, after);
        const was = state.hunks();
        for (const next of [between, before]) {
          const before = state.proposed;
          const plan = state.userEdited(
            "real",
            [{ start: 0, end: state.real.length, newText: next }],
            next,
          );
          assertMade(state, () => plan, before);
        }
        assert.equal(state.proposed, after);
        assert.deepEqual(state.hunks(), was);
        commit(state, state.planAccept(was.map((hunk) => hunk.id)));
        assert.equal(state.real, after);
      }),
    );
  });

  it("never loses the user's typing, whatever streams, is accepted or restarted", () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant("stream" as const), text, at: fc.nat() }),
      fc.record({ do: fc.constant("type-real" as const), text: fc.constant(""), at: fc.nat() }),
      fc.record({ do: fc.constant("type-proposed" as const), text: fc.constant(""), at: fc.nat() }),
      fc.record({ do: fc.constant("accept" as const), text: fc.constant(""), at: fc.nat() }),
      fc.record({ do: fc.constant("restart" as const), text: fc.constant(""), at: fc.nat() }),
    );
    fc.assert(
      fc.property(text, fc.array(step, { maxLength: 12 }), (before, steps) => {
        let state = new ReviewState(before);
        let number = 0;
        const inReal: string[] = [];
        const inProposed: string[] = [];
        for (const { do: action, text: next, at } of steps) {
          if (action === "restart") {
            const was = state;
            state = ReviewState.from(
              reviewRecordSchema.parse(JSON.parse(JSON.stringify(was.record()))),
            );
            assert.deepEqual(pendingOf(state), pendingOf(was));
          } else if (action === "stream")
            assertMade(state, () => state.propose({ text: next, blocks: [] } satisfies Proposal));
          else if (action === "accept") {
            const hunks = state.hunks();
            const all = state.planAccept(
              hunks.length === 1 && hunks[0]?.conflict ? [] : hunks.map((hunk) => hunk.id),
            );
            commit(state, all);
          } else {
            const side = action === "type-real" ? "real" : "proposed";
            // One character of its own: which of two equal ones beside each other was typed, no
            // comparison of texts can tell.
            const word = String.fromCodePoint(0x4e00 + ++number);
            const old = side === "real" ? state.real : state.proposed;
            const start = lineEndOf(old, at);
            const before = state.proposed;
            const plan = state.userEdited(
              side,
              [{ start, end: start, newText: word }],
              old.slice(0, start) + word + old.slice(start),
            );
            if (plan.length > 0) assertMade(state, () => plan, before);
            (side === "real" ? inReal : inProposed).push(word);
          }
          for (const word of inReal)
            assert.ok(state.real.includes(word), `${word} of the file is lost`);
          for (const word of inProposed)
            assert.ok(state.proposed.includes(word), `${word} of the proposal is lost`);
          assert.equal(occurrences(state.proposed, inProposed), inProposed.length);
        }
      }),
      { numRuns: 1000 },
    );
  });

  const pendingOf = (state: ReviewState) =>
    state
      .hunks()
      .map(({ content, conflict, blockIds, real }) => ({ content, conflict, blockIds, real }));

  /** A place that is no middle of a word typed before nor of a CRLF. */
  function lineEndOf(value: string, at: number): number {
    const offset = value.length === 0 ? 0 : at % (value.length + 1);
    const end = value.slice(offset).search(/\r?\n|$/);
    return (
      offset + end - (value[offset + end] === "\n" && value[offset + end - 1] === "\r" ? 1 : 0)
    );
  }

  function occurrences(value: string, words: readonly string[]): number {
    return words.reduce((sum, word) => sum + value.split(word).length - 1, 0);
  }
});
