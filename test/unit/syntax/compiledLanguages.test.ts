import { strict as assert } from "node:assert";
import { openDocument } from "./openDocument.ts";

async function rangeOf(language: string, text: string, path: string): Promise<string> {
  const document = await openDocument(language, text);
  const result = document.resolve(path);
  document.dispose();
  assert.ok(result.ok, JSON.stringify(result));
  return text.slice(result.value.range.start, result.value.range.end);
}

async function bodyOf(
  language: string,
  text: string,
  path: string,
): Promise<[string, string | null]> {
  const document = await openDocument(language, text);
  const result = document.resolve(path);
  document.dispose();
  assert.ok(result.ok && result.value.body, `${path} has a body`);
  const { inner, memberIndent } = result.value.body;
  return [text.slice(inner.start, inner.end), memberIndent];
}

async function paths(language: string, text: string): Promise<string[]> {
  const document = await openDocument(language, text);
  const outline = document.outline();
  document.dispose();
  return outline.map(({ path }) => path);
}

async function importsOf(language: string, text: string): Promise<string> {
  const document = await openDocument(language, text);
  const result = document.resolve("@imports");
  document.dispose();
  assert.ok(result.ok);
  const { start, end } = result.value.range;
  return `${text.slice(0, start)}«${text.slice(start, end)}»${text.slice(end)}`;
}

describe("Rust", () => {
  it("puts the members of every impl under the type, and numbers only the impls", async () => {
    const text =
      "struct A;\nimpl A {\n    fn new() {}\n}\nimpl Display for A {\n    fn fmt(&self) {}\n}\nimpl Debug for A {\n    fn fmt(&self) {}\n}\n";
    assert.deepEqual(await paths("rust", text), [
      "A#1",
      "A#2",
      "A-new",
      "A#3",
      "A-fmt#1",
      "A#4",
      "A-fmt#2",
    ]);
    assert.equal(await rangeOf("rust", text, "A-new"), "fn new() {}");
  });

  it("includes attributes in an element, but not doc comments or inner docs", async () => {
    const text = "//! Crate.\n/// Doc.\n#[a]\n#[b(c)]\npub fn f() {}\n";
    assert.equal(await rangeOf("rust", text, "f"), "#[a]\n#[b(c)]\npub fn f() {}");
    const document = await openDocument("rust", text);
    const result = document.resolve("f");
    document.dispose();
    assert.ok(result.ok);
    assert.equal(text.slice(result.value.commentStart, result.value.range.start), "/// Doc.\n");
  });

  it("puts imports after the crate's docs and attributes, and includes the imports' attributes", async () => {
    assert.equal(
      await importsOf("rust", "//! Crate.\n#![allow(x)]\n\nfn f() {}\n"),
      "//! Crate.\n#![allow(x)]\n\n«»fn f() {}\n",
    );
    assert.equal(
      await importsOf("rust", "use a;\n#[cfg(unix)]\nuse b;\n\nfn f() {}\n"),
      "«use a;\n#[cfg(unix)]\nuse b;»\n\nfn f() {}\n",
    );
  });

  it("gives empty and filled bodies a place for members", async () => {
    assert.deepEqual(await bodyOf("rust", "struct A;\nimpl A {}\n", "A#2"), ["", null]);
    assert.deepEqual(await bodyOf("rust", "trait T {\n\tfn a();\n}\n", "T"), [
      "\n\tfn a();\n",
      "\t",
    ]);
  });
});

