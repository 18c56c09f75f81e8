import assert from "node:assert/strict";
import { applyTo, codes, editBlock } from "../../../fakes/turns/applyTo.ts";

describe("a block that leaves out text", () => {
  it("is not applied, and reported", async () => {
    const before = "function a() {\n  one();\n  two();\n}\n";
    const body = "function a() {\n  // ... existing code ...\n  three();\n}";
    for (const address of ["1:4", "ast-path:a"]) {
      const result = await applyTo("a.ts", before, editBlock(address, body));
      assert.equal(result.blocks[0]?.status, "refused");
      assert.match(
        result.report,
        /was not proposed: It leaves out code \(`\/\/ \.\.\. existing code \.\.\.`\)/,
      );
      assert.equal(result.text, before);
    }
  });
});

describe("a deletion", () => {
  it("leaves nothing out, whatever its body holds", async () => {
    const before = "function a() {\n  one();\n}\n\nfunction b() {\n  two();\n}\n";
    for (const address of ["2:2:remove", "ast-path:a:remove"]) {
      const result = await applyTo(
        "a.ts",
        before,
        editBlock(address, "  // ... existing code ..."),
      );
      assert.equal(result.blocks[0]?.status, "applied");
      assert.doesNotMatch(result.text, /one|existing/);
    }
  });
});

describe("the guard of rewritten files", () => {
  const long = Array.from({ length: 30 }, (_, index) => `line ${index};`).join("\n");

  it("warns of a complete file that is nearly empty", async () => {
    const result = await applyTo("a.txt", `${long}\n`, "```\nx\n```\n", "complete");
    assert.equal(result.blocks[0]?.code, "deletion");
    assert.match(result.report, /\(warning: Deletes 30 lines and writes 1\.\)/);
  });

  it("says nothing of lines that are replaced with fewer, or deleted", async () => {
    for (const block of [editBlock("1:30", "one"), editBlock("1:20:remove")]) {
      const result = await applyTo("a.txt", `${long}\n`, block);
      assert.equal(result.blocks[0]?.code, undefined);
    }
  });
});

describe("the syntax guard", () => {
  it("names the one block in line mode that breaks the file", async () => {
    const checked = editBlock('1:1 "f" "f"', "f(1);");
    const result = await applyTo(
      "a.ts",
      "f();\ng();\nh();\n",
      checked + editBlock("2:2", "g(1);") + editBlock("3:3", "h(;"),
    );
    assert.deepEqual(codes(result), [undefined, undefined, "syntax"]);
  });

  it("says nothing about a file that was broken before", async () => {
    const result = await applyTo("a.ts", "f(;\ng();\n", editBlock("2:2", "g(;"));
    assert.equal(result.blocks[0]?.code, undefined);
  });

  it("says nothing when two blocks are only sound together", async () => {
    const result = await applyTo(
      "a.ts",
      "f();\ng();\n",
      editBlock("1:1", "if (x) {\nf();") + editBlock("2:2:after", "}"),
    );
    assert.deepEqual(codes(result), [undefined, undefined]);
  });
});

