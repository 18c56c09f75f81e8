import assert from "node:assert/strict";
import { mcpPromptText, promptArguments } from "../../../../src/tools/mcp/mcpPrompt.ts";
import { mcpHarness } from "./mcpHarness.ts";

const { signal } = new AbortController();

describe("Prompts of MCP servers", () => {
  const { start, stdio } = mcpHarness();

  it("are commands once their server was started, and take words and named values", async () => {
    const { tools, mcp } = start([stdio("docs")]);
    assert.deepEqual(mcp.commands(), []);
    await tools();
    assert.deepEqual(mcp.commands(), [
      { name: "docs:review", description: "docs: Reviews a file." },
    ]);
    const prompt = (words: string) => mcp.prompt("docs:review", words, signal);
    assert.deepEqual(await prompt("src/a.ts"), {
      ok: true,
      value: "Review src/a.ts to depth 1.",
    });
    assert.deepEqual(await prompt("depth=3 my file.ts"), {
      ok: true,
      value: "Review my file.ts to depth 3.",
    });
    assert.equal(await mcp.prompt("docs:other", "", signal), null);
    const missing = await prompt("");
    assert.ok(missing?.ok === false);
    assert.match(missing.error, /file is missing/);
  });

  it("get the words after the command as their arguments", () => {
    const prompt = { name: "p", description: "", parameters: ["a", "b"] };
    assert.deepEqual(promptArguments(prompt, "one two"), { a: "one two" });
    assert.deepEqual(promptArguments(prompt, "a=1 two c=3"), { a: "1", b: "two c=3" });
    assert.deepEqual(promptArguments({ ...prompt, parameters: [] }, "words"), {});
  });

  it("are the text of their messages, and nothing where there is none", () => {
    const message = (content: object) => ({ messages: [{ role: "user", content }] });
    assert.equal(mcpPromptText(message({ type: "text", text: "Hi" })), "Hi");
    assert.equal(mcpPromptText(message({ type: "resource", resource: { text: "R" } })), "R");
    for (const odd of [message({ type: "image" }), { messages: [] }, null, "x"])
      assert.equal(mcpPromptText(odd), null);
  });
});
