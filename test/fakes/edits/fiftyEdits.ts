/** One change that an agent makes, and what must be left, whatever way it comes in. */
export interface SameEdit {
  readonly name: string;
  readonly file: string;
  /** The file before and after; null where there is none. */
  readonly before: string | null;
  readonly after: string | null;
  /** Empty for a change of the whole file by a tool of its own. */
  readonly edits: readonly { readonly at?: string; readonly code: string }[];
  /** Where the file goes; null where it is deleted. */
  readonly to?: string | null;
  /** What became of each edit: done, or the code of what stands against it. */
  readonly outcomes: readonly string[];
}

const TS =
  "import { one } from './one';\n\n/** Adds. */\nexport function add(a: number, b: number): number {\n  return a + b;\n}\n\nexport class Shape {\n  private sides = 0;\n\n  area(): number {\n    return 0;\n  }\n}\n";
const JS = "const a = 1;\nconst b = 2;\n\nfunction sum() {\n  return a + b;\n}\n";
const PY =
  "import os\n\n\nclass Cart:\n    def total(self):\n        return 0\n\n    def clear(self):\n        self.items = []\n";
const GO = 'package main\n\nimport "fmt"\n\nfunc main() {\n\tfmt.Println("one")\n}\n';
const RUST = "pub struct Point {\n    x: i32,\n}\n\nfn length(p: &Point) -> i32 {\n    p.x\n}\n";
const JAVA = "class Account {\n  int balance() {\n    return 0;\n  }\n}\n";
const CS =
  "namespace Shop\n{\n    class Price\n    {\n        int Net()\n        {\n            return 1;\n        }\n    }\n}\n";
const CPP = "int twice(int value) {\n  return value + value;\n}\n";
const RUBY = "class Dog\n  def bark\n    'wuff'\n  end\nend\n";
const PHP = "<?php\n\nfunction price() {\n    return 1;\n}\n";
const KOTLIN = 'fun greet(): String {\n    return "hi"\n}\n';
const CSS = ".a {\n  color: red;\n}\n\n.b {\n  color: blue;\n}\n";
const JSON_TEXT = '{\n  "name": "one",\n  "scripts": {\n    "test": "mocha"\n  }\n}\n';
const YAML = "name: one\nsteps:\n  build: make\n  test: make test\n";
const TOML = '[tool]\nname = "one"\n\n[other]\nkey = 1\n';
const MD = "# Title\n\nHello.\n\n## Install\n\nRun it.\n\n## Use\n\nUse it.\n";
const LINES = "one\ntwo\nthree\nfour\nfive\n";
const UNICODE = "const greeting = 'Grüße, 世界 👋🏽';\nconst other = 'e\u0301';\n";

const DONE = ["done"];
const at = (address: string, code: string) => [{ at: address, code }];
/** One edit of one place. */
const one = (
  name: string,
  file: string,
  before: string,
  address: string,
  code: string,
  after: string,
): SameEdit => ({ name, file, before, edits: at(address, code), after, outcomes: DONE });
/** One edit that leaves its file alone. */
const refused = (
  name: string,
  file: string,
  before: string,
  edits: SameEdit["edits"],
  outcome: string,
): SameEdit => ({ name, file, before, edits, after: before, outcomes: edits.map(() => outcome) });
/** A whole file. */
const whole = (name: string, file: string, before: string | null, code: string): SameEdit => ({
  ...{ name, file, before, edits: [{ code }], after: code, outcomes: DONE },
});