describe("C and C++", () => {
  it("extends a name through its declarators to the whole definition", async () => {
    for (const [language, text, path] of [
      ["c", "static const char **f(int a)\n{\n  return 0;\n}", "f"],
      ["c", "int (*table[3])(int a, char b);", "table"],
      ["c", "typedef void (*handler)(int code);", "handler"],
      ["c", "extern int declared(int (*callback)(int x));", "declared"],
      ["cpp", "template <typename T>\nconst T& A<T>::get() const noexcept { return x; }", "A-get"],
      ["cpp", "std::vector<int>&& f() { return x; }", "f"],
      ["cpp", "A::B::~B() {}", "A-B-~B"],
    ] as const) {
      assert.equal(await rangeOf(language, `int before;\n${text}\nint after;\n`, path), text);
    }
  });

  it("leaves out parameters and variables of functions", async () => {
    assert.deepEqual(
      await paths("cpp", "void f(int *a, int &b) {\n  Lock lock(mutex);\n  int *c = a, d[2];\n}\n"),
      ["f"],
    );
  });

  it("tolerates a macro call without its `;`", async () => {
    const text = "G_DEFINE_TYPE(a, b)\n\nint f() {\n  RETURN(x)\n}\n";
    assert.equal(await rangeOf("c", text, "f"), "int f() {\n  RETURN(x)\n}");
  });

  it("names a statement by its beginning and a comment by its first words", async () => {
    assert.deepEqual(await paths("cpp", "// Licence: none\n\n#undef A\nREGISTER(b, c);\n"), [
      "comment Licence: none",
      "#undef A",
      "REGISTER()",
    ]);
  });

  it("makes each of several names declared together an element", async () => {
    const text = "int a = 1, *b;\nstruct s {\n  int c, d[2];\n  int e : 1, f : 2;\n};\n";
    assert.equal(await rangeOf("c", text, "a"), "a = 1,");
    assert.equal(await rangeOf("c", text, "s-c"), "c,");
    assert.deepEqual(await paths("c", text), ["int a", "a", "b", "s", "s-c", "s-d"]);
  });

  it("puts the first member after `public:` with the members' indent", async () => {
    assert.deepEqual(await bodyOf("cpp", "class A {\n public:\n  int a;\n};\n", "A"), [
      "\n  int a;\n",
      "  ",
    ]);
    assert.deepEqual(await bodyOf("cpp", "class A {};\n", "A"), ["", null]);
  });

  it("takes the includes of the file or its guard as imports, not conditional ones", async () => {
    const guarded = "#ifndef A_H\n#define A_H\n\n#include <a>\n#include <b>\n\nint x;\n#endif\n";
    assert.equal(
      await importsOf("cpp", guarded),
      guarded.replace("#include <a>\n#include <b>", "«$&»"),
    );
    const conditional = "#ifdef X\n#include <a>\n#endif\n#include <b>\nint x;\n";
    assert.equal(await importsOf("c", conditional), conditional.replace("#include <b>", "«$&»"));
    assert.equal(await importsOf("cpp", "#pragma once\n\nint x;\n"), "#pragma once\n\n«»int x;\n");
    assert.equal(
      await importsOf("c", "#ifndef A_H\n#define A_H\nint x;\n#endif\n"),
      "#ifndef A_H\n#define A_H\n«»int x;\n#endif\n",
    );
  });

  const EXPORTED =
    "class LIB_EXPORT A : public B {\n public:\n  LIB_API void f();\n  int x;\n};\nLIB_API extern int g(int a);\n";

  it("includes export macros in classes and functions", async () => {
    assert.deepEqual(await paths("cpp", EXPORTED), ["A", "A-f", "A-x", "g"]);
    assert.equal(await rangeOf("cpp", EXPORTED, "A-f"), "LIB_API void f();");
    assert.equal(await rangeOf("c", "LIB_API int f(int a);\n", "f"), "LIB_API int f(int a);");
    assert.deepEqual(await paths("c", "struct SOMETHING value = { 1 };\nDWORD_API x;\n"), [
      "value",
      "x",
    ]);
  });

  it("finds the same elements as a full parse while such a macro is typed and deleted", async () => {
    const document = await openDocument("cpp", "");
    const expectSame = async (): Promise<void> =>
      assert.deepEqual(
        document.outline().map(({ path }) => path),
        await paths("cpp", document.text),
        document.text,
      );
    for (const character of EXPORTED) {
      document.edit({ start: document.text.length, end: document.text.length }, character);
      await expectSame();
    }
    for (let at = "class LIB_EXPORT ".length; at > "class ".length; at--) {
      document.edit({ start: at - 1, end: at }, "");
      await expectSame();
    }
    document.dispose();
  });

  it("finds the elements beside broken code", async () => {
    assert.ok((await paths("c", "int ok(void) { return 1; }\nint half( {\n")).includes("ok"));
    assert.ok(
      (
        await paths(
          "cpp",
          "int a() {}\n<<<<<<< HEAD\nint b() {}\n=======\nint c() {}\n>>>>>>> x\nint d() {}\n",
        )
      ).includes("a"),
    );
  });
});

