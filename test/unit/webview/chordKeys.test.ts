import assert from "node:assert/strict";
import { ChordKeys, type KeyStroke } from "../../../webview/composer/chordKeys.ts";

const plain = { ctrlKey: false, metaKey: false, altKey: false };

/** The keys that completed a chord. */
function taken(...strokes: readonly (Partial<KeyStroke> & { key: string })[]): string[] {
  const keys = new ChordKeys();
  return strokes.flatMap((stroke, index) =>
    keys.completes({ ...plain, timeStamp: index, ...stroke }) ? [stroke.key] : [],
  );
}

describe("chords in the composer", () => {
  it("does not type the second key, with or without modifiers", () => {
    assert.deepEqual(taken({ key: "k", ctrlKey: true }, { key: "n" }, { key: "n" }), ["n"]);
    assert.deepEqual(
      taken(
        { key: "Control", ctrlKey: true },
        { key: "k", metaKey: true },
        { key: "Shift" },
        { key: "A" },
      ),
      ["A"],
    );
    assert.deepEqual(
      taken({ key: "k", ctrlKey: true }, { key: "k", ctrlKey: true }, { key: "x" }),
      ["k"],
    );
  });

  it("types keys outside a chord, and a second key that comes too late", () => {
    assert.deepEqual(taken({ key: "k" }, { key: "n" }), []);
    assert.deepEqual(
      taken({ key: "k", ctrlKey: true, timeStamp: 0 }, { key: "n", timeStamp: 6000 }),
      [],
    );
  });
});
