import type { MessageEnd } from "../../../src/turns/streamRegistry.ts";
import type { Door } from "../../fakes/turns/refusedTurn.ts";
import { checkRefused } from "../../fakes/turns/refusedTurn.ts";

type File = readonly [path: string, text: string | null];
type Change = readonly [from: string, to: string];

const SIX: File = ["src/six.ts", "one();\ntwo();\nthree();\nfour();\nfive();\nsix();\n"];
const SHAPES: File = [
  "src/shapes.ts",
  `export class Shape {
  area() {
    return 0;
  }

  name(a: string): void;
  name(a: number): void;
  name(a: unknown) {}
}

export class Circle {
  area() {
    return 1;
  }
}
`,
];
const VALA: File = ["a.vala", "class A {}\nclass B {}\n"];
const LONG: File = ["src/long.ts", "x();\n".repeat(40)];
const PY: File = ["a.py", "def a():\n    return 1\n\n\ndef b():\n    return 2\n"];
const MD: File = ["README.md", "# A\n\nText.\n\n# B\n\nMore.\n"];
const NONE: File = ["src/new.ts", null];
const TWO: Change = ["two", "TWO"];

/**
 * What the model writes, each block's state with its code, and what the user is asked to decide on:
 * a text, or what changes in the file's.
 */
type Case = readonly [
  name: string,
  file: File,
  door: Door,
  message: string,
  blocks: string,
  proposed?: string | Change | null,
  end?: MessageEnd["reason"],
];

