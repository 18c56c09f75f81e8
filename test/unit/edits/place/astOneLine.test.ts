import assert from "node:assert/strict";
import { applyTo, editBlock } from "../../../fakes/turns/applyTo.ts";

/** Several elements on one line: an operation on one of them, and the file after it. */
const CASES: readonly (readonly [
  path: string,
  text: string,
  address: string,
  body: string,
  after: string,
])[] = [
  // `#`, `--` and `//` behind an element begin a comment in some languages, and code in others.
  ["a.css", ".a { x: y } #b { x: y }\n", ".a:remove", "", "#b { x: y }\n"],
  [
    "a.css",
    ".a { x: y } #b { x: y }\n",
    ".a:after",
    ".c { x: y }",
    ".a { x: y } .c { x: y } #b { x: y }\n",
  ],
  ["a.css", ":root { --a: 1; --b: 2 }\n", "--a:remove", "", ":root { --b: 2 }\n"],
  ["a.ts", "class A { x = 1; #y = 2; }\n", "A-x:remove", "", "class A { #y = 2; }\n"],
  [
    "a.ts",
    "class A { x = 1; #y = 2; }\n",
    "A-x:after",
    "z = 3;",
    "class A { x = 1; z = 3; #y = 2; }\n",
  ],
  ["a.ts", "class A { #x = 1; }\n", "A:prepend", "y = 2;", "class A {\n  y = 2;\n  #x = 1; }\n"],
  ["a.js", "let x = 1; --x;\n", "x:remove", "", "--x;\n"],
  ["a.rs", "fn a() {} #[test] fn b() {}\n", "a:remove", "", "#[test] fn b() {}\n"],
  [
    "a.php",
    "<?php enum A { case X; #[B] case Y; }\n",
    "A-X:remove",
    "",
    "<?php enum A { #[B] case Y; }\n",
  ],
  // Where it is a comment, it belongs to the line.
  ["a.py", "x = 1  # one\ny = 2\n", "x:remove", "", "y = 2\n"],
  ["a.py", "x = 1  # one\ny = 2\n", "x:after", "z = 3", "x = 1  # one\nz = 3\ny = 2\n"],
  ["a.lua", "x = 1 -- one\ny = 2\n", "x:remove", "", "y = 2\n"],
  [
    "a.ts",
    "let x = 1; /* a */ // b\nlet y;\n",
    "x:after",
    "let z;",
    "let x = 1; /* a */ // b\nlet z;\nlet y;\n",
  ],
  // A comment that goes on below is no end of a line.
  [
    "a.ts",
    "let x = 1; /* a\nb */\nlet y;\n",
    "x:after",
    "let z;",
    "let x = 1; let z; /* a\nb */\nlet y;\n",
  ],
  // A line comment at a body's end swallows nothing.
  [
    "a.ts",
    "let x = 1; let y = 2;\n",
    "y:before",
    "let z; // z",
    "let x = 1; let z; // z\nlet y = 2;\n",
  ],
  [
    "a.ts",
    "let x = 1; let y = 2;\n",
    "x:after",
    "let z; // z",
    "let x = 1; let z; // z\nlet y = 2;\n",
  ],
  [
    "a.ts",
    "let x = 1; let y = 2;\n",
    "x",
    "let x = 3; // three",
    "let x = 3; // three\nlet y = 2;\n",
  ],
  [
    "a.ts",
    "enum E {\n  A,\n  B,\n}\n",
    "A",
    "A = 1 // one",
    "enum E {\n  A = 1, // one\n  B,\n}\n",
  ],
  [
    "a.ts",
    "enum E {\n  A,\n  B,\n}\n",
    "A",
    "A = 1, // it's one",
    "enum E {\n  A = 1, // it's one\n  B,\n}\n",
  ],
  [
    "a.py",
    "class A:\n    x = 1; y = 2\n",
    "A-x",
    "x = 3;  # three",
    "class A:\n    x = 3;  # three\n    y = 2\n",
  ],
  [
    "a.css",
    "a { x: y } b { x: y }\n",
    "b:before",
    "#c { x: y }",
    "a { x: y } #c { x: y }\nb { x: y }\n",
  ],
  [
    "a.yml",
    "a:\n  - b: 1\n    c: 2\n",
    "b:before",
    "d:\n  e: 3",
    "a:\n  - d:\n      e: 3\n    b: 1\n    c: 2\n",
  ],
  ["a.yml", "a:\n  - b: 1\n    c: 2\n", "b:before", "# d", "a:\n  - # d\n    b: 1\n    c: 2\n"],
];

