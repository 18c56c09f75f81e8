import assert from "node:assert/strict";
import { fileSymbols, type ToldSymbol } from "../../../../src/host/workspace/fileSymbols.ts";
import type { FileSymbol } from "../../../../src/ports/symbolSource.ts";

const TEXT = "class A {\n  a() {}\n  b() {}\n}\nclass B {}\n";

const at = (...[startLine, start, endLine, end]: readonly [number, number, number, number]) => ({
  start: { line: startLine, character: start },
  end: { line: endLine, character: end },
});

function drawn(symbols: readonly FileSymbol[], text: string): readonly unknown[] {
  return symbols.map(({ name, kind, range, children }) => [name, kind, text.slice(range.start, range.end), drawn(children, text)]);
}

describe("the symbols of another extension", () => {
  const tree: readonly ToldSymbol[] = [
    {
      name: "A",
      kind: 4,
      range: at(0, 0, 3, 1),
      selectionRange: at(0, 6, 0, 7),
      children: [
        { name: "a", kind: 5, range: at(1, 2, 1, 8), selectionRange: at(1, 2, 1, 3), children: [] },
        { name: "b", kind: 5, range: at(2, 2, 2, 8), selectionRange: at(2, 2, 2, 3), children: [] },
      ],
    },
    { name: "B", kind: 4, range: at(4, 0, 4, 10), selectionRange: at(4, 6, 4, 7), children: [] },
  ];
  const members = [
    ["a", "method", "a() {}", []],
    ["b", "method", "b() {}", []],
  ];

  for (const [lines, text] of [
    ["line feeds", TEXT],
    ["CRLF", TEXT.replaceAll("\n", "\r\n")],
  ] as const) {
    it(`are read in a text with ${lines}`, () => {
      assert.deepEqual(drawn(fileSymbols(tree, text), text), [
        ["A", "class", text.slice(0, text.indexOf("class B")).trimEnd(), members],
        ["B", "class", "class B {}", []],
      ]);
    });
  }

  it("are located after a byte order mark", () => {
    const text = `\uFEFF${TEXT}`;
    assert.deepEqual(
      fileSymbols(tree, text).map(({ range, selection }) => [
        text.slice(range.start, range.start + 7),
        text.slice(selection.start, selection.end),
      ]),
      [
        ["class A", "A"],
        ["class B", "B"],
      ],
    );
  });

  it("stay inside the text for any reported position", () => {
    const told = [at(-1, -5, 99, 0), at(0, 999, 2, -1), at(3, 0, 1, 0), at(0.5, 0, 1, 0)].map((range) => ({
      ...{ name: "A", kind: 99, range, selectionRange: range, children: [] },
    }));
    for (const { range, kind } of fileSymbols(told, TEXT)) {
      assert.equal(kind, "symbol");
      for (const offset of [range.start, range.end]) assert.ok(offset >= 0 && offset <= TEXT.length);
    }
  });
});
