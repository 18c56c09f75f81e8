import assert from "node:assert/strict";
import type { Token } from "marked";
import { boundedTokens } from "../../../webview/markdown/boundedLexer.ts";
import { texOf } from "../../../webview/markdown/mathTokens.ts";

/** The formulas in a text, display ones with a `!`. */
function formulas(text: string): string[] {
  const found: string[] = [];
  const visit = (tokens: readonly Token[]) => {
    for (const token of tokens) {
      if (token.type === "math") found.push((token.display ? "!" : "") + texOf(token.raw));
      if ("tokens" in token && token.tokens) visit(token.tokens);
      if (token.type === "list") for (const item of token.items) visit(item.tokens);
      if (token.type === "table")
        for (const cell of [...token.header, ...token.rows.flat()]) visit(cell.tokens);
    }
  };
  visit(boundedTokens(text, {}) ?? []);
  return found;
}

describe("Formulas in Markdown", () => {
  const cases: readonly (readonly [text: string, ...expected: string[]])[] = [
    ["The area is $\\pi r^2$.", "\\pi r^2"],
    ["With \\(a_1 * b_1\\) and \\(c\\)", "a_1 * b_1", "c"],
    ["Between **bold**, $a*b$ and $c*d$", "a*b", "c*d"],
    ["Words $$a\n= b$$ words", "!a\n= b"],
    ["$$\na\n- b\n# c\n$$\nAfter", "!a\n- b\n# c"],
    ["Words\n\\[\n\\frac{a}{b}\n\\].\nAfter", "!\\frac{a}{b}."],
    ["$$ E = mc^2 $$", "!E = mc^2"],
    ["- item:\n  $$\n  x\n  $$\n- $y$", "!x", "y"],
    ["| a |\n|---|\n| $x$ |", "x"],
    ["$\\$5$ is escaped", "\\$5"],
    // Money, shells and other dollars.
    ["It costs $5, or $6 each."],
    ["From $5-$10, US$5/US$6."],
    ["$HOME/bin:$PATH and $(pwd)"],
    ["`$a$` and\n\n```\n$b$\n```"],
    ["$$ is a process"],
    ["$$\nno end"],
    ["$$\n\nblank line\n$$"],
    ["$a\nb$"],
    ["\\[x\\] done, an \\[escaped\\] bracket"],
    ["a \\$5 and $6"],
  ];
  for (const [text, ...expected] of cases)
    it(`are ${expected.length === 0 ? "none" : JSON.stringify(expected)} in ${JSON.stringify(text)}`, () => {
      assert.deepEqual(formulas(text), expected);
    });

  it("end at a length, so that none costs much", () => {
    assert.deepEqual(formulas(`$${"a".repeat(5_000)}$`), []);
  });
});
