import assert from "node:assert/strict";
import { compileCautiously } from "../../../src/host/compileCautiously.ts";

function find(pattern: string, lines: readonly string[], isRegExp = true, caseSensitive = true) {
  const matcher = compileCautiously({ pattern, isRegExp, caseSensitive });
  assert.ok(matcher.ok, matcher.ok ? "" : matcher.error);
  const found = matcher.value(lines);
  assert.ok(found.ok);
  return found.value;
}

describe("searching in a host that cannot interrupt", () => {
  it("finds text as it is written, in either case", () => {
    assert.deepEqual(find("a.b(", ["a.b()", "axb()", "A.B()"], false), [0]);
    assert.deepEqual(find("a.b(", ["a.b()", "axb()", "A.B()"], false, false), [0, 2]);
  });

  for (const pattern of ["^export (async )?function \\w+", "[(+*]+x", "\\(a\\+\\)+", "(foo|bar)\\(", "a{2,3}b*", "(?:abc)+", "x{"]) {
    it(`runs ${pattern}`, () => {
      find(pattern, ["export async function go() {}"]);
    });
  }

  for (const pattern of ["(a+)+$", "(a|aa)+$", "(?:x*)*y", "((ab*)c)*", "([a-z]+)*!", "(a+){10,}", "(\\w*?)+", "(?<n>a+)+"]) {
    it(`refuses ${pattern}, which may never end`, () => {
      const matcher = compileCautiously({ pattern, isRegExp: true, caseSensitive: true });
      assert.ok(!matcher.ok);
      assert.match(matcher.error, /repeats/);
    });
  }

  const signs = "a".repeat(2_000);
  for (const [pattern, line] of [
    ["a*a*a*a*a*a*b", signs],
    ["a*a*a*a*a*a*b", `${"x".repeat(1_000)}${signs.slice(0, 1_000)}`],
    ["[a-z]+[a-z]+[a-z]+[a-z]+\\d", signs],
    ["(.*)(.*)(.*)(.*)(.*)\\5\\4x", signs],
    ["(?=a*a*a*a*a*b)", signs],
    [`${"a?".repeat(28)}${"a".repeat(28)}b`, signs],
    [`${"(a|a)".repeat(28)}b`, signs],
  ] as const) {
    it(`gives up ${pattern.slice(0, 30)} on a line that makes it slow`, () => {
      const matcher = compileCautiously({ pattern, isRegExp: true, caseSensitive: true });
      assert.ok(matcher.ok);
      const found = matcher.value([line]);
      assert.ok(!found.ok);
      assert.match(found.error, /takes too long/);
    });
  }

  it("refuses what has too many choices, and finds what stands far behind in a line", () => {
    assert.ok(!compileCautiously({ pattern: "a?".repeat(40), isRegExp: true, caseSensitive: true }).ok);
    const long = `${"let a = 1; ".repeat(150)}function go(one: number) {}`;
    assert.deepEqual(find("function\\s+\\w+\\s*\\(\\s*\\w+\\s*:\\s*number", [long, "x"]), [0]);
    assert.deepEqual(find("let.*go\\(.*\\) \\{\\}$", [long, "x"]), [0]);
    assert.deepEqual(find("^$|^x", [long, "x", ""]), [1, 2]);
  });

  it("says what is wrong with a pattern that is none", () => {
    for (const pattern of ["(", "[", ""]) assert.ok(!compileCautiously({ pattern, isRegExp: true, caseSensitive: true }).ok);
  });
});
