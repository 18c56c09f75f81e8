import assert from "node:assert/strict";
import * as fc from "fast-check";
import { restoration } from "../../../../src/edits/history/restoration.ts";
import type { TextChange } from "../../../../src/edits/history/retraced.ts";

const lines = (...texts: readonly string[]) => texts.map((text) => `${text}\n`).join("");

const ORIGINAL = lines("a", "b", "c", "d", "e", "f", "g", "h", "i");
const CHANGED = ORIGINAL.replace("b\n", "B\n").replace("h\n", "H\nH2\n");
const CHANGE: TextChange = { before: ORIGINAL, after: CHANGED };

/**
 * The texts that applying `edits` one after the other gives; each replaces one line, or takes it
 * out.
 */
const arbitraryTexts = fc
  .record({
    length: fc.integer({ min: 0, max: 12 }),
    edits: fc.array(
      fc.record({ line: fc.nat(14), text: fc.constantFrom("x\n", "y\n", "x\ny\n", "") }),
      { minLength: 1, maxLength: 6 },
    ),
  })
  .map(({ length, edits }) => {
    let current = Array.from({ length }, (_, index) => `line ${index}\n`);
    return [
      current.join(""),
      ...edits.map(({ line, text }) => {
        current = current
          .toSpliced(line % (current.length + 1), 1, text)
          .filter((each) => each !== "");
        return current.join("");
      }),
    ];
  });

