import assert from "node:assert/strict";
import { boundedIgnore } from "../../../src/base/boundedIgnore.ts";

describe("untrusted ignore rules", () => {
  it("match as in git", () => {
    const rules = boundedIgnore(["*.log", "!keep.log", "/out/", "a/**/b/**/c"]);
    const ignored = ["x.log", "keep.log", "out/x", "in/out/x", "a/1/2/b/3/c", "a/b"].filter(
      (path) => rules.test(path).ignored,
    );
    assert.deepEqual(ignored, ["x.log", "out/x", "a/1/2/b/3/c"]);
  });

  it("never take exponential time", () => {
    const hostile = boundedIgnore(["**/a/**/a/**/a/**/a/**/a/**/b", "a/**/a/**/a/**/b"]);
    for (const depth of [60, 120, 1_000])
      assert.equal(hostile.test(`${"a/".repeat(depth)}x`).ignored, depth > 64);
  });
});
