import assert from "node:assert/strict";
import fc from "fast-check";
import { proposalParts } from "../../../../src/edits/review/proposalParts.ts";

const file = (path: string) => ({ path, uri: `file:///w/${path}` });
const texts = (files: readonly { file: { path: string }; text: string | null }[]) =>
  Object.fromEntries(files.map(({ file: { path }, text }) => [path, text]));
const linesOf = fc.array(fc.constantFrom("a", "b", "c", "d", ""), { maxLength: 12 });
const textOf = linesOf.map((lines) => lines.join("\n"));

describe("the parts of what is proposed", () => {
  const real = "one\ntwo\nthree\nfour\nfive\n";
  const proposed = "ONE\ntwo\nthree\nfour\nFIVE\nsix\n";

  it("are the differences of each file, with their lines in the proposal", () => {
    const { parts } = proposalParts([{ file: file("a"), real, proposed }], []);
    assert.deepEqual(
      parts.map(({ hunk, line }) => [hunk, line]),
      [
        [0, 1],
        [1, 5],
      ],
    );
  });

  it("say what they change, and what they are in", () => {
    const before = "class A {\n  one() {\n    return 1;\n  }\n}\n";
    const after = before.replace("return 1", "return 2");
    const { texts } = proposalParts([{ file: file("a"), real: before, proposed: after }], []);
    assert.deepEqual(texts, [
      {
        ...{ path: "a", line: 3, before, scope: ["class A {", "  one() {"] },
        ...{ removed: ["    return 1;"], added: ["    return 2;"] },
      },
    ]);
  });

  it("can be left out one by one, and a file without any is the user's own", () => {
    const { files } = proposalParts([{ file: file("a"), real, proposed }], []);
    assert.deepEqual(texts(files((part) => part === 0)), { a: "ONE\ntwo\nthree\nfour\nfive\n" });
    assert.deepEqual(texts(files((part) => part === 1)), {
      a: "one\ntwo\nthree\nfour\nFIVE\nsix\n",
    });
    assert.deepEqual(
      files(() => false),
      [],
    );
  });

  it("are deletions and moves, too; a move takes the kept changes along", () => {
    const { parts, files } = proposalParts(
      [{ file: file("a"), real, proposed }],
      [
        { file: file("gone"), to: null },
        { file: file("a"), to: file("b") },
      ],
    );
    assert.equal(parts.length, 4);
    assert.deepEqual(texts(files(() => true)), { a: null, gone: null, b: proposed });
    assert.deepEqual(texts(files((part) => part === 3)), { a: null, b: null });
    assert.equal(files((part) => part === 3)[1]?.movedFrom?.path, "a");
    assert.deepEqual(texts(files((part) => part === 2)), { gone: null });
  });

  it("give the proposal together, and nothing where none is kept, for any texts", () => {
    fc.assert(
      fc.property(textOf, textOf, (before, after) => {
        const { parts, files } = proposalParts(
          [{ file: file("a"), real: before, proposed: after }],
          [],
        );
        assert.equal(files(() => true)[0]?.text ?? before, after);
        assert.equal(files(() => false).length, 0);
        assert.equal(parts.length === 0, before === after);
      }),
    );
  });
});
