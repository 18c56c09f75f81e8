import assert from "node:assert/strict";
import type { AgentTurn, ToolCallState } from "../../../src/turns/turn.ts";
import { emptyTree } from "../../../src/turns/turnReducer.ts";
import { activityText } from "../../../webview/activity.ts";
import { durationText } from "../../../webview/duration.ts";
import { editAction, editLine, editNews, editState } from "../../../webview/editState.ts";
import { linkTarget } from "../../../webview/linkTarget.ts";
import { newsOf } from "../../../webview/news.ts";
import { parseSavedState } from "../../../webview/savedState.ts";
import { sendBlock } from "../../../webview/sendBlock.ts";
import { toolSummary } from "../../../webview/toolSummary.ts";
import { applyAndNote, noChanges } from "../../../webview/turnChanges.ts";
import { turnOutcome } from "../../../webview/turnOutcome.ts";
import { TurnScript } from "../../fakes/turnScript.ts";

describe("toolSummary", () => {
  const cases: readonly [unknown, string][] = [
    [{ file_path: "src/a.ts" }, "src/a.ts"],
    [{ file_path: "src/a.ts", start_line: 3, end_line: 9 }, "src/a.ts lines 3–9"],
    [{ file_path: "src/a.ts", start_line: 7, end_line: 7 }, "src/a.ts line 7"],
    [{ file_path: "src/a.ts", start_line: 7 }, "src/a.ts lines 7–end"],
    [{ file_path: "src/a.ts", ast_path: "Shape-area" }, "src/a.ts Shape-area"],
    [{ pattern: "area\\(", path: "src" }, "“area\\(” in src"],
    [{ query: "x", include: "**/*.ts", regex: true }, "“x” · include **/*.ts · regex"],
    [{ file_path: "a.ts", use_line_numbers: false }, "a.ts"],
    [{ paths: ["a", "b"] }, "a, b"],
    [{ command: "npm test", working_directory: "lib" }, "npm test · working directory lib"],
    [{ from: "a.ts", to: "b.ts" }, "a.ts → b.ts"],
    [{ file_path: "a.ts", content: "export const a = 1;\n" }, "a.ts"],
    [{ question: "Which?", kind: "choice", options: ["a", "b"] }, "Which?"],
    [{ message: "Tidy", paths: ["a.ts"] }, "Tidy · a.ts"],
    ["not  json\nat all", "not json at all"],
    [undefined, ""],
    [null, ""],
    [[1, 2], ""],
    [{ deep: { er: 1 } }, ""],
  ];
  for (const [input, expected] of cases)
    it(`says ${expected === "" ? "nothing" : expected}`, () => assert.equal(toolSummary(input), expected));

  it("is clipped", () => assert.equal([...toolSummary({ path: "😀".repeat(500) })].length, 120));
});

describe("linkTarget", () => {
  it("follows web pages and files of the workspace", () => {
    assert.deepEqual(linkTarget("https://example.org/a?b=1#c"), { type: "web", url: "https://example.org/a?b=1#c" });
    assert.deepEqual(linkTarget("src/a.ts"), { type: "file", path: "src/a.ts", line: null });
    assert.deepEqual(linkTarget("./src/a%20b.ts#L12-L14"), { type: "file", path: "src/a b.ts", line: 12 });
    assert.deepEqual(linkTarget("src/a.ts:8:3"), { type: "file", path: "src/a.ts", line: 8 });
  });

  it("follows nothing else", () => {
    for (const href of [
      ...[
        "",
        "#top",
        "//evil.test/a",
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "command:x",
        "data:text/html,x",
        "vscode://x",
        "mailto:a@b.c",
      ],
      ...["file:///etc/passwd", "%", "a%00b", "java\tscript:alert(1)", "http://[", "%6aavascript:alert(1)"],
    ]) {
      assert.equal(linkTarget(href), null, href);
    }
  });
});

describe("durationText", () => {
  it("grows with its size", () => {
    assert.deepEqual([-3, 0, 40.4, 999, 1240, 9940, 9960, 75_000, 185_000].map(durationText), [
      "0 ms",
      "0 ms",
      "40 ms",
      "999 ms",
      "1.2 s",
      "9.9 s",
      "10 s",
      "75 s",
      "3 min 5 s",
    ]);
  });
});

