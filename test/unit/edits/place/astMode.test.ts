import assert from "node:assert/strict";
import type { BlockReason } from "../../../../src/turns/blockReason.ts";
import { applyTo, editBlock, statuses } from "../../../fakes/turns/applyTo.ts";

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

describe("AST mode", () => {
  it("lets a later block see the earlier ones", async () => {
    const message =
      editBlock("ast-path:Empty:append", "f() {\n  return 1;\n}") +
      editBlock("ast-path:Empty-f", "f() {\n  return 2;\n}");
    const result = await applyTo("a.ts", TS, message);
    assert.deepEqual(statuses(result), ["applied", "applied"]);
    assert.match(result.text, /class Empty \{\n {2}f\(\) \{\n {4}return 2;\n {2}\}\n\}/);
  });

  const ROWS: readonly [string, string, readonly [string, string][], string][] = [
    [
      "a.ts",
      "function a() {}\n\nfunction z() {}\n",
      ["b", "c", "d"].map((name) => ["a:after", `\nfunction ${name}() {}`]),
      "function a() {}\n\nfunction b() {}\n\nfunction c() {}\n\nfunction d() {}\n\nfunction z() {}\n",
    ],
    [
      ...["a.json", '{\n  "a": 1\n}\n'],
      [
        ["a:after", '"b": 1'],
        ["a:after", '"c": 1'],
      ],
      '{\n  "a": 1,\n  "b": 1,\n  "c": 1\n}\n',
    ] as [string, string, [string, string][], string],
    [
      ...["a.py", 'class A:\n    """Doc."""\n\n    z = 1\n'],
      [
        ["A:prepend", "x = 1"],
        ["A:prepend", "y = 1"],
      ],
      'class A:\n    """Doc."""\n\n    x = 1\n    y = 1\n    z = 1\n',
    ] as [string, string, [string, string][], string],
    [
      ...["a.ts", 'import a from "a";\n'],
      [
        ["@imports:prepend", 'import b from "b";'],
        ["@imports:prepend", 'import c from "c";'],
      ],
      'import b from "b";\nimport c from "c";\nimport a from "a";\n',
    ] as [string, string, [string, string][], string],
  ];
  for (const [file, before, blocks, after] of ROWS)
    it(`keeps the order of what several blocks put at one place: ${file} ${blocks[0]?.[0]}`, async () => {
      const message = blocks.map(([path, body]) => editBlock(`ast-path:${path}`, body)).join("");
      assert.equal((await applyTo(file, before, message)).text, after);
    });

  it("numbers overloads", async () => {
    const before =
      "function f(a: string): void;\nfunction f(a: number): void;\nfunction f(a: unknown): void {}\n";
    const result = await applyTo(
      "a.ts",
      before,
      editBlock("ast-path:f#2", "function f(a: bigint): void;"),
    );
    assert.equal(result.text, before.replace("number", "bigint"));
  });

  const refused: readonly [string, string, string, string, BlockReason["code"]][] = [
    ["a replacement of @file", TS, "ast-path:@file", "x", "file-operation"],
    [
      "removing a name that is declared together with another",
      "const { a, b } = x;\n",
      "ast-path:a:remove",
      "",
      "shared-declaration",
    ],
    [
      "emptying a name that is declared together with another",
      "const [a, b] = x;\n",
      "ast-path:b",
      "",
      "shared-declaration",
    ],
    ["an append to what has no body", TS, "ast-path:Shape-width:append", "x", "no-body"],
    ["a blank prepend", TS, "ast-path:Shape:prepend", "\n  ", "empty-body"],
    [
      "a target that holds a syntax error",
      "class A {\n  f( { \n}\n",
      "ast-path:A",
      "class A {}",
      "unresolved-path",
    ],
  ];
  for (const [name, before, address, body, code] of refused) {
    it(`refuses ${name}`, async () => {
      const result = await applyTo("a.ts", before, editBlock(address, body));
      assert.equal(result.blocks[0]?.status, "refused");
      assert.equal(result.blocks[0]?.code, code);
      assert.equal(result.text, before);
    });
  }

  it("appends to a Markdown file that is a heading without a line break", async () => {
    const result = await applyTo(
      "a.md",
      "# One\n\n## Two",
      editBlock("ast-path:Two:append", "text"),
    );
    assert.equal(result.text, "# One\n\n## Two\ntext");
  });

  it("warns when a block adds a syntax error, and not when a later one fixes it", async () => {
    const broken = await applyTo("a.ts", TS, editBlock("ast-path:last", "function last() {"));
    assert.equal(broken.blocks[0]?.code, "syntax");
    assert.match(broken.report, /warning: Adds a syntax error/);
    const repaired = await applyTo(
      "a.ts",
      "f();\n",
      editBlock("ast-path:@file:append", "if (x) {") + editBlock("ast-path:@file:append", "}"),
    );
    assert.equal(repaired.blocks[0]?.code, undefined);
  });

  it("refuses an append to a CSS rule without a last `;`", async () => {
    const result = await applyTo(
      "a.css",
      "a { top: 0 }\n",
      editBlock("ast-path:a:append", "left: 0;"),
    );
    assert.equal(result.blocks[0]?.status, "refused");
    assert.equal(result.text, "a { top: 0 }\n");
  });
});
