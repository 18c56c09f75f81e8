import assert from "node:assert/strict";
import { searchChat } from "../../../../src/review/chats/searchChats.ts";
import { applyTurnEvent, emptyTree } from "../../../../src/turns/turnReducer.ts";
import { TurnScript } from "../../../fakes/turns/turnScript.ts";

function treeOf({ events }: TurnScript) {
  const tree = emptyTree();
  for (const event of events) applyTurnEvent(tree, event);
  return tree;
}

describe("the search over all chats", () => {
  const script = new TurnScript();
  script.ask("Fix the Parser\nand its tests").text("The parser reads\ttabs now.").end();
  script
    .ask("Thanks")
    .text(`${"x".repeat(100)} parser ${"y".repeat(300)}`)
    .end();
  const tree = treeOf(script);

  it("finds words in any case in requests and answers, the newest first, one line each", () => {
    const hits = searchChat(tree, " PARSER ");
    assert.deepEqual(
      hits.map(({ line }) => line),
      [
        `…${"x".repeat(39)} parser ${"y".repeat(113)}…`,
        "The parser reads tabs now.",
        "Fix the Parser",
      ],
    );
    assert.equal(tree.turns.get(hits[1]?.turnId ?? "")?.role, "agent");
  });

  it("finds nothing where nothing is sought or nothing fits, and takes no pattern", () => {
    for (const words of ["", "  ", "nowhere", "p.rser", "(", "\\"])
      assert.deepEqual(searchChat(tree, words), [], words);
  });

  it("leaves out the lines of fences, which the chat does not show", () => {
    const edit = new TurnScript();
    edit.ask("Fix it").text("```ts:ast-path:Cart-receipt\nreceipt();\n```").end();
    const lines = searchChat(treeOf(edit), "receipt").map(({ line }) => line);
    assert.deepEqual(lines, ["receipt();"]);
  });

  it("gives at most twenty hits of a chat", () => {
    const long = new TurnScript();
    long.ask("word\n".repeat(1_000)).text("word\n".repeat(1_000)).end();
    assert.equal(searchChat(treeOf(long), "word").length, 20);
  });
});
