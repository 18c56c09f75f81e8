import { strict as assert } from "node:assert";
import type { SyntaxElement } from "../../../src/syntax/syntax.ts";
import { openDocument } from "./openDocument.ts";

async function element(language: string, text: string, path: string): Promise<SyntaxElement> {
  const document = await openDocument(language, text);
  const result = document.resolve(path);
  document.dispose();
  assert.ok(result.ok, JSON.stringify(result));
  return result.value;
}

async function bodyOf(
  language: string,
  text: string,
  path: string,
): Promise<[string, string, string | null]> {
  const { body } = await element(language, text, path);
  assert.ok(body, `${path} has a body`);
  return [body.style, text.slice(body.inner.start, body.inner.end), body.memberIndent];
}

async function commentOf(language: string, text: string, path: string): Promise<string> {
  const { range, commentStart } = await element(language, text, path);
  return text.slice(commentStart, range.start);
}

describe("the range of an element", () => {
  it("counts UTF-16 units after emoji and lone surrogates", async () => {
    const text = "const a = '😀😀\uD83D';\nfunction f() {}\n";
    const { range } = await element("typescript", text, "f");
    assert.equal(text.slice(range.start, range.end), "function f() {}");
  });

  it("covers the same text with LF, CRLF and a byte order mark, in the editor's lines", async () => {
    const lf = "import a from 'a';\n\n/** doc */\n@Dec()\nexport class A {\n\tm() {}\n}\n";
    for (const text of [
      lf,
      lf.replaceAll("\n", "\r\n"),
      `\uFEFF${lf}`,
      `\uFEFF${lf.replaceAll("\n", "\r\n")}`,
    ]) {
      const document = await openDocument("typescript", text);
      assert.deepEqual(
        document.outline().map(({ path, startLine, endLine }) => `${path} ${startLine}-${endLine}`),
        ["@imports 1-1", "A 4-7", "A-m 6-6"],
      );
      const result = document.resolve("A");
      assert.ok(result.ok);
      assert.ok(text.slice(result.value.range.start, result.value.range.end).startsWith("@Dec()"));
      assert.ok(text.slice(result.value.commentStart).startsWith("/** doc */"));
      document.dispose();
    }
  });

  it("ends before the line break after a comment at the end of a Python block", async () => {
    const text = "class A:\r\n    def f(self):\r\n        return 1  # one\r\n\r\nx = 1\r\n";
    for (const [path, end] of [
      ["A", "one"],
      ["A-f", "one"],
    ] as const) {
      const { range } = await element("python", text, path);
      assert.equal(text.slice(range.end - end.length, range.end), end, path);
    }
  });

  it("includes decorators with comments between them, but not the comment above", async () => {
    const text = "class A {\n  // above\n  @x // beside\n  @y()\n  m() {}\n}\n";
    const { range, commentStart } = await element("typescript", text, "A-m");
    assert.equal(text.slice(range.start, range.end), "@x // beside\n  @y()\n  m() {}");
    assert.equal(text.slice(commentStart, range.start), "// above\n  ");
  });

  it("includes the separator and tells where it begins", async () => {
    const text = "enum E {\n  A = 1,\n  B\n}\nclass C { x = 1; }\nconst o = { f: () => 1, };\n";
    for (const [path, whole, separator] of [
      ["E-A", "A = 1,", ","],
      ["E-B", "B", ""],
      ["C-x", "x = 1;", ";"],
      ["o-f", "f: () => 1,", ","],
    ] as const) {
      const { range, separatorStart } = await element("typescript", text, path);
      assert.equal(text.slice(range.start, range.end), whole);
      assert.equal(text.slice(separatorStart, range.end), separator);
    }
  });

  it("excludes the comment after it on its line, with and without a semicolon", async () => {
    const text =
      "export let x = 1 // x\nfunction f() {} /* f */ // f\nclass A {\n  m() {} // m\n}\nimport a from 'a' // a\n";
    for (const [path, whole] of [
      ["x", "export let x = 1"],
      ["f", "function f() {}"],
      ["A-m", "m() {}"],
      ["@imports", "import a from 'a'"],
    ] as const) {
      const { range } = await element("typescript", text, path);
      assert.equal(text.slice(range.start, range.end), whole, path);
    }
    assert.deepEqual(await bodyOf("typescript", text, "f"), ["braces", "", null]);
  });

  it("excludes the semicolon after the last name of a declaration", async () => {
    for (const [language, path, text] of [
      ["typescript", "b", "const a = 1, b = 2;\n"],
      ["java", "A-b", "class A { int a = 1, b = 2; }\n"],
    ] as const) {
      const { range } = await element(language, text, path);
      assert.equal(text.slice(range.start, range.end), "b = 2", language);
    }
  });

  it("excludes the semicolon after a Java enum's last constant", async () => {
    const text = "enum E { A, B; void m() {} }";
    const { range } = await element("java", text, "E-B");
    assert.equal(text.slice(range.start, range.end), "B");
  });

  it("is the member in a Go declaration with parentheses, else the declaration", async () => {
    const text =
      "package p\n\nconst A = 1\n\nconst (\n\tB = 2\n)\n\ntype T struct{}\n\ntype (\n\tU int\n)\n";
    for (const [path, whole] of [
      ["A", "const A = 1"],
      ["B", "B = 2"],
      ["T", "type T struct{}"],
      ["U", "U int"],
    ] as const) {
      const { range } = await element("go", text, path);
      assert.equal(text.slice(range.start, range.end), whole);
    }
  });

  it("leaves out variables inside functions, blocks and callbacks, but not functions", async () => {
    const text =
      "function f() { const a = 1; const g = () => 1; }\nif (x) { let b = 1; }\nrun(() => { const c = 1; });\n";
    const document = await openDocument("typescript", text);
    assert.deepEqual(
      document.outline().map(({ path }) => path),
      ["f", "f-g", "if()", "run()"],
    );
    document.dispose();
  });
});