const CASES: Readonly<Record<string, readonly Case[]>> = {
  "blocks by lines": [
    ["a first line behind the end", SIX, "lines", "```ts:9:9\nx();\n```\n", "refused no-such-line"],
    [
      "a first line far behind the end",
      SIX,
      "lines",
      "```ts:900:901\nx();\n```\n",
      "refused no-such-line",
    ],
    ["a last line behind the end", SIX, "lines", "```ts:2:60\nx();\n```\n", "refused no-such-line"],
    ["nothing to insert before", SIX, "lines", "```ts:2:2:before\n```\n", "refused empty-body"],
    ["nothing to insert after", SIX, "lines", "```ts:2:2:after\n```\n", "refused empty-body"],
    ["nothing to append behind the end", SIX, "lines", "```ts:7:7\n```\n", "refused empty-body"],
    [
      "removing behind the end",
      SIX,
      "lines",
      "```ts:7:7:remove\n```\n",
      "refused nothing-to-remove",
    ],
    [
      "removing far behind the end",
      SIX,
      "lines",
      "```ts:8:9:remove\n```\n",
      "refused nothing-to-remove",
    ],
    [
      "an overlap",
      SIX,
      "lines",
      "```ts:1:3\nx();\n```\n```ts:3:4\ny();\n```\n",
      "refused overlap, refused overlap",
    ],
    [
      "the same lines twice",
      SIX,
      "lines",
      "```ts:2:2\nx();\n```\n```ts:2:2\ny();\n```\n",
      "refused overlap, refused overlap",
    ],
    [
      "the same block twice",
      SIX,
      "lines",
      "```ts:2:2\nx();\n```\n```ts:2:2\nx();\n```\n",
      "refused overlap, refused overlap",
    ],
    [
      "a block inside another's lines",
      SIX,
      "lines",
      "```ts:1:6\nx();\n```\n```ts:3:3\ny();\n```\n",
      "refused overlap, refused overlap",
    ],
    [
      "an insertion into replaced lines",
      SIX,
      "lines",
      "```ts:1:4\nx();\n```\n```ts:2:2:after\ny();\n```\n",
      "refused overlap, refused overlap",
    ],
    [
      "a removal of lines that another replaces",
      SIX,
      "lines",
      "```ts:2:3:remove\n```\n```ts:3:3\nx();\n```\n",
      "refused overlap, refused overlap",
    ],
    [
      "a third block on lines that two wanted",
      SIX,
      "lines",
      "```ts:2:2\nx();\n```\n```ts:2:2\ny();\n```\n```ts:2:2\nz();\n```\n",
      "refused overlap, refused overlap, refused overlap",
    ],
    [
      "append to what has no body",
      SIX,
      "free",
      "```ts:ast-path:@file:with-comment\nx();\n```\n",
      "refused file-operation",
    ],
    [
      "a file that is not in edit mode",
      SIX,
      "lines",
      "```ts:2:2 src/other.ts\nx();\n```\n",
      "refused not-in-edit-mode",
    ],
    [
      "a file outside of the workspace",
      SIX,
      "lines",
      "```ts:2:2 ../../etc/passwd\nx();\n```\n",
      "refused not-in-edit-mode",
    ],
    [
      "an absolute path elsewhere",
      SIX,
      "lines",
      "```ts:2:2 /etc/passwd\nx();\n```\n",
      "refused not-in-edit-mode",
    ],
  ],
  "blocks by AST path, or of the wrong kind": [
    [
      "an AST path in line mode",
      SIX,
      "lines",
      "```ts:ast-path:one\nx();\n```\n",
      "ignored mode-mismatch",
    ],
    ["lines in AST mode", SHAPES, "ast", "```ts:1:2\nx();\n```\n", "ignored mode-mismatch"],
    [
      "lines behind the first AST block",
      SHAPES,
      "free",
      "```ts:ast-path:Circle-area\narea() {\n  return 2;\n}\n```\n```ts:1:1\nx\n```\n",
      "applied, ignored mode-mismatch",
      ["return 1", "return 2"],
    ],
    [
      "AST paths behind the first lines",
      SHAPES,
      "free",
      "```ts:1:1\nexport class Shape {\n```\n```ts:ast-path:Circle-area\nx\n```\n",
      "applied, ignored mode-mismatch",
      ["", ""],
    ],
    [
      "an address where the whole file is expected",
      SIX,
      "complete",
      "```ts:2:2\nx();\n```\n",
      "refused complete-file-expected",
    ],
    [
      "an AST path where the whole file is expected",
      SIX,
      "complete",
      "```ts:ast-path:one\nx();\n```\n",
      "refused complete-file-expected",
    ],
    ["a path of nothing", SHAPES, "ast", "```ts:ast-path:\nx\n```\n", "refused no-element-named"],
    [
      "an unknown element",
      SHAPES,
      "ast",
      "```ts:ast-path:Square\nx\n```\n",
      "refused unresolved-path",
    ],
    [
      "an unknown member",
      SHAPES,
      "ast",
      "```ts:ast-path:Shape-perimeter\nx\n```\n",
      "refused unresolved-path",
    ],
    [
      "an ambiguous name",
      SHAPES,
      "ast",
      "```ts:ast-path:area\narea() {}\n```\n",
      "refused unresolved-path",
    ],
    [
      "an overload that is not there",
      SHAPES,
      "ast",
      "```ts:ast-path:Shape-area#2\narea() {}\n```\n",
      "refused unresolved-path",
    ],
    [
      "a path in other letters",
      SHAPES,
      "ast",
      "```ts:ast-path:shape-AREA\narea() {}\n```\n",
      "refused unresolved-path",
    ],
    [
      "an operation that is none, on a path",
      SHAPES,
      "ast",
      "```ts:ast-path:Shape-area:replace\narea() {}\n```\n",
      "refused unresolved-path",
    ],
    [
      "removing the whole file",
      SHAPES,
      "ast",
      "```ts:ast-path:@file:remove\n```\n",
      "refused not-removable",
    ],
    [
      "removing imports there are none of",
      SHAPES,
      "ast",
      "```ts:ast-path:@imports:remove\n```\n",
      "refused not-removable",
    ],
    [
      "nothing to append to a class",
      SHAPES,
      "ast",
      "```ts:ast-path:Shape:append\n```\n",
      "refused empty-body",
    ],
    [
      "nothing to put before a method",
      SHAPES,
      "ast",
      "```ts:ast-path:Shape-area:before\n```\n",
      "refused empty-body",
    ],
    [
      "nothing to put behind a file",
      SHAPES,
      "ast",
      "```ts:ast-path:@file:append\n```\n",
      "refused empty-body",
    ],
    [
      "an element that an earlier block removed",
      SHAPES,
      "ast",
      "```ts:ast-path:Circle:remove\n```\n```ts:ast-path:Circle-area\narea() {}\n```\n",
      "applied, refused unresolved-path",
      ["\nexport class Circle {\n  area() {\n    return 1;\n  }\n}\n", ""],
    ],
    [
      "AST paths without a grammar",
      VALA,
      "free",
      "```ts:ast-path:A\nclass A {}\n```\n",
      "refused no-ast-paths",
    ],
    [
      "AST paths in a file of more than 100,000 lines",
      ["long.ts", "a();\n".repeat(100_001)],
      "free",
      "```ts:ast-path:A\nclass A {}\n```\n",
      "refused no-ast-paths",
    ],
    [
      "a second whole file",
      SIX,
      "complete",
      "```ts\nA();\n```\n```ts\nB();\n```\n",
      "applied, refused other-whole-file",
      "A();\n",
    ],
  ],
  "bodies that the guards stop or flag": [
    [
      "a path with dots that names nothing",
      SHAPES,
      "ast",
      "```ts:ast-path:Shape.areas\narea() {}\n```\n",
      "refused unresolved-path",
    ],
    [
      "left-out code in a replacement",
      SIX,
      "lines",
      "```ts:2:5\ntwo();\n// ... existing code ...\nfive();\n```\n",
      "held elision",
    ],
    [
      "left-out code by AST path",
      SHAPES,
      "ast",
      "```ts:ast-path:Shape\nexport class Shape {\n  // rest unchanged\n}\n```\n",
      "held elision",
    ],
    [
      "left-out code in a whole file",
      SIX,
      "complete",
      "```ts\none();\n// ... rest of the file ...\n```\n",
      "held elision",
    ],
    [
      "left-out code in a new file",
      NONE,
      "free",
      "```ts\none();\n// ... rest of the file ...\n```\n",
      "held elision",
    ],
    [
      "left-out code in an insertion",
      SIX,
      "lines",
      "```ts:2:2:after\nx();\n// etc.\n```\n",
      "held elision",
    ],
    ["three dots and nothing else", SIX, "lines", "```ts:2:5\n...\n```\n", "held elision"],
    [
      "a placeholder in angle brackets",
      SIX,
      "lines",
      "```ts:2:5\n<existing code>\n```\n",
      "held elision",
    ],
    [
      "left-out text in Python",
      PY,
      "ast",
      "```ts:ast-path:a\ndef a():\n    # ... rest of code\n```\n",
      "held elision",
    ],
    [
      "left-out text in Markdown",
      MD,
      "free",
      "```ts:1:3\n# A\n\n<!-- unchanged -->\n```\n",
      "held elision",
    ],
    [
      "a large deletion of a whole file",
      LONG,
      "complete",
      "```ts\nx();\n```\n",
      "applied deletion",
      "x();\n",
    ],
    [
      "a large deletion that says it leaves things out",
      LONG,
      "lines",
      "```ts:1:40\n// ... 38 more lines ...\nx();\n```\n",
      "held elision",
    ],
    [
      "a new syntax error",
      SIX,
      "lines",
      "```ts:2:2\ntwo(;\n```\n",
      "applied syntax",
      ["two()", "two("],
    ],
    [
      "a new syntax error by AST path",
      SHAPES,
      "ast",
      "```ts:ast-path:Circle-area\narea() {\n  return (1;\n}\n```\n",
      "applied syntax",
      ["return 1", "return (1"],
    ],
    [
      "a new syntax error in a whole file",
      SIX,
      "complete",
      "```ts\nf(;\n```\n",
      "applied syntax",
      "f(;\n",
    ],
    [
      "a brace that is left over",
      SHAPES,
      "ast",
      "```ts:ast-path:Circle-area\narea() {\n  return 2;\n}\n}\n```\n",
      "applied syntax",
      ["1;\n  }", "2;\n  }\n  }"],
    ],
    [
      "a syntax error in a new file",
      NONE,
      "free",
      "```ts\nfunction (\n```\n",
      "applied syntax",
      "function (\n",
    ],
    [
      "a large deletion with a syntax error",
      LONG,
      "lines",
      "```ts:1:30\nx(;\n```\n",
      "applied syntax",
      `x(;\n${"x();\n".repeat(10)}`,
    ],
    ["a block that is not closed", SIX, "lines", "```ts:2:2\nTWO();\n", "incomplete unclosed"],
    ["an opener and no more", SIX, "lines", "```ts:2:2", "incomplete unclosed"],
    [
      "a block closed by too short a fence",
      SIX,
      "lines",
      "````ts:2:2\nTWO();\n```\n",
      "incomplete unclosed",
    ],
    [
      "a block closed by the other kind of fence",
      SIX,
      "lines",
      "```ts:2:2\nTWO();\n~~~\n",
      "incomplete unclosed",
    ],
    [
      "a nested fence that is not closed",
      SIX,
      "lines",
      "```ts:2:2\n/* ```ts\n```js\nTWO();\n```\n",
      "incomplete unclosed",
    ],
    ["a whole file that is not closed", SIX, "complete", "```ts\nTWO();\n", "incomplete unclosed"],
    [
      "a block that the length limit cut off",
      SIX,
      "lines",
      "```ts:2:2\nTWO();\n",
      "incomplete length-limit",
      null,
      "length",
    ],
    [
      "a last fence at the length limit",
      SIX,
      "lines",
      "```ts:2:2\nTWO();\n```",
      "incomplete length-limit",
      null,
      "length",
    ],
    [
      "an answer that was stopped",
      SIX,
      "lines",
      "```ts:2:2\nTWO();\n```\n",
      "pending",
      TWO,
      "cancelled",
    ],
    [
      "an answer that was stopped in the words after a block",
      SIX,
      "lines",
      "```ts:2:2\nTWO();\n```\nNow I\nsay",
      "pending",
      TWO,
      "cancelled",
    ],
    [
      "an answer that was stopped after a block for a text",
      ["notes.txt", "one\ntwo\n"],
      "lines",
      "```txt:2:2\nTWO\n```\n\nNow I\nsay",
      "pending",
      ["two", "TWO"],
      "cancelled",
    ],
    [
      "a block that was open when the answer was stopped",
      SIX,
      "lines",
      "```ts:2:2\nTW",
      "stopped stopped",
      null,
      "cancelled",
    ],
    ["an answer that broke off", SIX, "lines", "```ts:2:2\nTWO();\n```\n", "pending", TWO, "error"],
    [
      "a block that was open when the answer broke off",
      SIX,
      "lines",
      "```ts:2:2\nTW",
      "incomplete unclosed",
      null,
      "error",
    ],
    [
      "an answer that a filter held back",
      SIX,
      "lines",
      "```ts:2:2\nTWO();\n```\n",
      "pending",
      TWO,
      "content-filter",
    ],
  ],
  "code blocks that are chat": [
    [
      "a file's name for an address",
      SIX,
      "lines",
      "```ts:src/six.ts\nTWO();\n```\n",
      "refused other-form",
    ],
    ["an ordinary block", SIX, "lines", "```ts\nTWO();\n```\n", ""],
    [
      "an example inside an ordinary block",
      SIX,
      "lines",
      "````md\n```ts:2:2\nTWO();\n```\n````\n",
      "",
    ],
    [
      "an address that is indented as code",
      SIX,
      "lines",
      "    ```ts:2:2\n    TWO();\n    ```\n",
      "refused other-form",
    ],
    [
      "a space before the colon",
      SIX,
      "lines",
      "```ts :2:2\nTWO();\n```\n",
      "applied",
      ["two();", "TWO();"],
    ],
    ["an address in inline code", SIX, "lines", "Use ```ts:2:2``` for it.\n", ""],
    [
      "an address in other words",
      SIX,
      "lines",
      "```ts lines 2-3\nTWO();\n```\n",
      "refused invalid-address",
    ],
  ],
};

describe("what must not simply be applied", () => {
  for (const [group, cases] of Object.entries(CASES)) {
    describe(group, () => {
      for (const [name, [path, text], door, message, blocks, proposed, end] of cases) {
        it(`refuses or flags ${name}`, () => {
          const expected =
            typeof proposed === "object" && proposed ? text?.replace(...proposed) : proposed;
          return checkRefused({
            path,
            text,
            door,
            message,
            blocks,
            proposed: expected ?? null,
            end: end ?? "stop",
          });
        });
      }
    });
  }
});
