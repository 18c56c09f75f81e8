import assert from "node:assert/strict";
import { readSlash, readSlashCommand } from "../../../src/protocol/slashCommands.ts";

describe("a message that begins with a slash", () => {
  for (const [text, expected] of [
    ["/new", { name: "new", by: "panel", words: "" }],
    ["/new and\nthen this ", { name: "new", by: "panel", words: "and\nthen this" }],
    ["/edit then", { name: "edit", by: "host", words: "then" }],
    ["/explain", { name: "explain", by: "prompt", words: "" }],
    ["/newer", null],
    ["say /new", null],
    ["/ new", null],
  ] as const)
    it(`is read: ${JSON.stringify(text)}`, () => {
      assert.deepEqual(readSlashCommand(text), expected);
    });

  it("may name a prompt file of the workspace", () => {
    assert.deepEqual(readSlash("/review  src/a.ts"), { name: "review", words: "src/a.ts" });
    assert.equal(readSlash("review"), null);
  });
});
