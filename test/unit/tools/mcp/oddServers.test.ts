import assert from "node:assert/strict";
import { readableJson } from "../../../../src/node/mcp/readableMessage.ts";
import type { McpServer } from "../../../../src/ports/mcp.ts";
import { mcpResult } from "../../../../src/tools/mcp/mcpResult.ts";
import { toolSchema } from "../../../../src/tools/mcp/toolSchema.ts";
import { callTool, mcpHarness } from "./mcpHarness.ts";

/** A server that writes null wherever it has nothing, and answers a call by its name. */
const SERVER = `
const answers = {
  nulls: { content: [{ type: "text", text: "fine", annotations: null }], isError: null, _meta: null },
  both: { content: [{ type: "text", text: "2 rows" }], structuredContent: { rows: [7] } },
};
const tool = (name, inputSchema) => ({ name, title: null, description: null, inputSchema, annotations: null });
const results = {
  initialize: { protocolVersion: "2025-06-18", capabilities: { tools: {}, prompts: null }, serverInfo: { name: "odd", title: null, version: "1" }, instructions: null },
  "tools/list": { tools: [
    tool("nulls", { properties: { a: { type: "string", default: null } }, required: null }),
    tool("both", null), tool("text", {}), tool("none", {}), tool("broken", {}),
    tool("list", { type: "array" }), { description: "no name" },
  ], nextCursor: null },
};
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const name = params && params.name;
  const answer = { jsonrpc: "2.0", id, error: null, extra: 1 };
  if (name === "broken") Object.assign(answer, { error: "out of order" });
  else if (name === "text") answer.result = "just text";
  else if (name !== "none") answer.result = results[method] || answers[name] || {};
  process.stdout.write(JSON.stringify(answer) + "\\n");
});`;

describe("An MCP server that writes as many do", () => {
  const harness = mcpHarness();
  const server: McpServer = {
    name: "odd",
    transport: {
      type: "stdio",
      command: process.execPath,
      args: ["-e", SERVER],
      env: {},
      cwd: process.cwd(),
    },
    ...{ secrets: [], definition: "odd", own: true },
  };

  it("is understood, and what cannot be used is named at once", async () => {
    const { tools, problems } = harness.start([server], { callMs: 60_000 });
    const offered = await tools();
    assert.deepEqual(
      offered.map(({ name }) => name.replace("mcp__odd__", "")),
      ["nulls", "both", "text", "none", "broken"],
    );
    assert.deepEqual(offered[0]?.parameters, {
      ...{ type: "object", properties: { a: { type: "string", default: null } } },
    });
    assert.match(problems.join(), /: list, #7\./);
    const call = (name: string) => callTool(offered, `mcp__odd__${name}`);
    assert.equal(await call("nulls"), "fine");
    assert.match(await call("both"), /^2 rows\n\{\s*"rows": \[\s*7\s*\]\s*\}$/);
    assert.match(await call("text"), /just text/);
    assert.match(await call("none"), /no result/);
    assert.match(await call("broken"), /out of order/);
  });
});

describe("A message of an MCP server", () => {
  for (const [what, message, expected] of [
    ["a request", { jsonrpc: "2.0", id: 1, method: "ping", params: null }, null],
    ["a notification", { jsonrpc: "2.0", method: "x", params: { a: null } }, null],
    [
      "an error without a code",
      { id: 1, result: null, error: { message: "no", data: null } },
      { jsonrpc: "2.0", id: 1, error: { code: -32_603, message: "no" } },
    ],
    [
      "null in a value of a tool",
      { id: 1, result: { structuredContent: { a: null }, nextCursor: null } },
      { jsonrpc: "2.0", id: 1, result: { structuredContent: { a: null } } },
    ],
  ] as const)
    it(`keeps what it means: ${what}`, () => {
      const json = JSON.stringify(message);
      assert.deepEqual(JSON.parse(readableJson(json)), expected ?? message);
    });

  it("that is no JSON stays as it is", () => assert.equal(readableJson("Listening"), "Listening"));
});

describe("A result of an MCP server's tool, as servers write it", () => {
  const text = (said: string) => ({ type: "text", text: said });
  for (const [what, raw, output] of [
    [
      "data that the text repeats",
      { content: [text('{"a":1}')], structuredContent: { a: 1 } },
      /^\{"a":1\}$/,
    ],
    ["data alone", { content: null, structuredContent: { a: 1 } }, /"a": 1/],
    ["plain text as content", { content: "words" }, /^words$/],
    ["one item that is no list", { content: text("words") }, /^words$/],
    ["an item without a type", { content: [{ text: "words" }] }, /^words$/],
    ["an item of no known form", { content: [{ type: "text", text: { a: 1 } }] }, /"a":1/],
    [
      "null in an item",
      { content: [{ ...text("words"), uri: null, data: null, resource: null }] },
      /^words$/,
    ],
    ["the result of an older server", { toolResult: { a: 1 } }, /"a": 1/],
  ] as const)
    it(`is shown: ${what}`, () => {
      const result = mcpResult("t", raw);
      assert.ok(result.ok);
      assert.match(result.output, output);
    });

  it("is none without any of its fields", () => {
    assert.equal(mcpResult("t", { rows: 1 }).ok, false);
  });
});

describe("The schema of a tool's parameters", () => {
  const a = { type: "string", description: "x".repeat(30_000) };
  for (const [what, schema, parameters, note] of [
    ["without a type", { properties: { a: {} } }, { properties: { a: {} } }, ""],
    ["of an object or null", { type: ["object", "null"] }, { properties: {} }, ""],
    [
      "with null",
      { type: null, required: null, properties: { a: null } },
      { properties: { a: {} } },
      "",
    ],
    [
      "that is too long",
      { properties: { a } },
      { properties: { a: { type: "string" } } },
      "left out",
    ],
  ] as const)
    it(`is kept: ${what}`, () => {
      const read = toolSchema(schema);
      assert.deepEqual(read?.parameters, { type: "object", ...parameters });
      assert.ok(read?.note.includes(note));
    });

  it("is none where the tool takes no object", () => {
    assert.equal(toolSchema({ type: "array" }), null);
    assert.equal(toolSchema(["a"]), null);
  });
});
