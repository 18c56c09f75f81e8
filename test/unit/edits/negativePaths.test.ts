import { checkRefused, type Door, type Said } from "../../fakes/refusedTurn.ts";

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
  [
    "an AST path in line mode",
    SIX,
    "lines",
    "```ts:ast-path:one\nx();\n```\n",
    [
      [
        "ignored",
        "Ignored: Change to `ast-path:one` - AST path format specified but line number mode is active. Use `type:startline:endline` format instead.\nActive mode: line numbers (use_line_numbers=true)\nRequired format: `type:startline:endline`",
      ],
    ],
  ],
  [
    "lines in AST mode",
    SHAPES,
    "ast",
    "```ts:1:2\nx();\n```\n",
    [
      [
        "ignored",
        "Ignored: Change at lines 1-2 - Line number format specified but AST path mode is active. Use `type:ast-path:Namespace-Class-Method` format instead.\nActive mode: AST paths (use_line_numbers=false)\nRequired format: `type:ast-path:Namespace-Class-Method`",
      ],
    ],
  ],
  [
    "lines behind the first AST block",
    SHAPES,
    "free",
    "```ts:ast-path:Circle-area\narea() {\n  return 2;\n}\n```\n```ts:1:1\nx\n```\n",
    [
      ["applied", null],
      [
        "ignored",
        "Ignored: Change at lines 1-1 - Line number format specified but AST path mode is active. Use `type:ast-path:Namespace-Class-Method` format instead.\nActive mode: AST paths (use_line_numbers not set)\nRequired format: `type:ast-path:Namespace-Class-Method`",
      ],
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
      [
        "ignored",
        "Ignored: Change to `ast-path:Circle-area` - AST path format specified but line number mode is active. Use `type:startline:endline` format instead.\nActive mode: line numbers (use_line_numbers not set)\nRequired format: `type:startline:endline`",
      ],
    ],
    "export class Shape {\n  area() {\n    return 0;\n  }\n\n  name(a: string): void;\n  name(a: number): void;\n  name(a: unknown) {}\n}\n\nexport class Circle {\n  area() {\n    return 1;\n  }\n}\n",
  ],
  [
    "an address where the whole file is expected",
    SIX,
    "complete",
    "```ts:2:2\nx();\n```\n",
    [["refused", "the complete file is expected (complete_file): write it as one fenced block without an address"]],
  ],
  [
    "an AST path where the whole file is expected",
    SIX,
    "complete",
    "```ts:ast-path:one\nx();\n```\n",
    [["refused", "the complete file is expected (complete_file): write it as one fenced block without an address"]],
  ],
  ["a path of nothing", SHAPES, "ast", "```ts:ast-path:\nx\n```\n", [["refused", "the address names no element behind `ast-path:`"]]],
  [
    "an unknown element",
    SHAPES,
    "ast",
    "```ts:ast-path:Square\nx\n```\n",
    [["refused", "There is no element `Square` in this file. The nearest are…"]],
  ],
  [
    "an unknown member",
    SHAPES,
    "ast",
    "```ts:ast-path:Shape-perimeter\nx\n```\n",
    [["refused", "There is no element `Shape-perimeter` in this file. The nearest are…"]],
  ],
  [
    "an ambiguous name",
    SHAPES,
    "ast",
    "```ts:ast-path:area\narea() {}\n```\n",
    [
      [
        "refused",
        "`area` is ambiguous, it names 2 elements: `Shape-area` (method, lines 2-4), `Circle-area` (method, lines 12-14). Write one of these paths in full.",
      ],
    ],
  ],
  [
    "an overload that is not there",
    SHAPES,
    "ast",
    "```ts:ast-path:Shape-area#2\narea() {}\n```\n",
    [["refused", "There is no element `Shape-area#2` in this file. The nearest are…"]],
  ],
  [
    "a path in other letters",
    SHAPES,
    "ast",
    "```ts:ast-path:shape-AREA\narea() {}\n```\n",
    [["refused", "There is no element `shape-AREA` in this file. The nearest are…"]],
  ],
  [
    "an operation that is none, on a path",
    SHAPES,
    "ast",
    "```ts:ast-path:Shape-area:replace\narea() {}\n```\n",
    [["refused", "There is no element `Shape-area:replace` in this file. The nearest are…"]],
  ],
  ["removing the whole file", SHAPES, "ast", "```ts:ast-path:@file:remove\n```\n", [["refused", "`@file` cannot be removed as a whole"]]],
  [
    "removing imports there are none of",
    SHAPES,
    "ast",
    "```ts:ast-path:@imports:remove\n```\n",
    [["refused", "`@imports` cannot be removed as a whole"]],
  ],
  [
    "nothing to append to a class",
    SHAPES,
    "ast",
    "```ts:ast-path:Shape:append\n```\n",
    [["refused", "the block is empty, there is nothing to insert; to delete, use `remove`"]],
  ],
  [
    "nothing to put before a method",
    SHAPES,
    "ast",
    "```ts:ast-path:Shape-area:before\n```\n",
    [["refused", "the block is empty, there is nothing to insert; to delete, use `remove`"]],
  ],
  [
    "nothing to put behind a file",
    SHAPES,
    "ast",
    "```ts:ast-path:@file:append\n```\n",
    [["refused", "the block is empty, there is nothing to insert; to delete, use `remove`"]],
  ],
  [
    "an element that an earlier block removed",
    SHAPES,
    "ast",
    "```ts:ast-path:Circle:remove\n```\n```ts:ast-path:Circle-area\narea() {}\n```\n",
    [
      ["applied", null],
      ["refused", "There is no element `Circle-area` in this file. The nearest are…"],
    ],
    "export class Shape {\n  area() {\n    return 0;\n  }\n\n  name(a: string): void;\n  name(a: number): void;\n  name(a: unknown) {}\n}\n",
  ],
  [
    "AST paths without a grammar",
    VALA,
    "free",
    "```ts:ast-path:A\nclass A {}\n```\n",
    [["refused", "AST paths do not work in this file, whose syntax Graft cannot read; use `type:startline:endline`"]],
  ],
  [
    "AST paths in a file of more than 100,000 lines",
    ["long.ts", "a();\n".repeat(100_001)],
    "free",
    "```ts:ast-path:A\nclass A {}\n```\n",
    [["refused", "AST paths do not work in this file, which is too large for an outline; use `type:startline:endline`"]],
  ],
  ["a second whole file", SIX, "complete", "```ts\nA();\n```\n```ts\nB();\n```\n", [["applied", null]], "A();\n"],
];

describe("blocks by AST path, and of the wrong kind, that must not be applied", () => {
  for (const [name, [path, text], door, message, blocks, proposed] of CASES) {
    it(`does not simply take ${name}`, () => checkRefused({ path, text, door, message, blocks, ...(proposed ? { proposed } : {}) }));
  }
});
