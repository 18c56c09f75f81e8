import assert from "node:assert/strict";
import { applyTo, editBlock, statuses } from "../../../fakes/turns/applyTo.ts";

/** A file, the text that one member is appended to by its path, and what it becomes. */
const LISTS: readonly [string, string, string, string, string][] = [
  ["a.py", "L", '"c"', 'L = [\n  "a",\n  "b"\n]', 'L = [\n  "a",\n  "b",\n  "c"\n]'],
  ["a.py", "L", '"c"', 'L = [\n  "a",\n  "b",\n]', 'L = [\n  "a",\n  "b",\n  "c",\n]'],
  ["a.py", "L", '"c"', 'L = [\n  "a" # A\n]', 'L = [\n  "a", # A\n  "c"\n]'],
  ["a.py", "L", '"c"', 'L = ["a"]', 'L = ["a", "c"]'],
  ["a.py", "D", '"b": 2', 'D = {\n  "a": 1\n}', 'D = {\n  "a": 1,\n  "b": 2\n}'],
  ["a.rb", "L", '"c"', 'L = [\n  "a",\n  "b"\n]', 'L = [\n  "a",\n  "b",\n  "c"\n]'],
  ["a.yaml", "l", "c", "l: [\n  a,\n  b\n]", "l: [\n  a,\n  b,\n  c\n]"],
  ["a.yaml", "l", "c", "l: [a, b]", "l: [a, b, c]"],
  ["a.yaml", "l", "c: 3", "l: {a: 1, b: 2}", "l: {a: 1, b: 2, c: 3}"],
  ["a.yaml", "l", "- c", "l:\n  - a\n  - b", "l:\n  - a\n  - b\n  - c"],
  [
    ...["a.go", "L", '"c"', 'package a\n\nvar L = []string{\n\t"a",\n}'],
    'package a\n\nvar L = []string{\n\t"a",\n\t"c",\n}',
  ] as [string, string, string, string, string],
  ["a.ts", "l", "(c)", "const l = [\n  a,\n  b\n];", "const l = [\n  a,\n  b,\n  (c)\n];"],
  ["a.ts", "l", "-c", "const l = [\n  a,\n  b\n];", "const l = [\n  a,\n  b,\n  -c\n];"],
  ["a.ts", "I", "b: 1", "interface I {\n  a: 1,\n}", "interface I {\n  a: 1,\n  b: 1,\n}"],
  ["a.ts", "E", "B", "enum E {\n  A // a\n}", "enum E {\n  A, // a\n  B\n}"],
  ["a.rs", "S", "b: i32", "struct S {\n  a: i32,\n}", "struct S {\n  a: i32,\n  b: i32,\n}"],
  ["a.c", "l", '"c"', 'char *l[] = {\n  "a"\n};', 'char *l[] = {\n  "a",\n  "c"\n};'],
  ["a.json", "l", '"c"', '{ "l": [\n  "a"\n] }', '{ "l": [\n  "a",\n  "c"\n] }'],
  ["a.tf", "l", '"c"', 'l = [\n  "a"\n]', 'l = [\n  "a",\n  "c"\n]'],
];

describe("a member appended to others", () => {
  for (const [file, path, member, before, after] of LISTS)
    it(`is one of its own: ${file} ${JSON.stringify(before)}`, async () => {
      const result = await applyTo(
        file,
        `${before}\n`,
        editBlock(`ast-path:${path}:append`, member),
      );
      assert.deepEqual(statuses(result), ["applied"]);
      assert.equal(result.text, `${after}\n`);
    });

  it("is one of its own before the first one, too", async () => {
    const result = await applyTo(
      "a.py",
      'L = [\n  "a"\n]\n',
      editBlock("ast-path:L:prepend", '"c"'),
    );
    assert.equal(result.text, 'L = [\n  "c",\n  "a"\n]\n');
  });
});