describe("C#", () => {
  it("includes attributes and modifiers in an element, but not documentation", async () => {
    const text =
      "class A\n{\n    /// <summary>M</summary>\n    [Fact]\n    public async Task M() { }\n}\n";
    assert.equal(await rangeOf("csharp", text, "A-M"), "[Fact]\n    public async Task M() { }");
  });

  it("accepts the file's namespace before a path", async () => {
    const text = "using System;\n\nnamespace Acme.Shapes;\n\npublic class A\n{\n    int x;\n}\n";
    assert.equal(await rangeOf("csharp", text, "Acme.Shapes-A-x"), "int x;");
    assert.deepEqual(await bodyOf("csharp", text, "A"), ["\n    int x;\n", "    "]);
  });

  it("leaves usings inside a namespace out of the imports", async () => {
    assert.equal(
      await importsOf("csharp", "namespace A\n{\nusing B;\n}\n"),
      "«»namespace A\n{\nusing B;\n}\n",
    );
  });
});

describe("Kotlin", () => {
  for (const annotations of [
    "@A\n@B",
    '@A("x) // y") // why\n@get:B(C::class, [1])',
    "@A(\n    1,\n)\n@B",
  ]) {
    for (const declaration of [
      "class X",
      "internal class X",
      "data class X(val a: Int)",
      "enum class X(val a: Int) {\n}",
      "object X",
      "fun interface X {\n}",
    ]) {
      it(`${JSON.stringify(declaration)} below ${JSON.stringify(annotations)} is an element, whatever follows`, async () => {
        const whole = `${annotations}\n${declaration}`;
        for (const next of [
          "internal class Z",
          "private val z = 1",
          "/** Z. */\n@Q(1)\nclass Z",
          "fun z() {}",
        ]) {
          for (const eol of ["\n", "\r\n"]) {
            const text = `package p\n\n${whole}\n\n${next}\n`.replaceAll("\n", eol);
            assert.equal(await rangeOf("kotlin", text, "X"), whole.replaceAll("\n", eol));
          }
        }
      });
    }
  }

  it("gives an annotation below a class's name to the constructor", async () => {
    for (const annotation of ["@Inject", "@Other(1)"]) {
      const text = `class X\n${annotation}\nconstructor(val a: Int) : Y {\n  fun z() {}\n}\n`;
      assert.equal(await rangeOf("kotlin", text, "X"), text.trimEnd());
      assert.equal(
        await rangeOf("kotlin", text, "X-constructor"),
        `${annotation}\nconstructor(val a: Int)`,
      );
    }
  });

  for (const annotations of [
    '@Tag("slow")',
    '@Timeout(30)\n@Tag("slow")',
    '@A\n@Timeout(30)\n@Tag("slow")',
  ]) {
    for (const declaration of ["class A {\n}", "fun a() {\n}", "val a = 1", "object A"]) {
      it(`${JSON.stringify(annotations)} is part of ${JSON.stringify(declaration)}, also where a comment follows`, async () => {
        const path = /\b[aA]\b/.exec(declaration)?.[0] ?? "";
        const whole = `${annotations}\n${declaration}`;
        for (const behind of ["\n", "\n\n/* c */\n", "\n// c\n"]) {
          assert.equal(
            await rangeOf("kotlin", `package p\n\nval x = 1\n\n${whole}${behind}`, path),
            whole,
          );
        }
      });
    }
  }
});
