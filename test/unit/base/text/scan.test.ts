import assert from "node:assert/strict";
import {
  indentAt,
  isBalanced,
  lineBreakNear,
  nextLine,
  previousLineEnd,
} from "../../../../src/base/text/scan.ts";

describe("scanning a text", () => {
  for (const eol of ["\n", "\r\n", "\r"]) {
    it(`steps over lines that end with ${JSON.stringify(eol)}`, () => {
      const text = `a${eol}  b`;
      const second = 1 + eol.length;
      assert.equal(nextLine(text, 0), second);
      assert.equal(nextLine(text, second), text.length);
      assert.equal(previousLineEnd(text, second), 1);
      assert.equal(lineBreakNear(text, text.length, "none"), eol);
      assert.equal(indentAt(text, text.length - 1), "  ");
      assert.equal(indentAt(text, text.length), null);
    });
  }

  it("tells balanced brackets among the given ones", () => {
    assert.equal(isBalanced("f(a[1]) }", "()[]"), true);
    assert.equal(isBalanced("f(a[1]) }", "(){}"), false);
    assert.equal(isBalanced(")(", "()"), false);
  });
});
