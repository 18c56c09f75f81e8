import assert from "node:assert/strict";
import { isUndecided } from "../../../webview/cards/editState.ts";

describe("the state of an edit block", () => {
  it("is undecided until the user decides, conflicts included", () => {
    assert.equal(isUndecided({ status: "pending" }), true);
    assert.equal(isUndecided({ status: "conflict", undecided: true }), true);
    assert.equal(isUndecided({ status: "conflict" }), false);
    assert.equal(isUndecided({ status: "applied" }), false);
  });
});
