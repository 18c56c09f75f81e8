import assert from "node:assert/strict";
import { applyTo, editBlock } from "../../../fakes/turns/applyTo.ts";

const TS = "class A {\n  one() {\n    a();\n    b();\n  }\n}\n";
const TABS = TS.replaceAll("  ", "\t");
const CPP = "class A {\n public:\n  void a();\n};\n";
const PY = "def f():\n    if x:\n        a()\n        b()\n";

/** What the body makes of a part of the file, and the slips that are undone. */
type Row = readonly [
  does: string,
  before: string,
  address: string,
  body: string,
  from: string,
  to: string,
  slip?: string,
  file?: string,
];

const ROWS: readonly Row[] = [
  ["drops blanks at line ends", TS, "3:4", "    a(); \n    c(); ", "b", "c", "trailing-blanks"],
  [
    "drops them in an element",
    TS,
    "ast-path:A-one",
    "  one() { \n    a(); \n  } ",
    "  b();\n  ",
    "",
    "trailing-blanks",
  ],
  [
    "drops those of copied lines alone",
    `${TS}// \n`,
    "3:4",
    "    a(); \n    c(); \n    b();",
    "    b",
    "    c(); \n    b",
    "trailing-blanks",
  ],
  [
    "drops them where each line has some and the file none",
    TS,
    "3:3",
    "    x(1); \n    y(); ",
    " a",
    " x(1);\n    y",
    "trailing-blanks",
  ],
  ["drops those of one new line", TS, "3:3", "    x(1); ", "a();", "x(1);", "trailing-blanks"],
  ["keeps a change of them alone", TS, "3:3", "    a(); ", "a();", "a(); "],
  [
    "drops new ones of each line in a file that has some",
    `${TS}// \n`,
    "3:3",
    "    x(1); \n    y(); ",
    "a();",
    "x(1);\n    y();",
    "trailing-blanks",
  ],
  ["keeps a new one in a file that has some", `${TS}// \n`, "3:3", "    x(1); ", "a();", "x(1); "],
  [
    "writes tabs by the indent of the old line",
    TABS,
    "3:3",
    "        x(1);",
    "a(",
    "x(1",
    "indentation",
  ],
  [
    "writes tabs by the lines around an insertion",
    TABS,
    "3:3:after",
    "        x(1);",
    "\t\tb",
    "\t\tx(1);\n\t\tb",
    "indentation",
  ],
  ["brings in a line at the margin", TS, "3:3", "x(1);", "a(", "x(1", "shifted"],
  [
    "brings in an insertion at the margin",
    TS,
    "3:3:after",
    "x(1);",
    "    b",
    "    x(1);\n    b",
    "shifted",
  ],
  [
    "keeps a change of the indent beside a new blank line",
    TS,
    "3:3",
    "  a();\n",
    "  a();",
    "a();\n",
  ],
  ["keeps a directive at the margin", TS, "3:3", "#if X\nx(1);", "    a(", "#if X\nx(1"],
  ["keeps them in Markdown", "a\nb\n", "1:1", "a  \nb  ", "a", "a  \nb  ", "", "a.md"],
  [
    "drops one alone there, which means nothing",
    "a\nb\n",
    "1:1",
    "c \nd ",
    "a",
    "c\nd",
    "trailing-blanks",
    "a.md",
  ],
  ["keeps that of some lines there", "a\nb\n", "1:1", "c \nd", "a", "c \nd", "", "a.md"],
  [
    "drops those of each line, also of one that the file has with them elsewhere",
    `${TS}} \n`,
    "3:3",
    "    if (x) { \n      y(); \n    } ",
    "    a();",
    "    if (x) {\n      y();\n    }",
    "trailing-blanks",
  ],
  [
    "keeps the indent where the old lines begin deeper than they end",
    "{\n  {\n    a();\n  }\n  b();\n}\n",
    "3:5",
    "c();",
    "    a();\n  }\n  b();",
    "c();",
  ],
  ["writes tabs for spaces", TABS, "3:4", "    a();\n    c();", "b", "c", "indentation"],
  ["writes spaces for tabs", TS, "2:4", "\tone() {\n\t\ta();\n\t\tc();", "b", "c", "indentation"],
  [
    "writes tabs for spaces in an element",
    `${TABS}class B {\n\tx;\n}\n`,
    "ast-path:A-one",
    "    one() {\n        a();\n        c();\n    }",
    "b",
    "c",
    "indentation",
  ],
  [
    "keeps spaces for all tabs of the file",
    TABS,
    "2:5",
    "  one() {\n    c();\n  }",
    "\tone() {\n\t\ta();\n\t\tb();\n\t}",
    "  one() {\n    c();\n  }",
  ],
  [
    "keeps the indent of a file that has both",
    `${TABS}  x\n`,
    "3:3",
    "    a(1);",
    "\t\ta(",
    "    a(1",
  ],
  ["shifts a block that lost its indent", TS, "3:4", "a();\nc();", "b", "c", "shifted"],
  [
    "shifts a block that is indented too far",
    TS,
    "3:4",
    "        a();\n        c();",
    "b",
    "c",
    "shifted",
  ],
  [
    "leaves a label where it is written",
    CPP,
    "2:3",
    "public:\n  void b();",
    " public:\n  void a",
    "public:\n  void b",
    "",
    "a.h",
  ],
  ["shifts lines of an element", TS, "ast-path:A-one:3:4", "a();\nc();", "b", "c", "shifted"],
  [
    "shifts a changed line by the word it begins with",
    TS.replace("a()", "abc(1)"),
    "3:3",
    "abc(2);",
    "1",
    "2",
    "shifted",
  ],
  ["keeps a change of nothing but the indent", TS, "3:4", "  a();\n  b();", "  a();\n  ", "a();\n"],
  [
    "keeps a change of nothing but the kind of indent",
    TS,
    "3:4",
    "\t\ta();\n\t\tb();",
    "    a();\n    ",
    "\t\ta();\n\t\t",
  ],
  [
    "keeps lines that are put into a new block",
    TS,
    "3:4",
    "    if (x) {\n      a();\n    }\n    b();",
    "a();",
    "if (x) {\n      a();\n    }",
  ],
  [
    "keeps the indent of Python",
    PY,
    "3:4",
    "    a()\n    c()",
    "    a()\n        b",
    "a()\n    c",
    "",
    "a.py",
  ],
  ["keeps a shift that no old line proves", TS, "3:3", "      x(1);", "    a();", "      x(1);"],
  [
    "keeps spaces for tabs where an old line contradicts their width",
    TABS,
    "3:3",
    "    if (x) {\n        a();\n    }",
    "\t\ta();",
    "    if (x) {\n        a();\n    }",
  ],
  [
    "keeps a shift that only some of the old lines prove",
    TS,
    "3:4",
    "        a();\n      b();\n      c();",
    "    a();\n    b();",
    "        a();\n      b();\n      c();",
  ],
  [
    "keeps spaces that no number of tabs stands for",
    TABS,
    "3:3",
    "        x(1);\n          y(1);",
    "\t\ta();",
    "        x(1);\n          y(1);",
  ],
  [
    "keeps spaces of a width that no tab has",
    TABS,
    "3:3",
    "      x(1);",
    "\t\ta();",
    "      x(1);",
  ],
];

describe("a body with slips", () => {
  for (const [does, before, address, body, from, to, slip = "", file = "a.ts"] of ROWS) {
    it(does, async () => {
      const result = await applyTo(file, before, editBlock(address, body));
      assert.equal(result.blocks[0]?.status, "applied");
      assert.equal(
        result.text,
        before.replace(from, () => to),
      );
      assert.deepEqual(
        result.blocks[0]?.adjustments,
        slip === "" ? undefined : [{ code: "repaired", slips: [slip] }],
      );
    });
  }

  it("keeps lines at the indent that an earlier block gave the line above", async () => {
    const result = await applyTo(
      "a.ts",
      TS,
      editBlock("3:3", "    if (x) {\n      a();") +
        editBlock("4:4", "      b();\n      c();") +
        editBlock("4:4:after", "    }"),
    );
    const inner = "    if (x) {\n      a();\n      b();\n      c();\n    }\n";
    assert.equal(result.text, TS.replace("    a();\n    b();\n", inner));
    assert.ok(result.blocks.every(({ adjustments }) => adjustments === undefined));
  });
});