describe("the guards of plain line numbers", () => {
  const TEXT =
    "def a():\n    one()\n    two()\n\n\ndef b():\n    three()\n    four(\n        1,\n    )\n";
  const OTHERS: Partial<Record<string, string>> = {
    "a.c": "if (a) {\n  go();\n  go(); go();\n}\nstop();\n",
    "a.json": '{\n  "name": "a",\n  "version": "1.0",\n  "license": "MIT"\n}\n',
    "a.h": "int close_file(int mode);\nint open_file();\nint read_all();\n",
    "a.ts": "function a() {\n  one();\n}\n\nfunction b() {\n  two();\n}\n",
    "a.js": "/**\n * one\n */\nfunction f() {\n  go();\n}\n\n/** two */\n",
    "a.cs": "class A {\n  void a() {\n    if (b) {\n      c();\n    }\n  }\n}\n",
    "a.fit": "a:\n  go();\n  go();\nb:\n",
    "return.py": "def a(b):\n    if b:\n        return 1\n    return 2\n",
    "a.rb": "one\n\n\n\ntwo\n",
    "a.sh": "one\n\ntwo\n\nthree\n",
  };
  const cases: readonly (readonly [
    name: string,
    file: string,
    address: string,
    body: string,
    code: string | undefined,
  ])[] = [
    [
      "a last line that repeats the one below",
      "a.txt",
      "2:2",
      "    ONE()\n    two()",
      "repeats-line",
    ],
    [
      "a first line that repeats the one above",
      "a.txt",
      "3:3",
      "    one()\n    TWO()",
      "repeats-line",
    ],
    [
      "an insertion that repeats its anchor",
      "a.txt",
      "2:2:after",
      "    one()\n    more()",
      "repeats-line",
    ],
    [
      "a last line that repeats the one beyond a blank line",
      "a.txt",
      "2:3",
      "    ONE()\n\n\ndef b():",
      "repeats-line",
    ],
    [
      "a first line that repeats the one beyond a blank line",
      "a.txt",
      "6:6",
      "    two()\n\ndef B():",
      "repeats-line",
    ],
    [
      "the next two lines within a body that ends otherwise",
      "a.txt",
      "1:1",
      "import a\n\n    one()\n    two()\nmore()",
      "repeats-line",
    ],
    [
      "the next line within it, where it has words",
      "a.h",
      "1:1",
      "int more();\nint open_file();\nint last_one();",
      "repeats-line",
    ],
    [
      "nothing of marks in strings and comments",
      "a.ts",
      "2:2",
      '  one("/*"); // a/*\n  /* http://b */',
      undefined,
    ],
    ["nothing of lines within a comment", "a.js", "2:3", " * a\n * https://b\n */", undefined],
    [
      "a repetition in lines of an element",
      "a.py",
      "ast-path:a:2:2",
      "    ONE()\n    two()",
      "repeats-line",
    ],
    [
      "a bracket left alone, in a file without a grammar",
      "a.foo",
      "8:8",
      "    four(2)",
      "cuts-brackets",
    ],
    ["an element cut in two", "a.ts", "2:5", "  other();\n  all();\n}\n{", "cuts-element"],
    [
      "nothing of an element that checks prove",
      "a.ts",
      '2:5 "one" "function b"',
      "  other();\n  all();\n}\n{",
      undefined,
    ],
    ["nothing where the body restores the element", "a.py", "3:6", "c = 1\n\ndef b():", undefined],
    ["nothing where the line was repeated before", "a.txt", "4:4", "value = 1\n", undefined],
    ["nothing where the checks fit", "a.txt", '2:2 "one" "one"', "    ONE()\n    two()", undefined],
    ["a last line without a check", "a.txt", '2:2 "one"', "    ONE()\n    two()", "repeats-line"],
    ["nothing of all blank lines between two others", "a.txt", '4:5:remove "" ""', "", undefined],
    ["some of several blank lines", "a.rb", '2:3:remove "" ""', "", "unchecked-end"],
    ["a return with nothing in its place", "return.py", "3:3", "        log(b)", "loses-return"],
    [
      "nothing of a return that a check proves",
      "return.py",
      '3:3 "return 1"',
      "        log(b)",
      undefined,
    ],
    [
      "nothing of a return that another end replaces",
      "return.py",
      "3:3",
      "        raise b",
      undefined,
    ],
    ["nothing of a branch there", "a.c", "1:1:after", "} else {", undefined],
    ["nothing of lines that the body joins", "a.txt", "8:9", "    four(1,", undefined],
    [
      "nothing of an end that keeps brackets in balance",
      "a.cs",
      '4:5 "c()" "}"',
      "      d();\n    } else {\n      e();\n    }",
      undefined,
    ],
    [
      "nothing of an insertion that goes with one of two ends",
      "a.ts",
      '3:3:after "}"',
      "\nfunction c() {\n}",
      undefined,
    ],
    [
      "several lines with a check of the first alone",
      "a.txt",
      '6:7 "def b"',
      "def b(x):\n    three(x)",
      "unchecked-end",
    ],
    [
      "nothing of lines that are all that their checks fit",
      "a.fit",
      '2:3 "go();" "go();"',
      "  run();\n  run();",
      undefined,
    ],
    [
      "a line of which the check fits the next one as well",
      "a.fit",
      '2:2 "go();"',
      "  go();\n  more();\n  go();",
      "unchecked-end",
    ],
    [
      "nothing of a check that fits one of several blank lines",
      "a.txt",
      '4:4 ""',
      "value = 1\n",
      undefined,
    ],
    [
      "nothing of a check that is the whole line",
      "a.c",
      '2:2 "go();" "go();"',
      "  run();",
      undefined,
    ],
    [
      "nothing of a last line that closes what the lines open",
      "a.txt",
      '8:10 "four" ")"',
      "    four(\n        2,\n    )",
      undefined,
    ],
    ["nothing of one of several blank lines", "a.txt", '4:4:remove ""', "", undefined],
    [
      "nothing of a blank last line that a check names",
      "a.rb",
      '1:2 "one" ""',
      "three\nfour",
      undefined,
    ],
    ["nothing of a blank line in place of one", "a.rb", '2:2 ""', " ", undefined],
    [
      "an element that the lines write a second time",
      "a.ts",
      '4:4 ""',
      "\nfunction b() {\n  go();\n}\n",
      "doubles-element",
    ],
    [
      "nothing of a name of two scopes",
      "a.ts",
      '2:2 "one"',
      "  { const c = 1; }\n  { const c = 1; }",
      undefined,
    ],
    [
      "nothing about a first line with a check",
      "a.txt",
      '3:3 "two"',
      "    one()\n    TWO()",
      undefined,
    ],
  ];
  for (const [name, file, address, body, code] of cases) {
    it(`flag ${name}`, async () => {
      const result = await applyTo(file, OTHERS[file] ?? TEXT, editBlock(address, body));
      assert.deepEqual([result.blocks[0]?.status, result.blocks[0]?.code], ["applied", code]);
    });
  }

  it("say nothing where another block restores the pair", async () => {
    const result = await applyTo(
      "a.foo",
      TEXT,
      editBlock("8:8", "    four([") + editBlock("10:10", "    ])"),
    );
    assert.deepEqual(codes(result), [undefined, undefined]);
  });
});
