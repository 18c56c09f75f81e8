import type { MessageEnd } from "../../../../src/turns/streamRegistry.ts";
import { checkRefused, type Door, type Said } from "../../../fakes/turns/refusedTurn.ts";

type File = readonly [path: string, text: string | null];

const SIX: File = ["src/six.ts", "one();\ntwo();\nthree();\nfour();\nfive();\nsix();\n"];
const SIX_WITH_TWO = SIX[1]?.replace("two", "TWO") ?? "";
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
const LONG: File = ["src/long.ts", "x();\n".repeat(40)];
const PY: File = ["a.py", "def a():\n    return 1\n\n\ndef b():\n    return 2\n"];
const MD: File = ["README.md", "# A\n\nText.\n\n# B\n\nMore.\n"];
const NONE: File = ["src/new.ts", null];

const CASES: readonly (readonly [
  name: string,
  file: File,
  door: Door,
  message: string,
  blocks: readonly Said[],
  proposed?: string | null,
  end?: MessageEnd["reason"],
])[] = [
  ["a path with dots", SHAPES, "ast", "```ts:ast-path:Shape.area\narea() {}\n```\n", [["refused", "unresolved-path"]]],
  ["left-out code in a replacement", SIX, "lines", "```ts:2:5\ntwo();\n// ... existing code ...\nfive();\n```\n", [["held", "elision"]]],
  [
    "left-out code by AST path",
    SHAPES,
    "ast",
    "```ts:ast-path:Shape\nexport class Shape {\n  // rest unchanged\n}\n```\n",
    [["held", "elision"]],
  ],
  ["left-out code in a whole file", SIX, "complete", "```ts\none();\n// ... rest of the file ...\n```\n", [["held", "elision"]]],
  ["left-out code in a new file", NONE, "free", "```ts\none();\n// ... rest of the file ...\n```\n", [["held", "elision"]]],
  ["left-out code in an insertion", SIX, "lines", "```ts:2:2:after\nx();\n// etc.\n```\n", [["held", "elision"]]],
  ["three dots and nothing else", SIX, "lines", "```ts:2:5\n...\n```\n", [["held", "elision"]]],
  ["a placeholder in angle brackets", SIX, "lines", "```ts:2:5\n<existing code>\n```\n", [["held", "elision"]]],
  ["left-out text in Python", PY, "ast", "```ts:ast-path:a\ndef a():\n    # ... rest of code\n```\n", [["held", "elision"]]],
  ["left-out text in Markdown", MD, "free", "```ts:1:3\n# A\n\n<!-- unchanged -->\n```\n", [["held", "elision"]]],
  [
    "a large deletion",
    LONG,
    "lines",
    "```ts:1:30\nx();\n```\n",
    [["applied", "deletion"]],
    "x();\nx();\nx();\nx();\nx();\nx();\nx();\nx();\nx();\nx();\nx();\n",
  ],
  ["a large deletion of a whole file", LONG, "complete", "```ts\nx();\n```\n", [["applied", "deletion"]], "x();\n"],
  [
    "a large deletion that says it leaves things out",
    LONG,
    "lines",
    "```ts:1:40\n// ... 38 more lines ...\nx();\n```\n",
    [["held", "elision"]],
  ],
  [
    "a new syntax error",
    SIX,
    "lines",
    "```ts:2:2\ntwo(;\n```\n",
    [["applied", "syntax"]],
    "one();\ntwo(;\nthree();\nfour();\nfive();\nsix();\n",
  ],
  [
    "a new syntax error by AST path",
    SHAPES,
    "ast",
    "```ts:ast-path:Circle-area\narea() {\n  return (1;\n}\n```\n",
    [["applied", "syntax"]],
    "export class Shape {\n  area() {\n    return 0;\n  }\n\n  name(a: string): void;\n  name(a: number): void;\n  name(a: unknown) {}\n}\n\nexport class Circle {\n  area() {\n    return (1;\n  }\n}\n",
  ],
  ["a new syntax error in a whole file", SIX, "complete", "```ts\nf(;\n```\n", [["applied", "syntax"]], "f(;\n"],
  [
    "a brace that is left over",
    SHAPES,
    "ast",
    "```ts:ast-path:Circle-area\narea() {\n  return 2;\n}\n}\n```\n",
    [["applied", "syntax"]],
    "export class Shape {\n  area() {\n    return 0;\n  }\n\n  name(a: string): void;\n  name(a: number): void;\n  name(a: unknown) {}\n}\n\nexport class Circle {\n  area() {\n    return 2;\n  }\n  }\n}\n",
  ],
  ["a syntax error in a new file", NONE, "free", "```ts\nfunction (\n```\n", [["applied", "syntax"]], "function (\n"],
  [
    "a large deletion with a syntax error",
    LONG,
    "lines",
    "```ts:1:30\nx(;\n```\n",
    [["applied", "deletion"]],
    "x(;\nx();\nx();\nx();\nx();\nx();\nx();\nx();\nx();\nx();\nx();\n",
  ],
  ["a block that is not closed", SIX, "lines", "```ts:2:2\nTWO();\n", [["incomplete", "unclosed"]]],
  ["an opener and no more", SIX, "lines", "```ts:2:2", [["incomplete", "unclosed"]]],
  ["a block closed by too short a fence", SIX, "lines", "````ts:2:2\nTWO();\n```\n", [["incomplete", "unclosed"]]],
  ["a block closed by the other kind of fence", SIX, "lines", "```ts:2:2\nTWO();\n~~~\n", [["incomplete", "unclosed"]]],
  ["a nested fence that is not closed", SIX, "lines", "```ts:2:2\n/* ```ts\n```js\nTWO();\n```\n", [["incomplete", "unclosed"]]],
  ["a whole file that is not closed", SIX, "complete", "```ts\nTWO();\n", [["incomplete", "unclosed"]]],
  ["a block that the length limit cut off", SIX, "lines", "```ts:2:2\nTWO();\n", [["incomplete", "length-limit"]], null, "length"],
  ["a last fence at the length limit", SIX, "lines", "```ts:2:2\nTWO();\n```", [["incomplete", "length-limit"]], null, "length"],
  ["an answer that was stopped", SIX, "lines", "```ts:2:2\nTWO();\n```\n", [["pending", null]], SIX_WITH_TWO, "cancelled"],
  ["a block that was open when the answer was stopped", SIX, "lines", "```ts:2:2\nTW", [["stopped", "stopped"]], null, "cancelled"],
  ["an answer that broke off", SIX, "lines", "```ts:2:2\nTWO();\n```\n", [["pending", null]], SIX_WITH_TWO, "error"],
  ["a block that was open when the answer broke off", SIX, "lines", "```ts:2:2\nTW", [["incomplete", "unclosed"]], null, "error"],
  ["an answer that a filter held back", SIX, "lines", "```ts:2:2\nTWO();\n```\n", [["pending", null]], SIX_WITH_TWO, "content-filter"],
];

describe("bodies that the guards stop or flag", () => {
  for (const [name, [path, text], door, message, blocks, proposed, end] of CASES) {
    it(`stops or flags ${name}`, () =>
      checkRefused({ path, text, door, message, blocks, ...(proposed ? { proposed } : {}), ...(end ? { end } : {}) }));
  }
});
