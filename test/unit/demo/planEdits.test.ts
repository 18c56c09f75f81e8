import assert from "node:assert/strict";
import { demoIntent } from "../../../src/demo/demoIntent.ts";
import { openDemoSource } from "../../../src/demo/demoSource.ts";
import type { EditPlan } from "../../../src/demo/editPlan.ts";
import { planEdits } from "../../../src/demo/planEdits.ts";
import { syntax } from "./demoTalk.ts";

async function plan(path: string, text: string, request: string): Promise<EditPlan | string> {
  const intent = demoIntent(request);
  assert.ok(intent.kind !== "unknown" && intent.kind !== "explain", request);
  const source = await openDemoSource(path, text, syntax, new AbortController().signal);
  assert.ok(source.ok);
  const planned = planEdits(source.value, intent);
  assert.equal(source.value.document.text, text, "the questions to the parser left traces");
  source.value.document.dispose();
  return planned.ok ? planned.value : planned.error;
}

async function blocks(path: string, text: string, request: string): Promise<Record<string, string>> {
  const planned = await plan(path, text, request);
  assert.ok(typeof planned === "object", String(planned));
  return Object.fromEntries(planned.blocks.map(({ address, body }) => [address, body]));
}

describe("plans of the demonstration", () => {
  it("renames uses, but not strings, comments, keys, members and markup text", async () => {
    const text = [
      "// area of a thing.",
      "function area(n: number) { return n; }",
      `const text = "area" + \`area \${area(1)}\` + /area/.source;`,
      "const object = { area, other: area, area: 3 };",
      "object.area = area /* in area */ (2);",
      "interface Sized { readonly area: number; x?: string }",
      "const view = <p title={String(area(4))}>area</p>;",
    ].join("\n");
    assert.deepEqual(await blocks("a.tsx", text, "rename area to size"), {
      "2:5": `function size(n: number) { return n; }\nconst text = "area" + \`area \${size(1)}\` + /area/.source;\nconst object = { area: size, other: size, area: 3 };\nobject.area = size /* in area */ (2);`,
      "7:7": "const view = <p title={String(size(4))}>area</p>;",
    });
  });

  it("renames a use that stands behind a comment", async () => {
    const text = "function add() {}\nfunction f() {\n  // Adds to it.\n  add();\n  /* it */ add();\n}\n";
    assert.deepEqual(await blocks("a.js", text, "rename add to put"), {
      "1:1": "function put() {}",
      "4:5": "  put();\n  /* it */ put();",
    });
  });

  it("renames a method where it is declared and called, not a function of the same name", async () => {
    const text = "class A {\n  run() { return this.run; }\n}\nfunction run() {}\nnew A().run(run());\n";
    assert.deepEqual(await blocks("a.ts", text, "rename A.run to go"), {
      "2:2": "  go() { return this.go; }",
      "5:5": "new A().go(run());",
    });
  });

  it("renames in Python, not keyword arguments and docstrings", async () => {
    const text =
      'def total(x):\n    """total of x"""\n    return x\n\nprint(f"total {total(1)}", end=total(2), total=3)\nsums = {total: total}\n';
    assert.deepEqual(await blocks("a.py", text, "rename total to gross"), {
      "1:1": "def gross(x):",
      "5:6": 'print(f"total {gross(1)}", end=gross(2), total=3)\nsums = {gross: gross}',
    });
  });

  it("says what a script cannot know about a rename", async () => {
    const planned = await plan("a.ts", "export function f() {}\nfunction g() { const f = 1; return f; }\n", "rename f to h");
    assert.match(typeof planned === "object" ? planned.words : "", /line 2: it declares the same name again.*import it are not changed/);
  });

  it("extracts a repeated literal below the imports, and not what strings and comments hold", async () => {
    const text =
      'import a from "a";\n\n// 60 seconds\nexport const minutes = (s) => s / 60;\nexport const text = "60";\nexport const seconds = (m) => m * 60;\n';
    assert.deepEqual(await blocks("a.js", text, "extract a constant named SECONDS"), {
      "1:1:after": "\nconst SECONDS = 60;",
      "4:4": "export const minutes = (s) => s / SECONDS;",
      "6:6": "export const seconds = (m) => m * SECONDS;",
    });
  });

  it("extracts the string that was named, but no key, type or import path", async () => {
    const text =
      'import x from "EUR";\ntype Currency = "EUR" | "USD";\nfunction f(c: string) { return c === "EUR" ? { "EUR": 1 } : \'EUR\'; }\n';
    assert.deepEqual(await blocks("a.ts", text, "extract the string 'EUR' to HOME"), {
      "1:1:after": '\nconst HOME = "EUR";',
      "3:3": 'function f(c: string) { return c === HOME ? { "EUR": 1 } : HOME; }',
    });
  });

  it("puts a constant above the first code where there are no imports, and below a docstring in Python", async () => {
    assert.deepEqual(await blocks("a.ts", "const area = (r: number) => r * 7;\n", "extract 7 to SIDES"), {
      "1:1:before": "const SIDES = 7;\n",
      "1:1": "const area = (r: number) => r * SIDES;",
    });
    const python = await blocks("a.py", '"""Doc."""\n\nimport os\n\ndef f(x):\n    return x * 86400\n', "extract a constant");
    assert.deepEqual(python, { "3:3:after": "\nF_FACTOR = 86400", "6:6": "    return x * F_FACTOR" });
  });

  it("names a constant after what it is for", async () => {
    const names: readonly (readonly [string, string])[] = [
      ["function isLarge(n) { return n >= 500; }", "LARGE_LIMIT"],
      ["function tax(n) { return n * 0.19; }", "TAX_RATE"],
      ["function pad(n) { return n + 12; }", "PAD_OFFSET"],
      ["function table(width = 80) { return width; }", "DEFAULT_WIDTH"],
      ["function wait() { return { timeoutMs: 3000 }; }", "TIMEOUT_MS"],
      ["function circle(r) { return 3.14159 * r; }", "PI"],
    ];
    for (const [text, name] of names) {
      const bodies = Object.values(await blocks("a.js", `${text}\n`, "extract a constant"));
      assert.match(bodies[0] ?? "", new RegExp(`^const ${name} = `), text);
    }
  });

  it("comments on what is exported and lacks a comment, in every form a function has", async () => {
    const text = [
      "export interface Named { name: string; rename(): void }",
      "export const twice = (n: number): number => n * 2;",
      "// Known.",
      "export function known() {}",
      "function hidden() {}",
      "export default class Thing { go() {} }",
      "export async function load({ url, retries = 3 }: Options, ...rest: string[]): Promise<void> {}",
    ].join("\n");
    assert.deepEqual(await blocks("a.ts", text, "document each exported function"), {
      "ast-path:Named:before": "/** Named, with `name` and `rename`. */",
      "ast-path:twice:before": "/** Twice, given `n`. Returns `number`. */",
      "ast-path:Thing:before": "/** Thing, with `go`. */",
      "ast-path:load:before": "/** Load, given `url`, `retries` and `rest`. */",
    });
  });

  it("wraps a long comment", async () => {
    const parameters = Array.from({ length: 12 }, (_, index) => `parameterNumber${index}`).join(", ");
    const [body = ""] = Object.values(await blocks("a.js", `function f(${parameters}) {}\n`, "add a comment"));
    assert.match(body, /^\/\*\*\n( \* .+\n){2,} \*\/$/);
    assert.ok(body.split("\n").every((line) => line.length <= 100));
  });

  it("writes docstrings into the body, and none where there is one", async () => {
    const text =
      'class A:\n    x: int = 1\n\n    def go(self):\n        pass\n\n\ndef f(a, *, b=1):\n    return a\n\n\ndef g():\n    r"""Known."""\n';
    assert.deepEqual(await blocks("a.py", text, "add docstrings"), {
      "ast-path:A:prepend": '"""A, with x and go."""\n',
      "ast-path:f:prepend": '"""F, given a and b."""',
    });
  });

  it("guards required parameters only", async () => {
    assert.deepEqual(
      await blocks("a.ts", "function f(a: number, b: string, c?: string, d = 1, e: string | null = null) {}\n", "add a guard to f()"),
      {
        "ast-path:f:prepend":
          'if (!Number.isFinite(a)) throw new TypeError("a must be a finite number");\nif (b === undefined || b === null) throw new TypeError("b is required");',
      },
    );
    assert.deepEqual(await blocks("a.py", "def f(a, b: int | None, *rest):\n    pass\n", "add a guard"), {
      "ast-path:f:prepend": 'if a is None:\n    raise ValueError("a is required")',
    });
  });
});
