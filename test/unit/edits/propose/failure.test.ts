import assert from "node:assert/strict";
import { claimsOfOne } from "../../../../src/edits/answer/openSessions.ts";
import { BlockCapture } from "../../../../src/edits/propose/blockCapture.ts";
import type { SyntaxDocument } from "../../../../src/syntax/syntax.ts";
import { pluck } from "../../../fakes/pluck.ts";
import { openFile } from "../../../fakes/turns/openFile.ts";
import { openDocument } from "../../syntax/openDocument.ts";

const TEXT = "function a() {}\n\nfunction b() {}\n\nfunction c() {}\n";

/** Fails at the edit for `name`: before it, or after it is made. */
function failing(document: SyntaxDocument, name: string, when: "before" | "after"): SyntaxDocument {
  return new Proxy(document, {
    get(target, key) {
      if (key !== "edit") {
        const value: unknown = Reflect.get(target, key);
        return typeof value === "function" ? value.bind(target) : value;
      }
      return (range: { start: number; end: number }, newText: string) => {
        const fails = newText.includes(name);
        if (!fails || when === "after") target.edit(range, newText);
        if (fails) throw new RangeError("Invalid array length");
      };
    },
  });
}

describe("an error inside Graft", () => {
  for (const [when, states, text] of [
    [
      "before",
      ["captured", "refused", "captured"],
      "function a() { 1; }\n\nfunction b() {}\n\nfunction c() { 3; }\n",
    ],
    [
      "after",
      ["captured", "refused", "refused"],
      "function a() { 1; }\n\nfunction b() {}\n\nfunction c() {}\n",
    ],
  ] as const) {
    it(`costs its own block ${when === "before" ? "alone" : "and later ones where it may have left half an edit"}`, async () => {
      const failures: unknown[] = [];
      const document = failing(await openDocument("typescript", TEXT), "2;", when);
      const file = openFile("a.ts", TEXT, document);
      const capture = new BlockCapture({
        callId: "call",
        file,
        mode: null,
        claims: claimsOfOne(file),
        onBlock() {},
        onFailure: (error) => failures.push(error),
      });
      capture.startMessage(0);
      for (const [name, body] of [
        ["a", "1"],
        ["b", "2"],
        ["c", "3"],
      ])
        capture.push(`\`\`\`ts:ast-path:${name}\nfunction ${name}() { ${body}; }\n\`\`\`\n`);
      capture.endMessage("whole");
      capture.finish();
      assert.deepEqual(pluck(capture.blocks, "status"), states);
      assert.deepEqual(capture.blocks[1]?.reason, {
        code: "internal",
        said: "Invalid array length",
      });
      assert.equal(capture.proposal().text, text);
      assert.equal(failures.length, 1);
      document.dispose();
    });
  }
});
