import assert from "node:assert/strict";
import { branch } from "../../../src/turns/branch.ts";
import { emptyTree } from "../../../src/turns/turnReducer.ts";
import { applyAndNote, unchangedFrame } from "../../../webview/turnChanges.ts";
import { TurnScript } from "../../fakes/turns/turnScript.ts";

describe("applyAndNote", () => {
  it("notes each delta once, with the part it belongs to", () => {
    const tree = emptyTree();
    const changes = unchangedFrame();
    const script = new TurnScript()
      .ask("x")
      .text("ab", 1)
      .call("c", "read_file", {}, "out", 1)
      .text("c");
    for (const event of [...script.events, ...script.events]) applyAndNote(tree, event, changes);
    assert.equal(changes.head, true);
    assert.deepEqual(changes.turns.get("turn-2")?.appended, [
      { part: 0, text: "a" },
      { part: 0, text: "b" },
      { part: 2, text: "c" },
    ]);
    assert.deepEqual([...(changes.turns.get("turn-2")?.calls ?? [])], ["c"]);
  });

  it("notes that text turns out to be reasoning, which draws the turn anew", () => {
    const tree = emptyTree();
    const script = new TurnScript().ask("x").text("ab");
    for (const event of script.events) applyAndNote(tree, event, unchangedFrame());
    const changes = unchangedFrame();
    const at = { seq: tree.lastSeq + 1, turnId: "turn-2", at: 0 };
    applyAndNote(tree, { ...at, type: "text-was-reasoning", callIds: [] }, changes);
    assert.equal(changes.turns.get("turn-2")?.redrawn, true);
    const turn = tree.turns.get("turn-2");
    assert.deepEqual(turn?.role === "agent" && turn.parts.map(({ type }) => type), ["reasoning"]);
  });

  it("notes that a retry shows another branch, and what an answer goes on to say does not", () => {
    const tree = emptyTree();
    const script = new TurnScript().ask("Hi").text("First answer").end();
    const noted = (mark: number) => {
      const changes = unchangedFrame();
      for (const event of script.since(mark)) applyAndNote(tree, event, changes);
      return changes.head;
    };
    noted(0);
    const mark = script.events.length;
    script.answer();
    assert.equal(noted(mark), true);
    assert.deepEqual(
      branch(tree, tree.headTurnId).map(({ id }) => id),
      ["turn-1", "turn-3"],
    );
    script.text("Second answer");
    assert.equal(noted(script.events.length - 1), false);
  });
});
