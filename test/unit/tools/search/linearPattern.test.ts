import assert from "node:assert/strict";
import fc from "fast-check";
import { linearPattern } from "../../../../src/tools/search/linearPattern.ts";

function matches(pattern: string, text: string, caseSensitive = true): boolean | string {
  const compiled = linearPattern(pattern, caseSensitive);
  return compiled.ok ? compiled.value(text) : compiled.error.code;
}

const refused: readonly (readonly [pattern: string, code: string])[] = [
  ["(?=a)", "invalid-pattern"],
  ["(?!x)a*b", "invalid-pattern"],
  ["(?<=a)b", "invalid-pattern"],
  ["(a)\\1", "invalid-pattern"],
  ["\\k<a>", "invalid-pattern"],
  ["a(", "invalid-pattern"],
  ["a)", "invalid-pattern"],
  ["[a", "invalid-pattern"],
  ["*a", "invalid-pattern"],
  ["a{3,2}", "invalid-pattern"],
  ["[z-a]", "invalid-pattern"],
  ["\\", "invalid-pattern"],
  ["\\p{Nothing}", "invalid-pattern"],
  ["a{5000}", "complex-pattern"],
  ["(((a{100}){100}){100})", "complex-pattern"],
  ["(".repeat(1_000), "complex-pattern"],
];

const found: readonly (readonly [
  pattern: string,
  text: string,
  yes: boolean,
  caseSensitive?: boolean,
])[] = [
  ["", "", true],
  ["b+c", "abbc", true],
  ["^b", "ab", false],
  ["a$", "ba", true],
  ["\\bfoo\\b", "a foo.", true],
  ["\\bfoo\\b", "afoo", false],
  ["\\Boo", "foo", true],
  ["(?:ab|cd){2}", "xabcdx", true],
  ["a{2,3}b", "ab", false],
  ["[^a-c\\d]", "a1b", false],
  ["[\\]-]", "]", true],
  ["\\p{Lu}", "äÖ", true],
  ["É", "é", true, false],
  ["(?i)abc", "xABC", true],
  ["a(?i:b)c", "aBc", true],
  ["a(?i:b)c", "aBC", false],
  ["(?P<name>a)|(?<other>b)", "b", true],
  ["\\x41\\u{1F600}", "A😀", true],
  ["^.$", "😀", true],
  ["a{b", "a{b", true],
  ["\\.\\*", ".*", true],
];

describe("a search pattern", () => {
  for (const [pattern, code] of refused)
    it(`is refused: ${pattern.slice(0, 30)}`, () => assert.equal(matches(pattern, "a"), code));
  for (const [pattern, text, yes, caseSensitive] of found)
    it(`${yes ? "matches" : "does not match"}: ${pattern} in ${text}`, () =>
      assert.equal(matches(pattern, text, caseSensitive), yes));

  it("finds what JavaScript finds", () => {
    const atom = fc.constantFrom(
      "a",
      "b",
      "c",
      ".",
      "\\w",
      "\\d",
      "[ab]",
      "[^a]",
      "\\b",
      "^",
      "$",
      " ",
    );
    const part = fc.letrec<{ readonly any: string }>((tie) => ({
      any: fc.oneof(
        { depthSize: "small" },
        atom,
        fc.tuple(tie("any"), tie("any")).map(([a, b]) => a + b),
        fc.tuple(tie("any"), tie("any")).map(([a, b]) => `(?:${a}|${b})`),
        fc
          .tuple(tie("any"), fc.constantFrom("*", "+", "?", "{2}", "{1,3}", "*?"))
          .map(([a, sign]) => `(?:${a})${sign}`),
      ),
    })).any;
    const text = fc
      .array(fc.constantFrom("a", "b", "c", "1", " "), { maxLength: 8 })
      .map((all) => all.join(""));
    fc.assert(
      fc.property(part, text, fc.boolean(), (pattern, subject, caseSensitive) => {
        const expected = new RegExp(pattern, caseSensitive ? "" : "i").test(subject);
        assert.equal(matches(pattern, subject, caseSensitive), expected);
      }),
      { numRuns: 3_000 },
    );
  });

  it("takes a time that grows with the text alone", () => {
    const text = "a".repeat(200_000);
    for (const pattern of [
      "a*a*a*a*a*a*b",
      "(a+)+$b",
      "(a|a)*b",
      "(a|aa)+$b",
      "(.*.*.*)*x",
      "(a?){30}a{30}b",
      "(\\w+\\s?)+!",
      "[ab]*a[ab]{12}c",
    ])
      assert.equal(matches(pattern, text), false, pattern);
  }).timeout(30_000);
});