describe("reverting changes", () => {
  it("restores the exact text over several changes when nobody else edited the file", () => {
    fc.assert(
      fc.property(arbitraryTexts, (texts) => {
        const changes = texts
          .slice(1)
          .map((after, index) => ({ before: texts[index] ?? "", after }));
        const current = texts.at(-1) ?? "";
        const result = restoration(changes, current);
        if (result.kind === "nothing") assert.equal(current, texts[0]);
        else
          assert.deepEqual(
            [result.kind, result.kind === "possible" && result.text],
            ["possible", texts[0]],
          );
      }),
    );
  });

  it("keeps the user's edits elsewhere exactly", () => {
    const block = fc
      .array(fc.constantFrom("x\n", "y\n", "\n"), { maxLength: 3 })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(block, block, block, block, (graftOld, graftNew, userOld, userNew) => {
        const file = (graft: string, user: string) =>
          `head\n${graft}middle 1\nmiddle 2\nmiddle 3\n${user}tail\n`;
        const result = restoration(
          [{ before: file(graftOld, userOld), after: file(graftNew, userOld) }],
          file(graftNew, userNew),
        );
        const wanted = file(graftOld, userNew);
        if (result.kind === "nothing") assert.equal(wanted, file(graftNew, userNew));
        else assert.equal(result.kind === "possible" && result.text, wanted);
      }),
    );
  });

  it("never loses a line of the user's", () => {
    fc.assert(
      fc.property(arbitraryTexts, fc.nat(14), (texts, at) => {
        const changes = texts
          .slice(1)
          .map((after, index) => ({ before: texts[index] ?? "", after }));
        const current = (texts.at(-1) ?? "").split(/(?<=\n)/);
        const mine = current.toSpliced(at % (current.length + 1), 0, "mine\n").join("");
        const result = restoration(changes, mine);
        if (result.kind === "possible") assert.ok(result.text?.includes("mine\n"));
      }),
    );
  });

  it("counts the changed places, and tells whether the user's edits stay", () => {
    assert.deepEqual(restoration([CHANGE], CHANGED), {
      kind: "possible",
      text: ORIGINAL,
      changes: 2,
      keepsEdits: false,
    });
    const mine = CHANGED.replace("e\n", "e, mine\n");
    assert.deepEqual(restoration([CHANGE], mine), {
      kind: "possible",
      text: ORIGINAL.replace("e\n", "e, mine\n"),
      changes: 2,
      keepsEdits: true,
    });
  });

  it("does nothing when the user undid everything, and reverts the rest when they undid a part", () => {
    assert.deepEqual(restoration([CHANGE], ORIGINAL), { kind: "nothing" });
    const partly = CHANGED.replace("B\n", "b\n");
    assert.deepEqual(restoration([CHANGE], partly), {
      kind: "possible",
      text: ORIGINAL,
      changes: 1,
      keepsEdits: false,
    });
  });

  for (const [what, from, to, lines] of [
    ["the same line", "H\n", "H, mine\n", [{ start: 7, end: 8 }]],
    ["lines of the change and beyond", "H\nH2\ni\n", "mine\nmine too\n", [{ start: 7, end: 9 }]],
    ["a line taken out of the change", "H2\n", "", [{ start: 8, end: 8 }]],
    ["a line right below", "i\n", "i\nj\n", null],
    ["the line that adjoins", "c\n", "C\n", [{ start: 2, end: 3 }]],
  ] as const) {
    it(`${lines === null ? "works" : "is blocked"} where the user changed ${what}`, () => {
      const result = restoration([CHANGE], CHANGED.replace(from, to));
      if (lines === null) assert.equal(result.kind, "possible");
      else assert.deepEqual(result, { kind: "blocked", reason: { code: "lines-changed", lines } });
    });
  }

  it("names no lines where they have moved since the user changed them", () => {
    const mine = CHANGED.replace("H\n", "H, mine\n");
    const later = `new 1\nnew 2\n${mine}`;
    const result = restoration([CHANGE, { before: mine, after: later }], later);
    assert.deepEqual(result, { kind: "blocked", reason: { code: "lines-changed", lines: [] } });
  });

  it("keeps line ends, and the last line as it ends", () => {
    const crlf = (text: string) => text.replaceAll("\n", "\r\n").trimEnd();
    const result = restoration(
      [{ before: crlf(ORIGINAL), after: crlf(CHANGED) }],
      crlf(CHANGED.replace("e\n", "e, mine\n")),
    );
    assert.equal(
      result.kind === "possible" && result.text,
      crlf(ORIGINAL.replace("e\n", "e, mine\n")),
    );
  });

  describe("of a file that Graft created", () => {
    const made: TextChange = { before: null, after: "one\n" };

    it("deletes it", () => {
      assert.deepEqual(restoration([made], "one\n"), {
        kind: "possible",
        text: null,
        changes: 1,
        keepsEdits: false,
      });
      assert.equal(
        restoration([made, { before: "one\n", after: "two\n" }], "two\n").kind,
        "possible",
      );
    });

    it("leaves it when the user changed it", () => {
      const reason = { code: "created-and-edited" };
      assert.deepEqual(restoration([made], "one, mine\n"), { kind: "blocked", reason });
    });

    it("has nothing to do when it is gone", () =>
      assert.deepEqual(restoration([made], null), { kind: "nothing" }));
  });

  it("does not bring back a file that the user deleted", () => {
    assert.deepEqual(restoration([CHANGE], null), { kind: "blocked", reason: { code: "deleted" } });
  });

  describe("after a restore", () => {
    const restored: TextChange = { before: CHANGED, after: ORIGINAL };

    it("has nothing to do a second time, also with later edits of the user's", () => {
      assert.deepEqual(restoration([CHANGE, restored], ORIGINAL), { kind: "nothing" });
      assert.deepEqual(restoration([CHANGE, restored], ORIGINAL.replace("b\n", "b, mine\n")), {
        kind: "nothing",
      });
    });

    it("restores again when the restore was undone", () => {
      const result = restoration([CHANGE, restored], CHANGED);
      assert.equal(result.kind === "possible" && result.text, ORIGINAL);
    });

    it("restores again when the restore was undone and the user typed on", () => {
      const undone: TextChange = { before: ORIGINAL, after: CHANGED };
      const result = restoration([CHANGE, restored, undone], CHANGED.replace("e\n", "e, mine\n"));
      assert.equal(result.kind === "possible" && result.text, ORIGINAL.replace("e\n", "e, mine\n"));
    });

    it("can itself be reverted, which makes the changes again", () => {
      const result = restoration([restored], ORIGINAL.replace("e\n", "e, mine\n"));
      assert.equal(result.kind === "possible" && result.text, CHANGED.replace("e\n", "e, mine\n"));
    });
  });
});
