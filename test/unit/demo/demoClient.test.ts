import assert from "node:assert/strict";
import { createDemoClient } from "../../../src/demo/demoClient.ts";
import { type DemoIntent, demoIntent } from "../../../src/demo/demoIntent.ts";
import type { StreamPart } from "../../../src/model/streamPart.ts";
import { noSyntax } from "../../fakes/editor/noSyntax.ts";
import { testSyntax } from "../../fakes/editor/testSyntax.ts";
import { memoryWorkspace } from "../../fakes/workspace/memoryWorkspace.ts";

describe("the demo model", () => {
  const ports = { workspace: memoryWorkspace(new Map([["a.ts", "let a;"]])), syntax: noSyntax };

  /** Streams the answer to a request; `onPart` may stop it. */
  async function answer(
    text: string,
    tools: readonly string[] = [],
    signal = new AbortController().signal,
    onPart: () => unknown = () => {},
  ) {
    const asked = { text, editFile: null, files: [], called: [], reported: false };
    const specs = tools.map((name) => ({ name, description: "", parameters: {} }));
    const parts: StreamPart[] = [];
    for await (const part of createDemoClient(ports, 0).stream(
      { model: "demo", messages: [], tools: specs, asked },
      signal,
    )) {
      parts.push(part);
      onPart();
    }
    return parts;
  }

  it("streams in pieces, and stops when the request is aborted", async () => {
    const abort = new AbortController();
    let count = 0;
    const parts = await answer("hi", [], abort.signal, () => ++count === 2 && abort.abort());
    const [lead, first, last] = parts;
    assert.ok(lead?.type === "text-delta" && lead.text.includes("no AI"));
    assert.ok(first?.type === "text-delta" && first.text.length < 10);
    assert.ok(parts.length === 3 && last?.type === "error" && last.error.kind === "aborted");
  });

  it("takes no tokens, whether it answers or calls a tool", async () => {
    for (const parts of [await answer("hi"), await answer("Explain a.ts", ["read_file"])]) {
      const used = parts.flatMap((part) => (part.type === "usage" ? [part.usage] : []));
      assert.deepEqual(used, [{ inputTokens: 0, outputTokens: 0 }]);
    }
  });

  it("says how to edit where it has neither edit mode nor a file, and when a file has no outline", async () => {
    const said = async (text: string, tools: readonly string[]) =>
      (await answer(text, tools))
        .map((part) => (part.type === "text-delta" ? part.text : ""))
        .join("");
    assert.match(await said("Rename a to b", []), /Graft: Start Edit Mode on File/);
    assert.match(
      await said("Rename a to b in a.ts", ["read_file"]),
      /Graft: Start Edit Mode on File/,
    );
    assert.match(await said("Explain a.ts", ["read_file"]), /no outline of `a\.ts`/);
    assert.match(
      await said("Explain it", ["read_file"]),
      /Open a TypeScript, JavaScript or Python file/,
    );
  });
});

describe("demo intent", () => {
  type Wanted = DemoIntent extends infer Each
    ? Each extends unknown
      ? Omit<Each, "line">
      : never
    : never;
  const cases: readonly (readonly [string, Wanted | null])[] = [
    ["Add a doc comment to each exported function", { kind: "document", target: null }],
    ["Hi, can you please add JSDoc to `area` in src/app.ts", { kind: "document", target: "area" }],
    ["In src/app.ts, document total()", { kind: "document", target: "total" }],
    ["Document it, please.", { kind: "document", target: null }],
    ["Comment each method of this class", { kind: "document", target: null }],
    ["Add the missing docs to src/app.ts and keep them short", { kind: "document", target: null }],
    ["Write a comment above total", { kind: "document", target: "total" }],
    ["Document Cart.total", { kind: "document", target: "Cart.total" }],
    ["Add a docstring to the Order class", { kind: "document", target: "Order" }],
    ["Add a function that strips comments", null],
    ["Write a parser for JSDoc", null],
    ["Create a docs folder", null],
    ["Add a comments field to Post", null],
    ["Add a comment parser", null],
    ["Comment out the loop", null],
    ["Document the failure in the README", null],
    ["Add comments about the deployment", null],
    ["Rename describe to summarize", { kind: "rename", from: "describe", to: "summarize" }],
    ["rename the function `area` into `surface`.", { kind: "rename", from: "area", to: "surface" }],
    ["Rename area in src/shapes.ts to surface", { kind: "rename", from: "area", to: "surface" }],
    ["I'd like you to rename Cart.add to put", { kind: "rename", from: "Cart.add", to: "put" }],
    ["Explain the outline of this file", { kind: "explain" }],
    ["What does src/app.ts do?", { kind: "explain" }],
    ["Summarize README.md", { kind: "explain" }],
    ["What does this file do?", { kind: "explain" }],
    ["Explain this code: what it does, and what to watch out for.", { kind: "explain" }],
    ["Explain what this is", { kind: "explain" }],
    ["What does Cart.remove do?", null],
    ["What is the capital of France?", null],
    ["Summarize the git log", null],
    ["Describe how payments work", null],
    ["Rename a to b\n\nRename c to d", { kind: "rename", from: "c", to: "d" }],
    ["hello", null],
    ["Rename area", null],
  ];
  for (const [said, wanted] of cases) {
    it(`${wanted?.kind ?? "nothing"} is understood from: ${said.replaceAll("\n", " ")}`, () => {
      const { line: _, ...intent } = demoIntent(said, testSyntax) ?? {};
      assert.deepEqual(intent, wanted ?? {});
    });
  }
});
