import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import * as path from "node:path";
import { demoScript } from "../../../src/demo/demoScript.ts";
import { applyMessage } from "../../../src/edits/propose/applyMessage.ts";
import { campaignRuns } from "../../fakes/campaignRuns.ts";
import { testSyntax as syntax } from "../../fakes/editor/testSyntax.ts";
import { memoryWorkspace } from "../../fakes/workspace/memoryWorkspace.ts";

/** So many names of each real file are changed. */
const NAMES = Math.min(campaignRuns(1, 3), 3);
const { signal } = new AbortController();

/** What demo mode answers in Start Edit Mode on File. */
async function answered(file: string, text: string, said: string): Promise<string> {
  const asked = { text: said, editFile: file, files: [], called: ["edit_mode"], reported: false };
  const messages = [{ role: "assistant" as const, text: "Hello.", toolCalls: [] }];
  return (
    await demoScript(
      { model: "demo", messages, tools: [], asked },
      { workspace: memoryWorkspace(new Map([[file, text]])), syntax },
      signal,
    )
  ).text;
}

/** The file after that answer went through edit mode, which takes every block of it. */
async function applied(file: string, text: string, said: string): Promise<string> {
  const message = await answered(file, text, said);
  const snapshot = {
    file: { path: file, uri: `file:///${file}` },
    exists: true,
    text,
    version: 0,
    languageId: "",
  };
  const result = await applyMessage(snapshot, message, { mode: "auto", chunk: 7 }, syntax, signal);
  const failed = result.blocks.filter(
    ({ status, reason }) => status !== "applied" || reason !== undefined,
  );
  assert.deepEqual(failed, [], `${file}: ${said}\n${message}`);
  return result.text;
}

async function errorsIn(file: string, text: string): Promise<number> {
  const document = await syntax.openFile(file, "", text, signal);
  const errors = document?.errorCount();
  document?.dispose();
  assert.ok(errors !== undefined);
  return errors;
}

/** «area» is renamed, ‹area› is an object's shorthand, any other area stays. */
const MIXED = `// area of it.
function «area»(n: number) { return n; }
const t = "area" + \`area \${«area»(1)}\` + /area/.source;
const o = { ‹area›, other: «area», area: 3 };
o.area = «area» (2);
interface S { readonly area: number }
function f() {
  // Adds.
  «area»(3);
}
const v = <p title={String(«area»(4))}>area</p>;
`;

const SAMPLE = "test/fixtures/sample";
const sample = (file: string) => readFileSync(path.join(SAMPLE, file), "utf8");

