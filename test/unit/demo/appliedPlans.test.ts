import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import * as path from "node:path";
import { demoIntent } from "../../../src/demo/demoIntent.ts";
import { demoElements, openDemoSource } from "../../../src/demo/demoSource.ts";
import { editBlock } from "../../../src/demo/editBlock.ts";
import { planEdits } from "../../../src/demo/planEdits.ts";
import { applyMessage } from "../../../src/edits/applyMessage.ts";
import { syntax } from "./demoTalk.ts";

const SAMPLE = "test/fixtures/sample";

/** The demonstration's answer, applied by the edit engine; null where it has nothing to do. */
async function applied(file: string, text: string, request: string): Promise<{ text: string; errors: number } | null> {
  const intent = demoIntent(request);
  assert.ok(intent.kind !== "unknown" && intent.kind !== "explain", request);
  const source = await openDemoSource(file, text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n"), syntax, new AbortController().signal);
  assert.ok(source.ok);
  const before = source.value.document.errorCount();
  const planned = planEdits(source.value, intent);
  source.value.document.dispose();
  if (!planned.ok) return null;
  const { words, lineNumbers, blocks } = planned.value;
  const message = [words, ...blocks.map((block) => editBlock(source.value.tag, block))].join("\n\n");
  const snapshot = { file: { path: file, uri: `file:///${file}` }, exists: true, text, version: 0, languageId: "" };
  const result = await applyMessage(
    snapshot,
    message,
    { mode: lineNumbers ? "lines" : "ast", chunk: 7 },
    syntax,
    new AbortController().signal,
  );
  assert.deepEqual(
    result.blocks.filter(({ status, reason }) => status !== "applied" || reason !== undefined),
    [],
    `${file}: ${request}\n${message}`,
  );
  const after = await openDemoSource(file, result.text, syntax, new AbortController().signal);
  assert.ok(after.ok);
  const errors = after.value.document.errorCount() - before;
  after.value.document.dispose();
  return { text: result.text, errors };
}

async function sourceFiles(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive: true });
  return names.filter((name) => /\.(?:ts|js|py)$/.test(name)).map((name) => path.join(folder, name));
}

describe("edits of the demonstration, applied", () => {
  const golden: readonly (readonly [string, string, readonly string[]])[] = [
    [
      "src/shapes.ts",
      "Add a doc comment to each exported function",
      [
        "/** Circle area, given `radius`. Returns `number`. */\nexport function circleArea(",
        "/** Circle, with `center`, `radius`, `area`, `contains` and `grow`. */\nexport class Circle {",
      ],
    ],
    ["src/shapes.ts", "Rename Circle to Disc", ["new Disc(this.center", "readonly Disc[]", "export class Disc {"]],
    [
      "src/shapes.ts",
      "Add a guard to `polygonArea`",
      ['): number {\n  if (corners === undefined || corners === null) throw new TypeError("corners is required");\n  let doubled'],
    ],
    [
      "src/cart.js",
      "Extract the tax rate 0.19 as `TAX_RATE`",
      ['./format.js";\n\nconst TAX_RATE = 0.19;\n\nexport function subtotal', "goods * TAX_RATE +"],
    ],
    [
      "tools/report.py",
      "Add docstrings",
      [
        'class Order:\n    """Order, with sku, quantity, price, value and is_large."""\n\n    sku: str',
        'def main(argv):\n    """Main, given argv."""\n    orders',
      ],
    ],
    [
      "tools/report.py",
      "Add a guard to `read_orders`",
      ['def read_orders(path):\n    if path is None:\n        raise ValueError("path is required")\n    with open'],
    ],
    ["tools/report.py", "Extract a constant", ["import dataclass\n\nLARGE_LIMIT = 500\n\n\n@dataclass", "self.value() >= LARGE_LIMIT"]],
  ];
  for (const [file, request, parts] of golden) {
    it(`${file}: ${request}`, async () => {
      const text = readFileSync(path.join(SAMPLE, file), "utf8");
      for (const variant of [text, text.replaceAll("\n", "\r\n"), `\uFEFF${text}`, text.trimEnd()]) {
        const eol = variant.includes("\r\n") ? "\r\n" : "\n";
        const result = await applied(file, variant, request);
        assert.equal(result?.errors, 0);
        for (const part of parts) assert.ok(result.text.includes(part.replaceAll("\n", eol)), `${JSON.stringify(part)} in\n${result.text}`);
        assert.equal(result.text.startsWith("\uFEFF"), variant.startsWith("\uFEFF"));
        assert.equal(/\n$/.test(result.text), /\n$/.test(variant));
        assert.equal(/[^\r]\n/.test(result.text), eol === "\n");
      }
    });
  }

  it("asking again for comments finds nothing left to do", async () => {
    for (const [file, request] of [
      ["src/shapes.ts", "Add a doc comment to each exported function"],
      ["tools/report.py", "Add docstrings"],
    ] as const) {
      const once = await applied(file, readFileSync(path.join(SAMPLE, file), "utf8"), request);
      assert.ok(once);
      assert.equal(await applied(file, once.text, request), null);
    }
  });

  it("renaming there and back gives the file again", async () => {
    const text = readFileSync(path.join(SAMPLE, "src/shapes.ts"), "utf8");
    const there = await applied("src/shapes.ts", text, "rename distance to length2");
    const back = await applied("src/shapes.ts", there?.text ?? "", "rename length2 to distance");
    assert.equal(back?.text, text);
  });

  it("every request applies cleanly and without new syntax errors to real files", async function () {
    this.timeout(60_000);
    const files = [...(await sourceFiles(SAMPLE)), ...(await sourceFiles("src/demo")), ...(await sourceFiles("src/turns"))];
    let edits = 0;
    for (const file of files) {
      const text = readFileSync(file, "utf8");
      const source = await openDemoSource(file, text, syntax, new AbortController().signal);
      assert.ok(source.ok);
      const names = demoElements(source.value).filter(({ topLevel, name }) => topLevel && /^\w+$/.test(name));
      source.value.document.dispose();
      const renames = names.slice(0, 3).map(({ name }) => `rename \`${name}\` to graftRenamed`);
      const guards = names.slice(0, 3).map(({ name }) => `add a guard to \`${name}\``);
      const comments = names.slice(0, 3).map(({ name }) => `add a comment to \`${name}\``);
      for (const request of ["add doc comments to all methods too", "extract a constant", ...renames, ...guards, ...comments]) {
        const result = await applied(file, text, request);
        if (!result) continue;
        edits++;
        assert.equal(result.errors, 0, `${file}: ${request}\n${result.text}`);
        assert.notEqual(result.text, text);
      }
    }
    assert.ok(edits > 100, `${edits} edits`);
  });
});
