import assert from "node:assert/strict";
import {
  drawnHunks,
  firstLineOf,
  hunkBeside,
  hunkToDecide,
} from "../../../../src/edits/review/hunkLocations.ts";
import { placeHunks } from "../../../../src/edits/review/reviewHunks.ts";
import { layersOf } from "../../../../src/edits/review/reviewLayers.ts";
import type { Hunk } from "../../../../src/edits/review/reviewPlan.ts";

const hunk = (id: string, start: number, end: number): Hunk => ({
  id,
  real: { start, end: start },
  proposed: { start, end },
  blockIds: [],
  warnings: [],
  conflict: false,
});
const hunks = [hunk("a", 2, 4), hunk("gone", 10, 10), hunk("b", 20, 21)];

describe("the hunk that a decision takes", () => {
  it("is the one at the cursor, else the next one, else the first", () => {
    assert.equal(hunkToDecide(hunks, "proposed", 3)?.id, "a");
    assert.equal(hunkToDecide(hunks, "proposed", 5)?.id, "gone");
    assert.equal(hunkToDecide(hunks, "proposed", 9)?.id, "gone");
    assert.equal(hunkToDecide(hunks, "proposed", 10)?.id, "gone");
    assert.equal(hunkToDecide(hunks, "proposed", 12)?.id, "b");
    assert.equal(hunkToDecide(hunks, "proposed", 50)?.id, "a");
    assert.equal(hunkToDecide(hunks, "proposed", -1)?.id, "a");
    assert.equal(hunkToDecide([], "proposed", 0), null);
  });
});

describe("the next and the previous hunk", () => {
  const at = (line: number, visited: boolean) => ({ side: "proposed" as const, line, visited });

  it("are null at the end and at the beginning of a file", () => {
    assert.equal(hunkBeside(hunks, at(2, true), "next")?.id, "gone");
    assert.equal(hunkBeside(hunks, at(20, true), "next"), null);
    assert.equal(hunkBeside(hunks, at(20, true), "previous")?.id, "gone");
    assert.equal(hunkBeside(hunks, at(2, true), "previous"), null);
  });

  it("begin with the first and the last in a diff that the user has not been in", () => {
    assert.equal(hunkBeside(hunks, at(2, false), "next")?.id, "a");
    assert.equal(hunkBeside(hunks, at(-1, false), "previous")?.id, "b");
    assert.equal(hunkBeside(hunks, at(2, true), "next")?.id, "gone");
    // VS Code's own commands move the cursor too.
    assert.equal(hunkBeside(hunks, at(10, false), "next")?.id, "b");
  });
});

describe("where VS Code draws a hunk", () => {
  /** The hunks between two texts, and on both sides their lines as they are drawn. */
  function drawn(real: string, proposed: string): string[] {
    let count = 0;
    const newHunkId = () => `hunk-${++count}`;
    const placed = placeHunks({ ...layersOf(real), proposed }, newHunkId);
    const slice = (text: string, { start, end }: { start: number; end: number }) =>
      text.split("\n").slice(start, end).join("|");
    return drawnHunks(placed, real, proposed).map(
      (one) => `${slice(real, one.real)} → ${slice(proposed, one.proposed)}`,
    );
  }

  it("is with the blank line that follows a function, at the least indentation", () => {
    const real = "class A {\n  a() {\n    x();\n  }\n\n  c() {\n    x();\n  }\n}\n";
    const proposed = real.replace("  c() {", "  b() {\n    x();\n  }\n\n  c() {");
    assert.deepEqual(drawn(real, proposed), [" → |  b() {|    x();|  }"]);
    assert.deepEqual(drawn(proposed, real), ["|  b() {|    x();|  } → "]);
  });

  it("joins an adjacent hunk if it can", () => {
    const [first, second] = drawnHunks(
      [
        { ...hunk("a", 0, 1), real: { start: 0, end: 1 } },
        { ...hunk("b", 2, 3), real: { start: 2, end: 2 } },
      ],
      "one\n\nend\n",
      "ONE\n\n\nend\n",
    );
    assert.deepEqual(
      [first?.proposed, second?.proposed, second?.real],
      [
        { start: 0, end: 1 },
        { start: 1, end: 2 },
        { start: 1, end: 1 },
      ],
    );
  });

  it("stays where both sides have lines", () => {
    assert.deepEqual(drawn("\none\n\n", "\nONE\ntwo\n\n"), ["one → ONE|two"]);
  });

  it("differs from line differences in the place only: the texts stay the same", () => {
    const real = "a\n\nb\n\nc\n\n";
    const proposed = "a\n\nb\n\nb\n\nc\n\nc\n\n";
    const lines = real.split("\n");
    const shown = proposed.split("\n");
    let count = 0;
    const placed = placeHunks({ ...layersOf(real), proposed }, () => `${++count}`);
    for (const one of [...drawnHunks(placed, real, proposed)].reverse()) {
      lines.splice(
        one.real.start,
        one.real.end - one.real.start,
        ...shown.slice(one.proposed.start, one.proposed.end),
      );
    }
    assert.deepEqual(lines, shown);
  });
});

describe("the place shown after the last decision", () => {
  it("is the first changed line", () => {
    assert.equal(firstLineOf("a\nb\nc\n", [{ start: 4, end: 5, newText: "x" }]), 2);
    assert.equal(firstLineOf("a\nb\n", []), 0);
  });
});
