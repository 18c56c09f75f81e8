import assert from "node:assert/strict";
import { editLine, isUndecided } from "../../../webview/cards/editState.ts";

describe("the state of an edit block", () => {
  it("opens the file at the first line of the target, when it names lines", () => {
    assert.equal(editLine("lines 3-9"), 3);
    assert.equal(editLine("line 4"), 4);
    assert.equal(editLine("ast-path:lines 3"), null);
  });

  it("is undecided until the user decides, conflicts included", () => {
    assert.equal(isUndecided({ status: "pending" }), true);
    assert.equal(isUndecided({ status: "conflict", undecided: true }), true);
    assert.equal(isUndecided({ status: "conflict" }), false);
    assert.equal(isUndecided({ status: "applied" }), false);
  });
});
