import assert from "node:assert/strict";
import { emptyTree } from "../../../src/turns/turnReducer.ts";
import { announcementsOf } from "../../../webview/announcements.ts";
import { applyAndNote, noChanges } from "../../../webview/turnChanges.ts";
import { TurnScript } from "../../fakes/turns/turnScript.ts";

describe("announcementsOf", () => {
  it("announces the beginning of a finished answer once, without Markdown", () => {
    const tree = emptyTree();
    const said = new Set<string>();
    const changes = noChanges();
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

  it("announces every notice in order, retries included", () => {
    const tree = emptyTree();
    const changes = noChanges();
    const script = new TurnScript().ask("x").add({ type: "notice", level: "warning", code: "empty-response" });
    const error = { code: "internal", kind: "internal", retryable: true, said: "it" } as const;
    script.add({ type: "retry", attempt: 1, maxAttempts: 3, waitMs: 4_000, error });
    for (const event of script.events) applyAndNote(tree, event, changes);
    const [first, second, ...others] = announcementsOf(tree, changes, new Set());
    assert.ok(first?.includes("empty"));
    assert.ok(second?.includes("4 s"));
    assert.deepEqual(others, []);
  });
});
