import assert from "node:assert/strict";
import { compileCautiously } from "../../../src/host/lineMatcher.ts";

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

  it("says what is wrong with a pattern that is none", () => {
    for (const pattern of ["(", "[", ""]) assert.ok(!compileCautiously({ pattern, isRegExp: true, caseSensitive: true }).ok);
  });
});
