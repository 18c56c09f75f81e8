import { strict as assert } from "node:assert";
import { openDocument } from "./openDocument.ts";

const OVERLOADS =
  "export function f(a: string): void;\nexport function f(a: number): void;\nexport function f(a: unknown) {\n  run();\n}\n";
const PROTOTYPE = "static int f(int a);\n\nstatic int f(int a)\n{\n  return a;\n}\n";
const ABSTRACT =
  "abstract class A {\n  abstract run(a: string): void;\n  run(a: string) {\n    go();\n  }\n}\n";
const SHAPE =
  "class Shape {\n  void area(int a);\n  void area(int a, int b) { return; }\n};\nvoid Shape::area(int a) {\n  go();\n}\n";
const JAVA =
  "class A {\n  @Override\n  void area(int a) {}\n  abstract void area(int a, int b);\n  void area() {\n    go();\n  }\n}\n";
const PYTHON =
  "class A:\n    @property\n    def area(self):\n        return 1\n\n    @area.setter\n    def area(self, value: int) -> None:\n        pass\n";
const RUST =
  "pub struct Box {\n    size: u8,\n}\n\nimpl Box {\n    fn open() {}\n}\n\nimpl<T> From<T> for Box {\n    fn from(t: T) -> Box {}\n}\n";
const YAML = "steps:\n  - name: one\n    run: a\n  - name: two\n    run: b\n";
const RUBY = "class A\n  def go(a)\n    1\n  end\n  def go(a, b)\n    2\n  end\nend\n";
const MARKDOWN = "# A\n\n## Install\n\none\n\n## Install\n\ntwo\n\n# Install\n";

async function resolved(
  language: string,
  text: string,
  path: string,
  body?: readonly string[],
): Promise<string> {
  const document = await openDocument(language, text);
  const found = document.resolve(path, body);
  document.dispose();
  return found.ok ? found.value.path : found.error.code;
}

describe("names that repeat", () => {
  it("are all numbered, from 1 on", async () => {
    for (const [language, text, expected] of [
      ["typescript", OVERLOADS, ["f#1", "f#2", "f#3"]],
      ["c", PROTOTYPE, ["f#1", "f#2"]],
      ["cpp", SHAPE, ["Shape", "Shape-area#1", "Shape-area#2", "Shape-area#3"]],
      ["rust", RUST, ["Box#1", "Box-size", "Box#2", "Box-open", "Box#3", "Box-from"]],
      [
        "yaml",
        YAML,
        [
          "steps",
          "steps-item#1",
          "steps-item#1-name",
          "steps-item#1-run",
          "steps-item#2",
          "steps-item#2-name",
          "steps-item#2-run",
        ],
      ],
      ["markdown", MARKDOWN, ["A", "A-Install#1", "A-Install#2", "Install"]],
    ] as const) {
      const document = await openDocument(language, text);
      const paths = document.outline().map(({ path }) => path);
      assert.deepEqual(paths, expected);
      for (const path of paths) {
        const found = document.resolve(path);
        assert.ok(found.ok && found.value.path === path, path);
      }
      document.dispose();
    }
  });

  it("are ambiguous without a number, and the candidates come with lines and signatures", async () => {
    const document = await openDocument(
      "java",
      "class A {\n  @Override\n  void area(int a) {}\n  void area() {\n    go();\n  }\n}\n",
    );
    const found = document.resolve("A-area");
    document.dispose();
    assert.deepEqual(found.ok ? null : found.error, {
      code: "ambiguous",
      path: "A-area",
      count: 2,
      candidates: [
        {
          path: "A-area#1",
          kind: "method",
          startLine: 2,
          endLine: 3,
          signature: "void area(int a)",
        },
        { path: "A-area#2", kind: "method", startLine: 4, endLine: 6, signature: "void area()" },
      ],
    });
  });

  it("may be left out where only one element has the rest of the path", async () => {
    assert.equal(
      await resolved("yaml", `${YAML}    shell: sh\n`, "steps-item-shell"),
      "steps-item#2-shell",
    );
    assert.equal(await resolved("yaml", YAML, "steps-item-run"), "ambiguous");
    assert.equal(await resolved("rust", RUST, "Box-from"), "Box-from");
    assert.equal(await resolved("markdown", MARKDOWN, "Install"), "Install");
  });

  it("mean the definition where there is one besides declarations", async () => {
    assert.equal(await resolved("typescript", OVERLOADS, "f"), "f#3");
    assert.equal(await resolved("c", PROTOTYPE, "f"), "f#2");
    assert.equal(await resolved("typescript", ABSTRACT, "A-run"), "A-run#2");
    assert.equal(
      await resolved("cpp", "class S {\n  void f();\n};\nvoid S::f() {}\n", "S-f"),
      "S-f#2",
    );
  });

  it("do not mean a definition where there are several, or none", async () => {
    assert.equal(await resolved("cpp", SHAPE, "Shape-area"), "ambiguous");
    assert.equal(await resolved("java", JAVA, "A-area"), "ambiguous");
    assert.equal(await resolved("rust", RUST, "Box"), "ambiguous");
    assert.equal(await resolved("c", "int f(int a);\nint f(long a);\n", "f"), "ambiguous");
    assert.equal(
      await resolved("cpp", "struct S { static int n; };\nint S::n = 0;\n", "S-n"),
      "ambiguous",
    );
  });
});

