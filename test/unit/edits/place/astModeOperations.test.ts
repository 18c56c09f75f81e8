import assert from "node:assert/strict";
import { applyTo, editBlock } from "../../../fakes/turns/applyTo.ts";

/** An operation, the block's body, and what it makes of a part of the file, to the byte. */
type Case = readonly [address: string, body: string, from: string, to: string];

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

const FILES: Readonly<Record<string, { readonly text: string; readonly cases: readonly Case[] }>> =
  {
    "a.ts": {
      text: TS,
      cases: [
        [
          "Shape-area",
          "area() {\n\n  return 2;\n}",
          "area(): number {\n    return 1;",
          "area() {\n\n    return 2;",
        ],
        [
          "last",
          "    export function last() {\n      return;\n    }",
          "last(): void {}",
          "last() {\n  return;\n}",
        ],
        ["last", "function last() {}", "last(): void {}", "last() {}"],
        [
          "last:with-comment",
          "// Z.\nexport function z() {}",
          "// The end.\nexport function last(): void {}",
          "// Z.\nexport function z() {}",
        ],
        ["last", "", "// The end.\nexport function last(): void {}\n", "// The end.\n"],
        [
          "Shape-area:remove",
          "",
          "  /** Its area. */\n  @logged\n  area(): number {\n    return 1;\n  }\n\n",
          "",
        ],
        ["last:remove", "", "\n// The end.\nexport function last(): void {}\n", ""],
        ["Shape:before", "const x = 1;\n", "/** A shape. */", "const x = 1;\n\n/** A shape. */"],
        [
          "Shape-area:after",
          "\nheight = 2;",
          "    return 1;\n  }\n",
          "    return 1;\n  }\n\n  height = 2;\n",
        ],
        [
          "Shape:append",
          "\nkind() {}",
          '  name() { return "x"; }\n}',
          '  name() { return "x"; }\n\n  kind() {}\n}',
        ],
        ["Shape:prepend", "height = 2;", "  width = 1;", "  height = 2;\n  width = 1;"],
        ["Empty:append", "x = 1;", "class Empty {}", "class Empty {\n  x = 1;\n}"],
        ["Empty:prepend", "x = 1;", "class Empty {}", "class Empty {\n  x = 1;\n}"],
        [
          "@imports:append",
          'import { b } from "b";',
          'from "a";\n',
          'from "a";\nimport { b } from "b";\n',
        ],
        [
          "@imports:prepend",
          'import { b } from "b";',
          "import { a }",
          'import { b } from "b";\nimport { a }',
        ],
        ["@imports", 'import { b } from "b";', 'import { a } from "a";', 'import { b } from "b";'],
        [
          "@file:append",
          "\nlast();",
          "export function last(): void {}\n",
          "export function last(): void {}\n\nlast();\n",
        ],
      ],
    },
    "a.py": {
      text: PY,
      cases: [
        [
          "A:remove",
          "",
          'class A:\n    """Doc of A."""\n\n    def f(self):\n        return 1\n\n\n',
          "",
        ],
        [
          "A:append",
          "\ndef h(self):\n    return 2",
          "        return 1\n",
          "        return 1\n\n    def h(self):\n        return 2\n",
        ],
        ["A:prepend", "x = 1\n", "    def f", "    x = 1\n\n    def f"],
        ["B:append", "x = 1", "class B: pass", "class B:\n    pass\n    x = 1"],
      ],
    },
    "a.json": {
      text: '{\n  "a": 1,\n  "b": {\n    "c": 2\n  },\n  "l": [\n    { "x": 1 },\n    { "x": 2 }\n  ]\n}\n',
      cases: [
        ["l:after", '"n": 3', "  ]\n}", '  ],\n  "n": 3\n}'],
        ["b:append", '"d": 3', '"c": 2', '"c": 2,\n    "d": 3'],
        ["b:prepend", '"d": 3', '"c": 2', '"d": 3,\n    "c": 2'],
        ["a", '"a": [\n  1\n]', '"a": 1,', '"a": [\n    1\n  ],'],
        ["l-item#2:after", '{ "x": 3 }', "2 }\n", '2 },\n    { "x": 3 }\n'],
        ["item#2:remove", "", ',\n    { "x": 2 }', ""],
      ],
    },
    "a.yaml": {
      text: "on:\n  - a: 1\n    b: 2\n  - c: 3\n# about z\nz: 1\n",
      cases: [
        ["on-item#1:append", "n: 5", "b: 2\n", "b: 2\n    n: 5\n"],
        ["on-item#1:prepend", "n: 5", "a: 1\n", "a: 1\n    n: 5\n"],
        ["on-item#2:append", "n: 5", "c: 3\n", "c: 3\n    n: 5\n"],
        ["on:append", "- d: 5\n  e: 6", "c: 3\n", "c: 3\n  - d: 5\n    e: 6\n"],
        ["on:prepend", "- d: 5", "  - a: 1", "  - d: 5\n  - a: 1"],
        ["on-item#1:remove", "", "  - a: 1\n    b: 2\n", ""],
        ["z:with-comment", "# new\nz: 2", "# about z\nz: 1", "# new\nz: 2"],
      ],
    },
    "a.html": {
      text: "<body>\n  <div id='x'></div>\n  <p id='y'>Hi</p>, you\n</body>\n",
      cases: [
        ["x:append", "<b>1</b>", "'></", "'>\n    <b>1</b>\n  </"],
        ["body:append", "<b>1</b>", ", you\n", ", you\n  <b>1</b>\n"],
      ],
    },
    "a.css": {
      text: "a { top: 0; }\n/* x */\na:after {\n  top: 1px;\n}\n",
      cases: [
        ["a:after#1", "a:after {}", "a:after {\n  top: 1px;\n}", "a:after {}"],
        ["a:after", "a:after {}", "a:after {\n  top: 1px;\n}", "a:after {}"],
        ["a#1:after", "p {}", "0; }\n", "0; }\np {}\n"],
      ],
    },
    "a.rb": {
      text: "class A\n  def f\n  end\nend\n\nclass B < A; end\n",
      cases: [
        ["f:append", "1", "def f\n", "def f\n    1\n"],
        ["A:append", "\ndef g\nend", "  end\nend", "  end\n\n  def g\n  end\nend"],
        ["B:append", "X = 1", "A; end", "A;\n  X = 1\nend"],
      ],
    },
    "a.kt": {
      text: "package a\n\n// A box.\nclass Box {\n    val size = 1\n\n    // Opens it.\n    @Test\n    fun open() {\n        go()\n    }\n}\n\nclass Empty {}\nenum class E { A, B }\ndata class P(val x: Int)\n",
      cases: [
        [
          "Box:append",
          "fun close() {}",
          "        go()\n    }\n",
          "        go()\n    }\n    fun close() {}\n",
        ],
        ["Box:prepend", "val id = 2", "class Box {\n", "class Box {\n    val id = 2\n"],
        [
          "Box-open",
          "fun open() = 1",
          "    fun open() {\n        go()\n    }\n",
          "    fun open() = 1\n",
        ],
        ["Box-open:before", "fun a() {}", "    // Opens", "    fun a() {}\n    // Opens"],
        ["Box-open:after", "fun z() {}", "    }\n}", "    }\n    fun z() {}\n}"],
        [
          "Box-open:remove",
          "",
          "\n    // Opens it.\n    @Test\n    fun open() {\n        go()\n    }\n",
          "",
        ],
        [
          "Box-open:with-comment",
          "// Unlocks.\nfun open() {}",
          "    // Opens it.\n    @Test\n    fun open() {\n        go()\n    }\n",
          "    // Unlocks.\n    @Test\n    fun open() {}\n",
        ],
        ["open:append", "stop()", "        go()\n", "        go()\n        stop()\n"],
        ["Empty:append", "val x = 1", "class Empty {}", "class Empty {\n    val x = 1\n}"],
        ["E-B:after", "C", "A, B }", "A, B, C }"],
        ["P-constructor:append", "val y: Int", "(val x: Int)", "(val x: Int, val y: Int)"],
        ["@imports:append", "import b.C", "package a\n\n// A", "package a\n\nimport b.C\n\n// A"],
      ],
    },
    "a.swift": {
      text: "import A\n\n// A box.\nstruct Box {\n    let size = 1\n\n    // Opens it.\n    @discardableResult\n    func open() -> Int {\n        go()\n    }\n}\n\nclass Empty {}\nenum E {\n    case a\n}\nextension Box {\n    func more() {}\n}\n",
      cases: [
        [
          "Box#1:append",
          "func close() {}",
          "        go()\n    }\n",
          "        go()\n    }\n    func close() {}\n",
        ],
        ["Box#1:prepend", "let id = 2", "struct Box {\n", "struct Box {\n    let id = 2\n"],
        [
          "Box-open",
          "func open() {}",
          "    func open() -> Int {\n        go()\n    }\n",
          "    func open() {}\n",
        ],
        ["Box-open:before", "func a() {}", "    // Opens", "    func a() {}\n    // Opens"],
        ["Box-open:after", "func z() {}", "go()\n    }\n}", "go()\n    }\n    func z() {}\n}"],
        [
          "Box-open:remove",
          "",
          "\n    // Opens it.\n    @discardableResult\n    func open() -> Int {\n        go()\n    }\n",
          "",
        ],
        ["Box-more:append", "go()", "more() {}", "more() {\n        go()\n    }"],
        [
          "Box#1:with-comment",
          "struct Box {}",
          "// A box.\nstruct Box {\n    let size = 1\n\n    // Opens it.\n    @discardableResult\n    func open() -> Int {\n        go()\n    }\n}",
          "struct Box {}",
        ],
        ["Empty:append", "let x = 1", "class Empty {}", "class Empty {\n    let x = 1\n}"],
        ["E-a:after", "case b", "case a\n", "case a\n    case b\n"],
        ["@imports:append", "import B", "import A\n", "import A\nimport B\n"],
      ],
    },
    "a.scala": {
      text: "package a\n\nimport b.C\n\n// A box.\nclass Box:\n  val size = 1\n\n  // Opens it.\n  @inline\n  def open() =\n    go()\n    1\n  end open\n\nobject Brace {\n  def one = 1\n}\n\nclass Empty {}\nenum E:\n  case A\ncase class P(x: Int)\n",
      cases: [
        ["Box:append", "def close() = 1", "  end open\n", "  end open\n  def close() = 1\n"],
        ["Box:prepend", "val id = 2", "class Box:\n", "class Box:\n  val id = 2\n"],
        [
          "Box-open",
          "def open() = 1",
          "  def open() =\n    go()\n    1\n  end open\n",
          "  def open() = 1\n",
        ],
        ["Box-open:before", "def a = 1", "  // Opens", "  def a = 1\n  // Opens"],
        ["Box-open:after", "def z = 1", "  end open\n", "  end open\n  def z = 1\n"],
        [
          "Box-open:remove",
          "",
          "\n  // Opens it.\n  @inline\n  def open() =\n    go()\n    1\n  end open\n",
          "",
        ],
        ["Box-open:append", "2", "    1\n  end", "    1\n    2\n  end"],
        ["Brace:append", "def two = 2", "one = 1\n", "one = 1\n  def two = 2\n"],
        ["Empty:append", "val x = 1", "class Empty {}", "class Empty {\n  val x = 1\n}"],
        ["E-A:after", "case B", "case A\n", "case A\n  case B\n"],
        ["P-this:append", "y: Int", "(x: Int)", "(x: Int, y: Int)"],
        ["Brace:with-comment", "object Brace", "object Brace {\n  def one = 1\n}", "object Brace"],
        ["@imports:append", "import b.D", "import b.C\n", "import b.C\nimport b.D\n"],
      ],
    },
    "a.dart": {
      text: "import 'a.dart';\n\n// A box.\nclass Box {\n  final int size = 1;\n\n  /// Opens it.\n  @override\n  void open() {\n    go();\n  }\n\n  int get id => 1;\n}\n\nclass Empty {}\nenum E { a, b }\n@pragma('x')\nconst limit = 1;\nint twice(int a) => a * 2;\n",
      cases: [
        ["Box:append", "void close() {}", "id => 1;\n", "id => 1;\n  void close() {}\n"],
        ["Box:prepend", "int a = 2;", "class Box {\n", "class Box {\n  int a = 2;\n"],
        ["Box-open", "void open() {}", "  void open() {\n    go();\n  }\n", "  void open() {}\n"],
        ["Box-open:before", "void a() {}", "  /// Opens", "  void a() {}\n  /// Opens"],
        ["Box-open:after", "void z() {}", "  }\n\n  int", "  }\n  void z() {}\n\n  int"],
        [
          "Box-open:remove",
          "",
          "  /// Opens it.\n  @override\n  void open() {\n    go();\n  }\n\n",
          "",
        ],
        ["Box-open:append", "stop();", "    go();\n", "    go();\n    stop();\n"],
        [
          "Box-open:with-comment",
          "void open() {}",
          "  /// Opens it.\n  @override\n  void open() {\n    go();\n  }\n",
          "  @override\n  void open() {}\n",
        ],
        ["Box-size", "final int size = 2;", "final int size = 1;", "final int size = 2;"],
        ["Box-id", "int get id => 2;", "int get id => 1;", "int get id => 2;"],
        ["limit", "const limit = 2;", "const limit = 1;", "const limit = 2;"],
        ["limit:remove", "", "@pragma('x')\nconst limit = 1;\n", ""],
        [
          "twice:after",
          "int thrice(int a) => a * 3;",
          "a * 2;\n",
          "a * 2;\nint thrice(int a) => a * 3;\n",
        ],
        ["Empty:append", "int x = 1;", "class Empty {}", "class Empty {\n  int x = 1;\n}"],
        ["E:append", "c", "{ a, b }", "{ a, b, c }"],
        ["@imports:append", "import 'b.dart';", "'a.dart';\n", "'a.dart';\nimport 'b.dart';\n"],
      ],
    },
    "a.toml": {
      text: '# Title.\ntitle = "x"\n\n# The package.\n[package]\nname = "a"\nlist = [\n  "x",\n]\n\n[deps.serde] # pinned\n\n[[bin]]\nname = "one"\n\n[[bin]]\nname = "two"\n',
      cases: [
        ["package:append", 'edition = "2021"', "]\n\n[deps", ']\nedition = "2021"\n\n[deps'],
        ["package:prepend", "id = 1", '[package]\nname = "a"', '[package]\nid = 1\nname = "a"'],
        ["package-name", 'name = "b"', 'name = "a"', 'name = "b"'],
        ["package:before", "[first]\n", "# The", "[first]\n\n# The"],
        ["package:after", "\n[second]", "]\n\n[deps", "]\n\n[second]\n\n[deps"],
        [
          "package:remove",
          "",
          '# The package.\n[package]\nname = "a"\nlist = [\n  "x",\n]\n\n',
          "",
        ],
        ["title:with-comment", 'title = "y"', '# Title.\ntitle = "x"', 'title = "y"'],
        ["package-list:append", '"y",', '  "x",\n', '  "x",\n  "y",\n'],
        ["bin#2:append", "x = 1", 'name = "two"\n', 'name = "two"\nx = 1\n'],
        ["bin#2-name:remove", "", 'name = "two"\n', ""],
      ],
    },
    "a.rs": {
      text: "use a::b;\n\n/// A box.\n#[derive(Debug)]\npub struct Box {\n    size: u8,\n}\n\nimpl Box {\n    /// Opens it.\n    #[inline]\n    pub fn open(&self) {\n        go();\n    }\n}\n\nstruct Empty {}\nenum E { A, B }\n",
      cases: [
        ["Box#1:append", "id: u8,", "    size: u8,\n", "    size: u8,\n    id: u8,\n"],
        ["Box#1:prepend", "id: u8,", "struct Box {\n", "struct Box {\n    id: u8,\n"],
        ["Box-open", "fn open() {}", "fn open(&self) {\n        go();\n    }\n", "fn open() {}\n"],
        ["Box-open:before", "fn a() {}", "    /// Opens", "    fn a() {}\n    /// Opens"],
        ["Box-open:after", "fn z() {}", "go();\n    }\n", "go();\n    }\n    fn z() {}\n"],
        [
          "Box-open:remove",
          "",
          "    /// Opens it.\n    #[inline]\n    pub fn open(&self) {\n        go();\n    }\n",
          "",
        ],
        [
          "Box#1:with-comment",
          "struct Box;",
          "/// A box.\n#[derive(Debug)]\npub struct Box {\n    size: u8,\n}",
          "#[derive(Debug)]\npub struct Box;",
        ],
        ["Box#2:append", "fn z() {}", "go();\n    }\n", "go();\n    }\n    fn z() {}\n"],
        ["Empty:append", "x: u8,", "struct Empty {}", "struct Empty {\n    x: u8,\n}"],
        ["E-B:after", "C", "A, B }", "A, B, C }"],
        ["@imports:append", "use a::c;", "use a::b;\n", "use a::b;\nuse a::c;\n"],
      ],
    },
    "a.c": {
      text: "#include <a.h>\n\n/* A box. */\nstruct box {\n    int size;\n};\n\n// Opens it.\nstatic int\nopen(struct box *b)\n{\n    return 1;\n}\n\nenum e { A, B };\n#define LIMIT 1\n",
      cases: [
        ["box:append", "int id;", "    int size;\n", "    int size;\n    int id;\n"],
        ["box:prepend", "int id;", "struct box {\n    int", "struct box {\n    int id;\n    int"],
        [
          "open",
          "int open(void) { return 2; }",
          "int\nopen(struct box *b)\n{\n    return 1;\n}",
          "int open(void) { return 2; }",
        ],
        ["open:before", "int a;", "// Opens", "int a;\n// Opens"],
        ["open:after", "int z;", "1;\n}\n", "1;\n}\nint z;\n"],
        [
          "open:remove",
          "",
          "// Opens it.\nstatic int\nopen(struct box *b)\n{\n    return 1;\n}\n\n",
          "",
        ],
        ["open:append", "/* end */", "    return 1;\n", "    return 1;\n    /* end */\n"],
        [
          "box:with-comment",
          "struct box;",
          "/* A box. */\nstruct box {\n    int size;\n};",
          "struct box;",
        ],
        ["LIMIT", "#define LIMIT 2", "#define LIMIT 1", "#define LIMIT 2"],
        ["e-B:after", "C", "A, B }", "A, B, C }"],
        ["@imports:append", "#include <b.h>", "<a.h>\n", "<a.h>\n#include <b.h>\n"],
      ],
    },
    "a.cpp": {
      text: "#include <a>\n\nnamespace n {\n\n// A box.\ntemplate <typename T>\nclass Box {\n public:\n  // Opens it.\n  [[nodiscard]] int open() const { return 1; }\n\n private:\n  int size_;\n};\n\nstruct Empty {};\n\n}  // namespace n\n",
      cases: [
        ["Box:append", "int id_;", "  int size_;\n", "  int size_;\n  int id_;\n"],
        ["Box:prepend", "Box();", " public:\n", " public:\n  Box();\n"],
        ["Box-open", "int open();", "int open() const { return 1; }", "int open();"],
        ["Box-open:before", "int a();", "  // Opens", "  int a();\n  // Opens"],
        ["Box-open:after", "int z();", "1; }\n", "1; }\n  int z();\n"],
        [
          "Box-open:remove",
          "",
          "  // Opens it.\n  [[nodiscard]] int open() const { return 1; }\n\n",
          "",
        ],
        [
          "n-Box:with-comment",
          "class Box;",
          "// A box.\ntemplate <typename T>\nclass Box {\n public:\n  // Opens it.\n  [[nodiscard]] int open() const { return 1; }\n\n private:\n  int size_;\n};",
          "template <typename T>\nclass Box;",
        ],
        ["Empty:append", "int x;", "struct Empty {};", "struct Empty {\n  int x;\n};"],
        ["n:append", "\nint last;", "struct Empty {};\n", "struct Empty {};\n\nint last;\n"],
        ["@imports:append", "#include <b>", "<a>\n", "<a>\n#include <b>\n"],
      ],
    },
    "a.cs": {
      text: "using A;\n\nnamespace N;\n\n/// <summary>A box.</summary>\n[Serializable]\npublic class Box\n{\n    private int size = 1;\n\n    // Opens it.\n    [Fact]\n    public int Open()\n    {\n        return 1;\n    }\n\n    public int Id { get; set; }\n}\n\nclass Empty { }\nenum E { A, B }\n",
      cases: [
        ["Box:append", "void Close() { }", "get; set; }\n", "get; set; }\n    void Close() { }\n"],
        ["Box:prepend", "int id;", "Box\n{\n", "Box\n{\n    int id;\n"],
        [
          "Box-Open",
          "void Open() { }",
          "int Open()\n    {\n        return 1;\n    }\n",
          "void Open() { }\n",
        ],
        ["Box-Open:before", "void A() { }", "    // Opens", "    void A() { }\n    // Opens"],
        ["Box-Open:after", "void Z() { }", "1;\n    }\n", "1;\n    }\n    void Z() { }\n"],
        [
          "Box-Open:remove",
          "",
          "    // Opens it.\n    [Fact]\n    public int Open()\n    {\n        return 1;\n    }\n\n",
          "",
        ],
        ["Box-size:with-comment", "int size;", "int size = 1;", "int size;"],
        ["Empty:append", "int x;", "class Empty { }", "class Empty {\n    int x;\n}"],
        ["E-B:after", "C", "A, B }", "A, B, C }"],
        ["@imports:append", "using B;", "using A;\n", "using A;\nusing B;\n"],
      ],
    },
    "b.rb": {
      text: "require 'a'\n\n# A box.\nclass Box\n  SIZE = 1\n\n  # Opens it.\n  def open\n    go\n  end\nend\n\nclass Empty\nend\n",
      cases: [
        ["Box:append", "def close; end", "    go\n  end\n", "    go\n  end\n  def close; end\n"],
        ["Box:prepend", "ID = 2", "class Box\n", "class Box\n  ID = 2\n"],
        ["Box-open", "def open = 1", "  def open\n    go\n  end\n", "  def open = 1\n"],
        ["Box-open:before", "def a; end", "  # Opens", "  def a; end\n  # Opens"],
        ["Box-open:after", "def z; end", "go\n  end\n", "go\n  end\n  def z; end\n"],
        ["Box-open:remove", "", "\n  # Opens it.\n  def open\n    go\n  end\n", ""],
        ["Box-open:append", "stop", "    go\n", "    go\n    stop\n"],
        [
          "Box-open:with-comment",
          "def open; end",
          "  # Opens it.\n  def open\n    go\n  end\n",
          "  def open; end\n",
        ],
        ["Empty:append", "X = 1", "class Empty\n", "class Empty\n  X = 1\n"],
        ["@imports:append", "require 'b'", "require 'a'\n", "require 'a'\nrequire 'b'\n"],
      ],
    },
    "a.php": {
      text: "<?php\n\nnamespace A;\n\nuse B\\C;\n\n/** A box. */\nclass Box\n{\n    private int $size = 1;\n\n    // Opens it.\n    #[Test]\n    public function open(): int\n    {\n        return 1;\n    }\n}\n\nclass Emptied {}\nenum E: string\n{\n    case A = 'a';\n}\n",
      cases: [
        [
          "Box:append",
          "function close() {}",
          "return 1;\n    }\n",
          "return 1;\n    }\n    function close() {}\n",
        ],
        ["Box:prepend", "const ID = 2;", "Box\n{\n", "Box\n{\n    const ID = 2;\n"],
        [
          "Box-open",
          "function open() {}",
          "function open(): int\n    {\n        return 1;\n    }\n",
          "function open() {}\n",
        ],
        ["Box-open:before", "function a() {}", "    // Opens", "    function a() {}\n    // Opens"],
        ["Box-open:after", "function z() {}", "1;\n    }\n", "1;\n    }\n    function z() {}\n"],
        [
          "Box-open:remove",
          "",
          "\n    // Opens it.\n    #[Test]\n    public function open(): int\n    {\n        return 1;\n    }\n",
          "",
        ],
        ["Box-open:append", "// end", "        return 1;\n", "        return 1;\n        // end\n"],
        [
          "Box-$size:with-comment",
          "public int $size;",
          "private int $size = 1;",
          "public int $size;",
        ],
        [
          "Emptied:append",
          "const X = 1;",
          "class Emptied {}",
          "class Emptied {\n    const X = 1;\n}",
        ],
        ["E-A:after", "case B = 'b';", "'a';\n", "'a';\n    case B = 'b';\n"],
        ["@imports:append", "use B\\D;", "use B\\C;\n", "use B\\C;\nuse B\\D;\n"],
      ],
    },
  };

