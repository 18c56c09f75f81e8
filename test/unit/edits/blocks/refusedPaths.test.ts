import { checkRefused, type Door, type Said } from "../../../fakes/turns/refusedTurn.ts";

type File = readonly [path: string, text: string | null];

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

const CASES: readonly (readonly [
  name: string,
  file: File,
  door: Door,
  message: string,
  blocks: readonly Said[],
  proposed?: string | null,
])[] = [
  ["an AST path in line mode", SIX, "lines", "```ts:ast-path:one\nx();\n```\n", [["ignored", "mode-mismatch"]]],
  ["lines in AST mode", SHAPES, "ast", "```ts:1:2\nx();\n```\n", [["ignored", "mode-mismatch"]]],
  [
    "lines behind the first AST block",
    SHAPES,
    "free",
    "```ts:ast-path:Circle-area\narea() {\n  return 2;\n}\n```\n```ts:1:1\nx\n```\n",
    [
      ["applied", null],
      ["ignored", "mode-mismatch"],
    ],
    "export class Shape {\n  area() {\n    return 0;\n  }\n\n  name(a: string): void;\n  name(a: number): void;\n  name(a: unknown) {}\n}\n\nexport class Circle {\n  area() {\n    return 2;\n  }\n}\n",
  ],
  [
    "AST paths behind the first lines",
    SHAPES,
    "free",
    "```ts:1:1\nexport class Shape {\n```\n```ts:ast-path:Circle-area\nx\n```\n",
    [
      ["applied", null],
      ["ignored", "mode-mismatch"],
    ],
    "export class Shape {\n  area() {\n    return 0;\n  }\n\n  name(a: string): void;\n  name(a: number): void;\n  name(a: unknown) {}\n}\n\nexport class Circle {\n  area() {\n    return 1;\n  }\n}\n",
  ],
  ["an address where the whole file is expected", SIX, "complete", "```ts:2:2\nx();\n```\n", [["refused", "complete-file-expected"]]],
  [
    "an AST path where the whole file is expected",
    SIX,
    "complete",
    "```ts:ast-path:one\nx();\n```\n",
    [["refused", "complete-file-expected"]],
  ],
  ["a path of nothing", SHAPES, "ast", "```ts:ast-path:\nx\n```\n", [["refused", "no-element-named"]]],
  ["an unknown element", SHAPES, "ast", "```ts:ast-path:Square\nx\n```\n", [["refused", "unresolved-path"]]],
  ["an unknown member", SHAPES, "ast", "```ts:ast-path:Shape-perimeter\nx\n```\n", [["refused", "unresolved-path"]]],
  ["an ambiguous name", SHAPES, "ast", "```ts:ast-path:area\narea() {}\n```\n", [["refused", "unresolved-path"]]],
  ["an overload that is not there", SHAPES, "ast", "```ts:ast-path:Shape-area#2\narea() {}\n```\n", [["refused", "unresolved-path"]]],
  ["a path in other letters", SHAPES, "ast", "```ts:ast-path:shape-AREA\narea() {}\n```\n", [["refused", "unresolved-path"]]],
  [
    "an operation that is none, on a path",
    SHAPES,
    "ast",
    "```ts:ast-path:Shape-area:replace\narea() {}\n```\n",
    [["refused", "unresolved-path"]],
  ],
  ["removing the whole file", SHAPES, "ast", "```ts:ast-path:@file:remove\n```\n", [["refused", "not-removable"]]],
  ["removing imports there are none of", SHAPES, "ast", "```ts:ast-path:@imports:remove\n```\n", [["refused", "not-removable"]]],
  ["nothing to append to a class", SHAPES, "ast", "```ts:ast-path:Shape:append\n```\n", [["refused", "empty-body"]]],
  ["nothing to put before a method", SHAPES, "ast", "```ts:ast-path:Shape-area:before\n```\n", [["refused", "empty-body"]]],
  ["nothing to put behind a file", SHAPES, "ast", "```ts:ast-path:@file:append\n```\n", [["refused", "empty-body"]]],
  [
    "an element that an earlier block removed",
    SHAPES,
    "ast",
    "```ts:ast-path:Circle:remove\n```\n```ts:ast-path:Circle-area\narea() {}\n```\n",
    [
      ["applied", null],
      ["refused", "unresolved-path"],
    ],
    "export class Shape {\n  area() {\n    return 0;\n  }\n\n  name(a: string): void;\n  name(a: number): void;\n  name(a: unknown) {}\n}\n",
  ],
  ["AST paths without a grammar", VALA, "free", "```ts:ast-path:A\nclass A {}\n```\n", [["refused", "no-ast-paths"]]],
  [
    "AST paths in a file of more than 100,000 lines",
    ["long.ts", "a();\n".repeat(100_001)],
    "free",
    "```ts:ast-path:A\nclass A {}\n```\n",
    [["refused", "no-ast-paths"]],
  ],
  ["a second whole file", SIX, "complete", "```ts\nA();\n```\n```ts\nB();\n```\n", [["applied", null]], "A();\n"],
];

describe("blocks by AST path, or of the wrong kind, that must not be applied", () => {
  for (const [name, [path, text], door, message, blocks, proposed] of CASES) {
    it(`refuses or flags ${name}`, () => checkRefused({ path, text, door, message, blocks, ...(proposed ? { proposed } : {}) }));
  }
});