describe("a body whose declaration fits one of several elements", () => {
  const cases: readonly (readonly [
    does: string,
    language: string,
    text: string,
    path: string,
    body: string,
    expected: string,
  ])[] = [
    ["a Java overload", "java", JAVA, "A-area", "void area() {\n  stop();\n}", "A-area#3"],
    ["with its annotation", "java", JAVA, "A-area", "@Override\nvoid area(int a) {\n}", "A-area#1"],
    ["without its annotation", "java", JAVA, "A-area", "void area(int a) {\n}", "A-area#1"],
    [
      "a declaration without a body",
      "java",
      JAVA,
      "A-area",
      "abstract void area(int a, int b);",
      "A-area#2",
    ],
    [
      "below a comment",
      "java",
      JAVA,
      "A-area",
      "/**\n * Area.\n */\nvoid area()\n{\n}",
      "A-area#3",
    ],
    ["a Java overload that is new", "java", JAVA, "A-area", "void area(long a) {}", "ambiguous"],
    [
      "a head that only begins alike",
      "java",
      JAVA,
      "A-area",
      "void area() throws E {}",
      "ambiguous",
    ],
    [
      "a Python setter",
      "python",
      PYTHON,
      "A-area",
      "def area(self, value: int) -> None:\n    self.a = value",
      "A-area#2",
    ],
    [
      "a Python getter with its decorator",
      "python",
      PYTHON,
      "A-area",
      "@property\ndef area(self):\n    return 2",
      "A-area#1",
    ],
    [
      "a head over several lines",
      "python",
      PYTHON,
      "A-area",
      "def area(\n    self,\n    value: int,\n) -> None:\n    pass",
      "A-area#2",
    ],
    [
      "a Rust struct",
      "rust",
      RUST,
      "Box",
      "/// Doc.\n#[derive(Debug)]\npub struct Box {\n    size: u16,\n}",
      "Box#1",
    ],
    ["a Rust impl", "rust", RUST, "Box", "impl<T> From<T> for Box {\n}", "Box#3"],
    ["another impl", "rust", RUST, "Box", "impl Drop for Box {\n}", "ambiguous"],
    ["a Ruby method", "ruby", RUBY, "A-go", "def go(a, b)\n  3\nend", "A-go#2"],
    [
      "a YAML item by its first line",
      "yaml",
      YAML,
      "steps-item",
      "- name: two\n  run: c",
      "steps-item#2",
    ],
    [
      "a heading that stands twice",
      "markdown",
      MARKDOWN,
      "A-Install",
      "## Install\n\nthree",
      "ambiguous",
    ],
    [
      "an overload signature",
      "typescript",
      OVERLOADS,
      "f",
      "export function f(a: number): void;",
      "f#2",
    ],
    [
      "the implementation",
      "typescript",
      OVERLOADS,
      "f",
      "export function f(a: unknown) {\n  stop();\n}",
      "f#3",
    ],
    [
      "a changed implementation",
      "typescript",
      OVERLOADS,
      "f",
      "export function f(a: any) {\n  stop();\n}",
      "f#3",
    ],
    [
      "a changed signature, which may be any",
      "typescript",
      OVERLOADS,
      "f",
      "export function f(a: bigint): void;",
      "ambiguous",
    ],
    ["a prototype", "c", PROTOTYPE, "f", "static int f(int a);", "f#1"],
    [
      "a definition with its prototype",
      "c",
      PROTOTYPE,
      "f",
      "static int f(int a) {\n  return 1;\n}",
      "f#2",
    ],
    [
      "a nested function of the same head",
      "java",
      JAVA,
      "A-area",
      "void other() {\n  void area() {\n  }\n}",
      "ambiguous",
    ],
    [
      "a suffix that names elements of two classes",
      "java",
      "class A { void f(int a) {} }\nclass B { void f() {} }\n",
      "f",
      "void f() {}",
      "ambiguous",
    ],
  ];
  for (const [does, language, text, path, body, expected] of cases) {
    it(`${expected === "ambiguous" ? "does not choose" : "chooses it"}: ${does}`, async () => {
      assert.equal(await resolved(language, text, path, body.split("\n")), expected);
    });
  }
});
