import assert from "node:assert/strict";
import { addedPythonErrors, pythonErrors } from "../../../../src/edits/check/pythonLines.ts";
import { applyTo, codes, editBlock } from "../../../fakes/turns/applyTo.ts";

const SOUND: readonly (readonly [what: string, text: string])[] = [
  ["brackets over several lines", "a = [\n1,\n  2,\n]\nb = 1\n"],
  ["words and strings right after a string", "a = 'b'if c else'd'\ne = 'f''g'b'h'\n"],
  ["quotes in a formatted string", 'a = f"{b["c"]}"\n'],
  ["brackets in strings and comments", "a = ')'  # ]\nb = '(' + \"[\"\n"],
  ["strings over several lines", 'def f():\n    """One.\n\nTwo:\n    """\n    return 1\n'],
  ["a string that a backslash carries on", "a = 'b\\\n  c'\nd = 1\n"],
  ["a line that a backslash carries on", "if a and \\\nb:\n    c()\n"],
  ["comments at any indent", "def f():\n# a\n    b()\n        # c\n    d()\n"],
  ["blocks on one line", "if a: b()\nelse: c()\nclass D: pass\ne()\n"],
  [
    "every branch",
    "try:\n    a()\nexcept B:\n    c()\nelse:\n    d()\nfinally:\n    e()\nfor f in g:\n    h()\nelse:\n    i()\n",
  ],
  ["tabs", "def f():\n\tif a:\n\t\tb()\n\tc()\n"],
  ["a colon at the end of a comment or a string", "a()  # b:\nc = ':'\nd()\n"],
  ["line breaks of Windows", "if a:\r\n    b()\r\nc()\r\n"],
  ["a form feed", "a()\n\f\ndef b():\n    c()\n"],
];
const BROKEN: readonly (readonly [what: string, text: string, lines: readonly number[]])[] = [
  ["an indent that nothing opens", "a()\n    b()\nc()\n", [1]],
  ["a block without lines", "def f():\n\ndef g():\n    a()\n", [2]],
  ["a block without lines at the end", "def f():\n", [0]],
  ["an indent between two others", "if a:\n        b()\n    c()\n", [2]],
  ["a branch without its beginning", "a()\nexcept B:\n    c()\n", [1]],
  ["`elif` after `else`", "if a:\n    b()\nelse:\n    c()\nelif d:\n    e()\n", [4]],
  ["`try` alone", "def f():\n    try:\n        a()\n    b()\n", [3]],
  ["`try` alone at the end of its block", "def f():\n    try:\n        a()\nb()\n", [3]],
  ["an open bracket that a statement ends", "a = (1,\ndef f():\n    pass\n", [1]],
  ["an open bracket at the end", "a = (1,\n", [0]],
  ["a bracket that nothing opens", "a = 1)\nb = 2\n", [0]],
  ["an open string at the end", 'def f():\n    """a\n    return 1\n', [1]],
  ["a word right after a string", 'a = """b"""c\n', [0]],
  ["a tab that stands for eight spaces", "if a:\n        b()\n\tc()\n", [2]],
];

describe("the lines of Python", () => {
  for (const [what, text] of SOUND)
    it(`allow ${what}`, () => assert.deepEqual(pythonErrors(text), []));
  for (const [what, text, lines] of BROKEN)
    it(`do not allow ${what}`, () => assert.deepEqual(pythonErrors(text), lines));

  it("end for any text", () => {
    for (const text of ["", "\n", '"""', "(", "\\", "'\\", "\t \f\n:", "else", ")]}\n  a:"])
      pythonErrors(text);
  });

  it("name the block that breaks them, and all where none can be told", () => {
    const ranges = new Map([
      ["a", { start: 0, end: 4 }],
      ["b", { start: 4, end: 8 }],
    ]);
    assert.deepEqual([...addedPythonErrors("a()\nb()\nc()\n", "a()\nb()\n  c()\n", ranges)], ["b"]);
    assert.deepEqual(
      [...addedPythonErrors("a()\nb()\nc()\nd()\n", "a()\nb()\nc()\n  d()\n", ranges)],
      ["a", "b"],
    );
  });
});

describe("a block in Python", () => {
  const TEXT = "def a():\n    if b:\n        c()\n    return d\n";
  const cases: readonly (readonly [
    does: string,
    address: string,
    body: string,
    codes: readonly (string | undefined)[],
  ])[] = [
    ["is flagged where it leaves lines without their block", "2:2", "    b()", ["syntax"]],
    ["is flagged where it leaves a block without lines", "3:3:remove", "", ["syntax"]],
    ["is flagged where it takes the end of a `try`", "2:3", "    try:\n        c()", ["syntax"]],
    ["says nothing of a sound change", "2:3", "    for b in c:\n        d()", [undefined]],
  ];
  for (const [does, address, body, expected] of cases) {
    it(does, async () =>
      assert.deepEqual(codes(await applyTo("a.py", TEXT, editBlock(address, body))), expected),
    );
  }

  it("is not flagged in a file that is as broken as before", async () => {
    const result = await applyTo(
      "a.py",
      `${TEXT}        e()\n`,
      editBlock('3:3 "c()"', "        f()"),
    );
    assert.deepEqual(codes(result), [undefined]);
  });
});
