import assert from "node:assert/strict";
import { applyTo, editBlock } from "../../../fakes/turns/applyTo.ts";

const TEXT =
  "class Shape {\n  area() {\n    return 1;\n  }\n\n  name() {\n    return 'x';\n  }\n}\n";
const TABS = "class Shape {\n\tarea() {\n\t\tif (a) {\n\t\t\tgo();\n\t\t}\n\t}\n}\n// a\n  // b\n";
const MIXED = "void f() {\n\tgo();\n\tstop();\n  wait();\n}\n\n";
const PYTHON = "def area(a):\n    if a:\n        return 1\n\n\ndef name():\n    pass\n";

describe("white space that may be a slip", () => {
  const cases: readonly (readonly [
    does: string,
    path: string,
    text: string,
    address: string,
    body: string,
    warns: boolean,
  ])[] = [
    [
      "warns of a blank at the end of one line in a file that has some",
      "a.ts",
      `${TEXT}// \n`,
      "3:3",
      "    return 2; ",
      true,
    ],
    [
      "says nothing of it among other lines",
      "a.ts",
      `${TEXT}// \n`,
      "ast-path:Shape-area",
      "area() {\n  return 2; \n}",
      false,
    ],
    [
      "says nothing of a change of white space alone",
      "a.ts",
      TEXT,
      "2:4",
      "\tarea() {\n\t\treturn 1;\n\t}",
      false,
    ],
    [
      "says nothing of a blank that the file has",
      "a.ts",
      TEXT.replace("1;", "1; "),
      "3:3",
      "    return 1; \n    stop();",
      false,
    ],
    [
      "says nothing of a line of blanks",
      "a.ts",
      TEXT,
      "3:3",
      "    stop();\n    \n    return 2;",
      false,
    ],
    [
      "warns of one blank at the end of one line of Markdown",
      "a.md",
      "# A\n\none\n",
      "3:3",
      "two ",
      true,
    ],
    [
      "says nothing of a line break in Markdown",
      "a.md",
      "# A\n\none\n",
      "3:3",
      "one  \ntwo",
      false,
    ],
    [
      "warns of spaces where the replaced lines have tabs",
      "a.ts",
      TABS,
      "ast-path:Shape-area",
      "area() {\n    if (b) go();\n}",
      true,
    ],
    [
      "warns of an insertion at the margin",
      "a.py",
      "def f():\n    go()\n    stop()\n",
      "2:2:after",
      "return 2",
      true,
    ],
    [
      "warns before the end of a block",
      "a.ts",
      "function f() {\n  go();\n}\n",
      "2:2:after",
      "stop();",
      true,
    ],
    ["warns of a replacement at the margin", "a.py", PYTHON, "3:3", "return 2", true],
    [
      "says nothing of lines that go on nearer to the margin",
      "a.ts",
      TEXT,
      "3:3",
      "    return 2;\n  }\n}\nclass B {\n  b() {",
      false,
    ],
    ["warns of a first line nearer to the margin", "a.ts", TEXT, "3:3", "  size() {", true],
    [
      "warns of an end of a block that is not as deep as the next one",
      "a.html",
      "<ul>\n  <li>\n    a\n</ul>\n",
      "3:3:after",
      "</li>",
      true,
    ],
    [
      "warns of spaces in lines that the file has with tabs",
      "a.c",
      MIXED,
      "6:6:after",
      "void g() {\n    go();\n    stop();\n}",
      true,
    ],
    [
      "says nothing of a label",
      "a.c",
      "{\n  case 1:\n    go();\n    stop();\n}\n",
      '3:3:after "go"',
      "  case 2:",
      false,
    ],
    [
      "warns of a label that lost all indent",
      "a.c",
      "{\n  case 1:\n    go();\n    stop();\n}\n",
      '3:3:after "go"',
      "case 2:",
      true,
    ],
    [
      "says nothing of an end of an outer block",
      "a.c",
      "{\n  {\n    go();\n  }\n}\n",
      '3:3 "go"',
      "  }\n  {",
      false,
    ],
    [
      "warns of an end of a block that lost all indent",
      "a.c",
      "{\n  {\n    go();\n  }\n}\n",
      '3:3 "go"',
      "}\n{",
      true,
    ],
    [
      "says nothing of a label there",
      "a.c",
      "void f() {\n  go();\n}\n",
      '1:1:after "void"',
      "again:",
      false,
    ],
    [
      "says nothing of a comment without its stars",
      "a.ts",
      "/**\n * a\n */\n",
      '2:2 "* a"',
      "b",
      false,
    ],
    [
      "says nothing of spaces beside a tab in a string of Python",
      "a.py",
      'a = """\n\tb\n    c\n"""\n',
      '2:2 "b"',
      "    b",
      false,
    ],
    [
      "says nothing at the file's end",
      "a.py",
      PYTHON,
      "7:7:after",
      "\n\ndef last():\n    pass",
      false,
    ],
    [
      "says nothing of a directive",
      "a.c",
      "int f() {\n  go();\n  stop();\n}\n",
      "2:2:after",
      "#if A\n  wait();\n#endif",
      false,
    ],
    [
      "says nothing of a body that begins with the end of a block",
      "a.ts",
      "function f() {\n  go();\n}\n",
      "2:2:after",
      "}\nfunction g() {",
      false,
    ],
  ];
  for (const [does, path, text, address, body, warns] of cases) {
    it(does, async () => {
      const { blocks } = await applyTo(path, text, editBlock(address, body));
      assert.deepEqual(blocks[0], {
        ...blocks[0],
        status: "applied",
        ...(warns && { code: "whitespace" }),
      });
      assert.equal(blocks[0]?.code !== undefined, warns);
    });
  }

  it("is fixed, not warned of, where there is one reading", async () => {
    const { text, blocks } = await applyTo(
      "a.ts",
      "{\n    one();\n    two();\n}\n",
      editBlock("2:2:after", "stop();\ngo();"),
    );
    assert.equal(text, "{\n    one();\n    stop();\n    go();\n    two();\n}\n");
    assert.deepEqual(
      [blocks[0]?.code, blocks[0]?.adjustments],
      [undefined, [{ code: "repaired", slips: ["shifted"] }]],
    );
  });
});