describe("edit blocks in words", () => {
  it("say what they do and where", () => {
    assert.equal(editAction({ op: "replace", target: "lines 3-9" }), "replace lines 3-9");
    assert.equal(editAction({ op: "before", target: "lines 12-12" }), "insert before line 12");
    assert.equal(editAction({ op: "replace", target: "lines 1-12" }), "replace lines 1-12");
    assert.equal(editAction({ op: "after", target: "ast-path:Shape-area" }), "insert after Shape-area");
    assert.equal(editLine("lines 3-9"), 3);
    assert.equal(editLine("line 4"), 4);
    assert.equal(editLine("ast-path:lines 3"), null);
    assert.equal(editState("pending").word, "waiting for review");
  });

  it("are news when they are decided or go wrong", () => {
    const [event] = new TurnScript()
      .ask("x")
      .edit({ textStart: 0, status: "refused", reason: { code: "line-zero" } })
      .events.slice(-1);
    assert.ok(event?.type === "edit-update");
    assert.equal(editNews(event.edit), "Change refused: src/shapes.ts, lines 3-4. Lines are counted from 1.");
    assert.equal(
      editNews({ ...event.edit, status: "applied", target: "ast-path:Shape-area" }),
      "Change applied: src/shapes.ts, Shape-area",
    );
    assert.equal(editNews({ ...event.edit, status: "streaming" }), null);
  });
});

describe("turnOutcome", () => {
  const outcome = (kind: string): readonly string[] =>
    turnOutcome({ endReason: "error", error: { kind, message: "m", retryable: false } })?.actions ?? [];

  it("offers what helps", () => {
    assert.deepEqual(outcome("no-key"), ["set-api-key", "retry", "open-settings"]);
    assert.deepEqual(outcome("network"), ["retry", "open-settings"]);
    assert.deepEqual(outcome("context-length"), ["retry", "open-settings"]);
    assert.deepEqual(outcome("server"), ["retry"]);
    assert.deepEqual(outcome("constructor"), ["retry"]);
  });

  it("is silent about a turn that went well or still runs", () => {
    assert.equal(turnOutcome({ endReason: "done", error: null }), null);
    assert.equal(turnOutcome({ endReason: null, error: null }), null);
  });
});

describe("sendBlock", () => {
  const status = { busy: false, model: "m", demo: false, keyMissing: false, trusted: true, workspace: true, elsewhere: false, behind: [] };
  it("names what is missing", () => {
    assert.equal(sendBlock(status), null);
    assert.equal(sendBlock({ ...status, busy: true, keyMissing: true, trusted: false }), null);
    assert.match(sendBlock({ ...status, workspace: false }) ?? "", /Open a folder/);
    assert.match(sendBlock({ ...status, model: " " }) ?? "", /No model/);
    assert.equal(sendBlock({ ...status, model: "", demo: true }), null);
  });
});

describe("parseSavedState", () => {
  it("takes nothing unreadable", () => {
    assert.deepEqual(parseSavedState({ draft: "d", scrollTop: 3 }), { draft: "d", scrollTop: 3 });
    for (const bad of [undefined, null, 1, { draft: 2 }, { scrollTop: "x" }])
      assert.deepEqual(parseSavedState(bad), { draft: "", scrollTop: null });
  });
});

