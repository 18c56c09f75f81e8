import assert from "node:assert/strict";
import { RestoreUndos } from "../../../../src/host/restore/restoreUndos.ts";

describe("undoing a restore", () => {
  const FILE = {
    turnId: "t",
    path: "a.ts",
    uri: "file:///w/a.ts",
    before: "changed",
    after: "original",
  };

  function toldOf(...texts: readonly (string | readonly [uri: string, text: string])[]): string[] {
    const told: string[] = [];
    const undos = new RestoreUndos(({ path }, undone) =>
      told.push(`${path} ${undone ? "undone" : "again"}`),
    );
    undos.add(FILE);
    for (const text of texts)
      undos.textChanged(
        typeof text === "string" ? FILE.uri : text[0],
        typeof text === "string" ? text : text[1],
      );
    return told;
  }

  it("is noticed once, and so is its redo", () => {
    assert.deepEqual(toldOf("changed"), ["a.ts undone"]);
    assert.deepEqual(toldOf("changed", "changed"), ["a.ts undone"]);
    assert.deepEqual(toldOf("changed", "original", "changed"), [
      "a.ts undone",
      "a.ts again",
      "a.ts undone",
    ]);
  });

  it("ignores undo steps before and after it", () => {
    assert.deepEqual(toldOf("original, and typed"), []);
    assert.deepEqual(toldOf("original"), []);
    assert.deepEqual(toldOf("changed", "still older", "changed"), ["a.ts undone"]);
    assert.deepEqual(toldOf(["file:///w/b.ts", "changed"]), []);
  });
});
