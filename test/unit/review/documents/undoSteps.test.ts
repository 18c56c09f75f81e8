import assert from "node:assert/strict";
import fc from "fast-check";
import { applyEdits, editsBetween } from "../../../../src/edits/text/changeSet.ts";
import { UndoSteps } from "../../../../src/review/documents/undoSteps.ts";

/** An editor that undoes and does again, with one step a change. */
function editor(text: string) {
  const steps = new UndoSteps();
  const texts = [text];
  let at = 0;
  const now = () => texts[at] ?? "";
  return {
    make(next: string, isUsers: boolean) {
      steps.made(editsBetween(now(), next), now(), isUsers);
      texts.splice(++at, texts.length, next);
    },
    /** Goes some steps at once, as one undo of the editor does with what was typed in one go. */
    go(direction: "undo" | "redo", count = 1) {
      const before = now();
      at += direction === "undo" ? -count : count;
      return steps.followed(direction, editsBetween(before, now()), before);
    },
  };
}

describe("the steps that an editor undoes", () => {
  it("are the user's own, or not", () => {
    const { make, go } = editor("one\n");
    make("one\ntwo\n", false);
    make("one\ntwo!\n", true);
    make("one\ntwo!!\n", true);
    assert.deepEqual(
      [go("undo", 2), go("undo"), go("redo"), go("redo", 2)],
      [true, false, false, true],
    );
  });

  it("are not mistaken for others that do the same", () => {
    const { make, go } = editor("one\n");
    make("one\ntwo\n", false);
    make("one\n", true);
    make("one\ntwo\n", true);
    assert.deepEqual([go("undo"), go("undo"), go("undo")], [true, true, false]);
  });

  it("count as the user's where the editor undoes what is not known here", () => {
    const steps = new UndoSteps();
    steps.made([{ start: 0, end: 0, newText: "a" }], "", false);
    assert.equal(steps.followed("undo", [{ start: 0, end: 1, newText: "b" }], "a"), true);
    assert.equal(steps.followed("undo", [{ start: 0, end: 1, newText: "" }], "b"), true);
  });

  it("are told apart in any order of changes, undo and redo", () => {
    const change = fc.record({
      at: fc.nat(9),
      length: fc.nat(2),
      newText: fc.constantFrom("", "a", "b", "ab\n"),
      isUsers: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.array(fc.oneof(change, fc.constantFrom("undo" as const, "redo" as const)), {
          maxLength: 30,
        }),
        (acts) => {
          const { make, go } = editor("ab\nba\n");
          const owners: boolean[] = [];
          const texts = ["ab\nba\n"];
          let at = 0;
          for (const act of acts) {
            if (act === "undo") {
              if (at > 0) assert.equal(go("undo"), owners[--at]);
            } else if (act === "redo") {
              if (at < owners.length) assert.equal(go("redo"), owners[at++]);
            } else {
              const text = texts[at] ?? "";
              const start = Math.min(act.at, text.length);
              const next = applyEdits(
                [{ start, end: Math.min(start + act.length, text.length), newText: act.newText }],
                text,
              );
              if (next === text) continue;
              make(next, act.isUsers);
              owners.splice(at, owners.length, act.isUsers);
              texts.splice(++at, texts.length, next);
            }
          }
        },
      ),
    );
  });
});