describe("activityText", () => {
  /** The running turn after the script. */
  function turn(script: TurnScript): AgentTurn {
    const tree = emptyTree();
    for (const event of script.events) applyAndNote(tree, event, noChanges());
    const head = tree.turns.get(tree.headTurnId ?? "");
    assert.ok(head?.role === "agent");
    return head;
  }

  const NOW = 1_700_000_000_000;

  it("says what a turn waits for before what it does", () => {
    const script = new TurnScript().ask("x");
    assert.equal(activityText(turn(script), NOW), "Waiting for the model");
    assert.equal(activityText(turn(script.add({ type: "reasoning-delta", text: "hm" })), NOW), "Thinking");
    assert.equal(activityText(turn(script.text("Words")), NOW), "Answering");
    assert.equal(activityText(turn(script.edit({ textStart: 5 })), NOW), "Writing src/shapes.ts");
    script.edit({ textStart: 5, textEnd: 9, status: "pending" });
    assert.equal(activityText(turn(script), NOW), "Waiting for your review of src/shapes.ts");
    script.edit({ textStart: 5, textEnd: 9, status: "conflict", undecided: true });
    assert.equal(activityText(turn(script), NOW), "Waiting for your review of src/shapes.ts");
    script.edit({ textStart: 5, textEnd: 9, status: "conflict" });
    assert.equal(activityText(turn(script), NOW), "Answering");
    script.edit({ textStart: 5, textEnd: 9, status: "pending" });
    script.add(
      { type: "tool-call-start", callId: "c", name: "edit_mode" },
      { type: "tool-start", callId: "c" },
      { type: "approval-request", callId: "c", tool: "edit_mode", effect: "write", summary: "s" },
    );
    assert.equal(activityText(turn(script), NOW), "Waiting for your permission");
  });

  it("names the tool that runs", () => {
    const script = new TurnScript()
      .ask("x")
      .add({ type: "tool-call-start", callId: "c", name: "read_file" }, { type: "tool-start", callId: "c" });
    const running: ToolCallState | undefined = turn(script).toolCalls.get("c");
    assert.equal(running?.status, "running");
    assert.equal(activityText(turn(script), NOW), "Running read_file");
    assert.equal(activityText(turn(script), NOW + 12_500), "Running read_file · 12 s");
    script.add({ type: "tool-call-start", callId: "d", name: "grep" }, { type: "tool-start", callId: "d" });
    assert.equal(activityText(turn(script), NOW + 65_000), "Running 2 tools · 64 s");
  });

  it("says that the earlier turns are summed up, until they are", () => {
    const script = new TurnScript().ask("x").add({ type: "compaction-start" });
    assert.equal(activityText(turn(script), NOW), "Summing up the earlier conversation");
    assert.equal(activityText(turn(script.add({ type: "compaction", summary: "All." })), NOW), "Waiting for the model");
  });

  it("counts down to the next try of a failed request, and stops when an answer comes", () => {
    const error = { kind: "server", message: "It failed." };
    const script = new TurnScript().ask("x").add({ type: "retry", attempt: 1, maxAttempts: 3, waitMs: 4_000, error });
    assert.equal(activityText(turn(script), NOW + 1_003), "Trying again in 3 s");
    assert.deepEqual(turn(script).parts, [{ type: "notice", step: 0, level: "warning", text: "It failed. Trying again in 4 s (1 of 3)." }]);
    assert.equal(activityText(turn(script.text("Words")), NOW + 1_003), "Answering");
  });
});

describe("applyAndNote", () => {
  it("notes each delta once, with the part it belongs to", () => {
    const tree = emptyTree();
    const changes = noChanges();
    const script = new TurnScript().ask("x").text("ab", 1).call("c", "read_file", {}, "out", 1).text("c");
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

describe("newsOf", () => {
  it("says each thing once", () => {
    const tree = emptyTree();
    const said = new Set<string>();
    const changes = noChanges();
    const script = new TurnScript()
      .ask("x")
      .text(`# Done\n\n_With_ read_file \`code\` ${"and more ".repeat(60)}`)
      .end();
    for (const event of script.events) applyAndNote(tree, event, changes);
    const [sentence = "", ...others] = newsOf(tree, changes, said);
    assert.match(sentence, /^Graft answered: Done With read_file code and more .*…$/);
    assert.ok(sentence.length < 200);
    assert.deepEqual([others, newsOf(tree, changes, said)], [[], []]);
  });

  it("says what the user should know, such as that a request is made again", () => {
    const tree = emptyTree();
    const changes = noChanges();
    const script = new TurnScript().ask("x").add({ type: "notice", level: "warning", text: "The model takes no tools." });
    const error = { kind: "server", message: "It failed." };
    script.add({ type: "retry", attempt: 1, maxAttempts: 3, waitMs: 4_000, error });
    for (const event of script.events) applyAndNote(tree, event, changes);
    const said = ["The model takes no tools.", "It failed. Trying again in 4 s (1 of 3)."];
    assert.deepEqual(newsOf(tree, changes, new Set()), said);
  });
});
