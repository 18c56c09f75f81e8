import assert from "node:assert/strict";
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
});
