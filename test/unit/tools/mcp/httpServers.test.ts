import assert from "node:assert/strict";
import type { McpServer } from "../../../../src/ports/mcp.ts";
import { parseMcpServers } from "../../../../src/tools/mcp/mcpConfig.ts";
import { resolveEntry } from "../../../../src/tools/mcp/resolveEntry.ts";
import { type McpHttpServer, startMcpHttpServer } from "../../../fakes/mcp/mcpHttpServer.ts";
import { callTool, mcpHarness } from "./mcpHarness.ts";

describe("MCP servers over HTTP", () => {
  const { start } = mcpHarness();
  let http: McpHttpServer;
  beforeEach(async () => {
    http = await startMcpHttpServer();
  });
  afterEach(() => http.close());

  /** The server as a definition says it, with its token from an input. */
  function defined(name: string, path: string, authorization = http.authorization): McpServer {
    const headers = { Authorization: ["Bearer ", "{input:token}"].join("$") };
    const entry = parseMcpServers(
      { [name]: { url: http.url + path, headers } },
      "mcp.json",
    ).servers.get(name);
    assert.ok(entry);
    const resolved = resolveEntry(name, entry, () => authorization.replace("Bearer ", ""));
    assert.ok(resolved.ok);
    return resolved.value;
  }

  it("get the defined headers", async () => {
    const { tools } = start([defined("web", "/mcp")]);
    assert.equal(await callTool(await tools(), "mcp__web__add", { a: 20, b: 22 }), "42");
  });

  it("are reached by SSE where they support nothing else", async () => {
    const { tools } = start([defined("old", "/sse")]);
    assert.equal(await callTool(await tools(), "mcp__old__add", { a: 2, b: 2 }), "4");
  });

  it("are named when they are gone", async () => {
    const { tools } = start([defined("web", "/mcp")]);
    const listed = await tools();
    await http.close();
    assert.match(
      await callTool(listed, "mcp__web__add", { a: 1, b: 1 }),
      /^Error \(network\): The connection to the MCP server web was lost/,
    );
    http = await startMcpHttpServer();
  });

  for (const [path, status] of [
    ["/mcp", 401],
    ["/sse", 401],
    ["/forbidden", 403],
  ] as const) {
    it(`explain how to set a token after status ${status} at ${path}`, async () => {
      const { tools, problems } = start([defined("closed", path, "Bearer a-wrong-token")]);
      assert.deepEqual(await tools(), []);
      assert.deepEqual(problems, [
        `The MCP server closed refused the request (HTTP ${status}). Check the token in its header, which can come from an input: "headers": { "Authorization": "Bearer \${input:token}" }.`,
      ]);
    });
  }

  it("never show their token in errors", async () => {
    const server = defined("closed", "/nowhere", "Bearer a-wrong-token");
    const { tools, problems } = start([
      {
        ...server,
        transport: { type: "sse", url: "http://127.0.0.1:1/a-wrong-token", headers: {} },
      },
    ]);
    await tools();
    assert.equal(problems.length, 1);
    assert.ok(!problems.join().includes("a-wrong-token"), problems.join());
  });
});
