import { strict as assert } from "node:assert";
import fc from "fast-check";
import grammars from "../../../grammars/grammars.json" with { type: "json" };
import { campaignRuns } from "../../fakes/campaignRuns.ts";
import { openDocument, openMonster } from "./openDocument.ts";

const LANGUAGES = grammars.languages.map(({ id }) => id);
/** How long, deep and large the monsters are. */
const LINE = campaignRuns(100_000, 1_000_000);
const LEVELS = campaignRuns(2_000, 5_000);
const ELEMENTS = 2 * campaignRuns(1_500, 5_000);
const TEXTS = campaignRuns(20, 150);

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

    it(`${language}: survives a line of ${LINE} characters and 120,000 brackets`, async () => {
      await paths(language, `x = "${"a".repeat(LINE)}"\n`);
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
        { numRuns: TEXTS },
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
    ["typescript", `${"function f(){".repeat(LEVELS)}${"}".repeat(LEVELS)}`],
    ["typescript", `const a = ${"(".repeat(LEVELS)}1${")".repeat(LEVELS)}`],
    ["javascript", `const a = ${"{b:".repeat(LEVELS)}1${"}".repeat(LEVELS)}`],
    ["java", `${"class A {".repeat(LEVELS)}${"}".repeat(LEVELS)}`],
    ["go", `package p\nvar a = ${"[]int{".repeat(LEVELS)}${"}".repeat(LEVELS)}`],
    ["python", `a = ${"[".repeat(LEVELS)}${"]".repeat(LEVELS)}`],
    ["typescript", "{(".repeat(LEVELS)],
    ["json", `${'{"a":['.repeat(LEVELS)}1${"]}".repeat(LEVELS)}`],
    ["json", "[".repeat(LEVELS)],
    ["css", `${".a{".repeat(LEVELS)}${"}".repeat(LEVELS)}`],
    ["html", `${"<b id=x>".repeat(LEVELS)}${"</b>".repeat(LEVELS)}`],
    ["html", "<b id=x>".repeat(LEVELS)],
    ["yaml", `a: ${"{a: ".repeat(LEVELS)}1${"}".repeat(LEVELS)}`],
    ["lua", `${"function f() ".repeat(LEVELS)}${"end ".repeat(LEVELS)}`],
    ["ruby", `${"class A;".repeat(LEVELS)}${"end;".repeat(LEVELS)}`],
    ["php", `<?php ${"function f(){".repeat(LEVELS)}${"}".repeat(LEVELS)}`],
    ["bash", `${"f(){ ".repeat(LEVELS)}${"}".repeat(LEVELS)}`],
  ] as const) {
    it(`${language}: survives ${LEVELS} levels of ${JSON.stringify(text.slice(0, 20))}`, async () => {
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

  it(`finds the last of ${ELEMENTS} elements and numbers equal names`, async () => {
    const text = Array.from(
      { length: ELEMENTS },
      (_, index) => `function f${index % 2 === 0 ? index : ""}() {}`,
    ).join("\n");
    const document = await openDocument("typescript", text);
    assert.equal(document.outline().length, ELEMENTS);
    const last = document.resolve(`f#${ELEMENTS / 2}`);
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
