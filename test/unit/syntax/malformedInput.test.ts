import { strict as assert } from "node:assert";
import fc from "fast-check";
import grammars from "../../../grammars/grammars.json" with { type: "json" };
import { openDocument, openMonster } from "./openDocument.ts";

const LANGUAGES = grammars.languages.map(({ id }) => id);

async function paths(language: string, text: string): Promise<string[]> {
  const document = await openDocument(language, text);
  const outline = document.outline();
  for (const entry of outline) {
    const result = document.resolve(entry.path);
    if (result.ok) assert.equal(result.value.path, entry.path);
    else assert.equal(result.error.code, "syntax-error", entry.path);
  }
  document.errorCount();
  document.dispose();
  return outline.map(({ path }) => path);
}

describe("malformed input", () => {
  for (const language of LANGUAGES) {
    it(`${language}: reads empty texts, comments, blank lines, NUL bytes and lone carriage returns`, async () => {
      for (const text of [
        "",
        "\n\n",
        " \t\r\n",
        "// a\n# b\n/* c */",
        "\0\0\0",
        "a\0b = 1\n",
        "a\rb\rc",
        "\uFEFF",
        "\uFEFF\uFEFF#!",
        "#!",
      ]) {
        await paths(language, text);
      }
    });

    it(`${language}: survives a line of a megabyte and a megabyte of brackets`, async () => {
      await paths(language, `x = "${"a".repeat(1_000_000)}"\n`);
      assert.equal(await openMonster(language, "({[<\"'".repeat(20_000)), null);
      await paths(language, "({[<\"'".repeat(500));
    });

    it(`${language}: resolves every path of the outline to its own element, whatever the text`, async () => {
      const token = fc.constantFrom(
        ..."class |function |def |func |type |enum |const |let |export |default |import |# |## |- |> |@x |f|g|A|B|-|(|)|{|}|[|]|:|;|,|=|=>|\n|\n\n|  |\t|\"|'|`|//|/*|*/|😀|1|\0|\uFEFF".split(
          "|",
        ),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(token, { maxLength: 60 }), async (tokens) => {
          const found = await paths(language, tokens.join(""));
          assert.equal(new Set(found).size, found.length);
        }),
        { numRuns: 150 },
      );
    });
  }

  it("finds the elements beside merge markers", async () => {
    const text =
      "function a() {}\n<<<<<<< HEAD\nfunction b() {}\n=======\nfunction b2() {}\n>>>>>>> x\nfunction c() {}\n";
    assert.ok((await paths("typescript", text)).includes("c"));
    const python =
      "def a():\n    pass\n\n<<<<<<< HEAD\nx = 1\n=======\nx = 2\n>>>>>>> b\n\ndef c():\n    pass\n";
    assert.ok((await paths("python", python)).includes("a"));
  });

  it("finds the finished elements in half-typed code", async () => {
    assert.ok(
      (
        await paths("typescript", "class A {\n  done() {}\n  half(\n}\nfunction ok() {}\n")
      ).includes("ok"),
    );
    assert.ok((await paths("go", "package p\n\nfunc ok() {}\n\nfunc half( {\n")).includes("ok"));
  });

  for (const [language, text] of [
    ["typescript", `${"function f(){".repeat(5000)}${"}".repeat(5000)}`],
    ["typescript", `const a = ${"(".repeat(5000)}1${")".repeat(5000)}`],
    ["javascript", `const a = ${"{b:".repeat(5000)}1${"}".repeat(5000)}`],
    ["java", `${"class A {".repeat(5000)}${"}".repeat(5000)}`],
    ["go", `package p\nvar a = ${"[]int{".repeat(5000)}${"}".repeat(5000)}`],
    ["python", `a = ${"[".repeat(5000)}${"]".repeat(5000)}`],
    ["typescript", "{(".repeat(5000)],
    ["json", `${'{"a":['.repeat(5000)}1${"]}".repeat(5000)}`],
    ["json", "[".repeat(5000)],
    ["css", `${".a{".repeat(5000)}${"}".repeat(5000)}`],
    ["html", `${"<b id=x>".repeat(5000)}${"</b>".repeat(5000)}`],
    ["html", "<b id=x>".repeat(5000)],
    ["yaml", `a: ${"{a: ".repeat(5000)}1${"}".repeat(5000)}`],
    ["lua", `${"function f() ".repeat(5000)}${"end ".repeat(5000)}`],
    ["ruby", `${"class A;".repeat(5000)}${"end;".repeat(5000)}`],
    ["php", `<?php ${"function f(){".repeat(5000)}${"}".repeat(5000)}`],
    ["bash", `${"f(){ ".repeat(5000)}${"}".repeat(5000)}`],
  ] as const) {
    it(`${language}: survives 5,000 levels of ${JSON.stringify(text.slice(0, 20))}`, async () => {
      const document = await openMonster(language, text);
      assert.ok((document?.outline().length ?? 0) <= 64);
      document?.errorCount();
      document?.dispose();
    });
  }

  it("ends with texts that would take minutes to parse or to search", async () => {
    for (const [language, text] of [
      ["html", "<b id=x>".repeat(50_000)],
      ["ruby", "begin\n".repeat(50_000)],
      ["swift", "({[<\"'".repeat(20_000)],
    ] as const) {
      const document = await openMonster(language, text);
      assert.equal(document?.outline().length ?? 0, 0);
      document?.dispose();
    }
  });

  it("finds the last of 10,000 elements and numbers equal names", async () => {
    const text = Array.from(
      { length: 10_000 },
      (_, index) => `function f${index % 2 === 0 ? index : ""}() {}`,
    ).join("\n");
    const document = await openDocument("typescript", text);
    assert.equal(document.outline().length, 10_000);
    const last = document.resolve("f#5000");
    assert.ok(last.ok);
    assert.equal(last.value.range.end, text.length);
    document.dispose();
  });

  it("clips long names to one short line", async () => {
    const [title = ""] = await paths("typescript", `it("${"long ".repeat(50_000)}", () => {});\n`);
    assert.ok(title.length < 130);
    assert.deepEqual(await paths("typescript", "it(`one\n  two`, () => {});\n"), ["one two"]);
  });
});
