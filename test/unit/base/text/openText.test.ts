import assert from "node:assert/strict";
import { type OpenText, openTextAfter } from "../../../../src/base/text/openText.ts";

const isOpenAfter = (...lines: readonly string[]) =>
  lines.reduce((open: OpenText, line) => openTextAfter(line, open), null) !== null;

describe("a string or comment of several lines", () => {
  const rows: readonly (readonly [what: string, isOpen: boolean, ...lines: string[]])[] = [
    ["begins with three quotes", true, "def f():", '    """Doc.'],
    ["ends with three quotes", false, '    """Doc.', '    """'],
    ["begins again on the line where one ended", true, "/* a */ /* b"],
    ["begins with the only quote of a line, at its end", true, 'echo "'],
    ["does not begin with a quote that ends a string", false, 'echo "a"'],
    ["ends with a quote that begins a line", false, 'echo "', '"'],
    ["does not begin in a comment of one line", false, '# """'],
    ["is all after the end of a script", true, "f()", "__END__", "Text.", "=begin"],
    ["begins where PHP ends", true, "<?php", "f();", "?>"],
    ["ends where PHP begins", false, "?>", "<p>", "<?php f();"],
    ["does not begin with a wildcard type", false, "List<?> a;", "Map<String, ?> b;"],
    ["is a YAML document of one text", true, "--- |", "Text."],
    ["ends with the YAML document", false, "--- >-", "Text.", "---", "a: 1"],
    ["is open until its end, also after a long line", true, "<!--", "x".repeat(5_000)],
    ["ends in a long line", false, "<!--", `${"x".repeat(5_000)} -->`],
  ];
  for (const [what, isOpen, ...lines] of rows)
    it(what, () => assert.equal(isOpenAfter(...lines), isOpen));

  it("is found in no time that grows with more than the length of a line", () => {
    for (const pair of ['""" a """ ', "<!-- x --> ", "<<A ", '"x" ', "a ' "])
      assert.equal(isOpenAfter(pair.repeat(100_000), ""), false, pair);
  });
});
