import assert from "node:assert/strict";
import fc from "fast-check";
import { type HunkDetail, hunkDetails } from "../../../../src/edits/review/hunkDetails.ts";
import { lineDiff } from "../../../../src/edits/text/lineDiff.ts";

function detailsOf(realText: string, proposedText: string): HunkDetail[] {
  const hunks = lineDiff(realText, proposedText).map(({ beforeLines, afterLines }, index) => ({
    ...{
      id: `${index}`,
      real: beforeLines,
      proposed: afterLines,
      blockIds: [],
      warnings: [],
      conflict: false,
    },
  }));
  return [...hunkDetails({ realText, proposedText, hunks: () => hunks }).values()];
}

/** The kinds of the hunks; `?` after one that a diff may hide. */
const kindsOf = (real: string, proposed: string) =>
  detailsOf(real, proposed).map(({ kind, maybeHidden }) => kind + (maybeHidden ? "?" : ""));

describe("the details of a hunk", () => {
  const cases: readonly (readonly [
    what: string,
    real: string,
    proposed: string,
    kinds: readonly string[],
  ])[] = [
    ["a changed line is shown by every diff", "a\nb\n", "a\nB\n", ["lines"]],
    ["whitespace at line ends may be hidden", "a  \nb\n", "a\nb\n", ["whitespace?"]],
    ["so may indentation", "a\n  b\n", "a\n\tb\n", ["whitespace?"]],
    ["a changed line beside it shows the hunk", "a\n  b\n", "A\n\tb\n", ["lines"]],
    [
      "lines that also stand elsewhere may be hidden",
      "if\n  }\n}\nend\n",
      "if\n}\nend\n",
      ["lines?"],
    ],
    ["so may a moved line", "one\na\nb\n", "a\nb\none\n", ["lines?", "lines?"]],
    ["so may a blank line", "a\nb\n\nc\n", "a\n\nb\n\nc\n", ["lines?"]],
    ["the final newline has no line of its own", "a\nb", "a\nb\n", ["final-newline?"]],
    ["it is a change among others", "a\nb\n", "a\nB", ["lines"]],
  ];
  for (const [what, real, proposed, kinds] of cases)
    it(what, () => assert.deepEqual(kindsOf(real, proposed), kinds));

  it("say how the whitespace around each line changes, on both sides", () => {
    const [detail] = detailsOf("x\n  a \n\tb\n\n", "x\nnew\n    a\n\tb  \n\n");
    assert.deepEqual(detail?.whitespace, [
      {
        real: 1,
        proposed: 2,
        leading: { before: "  ", after: "    " },
        trailing: { before: " ", after: "" },
      },
      { real: 2, proposed: 3, leading: null, trailing: { before: "", after: "  " } },
    ]);
    assert.deepEqual(detailsOf("a\n  \nb\n", "a\n\nb\n")[0]?.whitespace[0]?.trailing, {
      before: "  ",
      after: "",
    });
  });

  it("tell an added final newline from a removed one, but not from a line after it", () => {
    assert.equal(detailsOf("a\nb", "a\nb\n")[0]?.finalNewline, "added");
    assert.equal(detailsOf("a\nb\n", "a\nb")[0]?.finalNewline, "removed");
    assert.equal(detailsOf("a\nb", "a\nb\nc")[0]?.finalNewline, null);
  });

  it("count a hunk as shown only where no diff can pair all its lines", () => {
    const line = fc.constantFrom("a", " a", "b", "  b", "}", " }", "");
    const file = fc
      .array(line, { maxLength: 12 })
      .map((lines) => lines.map((one) => `${one}\n`).join(""));
    const trimmed = (text: string) => new Set(text.split("\n").map((one) => one.trim()));
    fc.assert(
      fc.property(file, file, (real, proposed) => {
        const hasAll = (some: ReadonlySet<string>, all: ReadonlySet<string>) =>
          [...some].every((one) => all.has(one));
        const [before, after] = [trimmed(real), trimmed(proposed)];
        const anyShown = detailsOf(real, proposed).some(({ maybeHidden }) => !maybeHidden);
        assert.equal(anyShown, !(hasAll(before, after) && hasAll(after, before)));
      }),
    );
  });
});
