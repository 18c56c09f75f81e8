import assert from "node:assert/strict";
import type { EditStatus } from "../../../src/turns/editBlock.ts";
import { emptyTree } from "../../../src/turns/turnReducer.ts";
import { announcementsOf } from "../../../webview/announcements.ts";
import { applyAndNote, unchangedFrame } from "../../../webview/turnChanges.ts";
import { TurnScript } from "../../fakes/turns/turnScript.ts";

describe("announcementsOf", () => {
  it("announces the beginning of a finished answer once, without Markdown", () => {
    const tree = emptyTree();
    const said = new Set<string>();
    const changes = unchangedFrame();
    const script = new TurnScript()
      .ask("x")
      .text(`# Done\n\n_With_ read_file \`code\` ${"and more ".repeat(60)}`)
      .end();
    for (const event of script.events) applyAndNote(tree, event, changes);
    const [sentence = "", ...others] = announcementsOf(tree, changes, said);
    assert.match(sentence, /^Graft answered: Done With read_file code and more .*…$/);
    assert.ok(sentence.length < 200);
    assert.deepEqual([others, announcementsOf(tree, changes, said)], [[], []]);
  });

  it("announces the decisions on a file in one sentence, and nothing while it is being written", () => {
    const tree = emptyTree();
    const said = new Set<string>();
    const script = new TurnScript().ask("x");
    let mark = 0;
    const announced = (): string[] => {
      const changes = unchangedFrame();
      for (const event of script.since(mark)) applyAndNote(tree, event, changes);
      mark = script.events.length;
      return announcementsOf(tree, changes, said);
    };
    const edit = (index: number, status: EditStatus): void => {
      script.edit({
        blockId: `b${index}`,
        index,
        path: index === 3 ? "b.ts" : "a.ts",
        textStart: 0,
        textEnd: 0,
        status,
      });
    };
    edit(1, "captured");
    edit(2, "streaming");
    assert.deepEqual(announced(), []);
    for (const index of [1, 2, 3]) edit(index, "pending");
    assert.deepEqual(announced(), []);
    script.end();
    assert.deepEqual(announced().slice(0, 2), ["Edits of a.ts: pending", "Edits of b.ts: pending"]);
    edit(1, "applied");
    assert.deepEqual(announced(), ["Edits of a.ts: 1 applied, 1 pending"]);
    edit(2, "applied");
    assert.deepEqual(announced(), ["Edits of a.ts: applied"]);
  });

  it("announces every notice in order, retries included", () => {
    const tree = emptyTree();
    const changes = unchangedFrame();
    const script = new TurnScript()
      .ask("x")
      .add({ type: "notice", level: "warning", code: "empty-response" });
    const error = { code: "internal", kind: "internal", retryable: true, said: "it" } as const;
    script.add({ type: "retry", attempt: 1, maxAttempts: 3, waitMs: 4_000, error });
    for (const event of script.events) applyAndNote(tree, event, changes);
    const [first, second, ...others] = announcementsOf(tree, changes, new Set());
    assert.ok(first?.includes("empty"));
    assert.ok(second?.includes("4 s"));
    assert.deepEqual(others, []);
  });

  it("says that an answer ended in another version than the shown one", () => {
    const tree = emptyTree();
    const script = new TurnScript().ask("Hi").text("One.").end();
    const first = script.events.at(-1)?.turnId ?? "";
    script.answer().text("Two.");
    const [last] = script.events.slice(-1);
    assert.ok(last);
    const head = { ...last, seq: last.seq + 1, turnId: first, type: "head" as const };
    for (const event of [...script.events, head]) applyAndNote(tree, event, unchangedFrame());
    const [end] = script.end().events.slice(-1);
    assert.ok(end);
    const changes = unchangedFrame();
    applyAndNote(tree, { ...end, seq: end.seq + 1 }, changes);
    assert.deepEqual(announcementsOf(tree, changes, new Set()), [
      "Graft answered in another version: Two.",
    ]);
  });

  it("announces no tokens of an answer that goes on", () => {
    const tree = emptyTree();
    const changes = unchangedFrame();
    for (const event of new TurnScript().ask("Hi").text("The answer", 4).events)
      applyAndNote(tree, event, changes);
    assert.deepEqual(announcementsOf(tree, changes, new Set()), []);
  });
});
