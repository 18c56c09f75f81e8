import assert from "node:assert/strict";
import { sentence } from "../../../../src/base/text/sentence.ts";

describe("text from elsewhere as a sentence", () => {
  for (const [said, shown] of [
    ["model is busy", "model is busy."],
    ["Model is busy.", "Model is busy."],
    ["really?", "really?"],
    [' it said "no."\n', 'it said "no."'],
    ["(see the manual.)", "(see the manual.)"],
    ["a long story…", "a long story…"],
    ["模型不可用。", "模型不可用。"],
    ["failed: ", "failed."],
    ['"code": 3}', '"code": 3}.'],
    ["", ""],
    [new Error("spawn git ENOENT"), "spawn git ENOENT."],
    [undefined, "undefined."],
  ] as const) {
    it(`${JSON.stringify(String(said))} reads ${JSON.stringify(shown)}`, () =>
      assert.equal(sentence(said), shown));
  }
});
