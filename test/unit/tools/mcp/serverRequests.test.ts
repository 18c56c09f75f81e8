import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { ok } from "../../../../src/base/result.ts";
import { prepareServer } from "../../../../src/node/mcp/mcpMachine.ts";
import type { McpConnection, McpRoot, McpServer } from "../../../../src/ports/mcp.ts";
import { callTool, mcpHarness } from "./mcpHarness.ts";

describe("requests of MCP servers", () => {
  const harness = mcpHarness();
  const { stdio, start } = harness;

  it("are refused for forms", async () => {
    const { tools } = start([stdio("asks")]);
    assert.match(await callTool(await tools(), "mcp__asks__ask"), /Method not found/);
  });

  it("return the workspace's folders, as they are now", async () => {
    let roots: readonly McpRoot[] = [{ uri: "file:///one", name: "one" }];
    const { tools } = start([stdio("roots")], { roots: () => roots });
    assert.equal(await callTool(await tools(), "mcp__roots__roots"), JSON.stringify(roots));
    roots = [...roots, { uri: "file:///two", name: "two" }];
    assert.equal(await callTool(await tools(), "mcp__roots__roots"), JSON.stringify(roots));
  });

  it("are refused for sampling", async () => {
    const { tools } = start([stdio("sample")]);
    assert.match(await callTool(await tools(), "mcp__sample__sample"), /-32601: Method not found/);
  });
});

describe("MCP servers that behave oddly", () => {
  const harness = mcpHarness();
  const { stdio, start } = harness;

  it("may write lines that are not messages", async () => {
    const { tools, problems } = start([stdio("noisy", "--noisy")]);
    assert.equal(await callTool(await tools(), "mcp__noisy__add", { a: 2, b: 2 }), "4");
    assert.deepEqual(problems, []);
  });

  it("show the model a limited amount of tool descriptions", async () => {
    const tool = (index: number) => ({
      name: `tool${index}`,
      inputSchema: {
        type: "object",
        properties: { text: { type: "string", description: "x".repeat(15_000) } },
      },
    });
    const connection: McpConnection = {
      closed: new Promise(() => undefined),
      listTools: async () => ok(Array.from({ length: 80 }, (_, index) => tool(index))),
      callTool: async () => ok({}),
      close: async () => undefined,
    };
    const { tools, problems } = start([stdio("large")], { connect: async () => ok(connection) });
    assert.ok(JSON.stringify(await tools()).length < 210_000);
    assert.match(
      problems.join(),
      /^The MCP servers have 80 tools in total\. The model sees the first 13\.$/,
    );
  });

  it("show the model a limited number of tools, each once, and tell the user", async () => {
    const { tools, problems } = start([stdio("many", "--many")]);
    const names = (await tools()).map(({ name }) => name);
    assert.equal(names.length, 88);
    assert.equal(new Set(names).size, 88);
    assert.ok(!names.some((name) => name.endsWith("_2")));
    assert.deepEqual(problems, [
      "The MCP servers have 216 tools in total. The model sees the first 88.",
    ]);
  });

  it("time out, and are restarted before the next call", async () => {
    const { tools } = start([stdio("frozen")], { callMs: 1_000 });
    const listed = await tools();
    assert.match(
      await callTool(listed, "mcp__frozen__freeze"),
      /^Error \(timeout\): freeze timed out after 1 second/,
    );
    assert.equal(await callTool(listed, "mcp__frozen__add", { a: 1, b: 1 }), "2");
  });

  it("reveal no secrets in results or errors", async () => {
    const envFile = path.join(harness.folder, ".env");
    writeFileSync(envFile, "# ours\nAPI_TOKEN='s3cret-token-of-ours'\nPLAIN=\"two words\"\n");
    const server = stdio("env");
    assert.ok(server.transport.type === "stdio");
    const prepared = await prepareServer(
      { ...server, transport: { ...server.transport, envFile: ".env" } },
      harness.folder,
    );
    assert.ok(prepared.ok);
    const { tools } = start([prepared.value]);
    const listed = await tools();
    assert.equal(await callTool(listed, "mcp__env__tell", { name: "PLAIN" }), "It is two words.");
    assert.equal(await callTool(listed, "mcp__env__tell", { name: "API_TOKEN" }), "It is •••.");
    assert.match(
      await callTool(listed, "mcp__env__die", { say: "API_TOKEN" }),
      /was lost\. It wrote: •••/,
    );
  });
});

describe("an MCP server's envFile and cwd", () => {
  const harness = mcpHarness();
  const server = (more: object): McpServer => ({
    name: "s",
    transport: {
      type: "stdio",
      command: "x",
      args: [],
      env: { B: "ours", C: null },
      cwd: null,
      ...more,
    },
    secrets: [],
    definition: "",
    own: true,
  });

  it("are relative to the workspace, and the definition overrides the file", async () => {
    writeFileSync(
      path.join(harness.folder, "more.env"),
      "A=1\nB=theirs\nC=3\nexport D='a b' # why\n",
    );
    const prepared = await prepareServer(
      server({ envFile: "more.env", cwd: "tools" }),
      harness.folder,
    );
    assert.deepEqual(
      prepared.ok && { transport: prepared.value.transport, secrets: prepared.value.secrets },
      {
        transport: {
          type: "stdio",
          command: "x",
          args: [],
          env: { A: "1", B: "ours", C: null, D: "a b" },
          cwd: path.join(harness.folder, "tools"),
        },
        secrets: [],
      },
    );
  });

  it("are named when the file is missing", async () => {
    const missing = path.join(harness.folder, "none.env");
    const prepared = await prepareServer(server({ envFile: missing }), harness.folder);
    assert.ok(!prepared.ok && prepared.error.code === "no-env-file");
    assert.equal(prepared.error.file, missing);
    assert.match(prepared.error.detail, /^ENOENT/);
  });
});