/** The same edits for every way into Graft. Each has a folder of its own. */
export const FIFTY_EDITS: readonly SameEdit[] = [
  one(
    "a function",
    "add.ts",
    TS,
    "ast-path:add",
    "export function add(a: number, b: number): number {\n  return b + a;\n}",
    TS.replace("a + b", "b + a"),
  ),
  one(
    "a function with its comment",
    "add.ts",
    TS,
    "ast-path:add:with-comment",
    "/** Adds up. */\nexport function add(a: number, b: number): number {\n  return a + b;\n}",
    TS.replace("Adds.", "Adds up."),
  ),
  one(
    "before a function",
    "add.ts",
    TS,
    "ast-path:add:before",
    "const zero = 0;\n",
    TS.replace("/** Adds", "const zero = 0;\n/** Adds"),
  ),
  one(
    "after a function",
    "add.ts",
    TS,
    "ast-path:add:after",
    "\nexport const ten = 10;",
    TS.replace("a + b;\n}\n", "a + b;\n}\n\nexport const ten = 10;\n"),
  ),
  one(
    "the last member",
    "add.ts",
    TS,
    "ast-path:Shape:append",
    "\nname(): string {\n  return 'shape';\n}",
    TS.replace(
      "return 0;\n  }\n",
      "return 0;\n  }\n\n  name(): string {\n    return 'shape';\n  }\n",
    ),
  ),
  one(
    "the first member",
    "add.ts",
    TS,
    "ast-path:Shape:prepend",
    "static readonly kind = 'shape';",
    TS.replace("Shape {\n", "Shape {\n  static readonly kind = 'shape';\n"),
  ),
  one(
    "a method",
    "add.ts",
    TS,
    "ast-path:Shape-area",
    "area(): number {\n  return this.sides;\n}",
    TS.replace("return 0", "return this.sides"),
  ),
  one(
    "a removed method",
    "add.ts",
    TS,
    "ast-path:Shape-area:remove",
    "",
    TS.replace("\n\n  area(): number {\n    return 0;\n  }", ""),
  ),
  one(
    "lines in an element",
    "add.ts",
    TS,
    "ast-path:Shape-area:12:12",
    "    return this.sides * 2;",
    TS.replace("return 0", "return this.sides * 2"),
  ),
  {
    name: "two elements at once",
    file: "add.ts",
    before: TS,
    edits: [
      ...at(
        "ast-path:add",
        "export function add(a: number, b: number): number {\n  return b + a;\n}",
      ),
      ...at("ast-path:Shape-area", "area(): number {\n  return 4;\n}"),
    ],
    after: TS.replace("a + b", "b + a").replace("return 0", "return 4"),
    outcomes: ["done", "done"],
  },
  one(
    "a function of JavaScript",
    "sum.js",
    JS,
    "ast-path:sum",
    "function sum() {\n  return b + a;\n}",
    JS.replace("a + b", "b + a"),
  ),
  one(
    "a method of Python",
    "cart.py",
    PY,
    "ast-path:Cart-total",
    "def total(self):\n    return len(self.items)",
    PY.replace("return 0", "return len(self.items)"),
  ),
  one(
    "a method of Python after another",
    "cart.py",
    PY,
    "ast-path:Cart:append",
    "\ndef first(self):\n    return self.items[0]",
    `${PY}\n    def first(self):\n        return self.items[0]\n`,
  ),
  one(
    "a function of Go",
    "main.go",
    GO,
    "ast-path:main",
    'func main() {\n\tfmt.Println("two")\n}',
    GO.replace("one", "two"),
  ),
  one(
    "a function of Rust",
    "point.rs",
    RUST,
    "ast-path:length",
    "fn length(p: &Point) -> i32 {\n    p.x.abs()\n}",
    RUST.replace("p.x\n", "p.x.abs()\n"),
  ),
  one(
    "a method of Java",
    "Account.java",
    JAVA,
    "ast-path:Account-balance",
    "int balance() {\n  return 1;\n}",
    JAVA.replace("return 0", "return 1"),
  ),
  one(
    "a method of C#",
    "Price.cs",
    CS,
    "ast-path:Shop-Price-Net",
    "int Net()\n{\n    return 2;\n}",
    CS.replace("return 1", "return 2"),
  ),
  one(
    "a function of C++",
    "twice.cpp",
    CPP,
    "ast-path:twice",
    "int twice(int value) {\n  return 2 * value;\n}",
    CPP.replace("value + value", "2 * value"),
  ),
  one(
    "a method of Ruby",
    "dog.rb",
    RUBY,
    "ast-path:Dog-bark",
    "def bark\n  'wau'\nend",
    RUBY.replace("wuff", "wau"),
  ),
  one(
    "a function of PHP",
    "price.php",
    PHP,
    "ast-path:price",
    "function price() {\n    return 2;\n}",
    PHP.replace("return 1", "return 2"),
  ),
  one(
    "a function of Kotlin",
    "greet.kt",
    KOTLIN,
    "ast-path:greet",
    'fun greet(): String {\n    return "hello"\n}',
    KOTLIN.replace("hi", "hello"),
  ),
  one(
    "a rule of CSS",
    "a.css",
    CSS,
    "ast-path:.b",
    ".b {\n  color: green;\n}",
    CSS.replace("blue", "green"),
  ),
  one(
    "a value of JSON",
    "package.json",
    JSON_TEXT,
    "ast-path:scripts-test",
    '"test": "mocha --exit"',
    JSON_TEXT.replace("mocha", "mocha --exit"),
  ),
  one(
    "a key of YAML",
    "ci.yaml",
    YAML,
    "ast-path:steps-test",
    "test: make check",
    YAML.replace("make test", "make check"),
  ),
  one(
    "a table of TOML",
    "one.toml",
    TOML,
    "ast-path:tool",
    '[tool]\nname = "two"\n',
    TOML.replace("one", "two"),
  ),
  one(
    "a section of Markdown",
    "a.md",
    MD,
    "ast-path:Title-Install",
    "## Install\n\nRun `make`.\n",
    MD.replace("Run it", "Run `make`"),
  ),
  one("a line", "a.txt", LINES, "2:2", "zwei", LINES.replace("two", "zwei")),
  one(
    "lines with checks",
    "a.txt",
    LINES,
    '2:3 "two" "three"',
    "zwei\ndrei",
    LINES.replace("two\nthree", "zwei\ndrei"),
  ),
  one("lines that moved", "a.txt", LINES, '3:3 "four"', "vier", LINES.replace("four", "vier")),
  one(
    "before a line",
    "a.txt",
    LINES,
    "2:2:before",
    "one and a half",
    LINES.replace("two", "one and a half\ntwo"),
  ),
  one("after a line", "a.txt", LINES, "5:5:after", "six", `${LINES}six\n`),
  one("removed lines", "a.txt", LINES, "2:3:remove", "", "one\nfour\nfive\n"),
  {
    name: "several places of lines",
    file: "a.txt",
    before: LINES,
    edits: [...at("1:1", "eins"), ...at("5:5", "fünf")],
    after: "eins\ntwo\nthree\nfour\nfünf\n",
    outcomes: ["done", "done"],
  },
  one(
    "Windows line ends",
    "a.txt",
    "one\r\ntwo\r\nthree\r\n",
    "2:2",
    "zwei\nzwei",
    "one\r\nzwei\r\nzwei\r\nthree\r\n",
  ),
  one(
    "Windows line ends in an element",
    "sum.js",
    JS.replaceAll("\n", "\r\n"),
    "ast-path:sum",
    "function sum() {\n  return b + a;\n}",
    JS.replace("a + b", "b + a").replaceAll("\n", "\r\n"),
  ),
  one("no final line break", "a.txt", "one\ntwo\nthree", "2:2", "zwei", "one\nzwei\nthree"),
  one("the last line without a break", "a.txt", "one\ntwo", "2:2", "zwei", "one\nzwei"),
  one(
    "an element at the end without a break",
    "sum.js",
    JS.trimEnd(),
    "ast-path:sum",
    "function sum() {\n  return b + a;\n}",
    JS.trimEnd().replace("a + b", "b + a"),
  ),
  one("a byte order mark", "a.txt", "\uFEFFone\r\ntwo\r\n", "1:1", "eins", "\uFEFFeins\r\ntwo\r\n"),
  one(
    "Unicode",
    "hi.js",
    UNICODE,
    "1:1",
    "const greeting = 'Tschüß, 世界 🙋🏽‍♀️';",
    UNICODE.replace("Grüße, 世界 👋🏽", "Tschüß, 世界 🙋🏽‍♀️"),
  ),
  one(
    "an element named in Unicode",
    "hi.py",
    "def größe():\n    return 1\n",
    "ast-path:größe",
    "def größe():\n    return 2",
    "def größe():\n    return 2\n",
  ),
  whole("a new file", "new/deep/file.ts", null, "export const made = true;\n"),
  whole("a new file with fences", "guide.md", null, "# Title\n\n~~~js\nlet open;\n~~~\n\nEnd.\n"),
  whole("a file anew", "sum.js", JS, JS.replace("const a = 1", "const a = 3")),
  {
    name: "a deletion",
    file: "old.ts",
    before: TS,
    after: null,
    edits: [],
    to: null,
    outcomes: DONE,
  },
  {
    name: "a renaming",
    file: "old.ts",
    before: TS,
    after: TS,
    edits: [],
    to: "lib/new.ts",
    outcomes: DONE,
  },
  refused(
    "an element that is not there",
    "add.ts",
    TS,
    at("ast-path:nowhere", "const nowhere = 1;"),
    "unresolved-path",
  ),
  refused(
    "an element cut short",
    "add.ts",
    TS,
    at("ast-path:Shape", "export class Shape {\n  // ... rest of the class\n}"),
    "elision",
  ),
  refused(
    "broken syntax",
    "add.ts",
    TS,
    at("ast-path:add", "export function add(a: number {\n  return 1;\n}"),
    "syntax",
  ),
  refused("lines that are not there", "a.txt", LINES, at("99:100", "x"), "no-such-line"),
];
