import assert from "node:assert/strict";
import fc from "fast-check";
import { applyEdits } from "../../../../src/edits/changeSet.ts";
import { DocumentLag } from "../../../../src/host/preview/documentLag.ts";

const insertion = (offset: number, newText: string) => [{ start: offset, end: offset, newText }];

/** Lets the document take over what it has not got yet. */
function settle(lag: DocumentLag): void {
  lag.landed();
  if (lag.begin() !== null) lag.landed();
}

describe("a document that lags behind its proposal", () => {
  it("gets every text in the end", () => {
    const lag = new DocumentLag("one\n");
    lag.advance(insertion(4, "two\n"), "one\ntwo\n");
    assert.equal(lag.begin(), "one\ntwo\n");
    lag.advance(insertion(8, "three\n"), "one\ntwo\nthree\n");
    assert.equal(lag.begin(), null, "one transfer at a time");
    lag.landed();
    assert.equal(lag.shown, "one\ntwo\n");
    assert.equal(lag.begin(), "one\ntwo\nthree\n");
  });

  it("keeps what the user types while the answer grows elsewhere", () => {
    const lag = new DocumentLag("head\ntail\n");
    lag.advance(insertion(0, "// new\n"), "// new\nhead\ntail\n");
    lag.begin();
    const mapped = lag.typed(insertion(9, "!"), "head\ntail!\n");
    assert.deepEqual(mapped.edits, insertion(16, "!"));
    assert.equal(mapped.textAfter, "// new\nhead\ntail!\n");
    assert.equal(lag.begin(), "// new\nhead\ntail!\n", "the transfer that the keystroke overtook is made again");
  });

  it("shows what its owner wants after any sequence of growth and typing", () => {
    const step = fc.record({
      kind: fc.constantFrom("grow", "type", "send", "land"),
      at: fc.nat(),
      cut: fc.nat(3),
      text: fc.string({ maxLength: 3 }),
    });
    fc.assert(
      fc.property(fc.string({ maxLength: 10 }), fc.array(step, { maxLength: 30 }), (text, steps) => {
        const lag = new DocumentLag(text);
        const edit = (length: number, { at, cut, text: newText }: { at: number; cut: number; text: string }) => {
          const start = at % (length + 1);
          return [{ start, end: Math.min(length, start + cut), newText }];
        };
        for (const one of steps) {
          if (one.kind === "grow") {
            const edits = edit(lag.wanted.length, one);
            lag.advance(edits, applyEdits(edits, lag.wanted));
          } else if (one.kind === "type") {
            const edits = edit(lag.shown.length, one);
            const before = lag.wanted;
            const mapped = lag.typed(edits, applyEdits(edits, lag.shown));
            assert.equal(applyEdits(mapped.edits, before), mapped.textAfter);
          } else if (one.kind === "send") lag.begin();
          else lag.landed();
        }
        settle(lag);
        assert.equal(lag.shown, lag.wanted);
      }),
    );
  });
});
