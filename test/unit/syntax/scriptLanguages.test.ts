import { strict as assert } from "node:assert";
import { openDocument } from "./openDocument.ts";

/** The element's own text and the text between its delimiters; null when it has no members. */
async function parts(
  language: string,
  text: string,
  path: string,
): Promise<[string, string | null]> {
  const document = await openDocument(language, text);
  const result = document.resolve(path);
  document.dispose();
  assert.ok(result.ok, JSON.stringify(result));
  const { range, body } = result.value;
  return [text.slice(range.start, range.end), body && text.slice(body.inner.start, body.inner.end)];
}

async function importsOf(language: string, text: string): Promise<string> {
  const document = await openDocument(language, text);
  const result = document.resolve("@imports");
  document.dispose();
  assert.ok(result.ok, JSON.stringify(result));
  const { start, end } = result.value.range;
  return `${text.slice(0, start)}«${text.slice(start, end)}»${text.slice(end)}`;
}

async function paths(language: string, text: string): Promise<string[]> {
  const document = await openDocument(language, text);
  const outline = document.outline();
  document.dispose();
  return outline.map(({ path }) => path);
}

describe("the body between keywords", () => {
  for (const [language, path, text, body] of [
    ["lua", "M-f", "function M.f() end", " "],
    ["lua", "f", "local function f(a)\n\treturn a\nend", "\n\treturn a\n"],
    ["lua", "f", "f = function() return 1 end", " return 1 "],
    ["ruby", "A", "class A; end", " "],
    ["ruby", "A", "class A < B\r\n  X = 1\r\nend", "\r\n  X = 1\r\n"],
    ["ruby", "f", "def f(a) = a", null],
    ["ruby", "f", "def self.f a\n  a\nend", "\n  a\n"],
    ["ruby", "M", "module M\nend", "\n"],
    ["ruby", "x", "it 'x' do |a|\n  a\nend", "\n  a\n"],
    ["ruby", "x", "it('x') { 1 }", " 1 "],
    ["bash", "f", "f() { :; }", " :; "],
    ["bash", "f", "function f ( cd x )", " cd x "],
    ["php", "f", "<?php function f() {}", ""],
  ] as const) {
    it(`of ${language} ${JSON.stringify(text)} is ${JSON.stringify(body)}`, async () => {
      const [whole, inner] = await parts(language, `${text}\n`, path);
      assert.equal(whole, text.replace("<?php ", ""));
      assert.equal(inner, body);
    });
  }
});

describe("Lua", () => {
  it("puts functions and methods under their table", async () => {
    assert.deepEqual(
      await paths("lua", "function A.B.c() end\nfunction A:d() end\nA.e = function() end\n"),
      ["A-B-c", "A-d", "A-e"],
    );
  });

  it("gives the names of one `local` its range", async () => {
    assert.deepEqual(await parts("lua", "local a, b = 1, 2 -- x\n", "b"), [
      "local a, b = 1, 2",
      null,
    ]);
  });

  it("takes the requires as imports, and puts new ones after a shebang", async () => {
    assert.equal(
      await importsOf("lua", 'local a = require("a")\nrequire "b"\nlocal c = 1\n'),
      '«local a = require("a")\nrequire "b"»\nlocal c = 1\n',
    );
    assert.equal(
      await importsOf("lua", "#!/usr/bin/lua\nlocal c = 1\n"),
      "#!/usr/bin/lua\n«»local c = 1\n",
    );
  });
});

describe("Ruby", () => {
  it("includes a modifier before a method", async () => {
    assert.deepEqual(await parts("ruby", "class A\n  private def f\n  end\nend\n", "A-f"), [
      "private def f\n  end",
      "\n  ",
    ]);
  });

  it("includes a heredoc's text in the constant or one-liner that begins it", async () => {
    const text = "A = <<~X.strip\n  a = 1\nX\ndef f = <<~Y\n  b\nY\nB = 1\n";
    assert.equal((await parts("ruby", text, "A"))[0], "A = <<~X.strip\n  a = 1\nX");
    assert.equal((await parts("ruby", text, "f"))[0], "def f = <<~Y\n  b\nY");
  });

  it("gives the accessors of one line its range", async () => {
    const text = "class A\n  attr_reader :a\n  attr_writer :b, :c\nend\n";
    assert.equal((await parts("ruby", text, "a"))[0], "attr_reader :a");
    assert.equal((await parts("ruby", text, "b"))[0], "attr_writer :b, :c");
    assert.equal((await parts("ruby", text, "c"))[0], "attr_writer :b, :c");
  });

  it("takes the requires as imports, and puts new ones after the magic comment", async () => {
    assert.equal(
      await importsOf("ruby", "require 'a'\nrequire_relative 'b'\n\nA = 1\n"),
      "«require 'a'\nrequire_relative 'b'»\n\nA = 1\n",
    );
    const header = "# frozen_string_literal: true\n\n";
    assert.equal(await importsOf("ruby", `${header}class A\nend\n`), `${header}«»class A\nend\n`);
  });

  it("resolves beside a half-typed method", async () => {
    assert.ok(
      (await paths("ruby", "class A\n  def ok\n  end\n\n  def half(\nend\n")).some((path) =>
        path.endsWith("ok"),
      ),
    );
  });
});

describe("PHP", () => {
  it("includes attributes and modifiers in a member, but not its comment", async () => {
    const text = "<?php\nclass A {\n  /** x */\n  #[X]\n  public static ?int $a = 1;\n}\n";
    assert.deepEqual(await parts("php", text, "A-$a"), [
      "#[X]\n  public static ?int $a = 1;",
      null,
    ]);
  });

  it("accepts the namespace before a path", async () => {
    const text = "<?php\nnamespace App\\Models;\nclass A {}\n";
    assert.deepEqual(await parts("php", text, "App\\Models-A"), ["class A {}", ""]);
  });

  it("puts imports after the opening tag, the declarations and the namespace", async () => {
    const head = "<?php\n\ndeclare(strict_types=1);\n\nnamespace A;\n\n";
    assert.equal(await importsOf("php", `${head}class A {}\n`), `${head}«»class A {}\n`);
    assert.equal(await importsOf("php", "<?php\nclass A {}\n"), "<?php\n«»class A {}\n");
  });
});

describe("Bash", () => {
  it("makes top-level variables elements with their `export`, but not those in functions and loops", async () => {
    const text = "export A=1\nB=2 run\nf() { C=1; }\nfor i in 1; do D=1; done\nE=(1 2)\n";
    assert.deepEqual(await paths("bash", text), ["A", "B()", "f", "for i in 1", "E"]);
    assert.equal((await parts("bash", text, "A"))[0], "export A=1");
  });

  it("takes the sourced files as imports, and puts new ones after `set`", async () => {
    assert.equal(
      await importsOf("bash", "#!/bin/sh\nset -e\n. ./a.sh\nsource b\nA=1\n"),
      "#!/bin/sh\nset -e\n«. ./a.sh\nsource b»\nA=1\n",
    );
    assert.equal(
      await importsOf("bash", "#!/bin/sh\nset -e\n\nA=1\n"),
      "#!/bin/sh\nset -e\n\n«»A=1\n",
    );
  });
});