describe("the comment block of an element", () => {
  it("is the line and block comments directly above", async () => {
    const text = "// apart\n\n/* a */\n// b\n// c\nfunction f() {}\n";
    assert.equal(await commentOf("typescript", text, "f"), "/* a */\n// b\n// c\n");
  });

  it("is not a comment after the code above, one with a blank line between, or a shebang", async () => {
    assert.equal(
      await commentOf("typescript", "let a = 1; // about a\nfunction f() {}\n", "f"),
      "",
    );
    assert.equal(await commentOf("typescript", "// apart\n\nfunction f() {}\n", "f"), "");
    assert.equal(await commentOf("python", "#!/usr/bin/env python\ndef f(): pass\n", "f"), "");
    assert.equal(await commentOf("typescript", "class A { // about A\n  m() {}\n}\n", "A-m"), "");
  });

  it("works with CRLF and with indents", async () => {
    const text = "class A {\r\n\t// one\r\n\t// two\r\n\tm() {}\r\n}\r\n";
    assert.equal(await commentOf("typescript", text, "A-m"), "// one\r\n\t// two\r\n\t");
  });

  it("is not the last comment of the Python block above", async () => {
    const text =
      "class A:\n    def f(self):\n        pass\n        # at the end of f\n    # about g\n    def g(self):\n        pass\n";
    assert.equal(await commentOf("python", text, "A-g"), "# about g\n    ");
  });

  it("above the first statement of a Python body is that statement's", async () => {
    assert.equal(
      await commentOf("python", "class A:\n    # about x\n    x = 1\n", "A-x"),
      "# about x\n    ",
    );
  });
});

describe("the body of an element", () => {
  it("lies between the braces, even when empty or on one line", async () => {
    assert.deepEqual(await bodyOf("typescript", "class A {}", "A"), ["braces", "", null]);
    assert.deepEqual(await bodyOf("typescript", "class A { x = 1 }", "A"), [
      "braces",
      " x = 1 ",
      null,
    ]);
    assert.deepEqual(await bodyOf("typescript", "class A {\n\tx = 1;\n}", "A"), [
      "braces",
      "\n\tx = 1;\n",
      "\t",
    ]);
    assert.deepEqual(await bodyOf("java", "interface I {\n  // none yet\n}", "I"), [
      "braces",
      "\n  // none yet\n",
      "  ",
    ]);
    assert.deepEqual(await bodyOf("go", "package p\n\ntype I interface{ M() }\n", "I"), [
      "braces",
      " M() ",
      null,
    ]);
  });

  it("is null for elements without members", async () => {
    for (const [path, text] of [
      ["T", "type T = string;"],
      ["f", "declare function f(): void;"],
      ["x", "const x = 1;"],
      ["g", "const g = () => 1;"],
    ] as const) {
      assert.equal((await element("typescript", text, path)).body, null, path);
    }
  });

  it("is a Python class's block with the comments above its first and below its last member", async () => {
    const text =
      "class A:\n    # about x\n    x = 1\n\n    def m(self):\n        pass\n    # at the end\n\ny = 2\n";
    assert.deepEqual(await bodyOf("python", text, "A"), [
      "indent",
      "# about x\n    x = 1\n\n    def m(self):\n        pass\n    # at the end",
      "    ",
    ]);
  });

  it("begins after a Python docstring, and is empty there when nothing follows", async () => {
    assert.deepEqual(await bodyOf("python", 'class A:\n    """Doc."""\n\n    x = 1\n', "A"), [
      "indent",
      "x = 1",
      "    ",
    ]);
    const text = 'def f():\n\t"""Doc."""\n';
    const { body } = await element("python", text, "f");
    assert.deepEqual(body, {
      inner: { start: text.length - 1, end: text.length - 1 },
      style: "indent",
      memberIndent: "\t",
    });
  });

  it("is the statement after the colon of a Python one-liner, without an indent to copy", async () => {
    assert.deepEqual(await bodyOf("python", "class A: ...\n", "A"), ["indent", "...", null]);
    assert.deepEqual(await bodyOf("python", "class A:\n    ...\n", "A"), ["indent", "...", "    "]);
  });

  it("is a heading's section, up to the next heading of its level", async () => {
    const text = "# A\n\none\n\n## B\n\ntwo\n\n# C\n\n";
    assert.deepEqual(await bodyOf("markdown", text, "A"), ["section", "one\n\n## B\n\ntwo", null]);
    assert.deepEqual(await bodyOf("markdown", text, "C"), ["section", "", null]);
  });
});
