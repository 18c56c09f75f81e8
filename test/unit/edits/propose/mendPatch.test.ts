import assert from "node:assert/strict";
import fc from "fast-check";
import { locatePatches } from "../../../../src/edits/propose/locatePatches.ts";
import { applyEdits } from "../../../../src/edits/text/changeSet.ts";

const FILE =
  "class A {\n  f(a-b) {\n    if (a) {\n      g();\n    }\n  }\n\n  h() {\n    k();\n  }\n}\n";
const TABS = FILE.replaceAll("  ", "\t");
const SEARCH = "  f(a-b) {\n    if (a) {\n      g();\n    }\n";
const REPLACE = "  f(a-b, c) {\n    if (a) {\n      if (c) {\n        g(c);\n      }\n    }\n";

const dedented = (text: string) => text.replaceAll(/^ {2}/gm, "");
const indented = (text: string) => text.replaceAll(/^(?=.)/gm, "    ");
const tabbed = (text: string) => text.replaceAll("  ", "\t");
const blanks = (text: string) => text.replaceAll(/(?<=.)$/gm, " ");

/** The file after the patch, or why there is no place; and what was corrected. */
function patched(
  file: string,
  search: string,
  replace: string,
  path = "a.ts",
): readonly [string, readonly string[]] {
  const found = locatePatches(file, [{ search, replace }], path);
  return found.ok
    ? [applyEdits(found.value, file), found.value.flatMap(({ slips }) => slips)]
    : [found.error.code, []];
}

describe("a search text with slips in white space", () => {
  const expected = FILE.replace(SEARCH, REPLACE);

  for (const [what, damage, file, result, slips] of [
    ["nothing", (text: string) => text, FILE, expected, []],
    ["blanks at line ends", blanks, FILE, expected, ["trailing-blanks"]],
    ["all lines too far to the left", dedented, FILE, expected, ["shifted"]],
    ["all lines too far to the right", indented, FILE, expected, ["shifted"]],
    ["tabs for spaces", tabbed, FILE, expected, ["indentation"]],
    ["spaces for tabs", (text: string) => text, TABS, tabbed(expected), ["indentation"]],
    [
      "blanks, in a shifted text",
      (text: string) => blanks(dedented(text)),
      FILE,
      expected,
      ["trailing-blanks", "shifted"],
    ],
    [
      "blanks, in a file with other line breaks",
      blanks,
      FILE.replaceAll("\n", "\r\n"),
      expected.replaceAll("\n", "\r\n"),
      ["trailing-blanks"],
    ],
  ] as const) {
    it(`is found and corrected: ${what}`, () => {
      assert.deepEqual(patched(file, damage(SEARCH), damage(REPLACE)), [result, slips]);
    });
  }

  for (const [what, file, search, replace, path] of [
    ["that fits two places", `${FILE}${FILE}`, dedented(SEARCH), dedented(REPLACE)],
    ["whose lines are shifted apart", FILE, "f(a-b) {\n  if (a) {\n    g();\n }\n", "x"],
    ["whose replacement stands further left", FILE, indented(SEARCH), dedented(REPLACE)],
    ["that ends in blanks where code follows", "call(a, b);\n", "call(a, ", "x"].map((text) =>
      text.replace("(a, b)", "(a,b)"),
    ),
    ["with blanks where they mean something", "one\ntwo\n", "one  \ntwo\n", "one  \n2\n", "a.md"],
    ["of blanks only", FILE, "   \n   \n", "x"],
    ["with other blanks inside a line", FILE, "if(a) {", "if (b) {"],
  ] as const) {
    it(`is refused ${what}`, () => {
      assert.match(
        patched(file ?? "", search ?? "", replace ?? "", path)[0],
        /^(not-found|ambiguous)$/,
      );
    });
  }

  it("never changes anything but what the undamaged text would, in any file", () => {
    const line = fc
      .tuple(fc.integer({ min: 0, max: 3 }), fc.constantFrom("a();", "b {", "}", "", "c-d", "e"))
      .map(([depth, text]) => (text === "" ? "" : `${"  ".repeat(depth)}${text}`));
    const lines = fc.array(line, { minLength: 1, maxLength: 12 });
    const damage = fc.constantFrom(dedented, indented, tabbed, blanks);
    fc.assert(
      fc.property(
        lines,
        fc.nat(11),
        fc.integer({ min: 1, max: 4 }),
        fc.array(line, { maxLength: 3 }),
        damage,
        (file, from, count, body, slip) => {
          const text = file.map((one) => `${one}\n`).join("");
          const search = file
            .slice(from, from + count)
            .map((one) => `${one}\n`)
            .join("");
          const replace = body.map((one) => `${one}\n`).join("");
          if (search.trim() === "" || text.split(search).length !== 2 || search === replace) return;
          const right = text.replace(search, () => replace);
          const damaged = locatePatches(
            text,
            [{ search: slip(search), replace: slip(replace) }],
            "a.ts",
          );
          if (!damaged.ok || damaged.value.every(({ slips }) => slips.length === 0)) return;
          const result = applyEdits(damaged.value, text);
          // A replacement that the damage itself cannot be told from, as one without any indent, is
          // left out.
          if (
            slip === dedented &&
            `${search}${replace}`.split("\n").some((one) => one !== "" && !one.startsWith("  "))
          )
            return;
          if (slip === tabbed && !/\n\t|^\t/.test(slip(search))) return;
          assert.equal(result, right);
        },
      ),
      { numRuns: 2000 },
    );
  });
});