/** The same for texts of their own. */
const OTHERS: readonly (readonly [does: string, path: string, before: string, ...Case])[] = [
  [
    "appends to a body on one line",
    "a.ts",
    "class A { a = 1; }\n",
    "A:append",
    "b = 2;",
    "; }",
    ";\n  b = 2;\n}",
  ],
  [
    "adds the comma that members need",
    "a.ts",
    "const t = {\n  f() {}\n};\n",
    "t:append",
    "g() {}",
    "  f() {}\n",
    "  f() {},\n  g() {}\n",
  ],
  [
    "does not double a separator the body brings along",
    "a.ts",
    "enum E {\n  A,\n  B,\n}\n",
    "E-A",
    "A = 1,",
    "  A,",
    "  A = 1,",
  ],
  [
    "keeps the separator a body does not bring along",
    "a.ts",
    "enum E {\n  A,\n  B,\n}\n",
    "E-A",
    "A = 1",
    "  A,",
    "  A = 1,",
  ],
  [
    "uses tabs where the file does",
    "a.ts",
    "class A {\n\tf() {}\n}\nclass B {}\n",
    "B:append",
    "g() {}",
    "B {}",
    "B {\n\tg() {}\n}",
  ],
  [
    "makes an import section",
    "a.py",
    '"""Doc."""\n\nx = 1\n',
    "@imports:append",
    "import os\n",
    "x",
    "import os\n\nx",
  ],
  [
    "makes it after a package clause",
    "a.go",
    "package a\n\nfunc f() {}\n",
    "@imports",
    'import "os"\n',
    "func",
    'import "os"\n\nfunc',
  ],
  [
    "adds a line break first when it appends to a file without one",
    "a.ts",
    "f();",
    "@file:append",
    "g();",
    "f();",
    "f();\ng();",
  ],
  [
    "prepends to the file behind a shebang",
    "a.js",
    "#!/usr/bin/env node\nf();\n",
    "@file:prepend",
    "// x",
    "f();",
    "// x\nf();",
  ],
  ["fills an empty file", "a.ts", "", "@file:append", "f();", "", "f();\n"],
  [
    "appends to a Markdown section and leaves its indents",
    "a.md",
    "# A\n\n- a\n\n# B\n",
    "A:append",
    "  - b",
    "- a\n",
    "- a\n  - b\n",
  ],
  [
    "finds a heading with spaces and dashes",
    "a.md",
    "# A-b (c)\n\nx\n\n## D e\n\ny\n",
    "D e",
    "## D e\n\nz",
    "y",
    "z",
  ],
  [
    "finds methods under their receiver",
    "a.go",
    "package a\n\nfunc (t *T) F() {}\n",
    "T-F",
    "func (t *T) F() { g() }",
    "{}",
    "{ g() }",
  ],
  [
    "replaces an element after its annotation",
    "A.java",
    "class A {\n    @B\n    int f() {}\n}\n",
    "A-f",
    "int f() { g(); }",
    "int f() {}",
    "int f() { g(); }",
  ],
];

