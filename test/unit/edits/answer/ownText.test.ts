import assert from "node:assert/strict";
import { pluck } from "../../../fakes/pluck.ts";
import { editBlock } from "../../../fakes/turns/applyTo.ts";
import { EditTurn } from "../../../fakes/turns/editTurn.ts";

/** What is where, and two blocks for one thing, the second of which rewrites what the first wrote. */
const TWICE: readonly (readonly [
  name: string,
  path: string,
  text: string,
  address: string,
  first: string,
  second: string,
  again?: string,
])[] = [
  [
    "a function",
    "a.ts",
    "function f() {\n  a();\n}\n",
    "ast-path:f",
    "function f() {\n  b();\n}",
    "function f() {\n  c();\n}",
  ],
  [
    "an exported function",
    "a.ts",
    "export function f() {\n  a();\n}\n",
    "ast-path:f",
    "export function f() {\n  b();\n}",
    "export function f() {\n  c();\n}",
  ],
  [
    "a function whose head is kept",
    "a.ts",
    "export function f() {\n  a();\n}\n",
    "ast-path:f",
    "function f() {\n  b();\n}",
    "function f() {\n  c();\n}",
  ],
  [
    "a decorated class",
    "a.ts",
    "@A()\nclass F {\n  a = 1;\n}\n",
    "ast-path:F",
    "@A()\nclass F {\n  a = 2;\n}",
    "@A()\nclass F {\n  a = 3;\n}",
  ],
  [
    "a function with its comment",
    "a.ts",
    "/** F. */\nfunction f() {\n  a();\n}\n",
    "ast-path:f:with-comment",
    "/** G. */\nfunction f() {\n  b();\n}",
    "/** H. */\nfunction f() {\n  c();\n}",
  ],
  [
    "a value before a comment",
    "a.ts",
    "const a = 1; // one\nconst b = 2;\n",
    "ast-path:a",
    "const a = 10;",
    "const a = 11;",
  ],
  [
    "a field before a comment",
    "a.ts",
    "class A {\n  a = 1; // one\n  b = 2;\n}\n",
    "ast-path:A-a",
    "a = 10;",
    "a = 11;",
  ],
  [
    "a member on one line",
    "a.ts",
    "class A { a = 1; b = 2; }\n",
    "ast-path:A-a",
    "a = 10;",
    "a = 11;",
  ],
  [
    "a later member on one line",
    "a.ts",
    "class A { a = 1; b = 2; }\n",
    "ast-path:A-b",
    "b = 20;",
    "b = 21;",
  ],
  ["a value on one line", "a.json", '{ "a": 1, "b": 2 }\n', "ast-path:a", '"a": 10', '"a": 11'],
  [
    "a value on a line",
    "a.json",
    '{\n  "a": 1,\n  "b": 2\n}\n',
    "ast-path:a",
    '"a": 10',
    '"a": 11',
  ],
  ["the last value", "a.json", '{\n  "a": 1,\n  "b": 2\n}\n', "ast-path:b", '"b": 20', '"b": 21'],
  [
    "the first key of an item",
    "a.yaml",
    "- name: a\n  is: 1\n- name: b\n",
    "ast-path:item#1-name",
    "name: c",
    "name: d",
  ],
  [
    "a value of a list of names",
    "a.go",
    "package a\n\nvar a, b int\n",
    "ast-path:a",
    "var a, b, c int",
    "var a, b, d int",
  ],
  [
    "an enum's member on one line",
    "a.ts",
    "enum A { B = 1, C = 2 }\n",
    "ast-path:A-B",
    "B = 10",
    "B = 11",
  ],
  [
    "imports",
    "a.ts",
    'import { a } from "./a";\n\na();\n',
    "ast-path:@imports",
    'import { a } from "./b";',
    'import { a } from "./c";',
  ],
  ["a section", "a.md", "# A\n\na\n\n# B\n\nb\n", "ast-path:A", "# A\n\nc", "# A\n\nd"],
  ["the last section", "a.md", "# A\n\na\n\n# B\n\nb\n", "ast-path:B", "# B\n\nc", "# B\n\nd"],
  [
    "a rule",
    "a.css",
    ".a { color: red; } .b { color: red; }\n",
    "ast-path:.a",
    ".a { color: blue; }",
    ".a { color: green; }",
  ],
  ["lines", "a.ts", "a();\nb();\nc();\n", "2:2", "d();", "e();"],
  ["lines with checks", "a.ts", "a();\nb();\nc();\n", '2:2 "b();"', "d();", "e();", '2:2 "d();"'],
  [
    "lines of an element",
    "a.ts",
    "function f() {\n  a();\n}\n",
    "ast-path:f:2:2",
    "  b();",
    "  c();",
    'ast-path:f:2:2 "  b();"',
  ],
  [
    "text without a last line break",
    "a.ts",
    "function f() {\n  a();\n}",
    "ast-path:f",
    "function f() {\n  b();\n}",
    "function f() {\n  c();\n}",
  ],
  [
    "text with CRLF",
    "a.ts",
    "function f() {\r\n  a();\r\n}\r\nf();\r\n",
    "ast-path:f",
    "function f() {\n  b();\n}",
    "function f() {\n  c();\n}",
  ],
  [
    "text with a byte order mark",
    "a.ts",
    "\uFEFFfunction f() {\n  a();\n}\n",
    "ast-path:f",
    "function f() {\n  b();\n}",
    "function f() {\n  c();\n}",
  ],
  [
    "a function that got shorter",
    "a.py",
    "def f():\n    a()\n    b()\n\n\ndef g():\n    pass\n",
    "ast-path:f",
    "def f():\n    c()",
    "def f():\n    d()",
  ],
  [
    "a function after a helper",
    "a.ts",
    "function f() {\n  a();\n}\n",
    "ast-path:f",
    "const A = 1;\n\nfunction f() {\n  b(A);\n}",
    "function f() {\n  c(A);\n}",
  ],
  [
    "a new member",
    "a.ts",
    "class A {\n  a = 1;\n}\n",
    "ast-path:A:append",
    "f() {\n  b();\n}",
    "f() {\n  c();\n}",
    "ast-path:A-f",
  ],
  [
    "a new first member",
    "a.ts",
    "class A {\n  a = 1;\n}\n",
    "ast-path:A:prepend",
    "b = 1;",
    "b = 2;",
    "ast-path:A-b",
  ],
  [
    "a new function",
    "a.ts",
    "function f() {}\n",
    "ast-path:f:after",
    "function g() {\n  b();\n}",
    "function g() {\n  c();\n}",
    "ast-path:g",
  ],
  [
    "a new function before",
    "a.ts",
    "function f() {}\n",
    "ast-path:f:before",
    "function g() {\n  b();\n}\n",
    "function g() {\n  c();\n}",
    "ast-path:g",
  ],
  [
    "a new value",
    "a.json",
    '{\n  "a": {\n    "c": 1\n  }\n}\n',
    "ast-path:a:append",
    '"b": 2',
    '"b": 3',
    "ast-path:a-b",
  ],
  [
    "a new value on one line",
    "a.json",
    '{ "a": { "c": 1 } }\n',
    "ast-path:a:append",
    '"b": 2',
    '"b": 3',
    "ast-path:a-b",
  ],
  [
    "a new member on one line",
    "a.ts",
    "const A = { f() {} };\n",
    "ast-path:A:append",
    "g() {}",
    "g() { a(); }",
    "ast-path:A-g",
  ],
  [
    "new lines",
    "a.ts",
    "a();\nc();\n",
    "1:1:after",
    "function f() {\n  b();\n}",
    "function f() {\n  c();\n}",
    "ast-path:f",
  ],
];