describe("edits of demo mode", () => {
  const golden: readonly (readonly [string, string, readonly string[]])[] = [
    [
      "src/shapes.ts",
      "Add a doc comment to each exported function in src/shapes.ts",
      [
        "/** Point. */\nexport interface Point",
        "/** Circle area. */\nexport function circleArea(",
        "/** Midpoint. */\nexport const midpoint",
        "/** Circle. */\nexport class Circle {",
        "/** Describe all. */\nexport function describeAll(",
        "formula. */\nexport function polygonArea(",
      ],
    ],
    ["src/shapes.ts", "Add a comment to `contains`", ["\n  /** Contains. */\n  contains(point"]],
    [
      "src/shapes.ts",
      "Rename Circle to Disc",
      ["new Disc(this.center", "readonly Disc[]", "export class Disc {"],
    ],
    [
      "tools/report.py",
      "Add docstrings",
      [
        'class Order:\n    """Order."""\n\n    sku: str',
        'def main(argv):\n    """Main."""\n    orders',
      ],
    ],
  ];
  for (const [file, said, parts] of golden) {
    it(`do: ${said} (${file})`, async () => {
      const text = sample(file);
      for (const variant of [
        text,
        text.replaceAll("\n", "\r\n"),
        `\uFEFF${text}`,
        text.trimEnd(),
      ]) {
        const eol = variant.includes("\r\n") ? "\r\n" : "\n";
        const result = await applied(file, variant, said);
        assert.equal(await errorsIn(file, result), 0);
        for (const part of parts)
          assert.ok(
            result.includes(part.replaceAll("\n", eol)),
            `${JSON.stringify(part)} in\n${result}`,
          );
        assert.equal(result.startsWith("\uFEFF"), variant.startsWith("\uFEFF"));
        assert.equal(/[^\r]\n/.test(result), eol === "\n");
      }
    });
  }

  const exact: readonly (readonly [string, string, string, string])[] = [
    [
      "a.tsx",
      "rename area to size",
      MIXED.replace(/[«»‹›]/g, ""),
      MIXED.replaceAll("«area»", "size").replaceAll("‹area›", "area: size"),
    ],
    [
      "a.ts",
      "rename the method A.run to go",
      "class A {\n  run() { return this.run; }\n}\nfunction run() {}\nnew A().run(run());\n",
      "class A {\n  go() { return this.go; }\n}\nfunction run() {}\nnew A().go(run());\n",
    ],
    [
      "a.py",
      "rename total to gross",
      'def total(x):\n    """total of x"""\n    return x\n\nprint(f"total {total(1)}", end=total(2), total=3)\nsums = {total: total}\n',
      'def gross(x):\n    """total of x"""\n    return x\n\nprint(f"total {gross(1)}", end=gross(2), total=3)\nsums = {gross: gross}\n',
    ],
    [
      "a.ts",
      "document each exported function",
      "export const twice = (n: number): number => n * 2;\n// Known.\nexport function known() {}\nfunction hidden() {}\nexport async function load<T>(url: string, { retries = 3 }: Options, on: (a: A, b: B) => void, ...rest: string[]): Promise<Map<string, T>> {}\nexport const id = x => x;\n",
      "/** Twice. */\nexport const twice = (n: number): number => n * 2;\n// Known.\nexport function known() {}\nfunction hidden() {}\n/** Load. */\nexport async function load<T>(url: string, { retries = 3 }: Options, on: (a: A, b: B) => void, ...rest: string[]): Promise<Map<string, T>> {}\n/** Id. */\nexport const id = x => x;\n",
    ],
    [
      "a.py",
      "add docstrings",
      'def f(a, *, b="x,)", **rest) -> dict[str, int]:\n    return a\n\n\ndef g():\n    r"""Known."""\n',
      'def f(a, *, b="x,)", **rest) -> dict[str, int]:\n    """F."""\n    return a\n\n\ndef g():\n    r"""Known."""\n',
    ],
  ];
  for (const [file, said, before, after] of exact) {
    it(`change exactly what is meant by: ${said} (${file})`, async () =>
      assert.equal(await applied(file, before, said), after));
  }

  const refused: readonly (readonly [string, string, string, RegExp])[] = [
    ["Add doc comments", "a.ts", " \n", /`a\.ts` is empty/],
    [
      "Add doc comments",
      "Main.java",
      "class Main {}\n",
      /edits only TypeScript, JavaScript and Python files/,
    ],
    ["Add doc comments", "a.ts", "console.log(1);\n", /no function or class/],
    ["Add doc comments", "a.ts", "/** Done. */\nexport function f() {}\n", /Nothing to do/],
    ["Add a comment to `nope`", "a.ts", "function f() {}\n", /no function or class `nope`/],
    ["Rename nope to yes", "a.ts", "function f() {}\n", /declares no `nope`/],
    ["Rename f to g", "a.ts", "function f() {}\nfunction g() {}\n", /already uses `g`/],
    ["Rename f to class", "a.ts", "function f() {}\n", /`class` cannot be a name/],
  ];
  for (const [said, file, text, why] of refused) {
    it(`are refused in a sentence: ${why.source}`, async () => {
      const answer = await answered(file, text, said);
      assert.match(answer, why);
      assert.doesNotMatch(answer, /```/);
    });
  }

  it("find nothing left to do the second time, and a rename there and back gives the file again", async () => {
    const file = "src/shapes.ts";
    const commented = await applied(
      file,
      sample(file),
      "Add a doc comment to each exported function",
    );
    assert.match(
      await answered(file, commented, "Add a doc comment to each exported function"),
      /Nothing to do/,
    );
    const there = await applied(file, sample(file), "rename distance to length2");
    assert.equal(await applied(file, there, "rename length2 to distance"), sample(file));
  });

  it("add no syntax error to real files", async () => {
    const files = [SAMPLE, "src/demo", "src/turns"].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) =>
        path.join(folder, name),
      ),
    );
    let edits = 0;
    for (const file of files.filter((name) => /\.(?:ts|js|py)$/.test(name))) {
      const text = readFileSync(file, "utf8");
      const errors = await errorsIn(file, text);
      const names = [
        ...text.matchAll(/^(?:export )?(?:async )?(?:function|class|def|const) (\w+)/gm),
      ]
        .slice(0, NAMES)
        .map((match) => match[1]);
      for (const said of [
        "add doc comments",
        ...names.map((name) => `rename ${name} to graftRenamed`),
      ]) {
        const result = await applied(file, text, said);
        if (result !== text) edits++;
        assert.equal(await errorsIn(file, result), errors, `${file}: ${said}\n${result}`);
      }
    }
    assert.ok(edits > 20 * NAMES, `${edits} edits`);
  });
});