/** Names the members that some bodies leave out. */
const DROPPED = "Without `one`, `open`, `size` and `size_`.\n\n";

/** Checks a case as it is, and with CRLF and a byte order mark. */
async function check(path: string, text: string, [address, body, from, to]: Case): Promise<void> {
  const at = text.indexOf(from);
  assert.ok(at >= 0, "the case itself is wrong");
  const expected = text.slice(0, at) + to + text.slice(at + from.length);
  const block = `${DROPPED}${editBlock(`ast-path:${address}`, body)}`;
  const { blocks, text: after } = await applyTo(path, text, block);
  assert.deepEqual(
    [blocks.length, blocks[0]?.status, blocks[0]?.reason],
    [1, "applied", undefined],
  );
  assert.equal(after, expected);
  if (!text.includes("\n")) return;
  const crlf = (plain: string) => `\uFEFF${plain.replaceAll("\n", "\r\n")}`;
  assert.equal((await applyTo(path, crlf(text), block)).text, crlf(expected));
}

describe("every operation of AST mode, to the byte", () => {
  for (const [path, { text, cases }] of Object.entries(FILES)) {
    for (const one of cases)
      it(`${path} ${one[0]}: ${JSON.stringify(one[1])}`, () => check(path, text, one));
  }
  for (const [does, path, before, ...one] of OTHERS) it(does, () => check(path, before, one));
});
