import assert from "node:assert/strict";
import { applyTo, editBlock } from "../../../fakes/turns/applyTo.ts";

const TS = "class A {\n  one() {\n    a();\n    b();\n  }\n}\n";
const TABS = TS.replaceAll("  ", "\t");
const PY = "def f():\n    if x:\n        a()\n        b()\n";

type Row = readonly [
  does: string,
  file: string,
  before: string,
  address: string,
  body: string,
  after: string,
  slips: readonly string[] | null,
];

const ROWS: readonly Row[] = [
  ["drops blanks at line ends", "a.ts", TS, "3:4", "    a(); \n    c(); ", TS.replace("b()", "c()"), ["trailing-blanks"]],
  [
    "drops them in an element",
    "a.ts",
    TS,
    "ast-path:A-one",
    "  one() { \n    a(); \n  } ",
    TS.replace("    b();\n", ""),
    ["trailing-blanks"],
  ],
  [
    "drops those of copied lines alone",
    "a.ts",
    `${TS}// \n`,
    "3:4",
    "    a(); \n    c(); \n    b();",
    `${TS.replace("b();", "c(); \n    b();")}// \n`,
    ["trailing-blanks"],
  ],
  [
    "drops them where each line has some and the file none",
    "a.ts",
    TS,
    "3:3",
    "    x(1); \n    y(); ",
    TS.replace("a();", "x(1);\n    y();"),
    ["trailing-blanks"],
  ],
  ["keeps those of one new line", "a.ts", TS, "3:3", "    x(1); ", TS.replace("a();", "x(1); "), null],
  ["keeps new ones in a file that has some", "a.ts", `${TS}// \n`, "3:3", "    x(1); ", `${TS.replace("a();", "x(1); ")}// \n`, null],
  ["writes tabs by the indent of the old line", "a.ts", TABS, "3:3", "        x(1);", TABS.replace("a()", "x(1)"), ["indentation"]],
  [
    "writes tabs by the lines around an insertion",
    "a.ts",
    TABS,
    "3:3:after",
    "        x(1);",
    TABS.replace("a();", "a();\n\t\tx(1);"),
    ["indentation"],
  ],
  ["brings in a line at the margin", "a.ts", TS, "3:3", "x(1);", TS.replace("a()", "x(1)"), ["shifted"]],
  ["brings in an insertion at the margin", "a.ts", TS, "3:3:after", "x(1);", TS.replace("a();", "a();\n    x(1);"), ["shifted"]],
  ["keeps a change of the indent beside a new blank line", "a.ts", TS, "3:3", "  a();\n", TS.replace("    a();\n", "  a();\n\n"), null],
  ["keeps a directive at the margin", "a.ts", TS, "3:3", "#if X\nx(1);", TS.replace("    a();", "#if X\nx(1);"), null],
  ["keeps them in Markdown", "a.md", "a\nb\n", "1:1", "a  \nb  ", "a  \nb  \nb\n", null],
  ["writes tabs for spaces", "a.ts", TABS, "3:4", "    a();\n    c();", TABS.replace("b()", "c()"), ["indentation"]],
  ["writes spaces for tabs", "a.ts", TS, "2:4", "\tone() {\n\t\ta();\n\t\tc();", TS.replace("b()", "c()"), ["indentation"]],
  [
    "writes tabs for spaces in an element",
    "a.ts",
    TABS,
    "ast-path:A-one",
    "    one() {\n        a();\n        c();\n    }",
    TABS.replace("b()", "c()"),
    ["indentation"],
  ],
  [
    "keeps the indent of a file that has both",
    "a.ts",
    `${TABS}  x\n`,
    "3:3",
    "    a(1);",
    `${TABS.replace("\t\ta()", "    a(1)")}  x\n`,
    null,
  ],
  ["shifts a block that lost its indent", "a.ts", TS, "3:4", "a();\nc();", TS.replace("b()", "c()"), ["shifted"]],
  ["shifts a block that is indented too far", "a.ts", TS, "3:4", "        a();\n        c();", TS.replace("b()", "c()"), ["shifted"]],
  ["shifts lines of an element", "a.ts", TS, "ast-path:A-one:3:4", "a();\nc();", TS.replace("b()", "c()"), ["shifted"]],
  [
    "shifts a changed line by the word it begins with",
    "a.ts",
    TS.replace("a()", "abc(1)"),
    "3:3",
    "abc(2);",
    TS.replace("a()", "abc(2)"),
    ["shifted"],
  ],
  [
    "keeps a change of nothing but the indent",
    "a.ts",
    TS,
    "3:4",
    "  a();\n  b();",
    TS.replace("    a();\n    b();", "  a();\n  b();"),
    null,
  ],
  [
    "keeps lines that are put into a new block",
    "a.ts",
    TS,
    "3:4",
    "    if (x) {\n      a();\n    }\n    b();",
    TS.replace("    a();", "    if (x) {\n      a();\n    }"),
    null,
  ],
  ["keeps the indent of Python", "a.py", PY, "3:4", "    a()\n    c()", PY.replace("        a()\n        b()", "    a()\n    c()"), null],
];

describe("a body with slips", () => {
  for (const [does, file, before, address, body, after, slips] of ROWS) {
    it(does, async () => {
      const result = await applyTo(file, before, editBlock(address, body));
      assert.equal(result.blocks[0]?.status, "applied");
      assert.equal(result.text, after);
      assert.deepEqual(result.blocks[0]?.adjustments, slips === null ? undefined : [{ code: "mended", slips }]);
    });
  }
});
