import assert from "node:assert/strict";
import { createDemoFetch } from "../../../src/demo/demoEndpoint.ts";
import { type DemoIntent, demoIntent } from "../../../src/demo/demoIntent.ts";
import { noSyntax } from "../../fakes/editor/noSyntax.ts";
import { memoryWorkspace } from "../../fakes/workspace/memoryWorkspace.ts";

const URL = "http://demo.invalid/v1/chat/completions";

describe("the demo endpoint", () => {
  const ports = { workspace: memoryWorkspace(new Map([["a.ts", "let a;"]])), syntax: noSyntax };
  const body = (content: string, tools: readonly string[] = []) =>
    JSON.stringify({ messages: [{ role: "user", content }], tools: tools.map((name) => ({ function: { name } })) });

  it("streams in pieces, and stops when the request is aborted", async () => {
    const abort = new AbortController();
    const response = await createDemoFetch(ports, 5)(URL, { method: "POST", body: body("hi"), signal: abort.signal });
    const reader = response.body?.getReader();
    assert.ok(reader);
    const first = new TextDecoder().decode((await reader.read()).value);
    assert.match(first, /^data: \{.*"content":".{1,9}".*\}\n\n$/);
    abort.abort();
    await assert.rejects(async () => {
      while (!(await reader.read()).done);
    });
  });

  it("refuses anything but a chat completion", async () => {
    assert.equal((await createDemoFetch(ports, 0)(URL, { method: "POST", body: "no json" })).status, 400);
  });

  it("says how to edit where it has neither edit mode nor a file, and when a file has no outline", async () => {
    const answer = async (content: string, tools: readonly string[]) => {
      const response = await createDemoFetch(ports, 0)(URL, { method: "POST", body: body(content, tools) });
      return [...(await response.text()).matchAll(/"content":"((?:[^"\\]|\\.)*)"/g)].map((match) => match[1]).join("");
    };
    assert.match(await answer("Rename a to b", []), /Graft: Start Edit Mode on File/);
    assert.match(await answer("Rename a to b in a.ts", ["read_file"]), /Graft: Start Edit Mode on File/);
    assert.match(await answer("Explain a.ts", ["read_file"]), /no outline of `a\.ts`/);
    assert.match(await answer("Explain it", ["read_file"]), /Open a TypeScript, JavaScript or Python file/);
  });
});

describe("demo intent", () => {
  type Wanted = DemoIntent extends infer Each ? (Each extends unknown ? Omit<Each, "line"> : never) : never;
  const cases: readonly (readonly [string, Wanted | null])[] = [
    ["Add a doc comment to each exported function", { kind: "document", target: null }],
    ["Hi, can you please add JSDoc to `area` in src/app.ts", { kind: "document", target: "area" }],
    ["In src/app.ts, document total()", { kind: "document", target: "total" }],
    ["Rename describe to summarize", { kind: "rename", from: "describe", to: "summarize" }],
    ["rename the function `area` into `surface`.", { kind: "rename", from: "area", to: "surface" }],
    ["Rename area in src/shapes.ts to surface", { kind: "rename", from: "area", to: "surface" }],
    ["I'd like you to rename Cart.add to put", { kind: "rename", from: "Cart.add", to: "put" }],
    ["Extract a constant from a repeated number", { kind: "extract", literal: null, name: null }],
    ["extract 0.19 to a constant TAX_RATE", { kind: "extract", literal: "0.19", name: "TAX_RATE" }],
    ["Explain the outline of this file", { kind: "explain" }],
    ["What does src/app.ts do?", { kind: "explain" }],
    ["Rename a to b\n\nRename c to d", { kind: "rename", from: "c", to: "d" }],
    ["hello", null],
    ["Rename area", null],
    ['Since then the user has restored files to before "Rename a to b"', null],
    ["- ast-path:document applied\n+// Rename a to b", null],
  ];
  for (const [said, wanted] of cases) {
    it(`${wanted?.kind ?? "nothing"} is understood from: ${said.replaceAll("\n", " ")}`, () => {
      const { line: _, ...intent } = demoIntent(said) ?? {};
      assert.deepEqual(intent, wanted ?? {});
    });
  }
});
