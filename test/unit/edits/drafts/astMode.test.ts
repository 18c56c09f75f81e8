import assert from "node:assert/strict";
import type { BlockReason } from "../../../../src/turns/blockReason.ts";
import { applyTo, editBlock } from "../../../fakes/turns/applyTo.ts";

const TS = `import { a } from "a";

/** A shape. */
export class Shape {
  width = 1;

  /** Its area. */
  @logged
  area(): number {
    return 1;
  }

  name() { return "x"; }
}

export class Empty {}

// The end.
export function last(): void {}
`;

const PY = `"""Doc."""
import os


class A:
    """Doc of A."""

    def f(self):
        return 1


class B: pass


def g():
    return 2
`;

interface Case {
  readonly does: string;
  readonly path: string;
  readonly before: string;
  readonly address: string;
  readonly body?: string;
  /** What changes: the first text becomes the second. */
  readonly from: string;
  readonly to: string;
}

const CASES: readonly Case[] = [
  {
    does: "replaces an element with its decorators, and not its comment",
    path: "a.ts",
    before: TS,
    address: "ast-path:Shape-area",
    body: "  area(): number {\n    return 2;\n  }",
    from: "  @logged\n  area(): number {\n    return 1;\n  }",
    to: "  area(): number {\n    return 2;\n  }",
  },
  {
    does: "moves a body to the element's indent",
    path: "a.ts",
    before: TS,
    address: "ast-path:Shape-area",
    body: "area(): number {\n\n  return 2;\n}",
    from: "  @logged\n  area(): number {\n    return 1;\n  }",
    to: "  area(): number {\n\n    return 2;\n  }",
  },
  {
    does: "moves a body that is indented too far back",
    path: "a.ts",
    before: TS,
    address: "ast-path:last",
    body: "    export function last() {\n      return;\n    }",
    from: "export function last(): void {}",
    to: "export function last() {\n  return;\n}",
  },
  {
    does: "replaces an element with its export keyword",
    path: "a.ts",
    before: TS,
    address: "ast-path:last",
    body: "function last() {}",
    from: "export function last(): void {}",
    to: "function last() {}",
  },
  {
    does: "replaces an element together with its comment",
    path: "a.ts",
    before: TS,
    address: "ast-path:last:with-comment",
    body: "// The very end.\nexport function last() {}",
    from: "// The end.\nexport function last(): void {}",
    to: "// The very end.\nexport function last() {}",
  },
  {
    does: "deletes an element with an empty body and leaves the comment",
    path: "a.ts",
    before: TS,
    address: "ast-path:last",
    from: "// The end.\nexport function last(): void {}\n",
    to: "// The end.\n",
  },
  {
    does: "removes an element with its comment and one of the blank lines",
    path: "a.ts",
    before: TS,
    address: "ast-path:Shape-area:remove",
    from: "  /** Its area. */\n  @logged\n  area(): number {\n    return 1;\n  }\n\n",
    to: "",
  },
  {
    does: "removes the last element without leaving a blank line at the end",
    path: "a.ts",
    before: TS,
    address: "ast-path:last:remove",
    from: "\n// The end.\nexport function last(): void {}\n",
    to: "",
  },
  {
    does: "removes a Python class and keeps two blank lines",
    path: "a.py",
    before: PY,
    address: "ast-path:A:remove",
    from: 'class A:\n    """Doc of A."""\n\n    def f(self):\n        return 1\n\n\n',
    to: "",
  },
  {
    does: "inserts before the element's comment",
    path: "a.ts",
    before: TS,
    address: "ast-path:Shape:before",
    body: "const x = 1;\n",
    from: "/** A shape. */",
    to: "const x = 1;\n\n/** A shape. */",
  },
  {
    does: "inserts after an element",
    path: "a.ts",
    before: TS,
    address: "ast-path:Shape-area:after",
    body: "\nheight = 2;",
    from: "    return 1;\n  }\n",
    to: "    return 1;\n  }\n\n  height = 2;\n",
  },
  {
    does: "appends a member",
    path: "a.ts",
    before: TS,
    address: "ast-path:Shape:append",
    body: "\nkind() {}",
    from: '  name() { return "x"; }\n}',
    to: '  name() { return "x"; }\n\n  kind() {}\n}',
  },
  {
    does: "prepends a member",
    path: "a.ts",
    before: TS,
    address: "ast-path:Shape:prepend",
    body: "height = 2;",
    from: "  width = 1;",
    to: "  height = 2;\n  width = 1;",
  },
  {
    does: "appends to an empty body",
    path: "a.ts",
    before: TS,
    address: "ast-path:Empty:append",
    body: "x = 1;",
    from: "class Empty {}",
    to: "class Empty {\n  x = 1;\n}",
  },
  {
    does: "prepends to an empty body",
    path: "a.ts",
    before: TS,
    address: "ast-path:Empty:prepend",
    body: "x = 1;",
    from: "class Empty {}",
    to: "class Empty {\n  x = 1;\n}",
  },
  {
    does: "appends to a body on one line",
    path: "a.ts",
    before: "class A { a = 1; }\n",
    address: "ast-path:A:append",
    body: "b = 2;",
    from: "class A { a = 1; }",
    to: "class A { a = 1;\n  b = 2;\n}",
  },
  {
    does: "adds the comma that members need",
    path: "a.ts",
    before: "const t = {\n  f() {}\n};\n",
    address: "ast-path:t:append",
    body: "g() {}",
    from: "  f() {}\n",
    to: "  f() {},\n  g() {}\n",
  },
  {
    does: "does not double a separator the body brings along",
    path: "a.ts",
    before: "enum E {\n  A,\n  B,\n}\n",
    address: "ast-path:E-A",
    body: "A = 1,",
    from: "  A,",
    to: "  A = 1,",
  },
  {
    does: "keeps the separator a body does not bring along",
    path: "a.ts",
    before: "enum E {\n  A,\n  B,\n}\n",
    address: "ast-path:E-A",
    body: "A = 1",
    from: "  A,",
    to: "  A = 1,",
  },
  {
    does: "uses tabs where the file does",
    path: "a.ts",
    before: "class A {\n\tf() {\n\t\treturn 1;\n\t}\n}\nclass B {}\n",
    address: "ast-path:B:append",
    body: "g() {}",
    from: "class B {}",
    to: "class B {\n\tg() {}\n}",
  },
  {
    does: "appends to the imports",
    path: "a.ts",
    before: TS,
    address: "ast-path:@imports:append",
    body: 'import { b } from "b";',
    from: 'from "a";\n',
    to: 'from "a";\nimport { b } from "b";\n',
  },
  {
    does: "prepends to the imports",
    path: "a.ts",
    before: TS,
    address: "ast-path:@imports:prepend",
    body: 'import { b } from "b";',
    from: "import { a }",
    to: 'import { b } from "b";\nimport { a }',
  },
  {
    does: "replaces the imports",
    path: "a.ts",
    before: TS,
    address: "ast-path:@imports",
    body: 'import { b } from "b";',
    from: 'import { a } from "a";',
    to: 'import { b } from "b";',
  },
  {
    does: "makes an import section where there is none",
    path: "a.py",
    before: '"""Doc."""\n\nx = 1\n',
    address: "ast-path:@imports:append",
    body: "import os\n",
    from: "x = 1",
    to: "import os\n\nx = 1",
  },
  {
    does: "makes an import section behind a package clause",
    path: "a.go",
    before: "package a\n\nfunc f() {}\n",
    address: "ast-path:@imports",
    body: 'import "os"\n',
    from: "func f",
    to: 'import "os"\n\nfunc f',
  },
  {
    does: "appends to the file",
    path: "a.ts",
    before: TS,
    address: "ast-path:@file:append",
    body: "\nlast();",
    from: "export function last(): void {}\n",
    to: "export function last(): void {}\n\nlast();\n",
  },
  {
    does: "adds a line break first when it appends to a file without one",
    path: "a.ts",
    before: "f();",
    address: "ast-path:@file:append",
    body: "g();",
    from: "f();",
    to: "f();\ng();",
  },
  {
    does: "prepends to the file behind a shebang",
    path: "a.js",
    before: "#!/usr/bin/env node\nf();\n",
    address: "ast-path:@file:prepend",
    body: "// x",
    from: "f();",
    to: "// x\nf();",
  },
  { does: "fills an empty file", path: "a.ts", before: "", address: "ast-path:@file:append", body: "f();", from: "", to: "f();\n" },
  {
    does: "appends to a Python class by indentation",
    path: "a.py",
    before: PY,
    address: "ast-path:A:append",
    body: "\ndef h(self):\n    return 2",
    from: "        return 1\n",
    to: "        return 1\n\n    def h(self):\n        return 2\n",
  },
  {
    does: "prepends behind a Python docstring",
    path: "a.py",
    before: PY,
    address: "ast-path:A:prepend",
    body: "x = 1\n",
    from: "    def f",
    to: "    x = 1\n\n    def f",
  },
  {
    does: "opens the body of a Python one-liner",
    path: "a.py",
    before: PY,
    address: "ast-path:B:append",
    body: "x = 1",
    from: "class B: pass",
    to: "class B:\n    pass\n    x = 1",
  },
  {
    does: "appends to a Markdown section and leaves its indents",
    path: "a.md",
    before: "# A\n\n- a\n\n# B\n",
    address: "ast-path:A:append",
    body: "  - b",
    from: "- a\n",
    to: "- a\n  - b\n",
  },
  {
    does: "finds a heading with spaces and dashes",
    path: "a.md",
    before: "# A-b (c)\n\nx\n\n## D e\n\ny\n",
    address: "ast-path:D e",
    body: "## D e\n\nz",
    from: "y",
    to: "z",
  },
  {
    does: "finds Go methods under their receiver",
    path: "a.go",
    before: "package a\n\ntype T struct{}\n\nfunc (t *T) F() int { return 1 }\n",
    address: "ast-path:T-F",
    body: "func (t *T) F() int { return 2 }",
    from: "return 1",
    to: "return 2",
  },
  {
    does: "replaces a Java method with its annotation",
    path: "A.java",
    before: "class A {\n    @Override\n    int f() { return 1; }\n}\n",
    address: "ast-path:A-f",
    body: "int f() { return 2; }",
    from: "    @Override\n    int f() { return 1; }",
    to: "    int f() { return 2; }",
  },
];

