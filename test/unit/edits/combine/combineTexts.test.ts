import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { combineTexts } from "../../../../src/edits/combine/combineTexts.ts";
import { type Comparison, compareTexts } from "../../../../src/edits/combine/compareTexts.ts";
import { testSyntax } from "../../../fakes/editor/testSyntax.ts";

const opens = (path: string) => (text: string) =>
  testSyntax.openFile(path, "", text, new AbortController().signal);

/** Rows as a reader sees them: `Shape-area: changed, same`. */
const rowsOf = ({ rows }: Comparison) =>
  rows.map(({ part, paths, effects }) => {
    const name = part === "element" ? paths.join(" + ") : `(${[part, ...paths].join(" ")})`;
    return `${name}: ${effects.join(", ")}`;
  });

interface Row {
  readonly name: string;
  readonly path: string;
  readonly base: string | null;
  readonly candidates: readonly (string | null)[];
  readonly rows: readonly string[];
  /** The candidate of each row, in order. */
  readonly choices: readonly (number | null)[];
  /** The text, or the code of the refusal. */
  readonly gives: string | null | { readonly code: string; readonly path?: string | null };
}

const ts =
  "import a from 'a';\n\nfunction one() {\n  return 1;\n}\n\nfunction two() {\n  return 2;\n}\n";
const py = "import os\n\n\ndef one():\n    return 1\n\n\ndef two():\n    return 2\n";
const shape =
  "class Shape {\n  size = 1;\n\n  area() {\n    return 1;\n  }\n\n  draw() {\n    return 2;\n  }\n}\n";
const json = '{\n  "a": 1,\n  "b": 2\n}\n';
const css = "a {\n  color: red;\n}\n\nb {\n  color: blue;\n}\n";

