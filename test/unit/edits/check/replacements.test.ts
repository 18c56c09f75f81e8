import assert from "node:assert/strict";
import { applyTo, codes, editBlock } from "../../../fakes/turns/applyTo.ts";

const TEXT = `/** A shape. */
export class Shape {
  /** Its area. */
  area() {
    return 1;
  }

  name() {
    return "x";
  }
}

export class Empty {}
`;

describe("a replacement of an element", () => {
  const cases: readonly (readonly [
    does: string,
    address: string,
    body: string,
    code: string | undefined,
  ])[] = [
    [
      "warns where a class is replaced by one of its methods",
      "Shape",
      "function area() {\n  return 2;\n}",
      "loses-element",
    ],
    [
      "warns where two new elements replace one",
      "Shape-area",
      "size() {}\n\nwidth() {}",
      "loses-element",
    ],
    ["says nothing of a new name", "Shape-area", "size() {\n  return 1;\n}", undefined],
    [
      "warns where a sibling stands twice afterwards",
      "Shape-area",
      'area() {\n  return 2;\n}\n\nname() {\n  return "y";\n}',
      "doubles-element",
    ],
    [
      "says nothing of a new sibling",
      "Shape-area",
      "area() {\n  return 2;\n}\n\nsize() {}",
      undefined,
    ],
    [
      "says nothing of overloads it adds",
      "Shape-area",
      "area(): number;\narea(a?: number) {\n  return 2;\n}",
      undefined,
    ],
    ["says nothing of a plain one", "Shape-name", 'name() {\n  return "y";\n}', undefined],
  ];
  for (const [does, address, body, code] of cases) {
    it(does, async () => {
      const result = await applyTo("a.ts", TEXT, editBlock(`ast-path:${address}`, body));
      assert.deepEqual([result.blocks[0]?.status, result.blocks[0]?.code], ["applied", code]);
    });
  }

  it("says nothing where another block puts the element elsewhere", async () => {
    const moved = editBlock("ast-path:Shape-name:after", "area() {\n  return 3;\n}");
    const result = await applyTo(
      "a.ts",
      TEXT,
      editBlock("ast-path:Shape-area", "size() {}\n\nwidth() {}") + moved,
    );
    assert.deepEqual(codes(result), [undefined, undefined]);
  });

  it("says nothing of a sibling that another block takes away", async () => {
    const twice = editBlock(
      "ast-path:Shape-area",
      'area() {\n  return 2;\n}\n\nname() {\n  return "y";\n}',
    );
    const result = await applyTo(
      "a.ts",
      TEXT,
      twice + editBlock("ast-path:Shape-name#2:remove", ""),
    );
    assert.deepEqual(codes(result), [undefined, undefined]);
  });

  it("says nothing of what another item of a list has", async () => {
    const text = "- a: 1\n  if: 2\n- a: 3\n  run: 4\n";
    const result = await applyTo("a.yml", text, editBlock("ast-path:item#2-run", "if: 5\nrun: 4"));
    assert.deepEqual(codes(result), [undefined]);
  });

  it("replaces the comment that its body begins with, and says so", async () => {
    const body = "/** Its area. */\narea() {\n  return 2;\n}";
    const result = await applyTo("a.ts", TEXT, editBlock("ast-path:Shape-area", body));
    assert.equal(result.text, TEXT.replace("return 1", "return 2"));
    assert.deepEqual(result.blocks[0]?.adjustments, [{ code: "with-comment" }]);
    const other = await applyTo(
      "a.ts",
      TEXT,
      editBlock("ast-path:Shape-area", body.replace("Its", "The")),
    );
    assert.equal(other.text, TEXT.replace("Its area", "The area").replace("return 1", "return 2"));
    assert.deepEqual(other.blocks[0]?.adjustments, [{ code: "with-comment" }]);
  });

  it("is refused by a bare path where its body is a prototype", async () => {
    const text = "static int f(int a);\n\nstatic int f(int a)\n{\n  return a;\n}\n";
    for (const [body, code] of [
      ["static int f(int a);", "other-element"],
      ["static int f(long a);", "unresolved-path"],
    ] as const) {
      const result = await applyTo("a.c", text, editBlock("ast-path:f", body));
      assert.deepEqual(
        [result.text, result.blocks[0]?.status, result.blocks[0]?.code],
        [text, "refused", code],
      );
    }
    const numbered = await applyTo("a.c", text, editBlock("ast-path:f#1", "static int f(long a);"));
    assert.equal(numbered.text, text.replace("int a);", "long a);"));
    const definition = await applyTo(
      "a.c",
      text,
      editBlock("ast-path:f", "static int f(long a)\n{\n  return 1;\n}"),
    );
    assert.equal(definition.blocks[0]?.status, "applied");
  });
});
