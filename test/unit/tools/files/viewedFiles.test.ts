import assert from "node:assert/strict";
import { ok } from "../../../../src/base/result.ts";
import { viewedElements } from "../../../../src/edits/answer/viewedElements.ts";
import { ViewedFiles, viewsOnRecord } from "../../../../src/tools/files/viewedFiles.ts";
import { applyTurnEvent, emptyTree } from "../../../../src/turns/turnReducer.ts";
import { TurnScript } from "../../../fakes/turns/turnScript.ts";

const EDIT = {
  callId: "c",
  index: 1,
  target: "`one`",
  op: "replace",
  reason: null,
  warnings: [],
  addedLines: 1,
  removedLines: 1,
  step: 1,
  textStart: 0,
  textEnd: 1,
} as const;

describe("viewed files", () => {
  const show = (
    shown: ViewedFiles,
    text: string,
    first: number,
    last: number,
    turnId = "t",
    path = "a.ts",
  ) => shown.add({ turnId, path, text, version: 1, first, last });
  const lines = (name: string) =>
    Array.from({ length: 50 }, (_, index) => `${name} ${index}`).join("\n");

  it("returns each line's newest view, else the file's newest view", () => {
    const shown = new ViewedFiles();
    show(shown, lines("old"), 1, 20);
    show(shown, lines("new"), 10, 30);
    const texts = (first: number, last: number) =>
      shown.looks("a.ts", "t", first, last).texts.map((text) => text?.slice(0, 3));
    assert.deepEqual(texts(1, 9), ["old"]);
    assert.deepEqual(texts(10, 12), ["new"]);
    assert.deepEqual(texts(8, 12), ["new", "old"]);
    assert.deepEqual(texts(40, 41), ["new"]);
    assert.deepEqual(shown.looks("b.ts", "t", 1, 1).texts, []);
  });

  it("counts a position after the last line as viewed with it", () => {
    const shown = new ViewedFiles();
    show(shown, "one\n", 1, 2);
    show(shown, "zero\none\n", 1, 1);
    assert.deepEqual(shown.looks("a.ts", "t", 3, 3).texts, ["one\n"]);
  });

  it("knows which views are older than the model's own edits", () => {
    const shown = new ViewedFiles();
    show(shown, lines("a"), 1, 10);
    shown.edited("a.ts", "t");
    show(shown, lines("b"), 20, 30);
    assert.equal(shown.looks("a.ts", "t", 1, 2).editedSince, true);
    assert.equal(shown.looks("a.ts", "t", 20, 21).editedSince, false);
  });

  it("ignores other branches", () => {
    const shown = new ViewedFiles((turnId) => (turnId === "t3" ? ["t1", "t3"] : ["t1", "t2"]));
    show(shown, "first", 1, 1, "t1");
    show(shown, "second", 1, 1, "t2");
    shown.edited("a.ts", "t2");
    assert.equal(shown.latest("a.ts", "t3")?.text, "first");
    assert.deepEqual(shown.looks("a.ts", "t3", 1, 1), { texts: ["first"], editedSince: false });
    assert.equal(shown.latest("a.ts", "t2")?.text, "second");
  });

  it("drops the oldest texts, but remembers the views", () => {
    const shown = new ViewedFiles();
    for (const name of ["a", "b", "c", "d", "e"])
      show(shown, name.repeat(5 * 1024 * 1024), 1, 1, "t", `${name}.ts`);
    assert.deepEqual(shown.looks("a.ts", "t", 1, 1).texts, [null]);
    assert.equal(shown.looks("e.ts", "t", 1, 1).texts[0]?.length, 5 * 1024 * 1024);
  });

  it("are known without their texts after a reload", () => {
    const views = [
      { path: "a.ts", first: 2, last: 3, total: 9 },
      { path: "b.ts", first: 1, last: 4, total: 4 },
    ];
    const script = new TurnScript().ask("Read them").add(
      { type: "tool-call-start", callId: "c", name: "read_multiple_files" },
      {
        type: "tool-result",
        callId: "c",
        status: "success",
        output: "…",
        error: null,
        durationMs: 1,
        views,
      },
    );
    const tree = emptyTree();
    for (const event of script.events) applyTurnEvent(tree, event);
    const shown = new ViewedFiles((turnId) => [turnId]);
    for (const view of viewsOnRecord(tree)) shown.add(view);
    const turnId = script.events.at(-1)?.turnId ?? "";
    assert.deepEqual(shown.looks("a.ts", turnId, 2, 2).texts, [null]);
    assert.equal(shown.latest("a.ts", turnId)?.last, 3);
    assert.equal(shown.latest("b.ts", turnId)?.last, Number.POSITIVE_INFINITY);
  });

  it("are known to hold what the model wrote after a reload, but not which lines", () => {
    const script = new TurnScript().ask("Change it");
    for (const [path, status] of [
      ["a.ts", "applied"],
      ["b.ts", "rejected"],
    ] as const)
      script.add({ type: "edit-update", edit: { ...EDIT, blockId: path, path, status } });
    const tree = emptyTree();
    for (const event of script.events) applyTurnEvent(tree, event);
    const turnId = script.events.at(-1)?.turnId ?? "";
    const seen = (path: string) => {
      const shown = new ViewedFiles((id) => [id]);
      for (const view of viewsOnRecord(tree)) shown.add(view);
      const text = "one();\n";
      const all = { start: 0, elementStart: 0, end: text.length };
      return viewedElements(text, () => shown.views(path, turnId)).check("b", all, text);
    };
    assert.deepEqual(seen("a.ts"), ok([{ code: "never-read", forgotten: true }]));
    assert.deepEqual(seen("b.ts"), ok([{ code: "never-read", forgotten: false }]));
  });
});