const table: readonly Row[] = [
  {
    name: "one function from each",
    path: "a.ts",
    base: ts,
    candidates: [ts.replace("return 1", "return 10"), ts.replace("return 2", "return 20")],
    rows: ["one: changed, same", "two: same, changed"],
    choices: [0, 1],
    gives: ts.replace("return 1", "return 10").replace("return 2", "return 20"),
  },
  {
    name: "the same function by both, one of them taken",
    path: "a.ts",
    base: ts,
    candidates: [
      ts.replace("return 1", "return 10").replace("return 2", "return 20"),
      ts.replace("return 1", "return 11").replace("return 2", "return 22"),
    ],
    rows: ["one: changed, changed", "two: changed, changed"],
    choices: [1, 0],
    gives: ts.replace("return 1", "return 11").replace("return 2", "return 20"),
  },
  {
    name: "a row without a choice stays",
    path: "a.ts",
    base: ts,
    candidates: [ts.replace("return 1", "return 10"), ts.replace("return 2", "return 20")],
    rows: ["one: changed, same", "two: same, changed"],
    choices: [null, 1],
    gives: ts.replace("return 2", "return 20"),
  },
  {
    name: "imports of one, a function of the other",
    path: "a.ts",
    base: ts,
    candidates: [
      ts.replace("import a from 'a';", "import a from 'a';\nimport b from 'b';"),
      ts.replace("\nfunction one", "\nfunction zero() {\n  return 0;\n}\n\nfunction one"),
    ],
    rows: ["(outside): changed, same", "zero: same, added"],
    choices: [0, 1],
    gives: ts
      .replace("import a from 'a';", "import a from 'a';\nimport b from 'b';")
      .replace("\nfunction one", "\nfunction zero() {\n  return 0;\n}\n\nfunction one"),
  },
  {
    name: "added functions at one place follow the order of the models",
    path: "a.py",
    base: py,
    candidates: [`${py}\n\ndef three():\n    return 3\n`, `${py}\n\ndef four():\n    return 4\n`],
    rows: ["three: added, same", "four: same, added"],
    choices: [0, 1],
    gives: `${py}\n\ndef three():\n    return 3\n\n\ndef four():\n    return 4\n`,
  },
  {
    name: "a removed function of one, a changed one of the other",
    path: "a.py",
    base: py,
    candidates: [
      py.replace("def one():\n    return 1\n\n\n", ""),
      py.replace("return 2", "return 20"),
    ],
    rows: ["one: removed, same", "two: same, changed"],
    choices: [0, 1],
    gives: "import os\n\n\ndef two():\n    return 20\n",
  },
  {
    name: "members of one class, and the class's own lines",
    path: "a.ts",
    base: shape,
    candidates: [
      shape.replace("class Shape", "class Shape extends Base").replace("return 1", "return 10"),
      shape.replace("return 2", "return 20"),
    ],
    rows: ["(own Shape): changed, same", "Shape-area: changed, same", "Shape-draw: same, changed"],
    choices: [0, null, 1],
    gives: shape
      .replace("class Shape", "class Shape extends Base")
      .replace("return 2", "return 20"),
  },
  {
    name: "a class that one removes is one row with the other's members",
    path: "a.ts",
    base: `${shape}\nclass Other {}\n`,
    candidates: ["class Other {}\n", `${shape.replace("return 2", "return 20")}\nclass Other {}\n`],
    rows: ["Shape: removed, changed"],
    choices: [1],
    gives: `${shape.replace("return 2", "return 20")}\nclass Other {}\n`,
  },
  {
    name: "a method that moved to another class is one row",
    path: "a.ts",
    base: "class A {\n  one() {}\n\n  two() {}\n}\n\nclass B {\n  three() {}\n}\n",
    candidates: [
      "class A {\n  one() {}\n}\n\nclass B {\n  three() {}\n\n  two() {}\n}\n",
      "class A {\n  one() {}\n\n  two() {}\n}\n\nclass B {\n  three() {\n    return 3;\n  }\n}\n",
    ],
    rows: ["A-two + B-two: changed, same", "B-three: same, changed"],
    choices: [0, 1],
    gives:
      "class A {\n  one() {}\n}\n\nclass B {\n  three() {\n    return 3;\n  }\n\n  two() {}\n}\n",
  },
  {
    name: "functions in another order make the file one row",
    path: "a.py",
    base: py,
    candidates: [
      "import os\n\n\ndef two():\n    return 2\n\n\ndef one():\n    return 1\n",
      py.replace("return 1", "return 10"),
    ],
    rows: ["(file): changed, changed"],
    choices: [1],
    gives: py.replace("return 1", "return 10"),
  },
  {
    name: "members in another order make their class one row",
    path: "a.ts",
    base: `${shape}\nfunction f() {}\n`,
    candidates: [
      "class Shape {\n  size = 1;\n\n  draw() {\n    return 2;\n  }\n\n  area() {\n    return 1;\n  }\n}\n\nfunction f() {}\n",
      `${shape.replace("return 1", "return 10")}\nfunction f() { return 1; }\n`,
    ],
    rows: ["Shape: changed, changed", "f: same, changed"],
    choices: [0, 1],
    gives:
      "class Shape {\n  size = 1;\n\n  draw() {\n    return 2;\n  }\n\n  area() {\n    return 1;\n  }\n}\n\nfunction f() { return 1; }\n",
  },
  {
    name: "overloads of which one was added are one row",
    path: "A.java",
    base: "class A {\n  int f(int a) { return 1; }\n\n  int g() { return 2; }\n}\n",
    candidates: [
      "class A {\n  int f(String a) { return 3; }\n\n  int f(int a) { return 1; }\n\n  int g() { return 2; }\n}\n",
      "class A {\n  int f(int a) { return 10; }\n\n  int g() { return 20; }\n}\n",
    ],
    rows: ["A-f + A-f#2: changed, changed", "A-g: same, changed"],
    choices: [0, 1],
    gives:
      "class A {\n  int f(String a) { return 3; }\n\n  int f(int a) { return 1; }\n\n  int g() { return 20; }\n}\n",
  },
  {
    name: "an interface that became a class is one row",
    path: "a.ts",
    base: "interface A {\n  x: number;\n}\n\nfunction f() {}\n",
    candidates: [
      "class A {\n  x = 1;\n}\n\nfunction f() {}\n",
      "interface A {\n  x: string;\n}\n\nfunction f() { return 1; }\n",
    ],
    rows: ["A: changed, changed", "f: same, changed"],
    choices: [0, 1],
    gives: "class A {\n  x = 1;\n}\n\nfunction f() { return 1; }\n",
  },
  {
    name: "members of JSON with their commas",
    path: "a.json",
    base: json,
    candidates: [
      '{\n  "a": 1,\n  "b": 2,\n  "c": 3\n}\n',
      '{\n  "a": 1,\n  "b": 2,\n  "d": 4\n}\n',
    ],
    rows: ["c: added, same", "d: same, added"],
    choices: [0, 1],
    gives: '{\n  "a": 1,\n  "b": 2,\n  "c": 3,\n  "d": 4\n}\n',
  },
  {
    name: "the last member of JSON removed by one, another added by the other",
    path: "a.json",
    base: json,
    candidates: ['{\n  "a": 1\n}\n', '{\n  "z": 0,\n  "a": 1,\n  "b": 2\n}\n'],
    rows: ["b: removed, same", "z: same, added"],
    choices: [0, 1],
    gives: '{\n  "z": 0,\n  "a": 1\n}\n',
  },
  {
    name: "rules of a style sheet",
    path: "a.css",
    base: css,
    candidates: [css.replace("red", "green"), css.replace("blue", "black")],
    rows: ["a: changed, same", "b: same, changed"],
    choices: [0, 1],
    gives: css.replace("red", "green").replace("blue", "black"),
  },
  {
    name: "comments go with their element",
    path: "a.go",
    base: "package a\n\n// One is one.\nfunc One() int { return 1 }\n\nfunc Two() int { return 2 }\n",
    candidates: [
      "package a\n\n// One is ten.\nfunc One() int { return 10 }\n\nfunc Two() int { return 2 }\n",
      "package a\n\n// One is one.\nfunc One() int { return 1 }\n\n// Two is two.\nfunc Two() int { return 2 }\n",
    ],
    rows: ["One: changed, same", "Two: same, changed"],
    choices: [0, 1],
    gives:
      "package a\n\n// One is ten.\nfunc One() int { return 10 }\n\n// Two is two.\nfunc Two() int { return 2 }\n",
  },
  {
    name: "line ends stay",
    path: "a.ts",
    base: ts.replaceAll("\n", "\r\n"),
    candidates: [
      ts.replace("return 1", "return 10").replaceAll("\n", "\r\n"),
      ts.replace("return 2", "return 20").replaceAll("\n", "\r\n"),
    ],
    rows: ["one: changed, same", "two: same, changed"],
    choices: [0, 1],
    gives: ts
      .replace("return 1", "return 10")
      .replace("return 2", "return 20")
      .replaceAll("\n", "\r\n"),
  },
  {
    name: "a file without a grammar is one row",
    path: "a.unknown",
    base: "one\ntwo\n",
    candidates: ["ONE\ntwo\n", "one\nTWO\n"],
    rows: ["(file): changed, changed"],
    choices: [1],
    gives: "one\nTWO\n",
  },
  {
    name: "a file that one of them breaks is one row",
    path: "a.ts",
    base: ts,
    candidates: [ts.replace("return 1;\n}", "return 1;\n"), ts.replace("return 2", "return 20")],
    rows: ["(file): changed, changed"],
    choices: [0],
    gives: ts.replace("return 1;\n}", "return 1;\n"),
  },
  {
    name: "a new file is one row",
    path: "a.ts",
    base: null,
    candidates: [ts, null],
    rows: ["(file): added, same"],
    choices: [0],
    gives: ts,
  },
  {
    name: "a deleted file is one row",
    path: "a.ts",
    base: ts,
    candidates: [null, ts.replace("return 1", "return 10")],
    rows: ["(file): removed, changed"],
    choices: [0],
    gives: null,
  },
  {
    name: "a member by one in the other one's indents is refused",
    path: "a.py",
    base: "class A:\n    def one(self):\n        return 1\n\n    def two(self):\n        return 2\n",
    candidates: [
      "class A:\n  def one(self):\n    return 10\n\n  def two(self):\n    return 2\n",
      "class A:\n    def one(self):\n        return 1\n\n    def two(self):\n        return 20\n",
    ],
    rows: ["(own A): changed, same", "A-one: changed, same", "A-two: changed, changed"],
    choices: [null, 0, 1],
    gives: { code: "not-as-chosen", path: "A-one" },
  },
  {
    name: "an element that both remove, with other white space: as the one that is chosen",
    path: "a.ts",
    base: ts,
    candidates: [
      ts.replace("function one() {\n  return 1;\n}\n\n", "\n\n"),
      ts.replace("function one() {\n  return 1;\n}\n\n", ""),
    ],
    rows: ["one: removed, removed"],
    choices: [1],
    gives: ts.replace("function one() {\n  return 1;\n}\n\n", ""),
  },
  {
    name: "what nobody changed has no row",
    path: "a.ts",
    base: ts,
    candidates: [ts, ts],
    rows: [],
    choices: [],
    gives: ts,
  },
];

