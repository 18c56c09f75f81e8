import assert from "node:assert/strict";
import { namedFiles } from "../../../../src/edits/answer/namedFiles.ts";

describe("the files that a code block names", () => {
  const cases: readonly [
    info: string,
    before: string,
    code: string,
    own: readonly string[],
    before: readonly string[],
  ][] = [
    ["ts", "", "a();", [], []],
    ["ts src/a.ts", "", "a();", ["src/a.ts"], []],
    ['ts title="src/a.test.ts"', "", "", ["src/a.test.ts"], []],
    ["src/a.ts", "", "", ["src/a.ts"], []],
    ["ts:src/a.ts", "", "", ["src/a.ts"], []],
    ["ts", "", "// src/a.ts\na();", ["src/a.ts"], []],
    ["html", "", "<!-- file: ./pages/index.html -->\n<p>", ["pages/index.html"], []],
    ["py", "", "# see a.py for more\n", [], []],
    ["ts", "In src/a.ts and src\\b.ts, then again src/a.ts:", "", [], ["src/a.ts", "src/b.ts"]],
    ["ts", "As https://example.com/a/b.html says, 1.5 times.", "", [], []],
  ];
  for (const [info, text, code, own, before] of cases) {
    it(`are ${JSON.stringify([own, before])} for ${JSON.stringify([info, text, code])}`, () =>
      assert.deepEqual(namedFiles({ info, before: text, code }), { own, before }));
  }

  it("are found in time that grows with the text", () => {
    const long = "a.".repeat(200_000);
    assert.deepEqual(
      namedFiles({ info: "ts", before: `${"-".repeat(200_000)} ${"a/".repeat(1_000)}`, code: "" })
        .own,
      [],
    );
    assert.ok(namedFiles({ info: "", before: long.slice(0, 1_000), code: long }).own.length <= 1);
  });
});
