import assert from "node:assert/strict";
import { withOwnLineEnds } from "../../../../src/edits/text/lineEnds.ts";

describe("a text that changed in a document with other line ends", () => {
  for (const [what, original, before, after, expected] of [
    ["CR", "a\rb\rc\r", "a\r\nb\r\nc\r\n", "a\r\nB\r\nb2\r\nc\r\n", "a\rB\rb2\rc\r"],
    ["CRLF", "a\r\nb\r\n", "a\nb\n", "a\nB\n", "a\r\nB\r\n"],
    ["a mark and LF", "\uFEFFa\nb\n", "a\r\nb\r\n", "a\r\nB\r\n", "\uFEFFa\nB\n"],
    ["those of a new file", "", "", "a\r\nb\r\n", "a\r\nb\r\n"],
    ["none", "a", "a", "a\nb", "a\nb"],
  ] as const)
    it(`keeps those of its file: ${what}`, () => {
      assert.equal(withOwnLineEnds(original, before, after), expected);
    });
});