describe("candidates of one file", () => {
  for (const { name, path, base, candidates, rows, choices, gives } of table)
    it(`are told apart: ${name}`, async () => {
      const open = opens(path);
      const comparison = await compareTexts(base, candidates, open);
      assert.deepEqual(rowsOf(comparison), rows);
      const chosen = new Map(
        comparison.rows.map(({ id }, at) => [id, choices[at] ?? null] as const),
      );
      const combined = await combineTexts(comparison, chosen, open);
      assert.deepEqual(combined.ok ? combined.value : combined.error, gives);
    });
});

/** How many pairs of elements are removed in each language; with a number all languages take part. */
const PAIRS = Number(process.env.COMBINE_PAIRS ?? 1);
const FEW = ["css", "go", "ini", "json", "markdown", "python", "rust", "yaml"];

describe("candidates in every language", () => {
  const root = new URL("../../../fixtures/outline/", import.meta.url);
  const isPlayed = (language: string) =>
    process.env.COMBINE_PAIRS !== undefined || FEW.includes(language);
  for (const language of readdirSync(root).filter(isPlayed)) {
    it(`${language}: one element removed by each of two`, async () => {
      const base = readFileSync(new URL(`${language}/source.txt`, root), "utf8");
      const open = (text: string) => testSyntax.open(language, text);
      const document = await open(base);
      assert.ok(document);
      const ranges = document.outline().flatMap(({ path, kind }) => {
        const found = document.resolve(path);
        if (!found.ok || kind === "import") return [];
        return [{ start: found.value.commentStart, end: found.value.range.end }];
      });
      const without = ({ start, end }: { start: number; end: number }) =>
        base.slice(0, start) + base.slice(end);
      for (let pair = 0; pair < PAIRS; pair++) {
        const at = (pair * 5 + 1) % ranges.length;
        const [first, second] = [ranges[at], ranges[(at * 7 + 3) % ranges.length]];
        if (!first || !second || second === first) continue;
        const candidates = [without(first), without(second)];
        const comparison = await compareTexts(base, candidates, open);
        const choose = (of: (row: Comparison["rows"][number]) => number | null) =>
          combineTexts(
            comparison,
            new Map(comparison.rows.map((row) => [row.id, of(row)] as const)),
            open,
          );
        assert.deepEqual(await choose(() => null), { ok: true, value: base });
        for (const candidate of [0, 1])
          assert.deepEqual(await choose(() => candidate), {
            ok: true,
            value: candidates[candidate],
          });
        const isApart = comparison.rows.every(
          ({ effects }) => effects.filter((effect) => effect !== "same").length === 1,
        );
        if (!isApart) continue;
        const both = await choose(({ effects }) =>
          effects.findIndex((effect) => effect !== "same"),
        );
        const [one, two] = first.start < second.start ? [first, second] : [second, first];
        if (!both.ok || one.end > two.start) continue;
        const wanted =
          base.slice(0, one.start) + base.slice(one.end, two.start) + base.slice(two.end);
        const squeeze = (text: string) => text.replace(/[\s,;]/g, "");
        assert.equal(squeeze(both.value ?? ""), squeeze(wanted));
      }
      document.dispose();
    });
  }
});
