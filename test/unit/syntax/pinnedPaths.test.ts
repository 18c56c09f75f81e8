import { strict as assert } from "node:assert";
import type { SyntaxDocument } from "../../../src/syntax/syntax.ts";
import { openDocument } from "./openDocument.ts";

/** Opens a text whose paths are pinned. */
async function pinned(language: string, text: string): Promise<SyntaxDocument> {
  const document = await openDocument(language, text);
  document.pinPaths();
  return document;
}

/** Edits only what differs. */
function replace(document: SyntaxDocument, old: string, text: string): void {
  const start = document.text.indexOf(old);
  assert.ok(start >= 0, "the case itself is wrong");
  let before = 0;
  while (before < Math.min(old.length, text.length) && old[before] === text[before]) before++;
  let after = 0;
  while (
    after < Math.min(old.length, text.length) - before &&
    old.at(-1 - after) === text.at(-1 - after)
  )
    after++;
  document.edit(
    { start: start + before, end: start + old.length - after },
    text.slice(before, text.length - after),
  );
}

/** The text of the element that a path names, or the refusal's code. */
function named(document: SyntaxDocument, path: string): string {
  const found = document.resolve(path);
  return found.ok
    ? document.text.slice(found.value.range.start, found.value.range.end)
    : found.error.code;
}

describe("a pinned path, after an element of its name was added", () => {
  it("means the element that was shown", async () => {
    const document = await pinned("typescript", "function f() { one(); }\n");
    document.edit({ start: 0, end: 0 }, "function f() { zero(); }\n");
    assert.equal(named(document, "f"), "function f() { one(); }");
    document.dispose();
  });

  it("is ambiguous when the shown one cannot be told apart", async () => {
    const document = await pinned("typescript", "function f() { one(); }\n");
    document.edit(
      { start: 0, end: document.text.length - 1 },
      "function f() { two(); }\nfunction f() { three(); }",
    );
    assert.equal(named(document, "f"), "ambiguous");
    document.dispose();
  });
});

describe("a pinned element that an earlier edit made longer or shorter", () => {
  it("is refused when it swallowed the call behind it", async () => {
    const document = await pinned(
      "javascript",
      "const a = b\n\nfunction f() {}\n\n(function () {\n  go()\n})()\n",
    );
    replace(document, "function f() {}\n\n", "");
    assert.equal(named(document, "a"), "boundary-changed");
    document.dispose();
  });

  it("is refused when text that was inserted after it became a part of it", async () => {
    const document = await pinned("javascript", "const a = b\n");
    replace(document, "b\n", "b\n(function () {})()\n");
    assert.equal(named(document, "a"), "boundary-changed");
    document.dispose();
  });

  it("is refused when a section took over the text of a removed heading", async () => {
    const document = await pinned("markdown", "# A\n\na\n\n# B\n\nb\n");
    replace(document, "# B\n", "");
    assert.equal(named(document, "A"), "boundary-changed");
    document.dispose();
  });

  it("is refused when the text of a template took over the text behind a removed tag", async () => {
    const document = await pinned("html", "{% block a %}\none\n<hr>\n{% block b %}\ntwo\n");
    replace(document, "<hr>\n", "");
    assert.equal(named(document, "% block a %}"), "boundary-changed");
    document.dispose();
  });

  it("is refused when a new decorator above it is not its own text", async () => {
    const document = await pinned("python", "x = 1\ndef f():\n    pass\n");
    replace(document, "x = 1\n", "@cached\n");
    assert.equal(named(document, "f"), "boundary-changed");
    document.dispose();
  });

  const kept: readonly (readonly [
    does: string,
    language: string,
    text: string,
    old: string,
    by: string,
    path: string,
    expected: string,
  ])[] = [
    [
      "a member was appended to an indented block",
      "python",
      "class A:\n    a = 1\n",
      "a = 1\n",
      "a = 1\n\n    def f(self): pass\n",
      "A",
      "class A:\n    a = 1\n\n    def f(self): pass",
    ],
    [
      "a member was added between braces",
      "typescript",
      "class A {\n}\n",
      "{\n",
      "{\n  f() {}\n",
      "A",
      "class A {\n  f() {}\n}",
    ],
    [
      "text was appended to a section",
      "markdown",
      "# A\n\na\n\n# B\n",
      "a\n",
      "a\n\nb\n",
      "A",
      "# A\n\na\n\nb",
    ],
    ["a comma was added after it", "json", '{ "a": 1 }\n', "1", '1, "b": 2', "a", '"a": 1,'],
    [
      "its text was replaced",
      "typescript",
      "const a = 1;\nconst b = 1;\n",
      "const a = 1;",
      "const a = {\n  b,\n};",
      "a",
      "const a = {\n  b,\n};",
    ],
    [
      "the element above was removed",
      "yaml",
      "a:\n  b: 1\nc: 2\n",
      "a:\n  b: 1\n",
      "",
      "c",
      "c: 2",
    ],
    [
      "its last member was removed",
      "python",
      "class A:\n    a = 1\n\n    def f(self): pass\n\nb = 1\n",
      "\n    def f(self): pass\n",
      "",
      "A",
      "class A:\n    a = 1",
    ],
    [
      "the element below was removed",
      "markdown",
      "# A\n\na\n\n# B\n\nb\n",
      "# B\n\nb\n",
      "",
      "A",
      "# A\n\na",
    ],
  ];
  for (const [does, language, text, old, by, path, expected] of kept) {
    it(`is found when ${does}`, async () => {
      const document = await pinned(language, text);
      replace(document, old, by);
      assert.equal(named(document, path), expected);
      document.dispose();
    });
  }
});