/** Blocks that a comma between members would make valid, and those that must not get one. */
const COMMAS: readonly (readonly [
  path: string,
  text: string,
  address: string,
  body: string,
  after: string,
])[] = [
  [
    "a.json",
    '{\n  "a": 1,\n  "b": 2\n}\n',
    "a:after",
    '"c": 3',
    '{\n  "a": 1,\n  "c": 3,\n  "b": 2\n}\n',
  ],
  [
    "a.json",
    '{\n  "a": 1,\n  "b": 2\n}\n',
    "b:after",
    '"c": 3',
    '{\n  "a": 1,\n  "b": 2,\n  "c": 3\n}\n',
  ],
  // In a file that holds an error elsewhere, as C with macros often does.
  [
    "a.c",
    "struct S {\n  int *a, *b;\n};\nint f( { }\n",
    "S-b:remove",
    "",
    "struct S {\n  int *a;\n};\nint f( { }\n",
  ],
  [
    "a.ts",
    "enum E {\n  A,\n  B\n}\nlet x = ;\n",
    "E:append",
    "C",
    "enum E {\n  A,\n  B,\n  C\n}\nlet x = ;\n",
  ],
  // `return a, x()` would be another program.
  [
    "a.lua",
    "function f(a)\n  return a\nend\n",
    "f:append",
    "x()",
    "function f(a)\n  return a\n  x()\nend\n",
  ],
  ["a.lua", "return 1\n", "@file:append", "x()", "return 1\nx()\n"],
];

/**
 * Properties among the parameters of a constructor or a record: a list, what is done in it, and the
 * list after it.
 */
const LISTS: readonly (readonly [
  path: string,
  before: string,
  list: string,
  behind: string,
  members: readonly string[],
  added: string,
])[] = [
  [
    "a.ts",
    "class A {\n  constructor(",
    "private a: X, @In() readonly b = 1, protected c?: Y",
    ") {}\n}\n",
    ["a", "b", "c"],
    "private z: Z",
  ],
  [
    "a.php",
    "<?php\nclass A {\n  function __construct(",
    "private int $a, #[In] public ?B $b = null",
    ") {}\n}\n",
    ["$a", "b"],
    "private $z",
  ],
  ["a.cs", "record A(", "int X, [In] string Y", ");\n", ["X", "Y"], "int Z"],
  ["a.java", "record A(", "int x, @In int y", ") {}\n", ["x", "y"], "int z"],
  ["a.kt", "class A(", "val a: Int, @In var b: Int", ")\n", ["a", "b"], "val z: Int"],
];

describe("AST mode, a property among parameters", () => {
  for (const [path, before, list, behind, members, added] of LISTS) {
    const own = list.split(", ");
    for (const [index, member] of members.entries()) {
      const changes: readonly (readonly [op: string, parts: readonly string[]])[] = [
        ["", own.with(index, added)],
        [":remove", own.toSpliced(index, 1)],
        [":before", own.toSpliced(index, 0, added)],
        [":after", own.toSpliced(index + 1, 0, added)],
      ];
      for (const [op, parts] of changes) {
        for (const lines of [false, true]) {
          it(`${path}: A-${member}${op}${lines ? ", each on a line" : ""}`, async () => {
            const file = (all: readonly string[]) =>
              before + (lines ? `\n    ${all.join(",\n    ")}\n` : all.join(", ")) + behind;
            const block = editBlock(`ast-path:A-${member}${op}`, op === ":remove" ? "" : added);
            const { text, report } = await applyTo(path, file(own), block);
            // A comma may stay behind the last one, where the language allows it.
            assert.equal(text.replace(/,(?=\s*\))/, ""), file(parts), report);
            if (/cs|java$/.test(path)) assert.doesNotMatch(text, /,\s*\)/);
          });
        }
      }
    }
  }
});

describe("AST mode, beside other code on one line", () => {
  for (const [path, text, address, body, after] of CASES) {
    it(`${path}: ${address} in ${JSON.stringify(text)}`, async () => {
      const message = await applyTo(path, text, editBlock(`ast-path:${address}`, body));
      assert.equal(message.text, after, message.report);
    });
  }
});

describe("AST mode, commas between members", () => {
  for (const [path, text, address, body, after] of COMMAS) {
    it(`${path}: ${address} in ${JSON.stringify(text)}`, async () => {
      const message = await applyTo(path, text, editBlock(`ast-path:${address}`, body));
      assert.equal(message.text, after, message.report);
    });
  }
});