describe("AST mode", () => {
  for (const { does, path, before, address, body, from, to } of CASES) {
    it(does, async () => {
      const at = before.indexOf(from);
      assert.ok(at >= 0, "the case itself is wrong");
      const result = await applyTo(path, before, editBlock(address, body));
      assert.deepEqual(
        result.blocks.map(({ status, reason }) => [status, reason]),
        [["applied", undefined]],
      );
      assert.equal(result.text, before.slice(0, at) + to + before.slice(at + from.length));
    });

    it(`${does}, with CRLF and a byte order mark`, async () => {
      const crlf = (text: string) => text.replaceAll("\n", "\r\n");
      const at = before.indexOf(from);
      const expected = before.slice(0, at) + to + before.slice(at + from.length);
      if (!before.includes("\n")) return;
      const result = await applyTo(path, `\uFEFF${crlf(before)}`, editBlock(address, body));
      assert.equal(result.text, `\uFEFF${crlf(expected)}`);
    });
  }

  it("lets a later block see the earlier ones", async () => {
    const message = editBlock("ast-path:Empty:append", "f() {\n  return 1;\n}") + editBlock("ast-path:Empty-f", "f() {\n  return 2;\n}");
    const result = await applyTo("a.ts", TS, message);
    assert.deepEqual(
      result.blocks.map(({ status }) => status),
      ["applied", "applied"],
    );
    assert.match(result.text, /class Empty \{\n {2}f\(\) \{\n {4}return 2;\n {2}\}\n\}/);
  });

  it("does not find an element an earlier block removed", async () => {
    const result = await applyTo("a.ts", TS, editBlock("ast-path:last:remove") + editBlock("ast-path:last", "function last() {}"));
    assert.deepEqual(
      result.blocks.map(({ status }) => status),
      ["applied", "refused"],
    );
  });

  it("numbers overloads", async () => {
    const before = "function f(a: string): void;\nfunction f(a: number): void;\nfunction f(a: unknown): void {}\n";
    const result = await applyTo("a.ts", before, editBlock("ast-path:f#2", "function f(a: bigint): void;"));
    assert.equal(result.text, before.replace("number", "bigint"));
  });

  const refused: readonly [string, string, string, string, BlockReason["code"]][] = [
    ["a path that does not exist, with the nearest ones", TS, "ast-path:Shape-are", "x", "unresolved-path"],
    [
      "an ambiguous path, with the candidates",
      "class A {\n  f() {}\n}\nclass B {\n  f() {}\n}\n",
      "ast-path:f",
      "f() {}",
      "unresolved-path",
    ],
    ["a replacement of @file", TS, "ast-path:@file", "x", "file-operation"],
    ["removing the imports", TS, "ast-path:@imports:remove", "", "not-removable"],
    ["removing a name that is declared together with another", "const { a, b } = x;\n", "ast-path:a:remove", "", "shared-declaration"],
    ["emptying a name that is declared together with another", "const [a, b] = x;\n", "ast-path:b", "", "shared-declaration"],
    ["an append to what has no body", TS, "ast-path:Shape-width:append", "x", "no-body"],
    ["an empty append", TS, "ast-path:Shape:append", "", "empty-body"],
    ["a blank prepend", TS, "ast-path:Shape:prepend", "\n  ", "empty-body"],
    ["an empty before", TS, "ast-path:Shape:before", "", "empty-body"],
    ["an empty after", TS, "ast-path:Shape:after", "", "empty-body"],
    ["a target that holds a syntax error", "class A {\n  f( { \n}\n", "ast-path:A", "class A {}", "unresolved-path"],
  ];
  for (const [name, before, address, body, code] of refused) {
    it(`refuses ${name}`, async () => {
      const result = await applyTo("a.ts", before, editBlock(address, body));
      assert.equal(result.blocks[0]?.status, "refused");
      assert.equal(result.blocks[0]?.code, code);
      assert.equal(result.text, before);
    });
  }

  it("appends to a Markdown file that is a heading without a line break", async () => {
    const result = await applyTo("a.md", "# One\n\n## Two", editBlock("ast-path:Two:append", "text"));
    assert.equal(result.text, "# One\n\n## Two\ntext");
  });

  it("refuses AST paths in a file without a grammar and asks for lines", async () => {
    const result = await applyTo("a.vala", "class A {}\n", editBlock("ast-path:A", "x"));
    assert.equal(result.blocks[0]?.code, "no-ast-paths");
  });

  it("warns when a block adds a syntax error, and not when a later one mends it", async () => {
    const broken = await applyTo("a.ts", TS, editBlock("ast-path:last", "function last() {"));
    assert.equal(broken.blocks[0]?.code, "syntax");
    assert.match(broken.report, /warning: Adds a syntax error/);
    const mended = await applyTo(
      "a.ts",
      "f();\n",
      editBlock("ast-path:@file:append", "if (x) {") + editBlock("ast-path:@file:append", "}"),
    );
    assert.equal(mended.blocks[0]?.code, undefined);
  });
});
