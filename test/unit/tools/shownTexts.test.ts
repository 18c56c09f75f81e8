import assert from "node:assert/strict";
import { ShownTexts } from "../../../src/tools/shownTexts.ts";

describe("texts that the model was shown", () => {
  const show = (shown: ShownTexts, text: string, first: number, last: number, turnId = "t", path = "a.ts") =>
    shown.add({ turnId, path, text, version: 1, first, last });
  const lines = (name: string) => Array.from({ length: 50 }, (_, index) => `${name} ${index}`).join("\n");

  it("gives the newest look at each line, and the newest at the file for lines never shown", () => {
    const shown = new ShownTexts();
    show(shown, lines("old"), 1, 20);
    show(shown, lines("new"), 10, 30);
    const texts = (first: number, last: number) => shown.looks("a.ts", "t", first, last).texts.map((text) => text?.slice(0, 3));
    assert.deepEqual(texts(1, 9), ["old"]);
    assert.deepEqual(texts(10, 12), ["new"]);
    assert.deepEqual(texts(8, 12), ["new", "old"]);
    assert.deepEqual(texts(40, 41), ["new"]);
    assert.deepEqual(shown.looks("b.ts", "t", 1, 1).texts, []);
  });

  it("takes an insertion behind the last line for a place that was shown with it", () => {
    const shown = new ShownTexts();
    show(shown, "one\n", 1, 2);
    show(shown, "zero\none\n", 1, 1);
    assert.deepEqual(shown.looks("a.ts", "t", 3, 3).texts, ["one\n"]);
  });

  it("knows which looks came before the model's own changes", () => {
    const shown = new ShownTexts();
    show(shown, lines("a"), 1, 10);
    shown.edited("a.ts", "t");
    show(shown, lines("b"), 20, 30);
    assert.equal(shown.looks("a.ts", "t", 1, 2).editedSince, true);
    assert.equal(shown.looks("a.ts", "t", 20, 21).editedSince, false);
  });

  it("knows nothing of other branches", () => {
    const shown = new ShownTexts((turnId) => (turnId === "t3" ? ["t1", "t3"] : ["t1", "t2"]));
    show(shown, "first", 1, 1, "t1");
    show(shown, "second", 1, 1, "t2");
    shown.edited("a.ts", "t2");
    assert.equal(shown.latest("a.ts", "t3")?.text, "first");
    assert.deepEqual(shown.looks("a.ts", "t3", 1, 1), { texts: ["first"], editedSince: false });
    assert.equal(shown.latest("a.ts", "t2")?.text, "second");
  });

  it("forgets the oldest texts when there are too many, and knows that it has", () => {
    const shown = new ShownTexts();
    for (const name of ["a", "b", "c", "d", "e"]) show(shown, name.repeat(5 * 1024 * 1024), 1, 1, "t", `${name}.ts`);
    assert.deepEqual(shown.looks("a.ts", "t", 1, 1).texts, [null]);
    assert.equal(shown.looks("e.ts", "t", 1, 1).texts[0]?.length, 5 * 1024 * 1024);
  });
});
