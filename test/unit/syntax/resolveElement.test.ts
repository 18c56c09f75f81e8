import { strict as assert } from "node:assert";
import type { PathError, SyntaxElement } from "../../../src/syntax/syntax.ts";
import { openDocument } from "./openDocument.ts";

async function found(language: string, text: string, path: string): Promise<SyntaxElement> {
  const document = await openDocument(language, text);
  const result = document.resolve(path);
  document.dispose();
  assert.ok(result.ok, JSON.stringify(result));
  return result.value;
}

async function refused(language: string, text: string, path: string): Promise<PathError> {
  const document = await openDocument(language, text);
  const result = document.resolve(path);
  document.dispose();
  assert.ok(!result.ok, `${path} must not resolve`);
  return result.error;
}

async function textOf(language: string, text: string, path: string): Promise<string> {
  const { range } = await found(language, text, path);
  return text.slice(range.start, range.end);
}

const SHAPES = `class Circle {
  area() { return 1; }
  draw() {}
}
class Square {
  area() { return 2; }
  side = 1;
}
`;

describe("resolving an AST path", () => {
  it("finds an element by its full path, and by a suffix that only one element has", async () => {
    assert.equal(await textOf("typescript", SHAPES, "Square-area"), "area() { return 2; }");
    assert.equal(await textOf("typescript", SHAPES, "draw"), "draw() {}");
    assert.equal((await found("typescript", SHAPES, "side")).path, "Square-side");
  });

  it("refuses an ambiguous suffix and lists every candidate with its lines", async () => {
    const error = await refused("typescript", SHAPES, "area");
    const candidates = [
      { path: "Circle-area", kind: "method", startLine: 2, endLine: 2, signature: "area()" },
      { path: "Square-area", kind: "method", startLine: 6, endLine: 6, signature: "area()" },
    ];
    assert.deepEqual(error, { code: "ambiguous", path: "area", count: 2, candidates });
  });

  it("matches suffixes at segment boundaries only", async () => {
    assert.equal((await refused("typescript", SHAPES, "raw")).code, "not-found");
    assert.equal((await refused("typescript", SHAPES, "ircle-area")).code, "not-found");
    assert.equal((await refused("markdown", "# One-two\n", "two")).code, "not-found");
  });

  it("lists the nearest paths for an unknown one, nearest first", async () => {
    const error = await refused("typescript", SHAPES, "Square-aera");
    assert.ok(error.code === "not-found");
    assert.equal(error.path, "Square-aera");
    assert.deepEqual(error.candidates[0], {
      path: "Square-area",
      kind: "method",
      startLine: 6,
      endLine: 6,
    });
  });

  it("has no candidates in a file without elements", async () => {
    assert.deepEqual(await refused("typescript", "\n", "a"), {
      code: "not-found",
      path: "a",
      candidates: [],
    });
  });

  it("lists at most eight candidates and counts them all", async () => {
    const classes = Array.from({ length: 20 }, (_, index) => `class C${index} { run() {} }`).join(
      "\n",
    );
    const error = await refused("typescript", classes, "run");
    assert.ok(error.code === "ambiguous");
    assert.equal(error.candidates.length, 8);
    assert.equal(error.count, 20);
  });

  it("numbers overloads in source order, and takes #1 for the only one of a name", async () => {
    const text =
      "function f(a: string): void;\nfunction f(a: number): void;\nfunction f(a: unknown) {}\nfunction g() {}\n";
    assert.equal(await textOf("typescript", text, "g#1"), "function g() {}");
    assert.equal(await textOf("typescript", text, "f#1"), "function f(a: string): void;");
    assert.equal(await textOf("typescript", text, "f#3"), "function f(a: unknown) {}");
    assert.equal((await refused("typescript", text, "f#4")).code, "not-found");
  });

  it("numbers paths that collide through a dash in a name", async () => {
    const text = "# a\n\n## b\n\n# a-b\n";
    assert.equal((await refused("markdown", text, "a-b")).code, "ambiguous");
    assert.equal((await found("markdown", text, "a-b#1")).range.start, text.indexOf("## b"));
    assert.equal((await found("markdown", text, "a-b#2")).range.start, text.indexOf("# a-b"));
  });

  it("finds names with dashes, spaces, quotes, colons, backticks and emoji as the outline prints them", async () => {
    const text = 'describe("a - b: \\"c\\"", () => { it(`works 😀 with-dash`, () => {}); });\n';
    const document = await openDocument("typescript", text);
    const paths = document.outline().map(({ path }) => path);
    assert.equal(paths.length, 2);
    for (const path of paths) assert.equal(document.resolve(path).ok, true, path);
    assert.equal(document.resolve("works 😀 with-dash").ok, true);
    document.dispose();
    assert.equal(
      (await found("markdown", "# Use `npm start` now\n", "Use npm start now")).kind,
      "heading",
    );
    assert.equal(
      (await found("markdown", "# Use `npm start` now\n", "Use `npm start`  now")).kind,
      "heading",
    );
  });

  it("finds members whose names are keywords or properties of every object", async () => {
    const text =
      "class A { delete() {}\n  toString() {}\n  __proto__() {}\n  hasOwnProperty() {} }\nconst constructor = 1;\n";
    for (const path of [
      "A-delete",
      "A-toString",
      "A-__proto__",
      "A-hasOwnProperty",
      "constructor",
    ]) {
      assert.ok((await textOf("typescript", text, path)).includes(path.replace("A-", "")));
    }
  });

  it("accepts a Java path with or without its dotted package", async () => {
    const text = "package com.acme;\n\nclass Shape { void area() {} }\n";
    assert.equal(await textOf("java", text, "com.acme-Shape-area"), "void area() {}");
    assert.equal(await textOf("java", text, "Shape-area"), "void area() {}");
  });

  it("finds Go methods under their receiver's type, generic, by pointer or unnamed", async () => {
    const text = "package p\n\nfunc (s *Stack[T]) Push() {}\nfunc (Stack) Pop() {}\n";
    assert.equal(await textOf("go", text, "Stack-Push"), "func (s *Stack[T]) Push() {}");
    assert.equal(await textOf("go", text, "Stack-Pop"), "func (Stack) Pop() {}");
  });

  it("resolves beside a syntax error, and refuses the element that contains it", async () => {
    const text = "function good() {}\nfunction bad() { const = ; }\nfunction alsoGood() {}\n";
    assert.equal(await textOf("typescript", text, "good"), "function good() {}");
    assert.equal(await textOf("typescript", text, "alsoGood"), "function alsoGood() {}");
    const error = await refused("typescript", text, "bad");
    assert.deepEqual(error, {
      code: "syntax-error",
      element: { path: "bad", kind: "function", startLine: 2, endLine: 2 },
    });
  });

  it("resolves @file to the whole text, with a body after byte order mark and shebang", async () => {
    const text = "\uFEFF#!/usr/bin/env node\nlet a = ;\n";
    const file = await found("typescript", text, "@file");
    assert.deepEqual(file.range, { start: 0, end: text.length });
    assert.equal(text.slice(file.body?.inner.start), "let a = ;\n");
  });

  it("reserves @file and @imports, whatever the headings are called", async () => {
    const text = "# @file\n\ntext\n";
    assert.equal((await found("markdown", text, "@file")).kind, "file");
    assert.equal((await found("markdown", text, "@file#1")).kind, "heading");
  });
});
