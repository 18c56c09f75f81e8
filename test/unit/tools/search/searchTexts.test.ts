import assert from "node:assert/strict";
import { type SearchedText, searchTexts } from "../../../../src/tools/search/searchTexts.ts";

/** The lines that match, or the kind of the error. */
async function find(
  pattern: string,
  lines: readonly string[],
  isRegExp = true,
  caseSensitive = true,
  limit = 100,
) {
  async function* texts(): AsyncGenerator<SearchedText> {
    yield { text: lines.join("\r\n"), path: async () => "a.ts" };
    yield { text: lines.join("\n"), path: async () => null };
  }
  const found = await searchTexts(texts(), {
    pattern,
    isRegExp,
    caseSensitive,
    include: null,
    limit,
  });
  return found.ok
    ? found.value.matches.map(({ path, line, text }) => `${path}:${line} ${text}`)
    : found.error.code;
}

describe("a search without ripgrep", () => {
  it("finds literal text in either case, and shows no hidden file", async () => {
    assert.deepEqual(await find("a.b(", ["a.b()", "axb()", "A.B()"], false), ["a.ts:1 a.b()"]);
    assert.deepEqual(await find("a.b(", ["a.b()", "axb()", "A.B()"], false, false), [
      "a.ts:1 a.b()",
      "a.ts:3 A.B()",
    ]);
  });

  for (const pattern of [
    "^export (async )?function \\w+",
    "[(+*]+x",
    "\\(a\\+\\)+",
    "(foo|bar)\\(",
    "a{2,3}b*",
    "(?:abc)+",
    "x{",
  ]) {
    it(`accepts ${pattern}`, async () => {
      assert.ok(Array.isArray(await find(pattern, ["export async function go() {}"])));
    });
  }

  const endless = [
    "(a+)+$",
    "(a|aa)+$",
    "(?:x*)*y",
    "((ab*)c)*",
    "([a-z]+)*!",
    "(a+){10,}",
    "(\\w*?)+",
    "(?<n>a+)+",
    "a?".repeat(40),
  ];
  for (const pattern of endless) {
    it(`finishes ${pattern.slice(0, 20)}`, async () => {
      assert.ok(Array.isArray(await find(pattern, [`${"a".repeat(10_000)}b`])));
    });
  }

  it("refuses an empty pattern and an invalid expression", async () => {
    assert.equal(await find("", ["a"]), "empty-pattern");
    for (const pattern of ["(", "[", "(?=a)", "(a)\\1"])
      assert.equal(await find(pattern, ["a"]), "invalid-pattern");
  });

  it("clips a long line, and stops at the limit", async () => {
    const long = `${"x".repeat(1_000)}y`;
    assert.deepEqual(await find("x", [long], false), [
      `a.ts:1 ${"x".repeat(300)}… [1001 characters]`,
    ]);
    assert.equal((await find("y$", [long])).length, 1);
    assert.deepEqual(await find("b", ["b", "b", "b"], true, true, 2), ["a.ts:1 b", "a.ts:2 b"]);
  });
});
