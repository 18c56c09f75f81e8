import assert from "node:assert/strict";
import fc from "fast-check";
import { applyTo, editBlock } from "../../../fakes/turns/applyTo.ts";

const STEPS = ["one", "two", "three", "four", "five"];
const step = (name: string) => `  - name: ${name}\n    run: ${name}\n`;
const yaml = (names: readonly string[]) => `steps:\n${names.map(step).join("")}`;
const item = (index: number) => `ast-path:steps-item#${index + 1}`;

const OVERLOADS = "function f(a: 1): 1;\nfunction f(a: 2): 2;\nfunction f(a: any): any {}\n";

async function edited(path: string, text: string, ...blocks: readonly string[]) {
  const result = await applyTo(path, text, blocks.join(""));
  return { text: result.text, ends: result.blocks.map(({ status, reason }) => reason ?? status) };
}

describe("the paths of the outline, while blocks of one message change the file", () => {
  const cases: readonly [string, readonly string[], readonly string[], readonly string[]][] = [
    [
      "numbers do not shift when one is removed",
      [`${item(1)}:remove`, ""],
      [`${item(2)}:remove`, ""],
      ["one", "four", "five"],
    ],
    [
      "the first one's number does not move on to the next",
      [`${item(0)}:remove`, ""],
      [item(1), "- name: 2\n  run: 2"],
      ["2", "three", "four", "five"],
    ],
    [
      "numbers do not shift when one is added",
      [`${item(0)}:before`, "- name: 0\n  run: 0"],
      [`${item(1)}:remove`, ""],
      ["0", "one", "three", "four", "five"],
    ],
    [
      "the last one is still found",
      [`${item(0)}:remove`, ""],
      [item(4), "- name: 5\n  run: 5"],
      ["two", "three", "four", "5"],
    ],
    [
      "what was replaced keeps its path",
      [item(1), "- name: 2\n  run: 2"],
      [`${item(1)}:after`, "- name: 2b\n  run: 2b"],
      ["one", "2", "2b", "three", "four", "five"],
    ],
  ];
  for (const [does, first, second, names] of cases) {
    it(does, async () => {
      const { text, ends } = await edited(
        "a.yaml",
        yaml(STEPS),
        editBlock(first[0] ?? "", first[1]),
        editBlock(second[0] ?? "", second[1]),
      );
      assert.deepEqual(ends, ["applied", "applied"]);
      assert.equal(text, yaml(names));
    });
  }

  it("a path whose element is gone does not mean the one that has it now", async () => {
    const { text, ends } = await edited(
      "a.ts",
      OVERLOADS,
      editBlock("ast-path:f#2:remove"),
      editBlock("ast-path:f#2:remove"),
    );
    assert.equal(text, OVERLOADS.replace("function f(a: 2): 2;\n", ""));
    assert.match(ends[1] ?? "", /removed or renamed `f#2`/);
  });

  it("a renamed element's old name does not mean its namesake", async () => {
    const { ends } = await edited(
      "a.ts",
      OVERLOADS,
      editBlock("ast-path:f#1", "function g(a: 1): 1;"),
      editBlock("ast-path:f#1:after", "// behind f"),
    );
    assert.match(ends[1] ?? "", /removed or renamed `f#1`/);
  });

  it("a new element of the message is found by its own path, also where a suffix meant another one", async () => {
    const before = "class Parser {\n  parse() {}\n}\n";
    const blocks = [
      editBlock("ast-path:@file:append", "function parse() {}"),
      editBlock("ast-path:parse", "function parse() { return 1; }"),
    ];
    const { text } = await edited("a.ts", before, ...blocks);
    assert.equal(text, `${before}function parse() { return 1; }\n`);
  });

  it("members of a class that was rewritten are those of the new text", async () => {
    const before = "class A {\n  f() {}\n  g() {}\n}\n";
    const blocks = [
      editBlock("ast-path:A", "class A {\n  g() {}\n  f() {}\n}"),
      editBlock("ast-path:A-f", "f() { return 1; }"),
    ];
    const { text } = await edited("a.ts", before, ...blocks);
    assert.equal(text, "class A {\n  g() {}\n  f() { return 1; }\n}\n");
  });

  it("hold for any order of removals, replacements and insertions", async () => {
    const operation = fc.constantFrom("remove", "replace", "before", "after");
    const plan = fc.uniqueArray(fc.record({ index: fc.nat(STEPS.length - 1), operation }), {
      selector: ({ index }) => index,
      minLength: 1,
    });
    await fc.assert(
      fc.asyncProperty(plan, async (steps) => {
        const body = (index: number) => `- name: new ${index}\n  run: new ${index}`;
        const blocks = steps.map(({ index, operation: op }) =>
          editBlock(
            op === "replace" ? item(index) : `${item(index)}:${op}`,
            op === "remove" ? "" : body(index),
          ),
        );
        const names = STEPS.flatMap((name, index) => {
          const op = steps.find((one) => one.index === index)?.operation;
          if (op === "remove") return [];
          if (op === "replace") return [`new ${index}`];
          return [
            ...(op === "before" ? [`new ${index}`] : []),
            name,
            ...(op === "after" ? [`new ${index}`] : []),
          ];
        });
        const { text, ends } = await edited("a.yaml", yaml(STEPS), ...blocks);
        assert.deepEqual(new Set(ends), new Set(["applied"]));
        // The last item's line break goes with it, and `steps:` stays alone when all are gone.
        if (names.length > 0) assert.equal(text, yaml(names));
      }),
      { numRuns: 40 },
    );
  });
});
