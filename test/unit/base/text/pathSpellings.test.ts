import assert from "node:assert/strict";
import { lookOf } from "../../../../src/base/text/pathSpellings.ts";

describe("the look of a name", () => {
  for (const [name, look] of [
    ["  A  b . ", "a b"],
    ["a. b..", "a. b"],
    [" ..", ""],
    ["...", ""],
    [" .a", ".a"],
    ["\uFF21\u200b.TS", "a.ts"],
    ["", ""],
  ] as const)
    it(`has no case, width or blanks around it: ${JSON.stringify(name)}`, () => {
      assert.equal(lookOf(name), look);
    });

  it("is found in no time that grows with more than the length of the name", () => {
    for (const part of [".", " ", " .", ". a", "\u00a0."])
      assert.ok(lookOf(`a${part.repeat(300_000)}x`).endsWith("x"), part);
  });
});
