import assert from "node:assert/strict";
import { guestName } from "../../../src/ports/guest.ts";

describe("the name that a guest claims", () => {
  it("is one short line that shows what is hidden, and draws no icon", () => {
    assert.equal(guestName(" Claude Code "), "Claude Code");
    assert.equal(guestName("a\nb\u202Ec\u200B"), "a\\u{a}b\\u{202e}c\\u{200b}");
    assert.equal(guestName("$(check) Graft $$((verified)"), "(check) Graft ((verified)");
    assert.ok(guestName("x".repeat(1_000_000)).length <= 61);
    assert.equal(guestName(""), "");
  });
});