describe("text that the model wrote itself", () => {
  let turn: EditTurn;

  afterEach(() => turn.hub.turnEnd());

  /** The user has what the model proposed; the next step is another turn's. */
  const accepted = (path: string) => {
    if (turn.proposed !== null) turn.files.set(path, turn.proposed);
  };
  const newest = () => {
    const last = turn.blocks.at(-1);
    return (
      last &&
      [
        last.status,
        ...(last.reason ? [last.reason.code] : []),
        ...pluck(last.warnings, "code"),
      ].join(" ")
    );
  };

  async function write(path: string, block: string): Promise<void> {
    const opener = block.slice(0, block.indexOf("\n"));
    await turn.edit({ file_path: path, use_line_numbers: !opener.includes("ast-path:") });
    await turn.say(block);
  }

  for (const isRead of [true, false])
    for (const [name, path, text, address, first, second, again] of TWICE) {
      const begin = async () => {
        turn = new EditTurn({ [path]: text });
        if (isRead) await turn.read(path);
        await write(path, editBlock(address, first));
        assert.match(
          newest() ?? "",
          isRead ? /^applied$/ : /^applied(?: never-read)?$/,
          turn.proposed ?? "",
        );
        accepted(path);
      };
      const end = `is known to it, also in a file that it ${isRead ? "read" : "did not read"}`;
      it(`${end}: ${name}`, async () => {
        await begin();
        await write(path, editBlock(again ?? address, second));
        assert.equal(newest(), "applied", turn.proposed ?? "");
      });
      it(`${end}, in a later turn: ${name}`, async () => {
        await begin();
        turn.next("turn-2", ["turn-1"]);
        await write(path, editBlock(again ?? address, second));
        assert.equal(newest(), "applied", turn.proposed ?? "");
      });
    }

  for (const [name, change, outcome] of [
    [
      "what stands beside it",
      (text: string) => text.replace("c = 1", "c = 2"),
      "conflict element-changed",
    ],
    [
      "the text itself",
      (text: string) => text.replace("b = 10", "b = 20"),
      "conflict element-changed",
    ],
    ["another line", (text: string) => `// new\n${text}`, "applied"],
  ] as const)
    it(`is ${outcome === "applied" ? "still known" : "a conflict"} on a line with other code after the user changed ${name}`, async () => {
      turn = new EditTurn({ "a.ts": "class A { b = 1; c = 1; }\n" });
      await turn.read("a.ts");
      await write("a.ts", editBlock("ast-path:A-b", "b = 10;"));
      turn.files.set("a.ts", change(turn.proposed ?? ""));
      await write("a.ts", editBlock("ast-path:A-b", "b = 11;"));
      assert.equal(newest(), outcome);
    });

  it("says nothing of the code beside it on its line", async () => {
    turn = new EditTurn({ "a.ts": "class A { b = 1; c = 1; }\n" });
    await write("a.ts", editBlock("ast-path:A-b", "b = 10;"));
    accepted("a.ts");
    await write("a.ts", editBlock("ast-path:A-c", "c = 11;"));
    assert.equal(newest(), "applied never-read");
  });

  for (const isRead of [true, false])
    it(`is known to it where a search and replace wrote it, in a file that it ${isRead ? "read" : "did not read"}`, async () => {
      turn = new EditTurn({ "a.ts": "const a = [one(), two()]; // all\nconst b = a;\n" });
      if (isRead) await turn.read("a.ts");
      await turn.patch("a.ts", "const a = [one(), two()]", "const a = [three()]");
      accepted("a.ts");
      await write("a.ts", editBlock("ast-path:a", "const a = [four()];"));
      assert.equal(newest(), "applied");
    });

  for (const [what, from, to] of [
    ["a file", "src/a.ts", "src/b.ts"],
    ["its folder", "src", "lib"],
  ] as const)
    it(`is known to it at another path, where ${what} went`, async () => {
      turn = new EditTurn({ "src/a.ts": "function f() {\n  a();\n}\n" });
      await turn.read("src/a.ts");
      await write("src/a.ts", editBlock("ast-path:f", "function f() {\n  b();\n}"));
      const path = "src/a.ts".replace(from, to);
      turn.files.delete("src/a.ts");
      accepted(path);
      turn.shown.isAlsoAt(from, to);
      await write(path, editBlock("ast-path:f", "function f() {\n  c();\n}"));
      assert.equal(newest(), "applied");
    });
});
