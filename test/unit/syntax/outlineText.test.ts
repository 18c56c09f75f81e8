import { strict as assert } from "node:assert";
import fc from "fast-check";
import { outlineText } from "../../../src/syntax/outline/outlineText.ts";
import type { OutlineEntry } from "../../../src/syntax/syntax.ts";

function entry(path: string, kind: string, startLine: number, endLine: number): OutlineEntry {
  return { path, kind, startLine, endLine };
}

const ENTRIES = [
  entry("@imports", "import", 1, 1),
  entry("A", "class", 3, 20),
  entry("A-first", "method", 4, 8),
  entry("A-first-inner", "function", 5, 6),
  entry("A-second", "method", 9, 9),
  entry("b", "function", 22, 30),
];

describe("the outline for the model", () => {
  it("is one line an element: path, kind, lines", () => {
    assert.equal(
      outlineText(ENTRIES, 1000),
      "@imports  import 1\nA  class 3-20\nA-first  method 4-8\nA-first-inner  function 5-6\nA-second  method 9\nb  function 22-30",
    );
  });

  it("drops its deepest elements first and counts them", () => {
    const text = outlineText(ENTRIES, 116);
    assert.equal(
      text,
      "@imports  import 1\nA  class 3-20\nA-first  method 4-8\nA-second  method 9\nb  function 22-30\n(1 more element left out)",
    );
    assert.ok(outlineText(ENTRIES, 90).includes("b  function 22-30\n(3 more elements left out)"));
  });

  it("keeps the elements nearest to the shown lines, and those around them", () => {
    assert.equal(
      outlineText(ENTRIES, 100, { first: 9, last: 10 }),
      "A  class 3-20\nA-first  method 4-8\nA-second  method 9\n(3 more elements left out)",
    );
    const many = Array.from({ length: 10_000 }, (_, index) =>
      entry(`f${index}`, "function", index * 3 + 1, index * 3 + 2),
    );
    const kept = outlineText(many, 2_000, { first: 15_001, last: 15_002 }).split("\n");
    assert.match(kept[0] ?? "", /^f49[67]\d /);
    assert.ok(kept.includes("f5000  function 15001-15002"));
    assert.match(kept.at(-2) ?? "", /^f50[23]\d /);
  });

  it("never exceeds a budget that fits the notice", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ minLength: 1, maxLength: 20 }), { maxLength: 40 }),
        fc.integer({ min: 40, max: 400 }),
        (names, budget) => {
          const text = outlineText(
            names.map((name, index) => entry(name, "function", index, index)),
            budget,
          );
          assert.ok(text.length <= budget);
        },
      ),
    );
  });

  it("is empty for a file without elements", () => {
    assert.equal(outlineText([], 100), "");
  });
});
