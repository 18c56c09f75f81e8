import assert from "node:assert/strict";
import type { BlockOutcome, Proposal } from "../../../src/ports/review.ts";
import type { MessageEnd } from "../../../src/turns/streamRegistry.ts";
import { pluck } from "../../fakes/pluck.ts";
import { editBlock } from "../../fakes/turns/applyTo.ts";
import { EditTurn } from "../../fakes/turns/editTurn.ts";
import { answerAll, RecordingReviewer } from "../../fakes/turns/recordingReviewer.ts";

const A = "src/a.ts";
const B = "src/b.ts";
const TEXT = "one();\ntwo();\nthree();\n";

describe("an edit session", () => {
  let turn: EditTurn;

  beforeEach(() => use(new RecordingReviewer()));

  afterEach(() => {
    turn.hub.turnEnd();
    assert.equal(turn.hub.activeRequests, 0, "a request is left in the registry");
    assert.ok(
      turn.reviewer.reviews.every(({ disposed, proposed }) => disposed || proposed !== null),
      "a review is left open",
    );
    const started = turn.events.filter(({ type }) => type === "edit-session-start").length;
    assert.equal(endReasons().length, started, "a session has not ended");
  });

  function use(reviewer: RecordingReviewer): void {
    turn = new EditTurn({ [A]: TEXT, [B]: TEXT }, reviewer);
  }

  const activate: EditTurn["edit"] = (parameters) => turn.edit(parameters);
  const say: EditTurn["say"] = (...message) => turn.say(...message);
  const endReasons = () =>
    turn.events.flatMap((event) => (event.type === "edit-session-end" ? [event.reason] : []));

  it("reports every step of a block from its first character to the file", async () => {
    await activate({ file_path: A, use_line_numbers: true });
    const reports = await say(`Here:\n${editBlock('2:2 "two"', "TWO();")}`);
    assert.deepEqual(reports, [`File '${A}' has been updated. It now has 3 lines.`]);
    const told = turn.events.flatMap((event) =>
      event.type === "edit-update"
        ? [event.edit.status]
        : event.type.startsWith("text")
          ? []
          : [event.type],
    );
    assert.deepEqual(told, [
      "edit-session-start",
      "streaming",
      "captured",
      "applied",
      "change-done",
      "edit-session-end",
    ]);
    const edit = turn.blocks[0];
    assert.ok(edit);
    assert.deepEqual(
      { ...edit, blockId: null },
      {
        blockId: null,
        callId: "call-1",
        path: A,
        index: 1,
        target: "lines 2-2",
        line: 2,
        format: "lines",
        op: "replace",
        status: "applied",
        reason: null,
        warnings: [],
        addedLines: 1,
        removedLines: 1,
        step: 1,
        textStart: 6,
        textEnd: 6 + editBlock('2:2 "two"', "TWO();").length - 1,
      },
    );
    assert.deepEqual(endReasons(), ["completed"]);
    assert.equal(turn.hub.activeRequests, 0);
  });

  it("counts the lines that a diff shows, also of a block that repeats what stays", async () => {
    const body = (first: string, added: string) =>
      `function long() {\n${first}\n${"  same();\n".repeat(20)}${added}}`;
    turn.files.set(A, `before();\n${body("  a();", "")}\nafter();\n`);
    await activate({ file_path: A });
    await say(editBlock("ast-path:long", body("  b();", "  c();\n  d();\n")));
    assert.deepEqual(
      turn.blocks.map(({ addedLines, removedLines }) => [addedLines, removedLines]),
      [[3, 1]],
    );
  });

  it("grows the proposal by whole lines while the old lines below stay", async () => {
    await activate({ file_path: A, use_line_numbers: true });
    await say(editBlock("1:2", "ONE();\nTWO();\nNEW();"), undefined, 1);
    const review = turn.reviewer.reviews[0];
    assert.ok(review);
    const texts = [...new Set(review.updates.map(({ text }) => text))];
    assert.ok(texts.includes("ONE();\ntwo();\nthree();\n"));
    assert.ok(!texts.some((text) => /^TW?O?$/m.test(text)));
    assert.ok(texts.includes("ONE();\nTWO();\nthree();\n"));
    assert.ok(texts.includes("ONE();\nTWO();\nNEW();\nthree();\n"));
    assert.equal(review.proposed?.text, "ONE();\nTWO();\nNEW();\nthree();\n");
    assert.ok(texts.every((text) => text.endsWith("three();\n")));
  });

  it("shows the growth of an element at its own indent", async () => {
    turn.files.set(A, "class S {\n  area() {\n    return 1;\n  }\n}\n");
    await activate({ file_path: A });
    await say(editBlock("ast-path:S-area", "area() {\n  return 2;\n}"), undefined, 1);
    const texts = turn.reviewer.reviews[0]?.updates.map(({ text }) => text) ?? [];
    assert.ok(texts.includes("class S {\n  area() {\n    return 2;\n  }\n}\n"));
    assert.equal(
      turn.reviewer.reviews[0]?.proposed?.text,
      "class S {\n  area() {\n    return 2;\n  }\n}\n",
    );
  });

  it("opens no review before there is something to show", async () => {
    await activate({ file_path: A });
    await say("No block here.", { reason: "tool-calls", moreCalls: true });
    assert.equal(turn.reviewer.reviews.length, 0);
  });

  it("stays open while tools run, when nothing was captured", async () => {
    await activate({ file_path: A, use_line_numbers: true });
    assert.deepEqual(
      await say("Let me look first.", { reason: "tool-calls", moreCalls: true }),
      [],
    );
    assert.equal(turn.hub.activeRequests, 1);
    assert.deepEqual(await say(editBlock('1:1 "one"', "ONE();")), [
      `File '${A}' has been updated. It now has 3 lines.`,
    ]);
  });

  it("lets the user decide before the message's tools run", async () => {
    await activate({ file_path: A, use_line_numbers: true });
    assert.equal(
      (await say(editBlock('1:1 "one"', "ONE();"), { reason: "tool-calls", moreCalls: true }))
        .length,
      1,
    );
    assert.equal(turn.hub.activeRequests, 0);
  });

  it("reports a problem when no block came, waits for one more message, then ends", async () => {
    await activate({ file_path: A, use_line_numbers: true });
    const [report = ""] = await say("I have changed it.");
    assert.match(
      report,
      /^There was a problem applying the changes\.[^\n]*'src\/a\.ts'[^\n]*\n[\s\S]*```ts:START:END/,
    );
    assert.equal(turn.hub.activeRequests, 1);
    assert.deepEqual(await say("Nothing to do."), []);
    assert.equal(turn.hub.activeRequests, 0);
    assert.deepEqual(endReasons(), ["error"]);
  });

  it("takes the blocks of the second try", async () => {
    await activate({ file_path: A, use_line_numbers: true });
    const [report = ""] = await say(editBlock("9:9", "x"));
    assert.match(report, /- lines 9-9 was not proposed: Line 9 does not exist/);
    assert.deepEqual(await say(editBlock('1:1 "one"', "ONE();")), [
      `File '${A}' has been updated. It now has 3 lines.`,
    ]);
    assert.deepEqual(pluck(turn.blocks, "status"), ["refused", "applied"]);
  });

  it("shows a block of the other kind as ignored at once, with the mode and the format", async () => {
    await activate({ file_path: A, use_line_numbers: true });
    turn.hub.messageStart(1);
    turn.hub.emit("turn-1", { type: "text-delta", text: "```ts:ast-path:Foo\n" });
    const [edit] = turn.blocks;
    assert.equal(edit?.status, "ignored");
    assert.deepEqual(edit?.reason, {
      code: "mode-mismatch",
      active: "lines",
      useLineNumbers: true,
    });
  });

  it("shows lines in AST mode as ignored", async () => {
    await activate({ file_path: A, use_line_numbers: false });
    await say(editBlock("1:2", "x"));
    assert.deepEqual(turn.blocks[0]?.reason, {
      code: "mode-mismatch",
      active: "ast",
      useLineNumbers: false,
    });
  });

  it("tells whether a conflict still waits for the user", async () => {
    use(new RecordingReviewer(answerAll("conflict", { code: "edited-meanwhile" })));
    await activate({ file_path: A, use_line_numbers: true });
    await say(editBlock('1:1 "one"', "ONE"));
    const told = turn.events.flatMap((event) =>
      event.type === "edit-update" ? [[event.edit.status, event.edit.undecided ?? false]] : [],
    );
    assert.deepEqual(told, [
      ["streaming", false],
      ["captured", false],
      ["conflict", true],
    ]);
  });

  it("reports what was rejected, and why something was not applied", async () => {
    const answer = async ({ blocks }: Proposal) => ({
      text: "ONE!\ntwo();\nthree();\n",
      blocks: blocks.map(({ blockId }, at): BlockOutcome => {
        if (at === 0) return { blockId, status: "applied", reason: null };
        if (at === 1) return { blockId, status: "rejected", reason: { code: "rejected-by-user" } };
        return { blockId, status: "conflict", reason: { code: "edited-meanwhile" } };
      }),
    });
    use(new RecordingReviewer(answer));
    await activate({ file_path: A, use_line_numbers: true });
    const [report] = await say(
      editBlock('1:1 "one"', "ONE") +
        editBlock('2:2 "two"', "TWO") +
        editBlock('3:3 "three"', "THREE"),
    );
    assert.equal(
      report,
      [
        `File '${A}' has been updated. It now has 3 lines.`,
        "",
        "- lines 1-1 applied",
        "- lines 2-2 rejected by the user",
        "- lines 3-3 was not accepted: These lines of the file changed meanwhile.",
      ].join("\n"),
    );
    assert.equal(turn.events.filter(({ type }) => type === "change-done").length, 1);
  });

  it("never says that a file was updated when everything was rejected", async () => {
    const reject = async ({ blocks }: Proposal) => ({
      text: TEXT,
      blocks: blocks.map(
        ({ blockId }): BlockOutcome => ({
          blockId,
          status: "rejected",
          reason: { code: "rejected-by-user" },
        }),
      ),
    });
    use(new RecordingReviewer(reject));
    await activate({ file_path: A, use_line_numbers: true });
    const [report = ""] = await say(editBlock('1:1 "one"', "ONE"));
    assert.equal(report, `Nothing was changed in '${A}'.\n\n- lines 1-1 rejected by the user`);
    assert.equal(turn.events.filter(({ type }) => type === "change-done").length, 0);
  });

  it("proposes what was complete in a stopped response, and names the open block", async () => {
    use(new RecordingReviewer(answerAll("pending")));
    await activate({ file_path: A, use_line_numbers: true });
    const [report = ""] = await say(`${editBlock('1:1 "one"', "ONE")}\`\`\`ts:3:3\nTH`, {
      reason: "cancelled",
      moreCalls: false,
    });
    assert.match(report, /block for lines 3-3 was not closed; nothing is proposed for it/);
    assert.deepEqual(pluck(turn.blocks, "status"), ["pending", "stopped"]);
    assert.deepEqual(
      [turn.reviewer.reviews[0]?.proposed?.blocks.length, turn.reviewer.reviews[0]?.stopped],
      [1, true],
    );
    assert.deepEqual(endReasons(), ["cancelled"]);
  });

  it("applies nothing of a response that broke off", async () => {
    await activate({ file_path: A, use_line_numbers: true });
    await say("```ts:3:3\nTHREE();\n```", { reason: "error", moreCalls: false });
    assert.deepEqual(pluck(turn.blocks, "status"), ["incomplete"]);
    assert.deepEqual(endReasons(), ["error"]);
  });

  it("keeps complete blocks when the response is cut off, and continues with the next message", async () => {
    await activate({ file_path: A, use_line_numbers: true });
    const [report = ""] = await say(
      `${editBlock('1:1 "one"', "ONE();")}\`\`\`ts:3:3\nTHREE();\n\`\`\``,
      {
        reason: "length",
        moreCalls: false,
      },
    );
    assert.match(
      report,
      /- lines 1-1 is complete and kept\n- block for lines 3-3 was not closed; nothing is proposed for it/,
    );
    assert.deepEqual(await say(editBlock('3:3 "three"', "THREE();")), [
      `File '${A}' has been updated. It now has 3 lines.`,
    ]);
    assert.equal(turn.reviewer.reviews[0]?.proposed?.text, "ONE();\ntwo();\nTHREE();\n");
    assert.deepEqual(pluck(turn.blocks, "status"), ["applied", "incomplete", "applied"]);
  });

  it("reports failed blocks of a response that was cut off", async () => {
    await activate({ file_path: A, use_line_numbers: true });
    const blocks =
      editBlock('1:1 "one"', "ONE();") +
      editBlock("9:9", "x") +
      editBlock("ast-path:x", "x") +
      editBlock("2:3", "// ... rest unchanged");
    const [report = ""] = await say(blocks, { reason: "length", moreCalls: false });
    assert.match(
      report,
      /^Edit mode for 'src\/a\.ts' is still on\.\n\n- lines 1-1 is complete and kept\n- lines 9-9 was not proposed: /,
    );
    assert.match(
      report,
      /\n- lines 2-3 was not proposed: It leaves out code \(`\/\/ \.\.\. rest unchanged`\)\./,
    );
    assert.match(
      report,
      /\n\n1 code block\(s\) were ignored due to mode mismatch:\n {2}• Change to `ast-path:x` was ignored: /,
    );
    assert.match(
      report,
      /\n\nGo on with what is still missing\. Everything is proposed at the end of your message\.$/,
    );
    assert.deepEqual(await say("That is all."), [
      `File '${A}' has been updated. It now has 3 lines.`,
    ]);
  });

  it("ends with a review when the response is cut off repeatedly", async () => {
    await activate({ file_path: A, use_line_numbers: true });
    const cut: MessageEnd = { reason: "length", moreCalls: false };
    await say(editBlock('1:1 "one"', "ONE();"), cut);
    await say("And", cut);
    assert.deepEqual(await say("so on", cut), [
      `File '${A}' has been updated. It now has 3 lines.`,
    ]);
  });

  it("gives a block to the file it names", async () => {
    await activate({ file_path: A, use_line_numbers: true });
    await activate({ file_path: B, use_line_numbers: true });
    const reports = await say(
      editBlock(`1:1 "one" ${A}`, "ONE();") + editBlock(`2:2 "two" ${B}`, "TWO();"),
    );
    assert.deepEqual(reports, [
      `File '${A}' has been updated. It now has 3 lines.`,
      `File '${B}' has been updated. It now has 3 lines.`,
    ]);
    assert.deepEqual(
      turn.blocks.map(({ path, index, target }) => [path, index, target]),
      [
        [A, 1, "lines 1-1"],
        [B, 2, "lines 2-2"],
      ],
    );
  });

  it("says once that a file is not in edit mode", async () => {
    await activate({ file_path: A, use_line_numbers: true });
    await activate({ file_path: B, use_line_numbers: true });
    await say(editBlock("1:1 src/c.ts", "x"));
    assert.deepEqual(
      turn.blocks.map(({ path, status, reason }) => [path, status, reason]),
      [[B, "refused", { code: "not-in-edit-mode", file: "src/c.ts" }]],
    );
  });

  it("replaces the first session when the file is activated again", async () => {
    await activate({ file_path: A, use_line_numbers: true });
    await activate({ file_path: A, use_line_numbers: false });
    assert.equal(turn.hub.activeRequests, 1);
    assert.deepEqual(endReasons(), ["replaced"]);
    await say(editBlock('1:1 "one"', "ONE();"));
    assert.deepEqual(pluck(turn.blocks, "status"), ["ignored"]);
  });

  it("writes a new file from the first plain block", async () => {
    const result = await activate({ file_path: "src/new.ts" });
    assert.match(result, /does not exist yet and will be created/);
    await say("```ts\nnew_();\n```\n");
    assert.equal(turn.reviewer.reviews[0]?.proposed?.text, "new_();\n");
    assert.deepEqual(
      turn.blocks.map(({ op, target }) => [op, target]),
      [["complete", "complete file"]],
    );
  });

  it("writes two new files of one message, each named after its fence", async () => {
    await activate({ file_path: "src/new1.ts" });
    await activate({ file_path: "src/new2.ts" });
    await say("```ts src/new1.ts\none();\n```\n```ts:src/new2.ts\ntwo();\n```\n");
    assert.deepEqual(
      turn.reviewer.reviews.map(({ path, proposed }) => [path, proposed?.text]),
      [
        ["src/new1.ts", "one();\n"],
        ["src/new2.ts", "two();\n"],
      ],
    );
  });

  it("turns edit mode on again for a model without tools when a block was not applied", async () => {
    await turn.editForUser({ file_path: A, use_line_numbers: true });
    const [report = ""] = await say(editBlock('1:1 "one"', "ONE();") + editBlock("9:9", "x"));
    assert.match(
      report,
      /^File 'src\/a\.ts' has been updated[\s\S]*- lines 9-9 was not proposed[\s\S]*Edit mode is on for src\/a\.ts/,
    );
    assert.equal(turn.hub.activeRequests, 1);
    assert.deepEqual(await say(editBlock('2:2 "two"', "TWO();")), [
      `File '${A}' has been updated. It now has 3 lines.`,
    ]);
    assert.equal(turn.hub.activeRequests, 0);
  });

  it("knows a file by its absolute path and with a dot", async () => {
    await activate({ file_path: A, use_line_numbers: true });
    await activate({ file_path: B, use_line_numbers: true });
    await say(editBlock("1:1 /src/a.ts", "ONE();") + editBlock("2:2 ./src/a.ts", "TWO();"));
    assert.deepEqual(pluck(turn.blocks, "path"), [A, A]);
  });

  it("releases everything at the end of the turn", async () => {
    await activate({ file_path: A, use_line_numbers: true });
    turn.hub.messageStart(1);
    turn.hub.emit("turn-1", { type: "text-delta", text: "```ts:1:1\nON" });
    turn.hub.turnEnd();
    assert.deepEqual(pluck(turn.blocks, "status"), ["incomplete"]);
    assert.deepEqual(endReasons(), ["disposed"]);
  });

  it("warns a block that adds a syntax error, in the proposal too", async () => {
    await activate({ file_path: A, use_line_numbers: true });
    await say(editBlock('1:1 "one"', "one(;"));
    assert.deepEqual(turn.reviewer.reviews[0]?.proposed?.blocks[0]?.warnings, [{ code: "syntax" }]);
    assert.deepEqual(turn.blocks[0]?.warnings, [{ code: "syntax" }]);
  });

  it("updates the review at most once per piece", async () => {
    await activate({ file_path: A, use_line_numbers: true });
    await say(editBlock('1:1 "one"', "ONE();") + editBlock('2:2 "two"', "TWO();"), undefined, 1000);
    assert.equal(turn.reviewer.reviews[0]?.updates.length, 1);
  });

  describe("when it is turned on", () => {
    it("refuses parameters that contradict each other, and names them", async () => {
      const result = await activate({ file_path: A, use_line_numbers: true, complete_file: true });
      assert.match(result, /complete_file=true and use_line_numbers=true/);
      assert.equal(turn.hub.activeRequests, 0);
    });

    it("lists the elements with their paths, and the format with an example per form", async () => {
      turn.files.set(A, "export class Shape {\n  area() {}\n}\n");
      const output = await activate({ file_path: A });
      assert.match(
        output,
        /^Edit mode is on for src\/a\.ts \(exists, 3 lines\)\. Mode: AST paths preferred \(use_line_numbers not set\)\./,
      );
      assert.match(output, /^```ts:ast-path:Shape-area$/m);
      assert.match(output, /^```ts:ast-path:draw:12:18 "const total" "return"$/m);
      for (const form of [":with-comment", ":before", ":after", ":remove", ":append", ":prepend"])
        assert.ok(output.includes(`${form}\``), form);
      assert.match(
        output,
        /^Outline \(AST paths\):\nShape {2}class 1-3\n\s*Shape-area {2}method 2$/m,
      );
      assert.match(output, /End your message to propose/);
      assert.doesNotMatch(output, /^1\texport class/m);
    });

    it("shows numbered lines in line mode", async () => {
      const output = await activate({ file_path: A, use_line_numbers: true });
      assert.match(
        output,
        /^src\/a\.ts \(lines 1-3 of 3\)\n1\tone\(\);\n2\ttwo\(\);\n3\tthree\(\);$/m,
      );
      for (const form of ['3:9 "const total" "return"', "3:3:before", "9:9:after", "3:9:remove"])
        assert.ok(output.includes(`\`\`\`ts:${form}\n`), form);
    });

    it("also shows the text to a model without tools, and where it is clipped", async () => {
      turn.files.set(A, "class Shape {}\n".repeat(8000));
      const output = await turn.editForUser({ file_path: A });
      assert.match(output, /^1\tclass Shape \{\}$/m);
      assert.match(output, /\[Cut off after line \d+; the file has 8000 lines\.\]/);
      assert.ok(output.length < 70_000);
    });

    it("asks for lines where there is no grammar", async () => {
      turn.files.set("a.vala", "class A {}\n");
      const free = await activate({ file_path: "a.vala" });
      assert.match(free, /no grammar.*Use line numbers[\s\S]*1\tclass A/);
      const strict = await activate({ file_path: "a.vala", use_line_numbers: false });
      assert.match(strict, /no grammar.*use_line_numbers=true/);
    });

    it("says why a file cannot be edited, and opens no session", async () => {
      const outside = await activate({ file_path: "../x.ts" });
      assert.match(outside, /outside the workspace/);
      turn = new EditTurn({ [A]: TEXT }, undefined, { code: "read-only", path: A });
      const readOnly = await activate({ file_path: A });
      assert.match(readOnly, /read-only/);
      assert.equal(turn.hub.activeRequests, 0);
    });
  });
});
