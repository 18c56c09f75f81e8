import assert from "node:assert/strict";
import { jsonKind } from "../../../../src/edits/check/jsonText.ts";

describe("the kind of JSON that a text is", () => {
  for (const [text, kind] of [
    ['{"a": [1, -2.5e3, true, null, "x\\u00e9\\n"]}', "strict"],
    ['{"a": 1,}', "loose"],
    ["{a: 'x'}", "loose"],
    ['{"a": "\t"}', "loose"],
    ['{"a": "\u0001"}', "loose"],
    ['{"a": "C:\\dir"}', "loose"],
    ['{"a": "x\\\n y"}', "loose"],
    ['{"a":\u00a01}', "loose"],
    ['{"a": "\\u12"}', "none"],
    ['{"a" 1}', "none"],
  ] as const)
    it(`is ${kind}: ${JSON.stringify(text)}`, () => {
      assert.equal(jsonKind(text).kind, kind);
      if (kind === "strict") JSON.parse(text);
      else assert.throws(() => JSON.parse(text));
    });
});
