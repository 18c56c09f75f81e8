import assert from "node:assert/strict";
import { stripVTControlCharacters } from "node:util";
import * as fc from "fast-check";
import { bufferAnsiSequences } from "../../../../src/node/processes/bufferAnsiSequences.ts";

const OUTPUT =
  "\u001b]633;C\u0007one\u001b[31mred\u001b[0m\r\n\u001b]633;E;echo\u001b\\two\u001b[?2004l end\n";

describe("buffered terminal output", () => {
  it("gives the same plain text wherever it is split", () => {
    const whole = stripVTControlCharacters(OUTPUT);
    assert.equal(whole, "onered\r\ntwo end\n");
    fc.assert(
      fc.property(fc.array(fc.nat(OUTPUT.length), { maxLength: 12 }), (cuts) => {
        const { push, rest } = bufferAnsiSequences();
        const ends = [0, ...cuts.sort((a, b) => a - b), OUTPUT.length];
        const pieces = ends.slice(1).map((end, index) => OUTPUT.slice(ends[index], end));
        assert.equal(
          pieces.map((piece) => stripVTControlCharacters(push(piece))).join("") + rest(),
          whole,
        );
      }),
    );
  });

  it("continues after an endless sequence", () => {
    const { push } = bufferAnsiSequences();
    assert.equal(push("a\u001b]never"), "a");
    assert.match(push("x".repeat(5_000)), /x{5000}$/);
  });
});
