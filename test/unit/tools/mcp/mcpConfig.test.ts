import assert from "node:assert/strict";
import type { McpServer } from "../../../../src/ports/mcp.ts";
import { type McpServerEntry, parseMcpFile, parseMcpServers } from "../../../../src/tools/mcp/mcpConfig.ts";
import { mcpToolName } from "../../../../src/tools/mcp/mcpTool.ts";
import { resolveEntry } from "../../../../src/tools/mcp/resolveEntry.ts";

const variable = (name: string) => `\${${name}}`;

describe("definitions of MCP servers", () => {
  it("are read from a file in VS Code's format, with comments", () => {
    const parsed = parseMcpFile(
      `{
        // what we use
        "inputs": [{ "id": "token", "type": "promptString", "description": "The token", "password": true }, { "id": 7 }],
        "servers": {
          "docs": { "type": "stdio", "command": "npx", "args": ["-y", "docs-server"], "env": { "TOKEN": "\${input:token}", "PORT": 3 } },
          "web": { "url": "https://example.com/mcp", "headers": { "x": "y" } },
        },
      }`,
      "a/.vscode/mcp.json",
    );
    assert.ok(parsed.ok);
    assert.deepEqual([...parsed.value.servers.keys()], ["docs", "web"]);
    assert.deepEqual(
      parsed.value.inputs.map(({ id }) => id),
      ["token"],
    );
    assert.deepEqual(parsed.value.problems, []);
  });

  it("are reported when invalid, while the others are used", () => {
    const { servers, problems } = parseMcpServers({ good: { command: "x" }, empty: {}, bad: { url: 7 }, none: null }, "graft.mcp.servers");
    assert.deepEqual([...servers.keys()], ["good"]);
    assert.deepEqual(problems, [
      "The MCP server empty of graft.mcp.servers is not valid: command: is required.",
      "The MCP server bad of graft.mcp.servers is not valid: url: must be a string, not the number 7.",
      "The MCP server none of graft.mcp.servers is not valid: must be an object, not null.",
    ]);
  });

  for (const [text, wrong] of [
    ['{ "servers": { "a": { "command": "x" } ', /is not valid JSON \(line 1: CloseBraceExpected\)\.$/],
    ['{\n "servers": [],\n}', /is not valid: servers: must be a record, not an array\.$/],
    ["7", /is not valid: must be an object, not the number 7\.$/],
  ] as const) {
    it(`are rejected with a reason: ${JSON.stringify(text)}`, () => {
      const parsed = parseMcpFile(text, "mcp.json");
      assert.match(parsed.ok ? "" : parsed.error, wrong);
    });
  }

  it("are none in an empty file", () => {
    for (const text of ["", "{}", "// nothing\n"]) {
      const parsed = parseMcpFile(text, "mcp.json");
      assert.equal(parsed.ok && parsed.value.servers.size, 0);
    }
  });

  it("have their variables filled in, or name those without a value", () => {
    const values: Readonly<Record<string, string>> = { workspaceFolder: "/w", "env:TOKEN": `$& ${variable("x")} t`, "input:key": "k" };
    const resolve = (entry: McpServerEntry) => resolveEntry("s", entry, (name) => values[name] ?? null);
    const expected: McpServer = {
      name: "s",
      transport: {
        type: "stdio",
        command: "/w/bin",
        args: [`$& ${variable("x")} t`],
        env: { A: "k", B: "3", C: null },
        cwd: "/w",
        envFile: "/w/.env",
      },
      secrets: [`$& ${variable("x")} t`],
    };
    const entry = {
      command: `${variable("workspaceFolder")}/bin`,
      args: [variable("env:TOKEN")],
      env: { A: variable("input:key"), B: 3, C: null },
      cwd: variable("workspaceFolder"),
      envFile: `${variable("workspaceFolder")}/.env`,
    };
    assert.deepEqual(resolve(entry), { ok: true, value: expected });
    const missing = resolve({ url: `https://x.test/${variable("env:NONE")}`, headers: { y: variable("what") } });
    assert.equal(
      missing.ok ? "" : missing.error,
      `The MCP server s was not started: there is no value for ${variable("env:NONE")} and ${variable("what")}.`,
    );
    const odd = resolve({ url: "file:///etc/passwd" });
    assert.match(odd.ok ? "" : odd.error, /not an http or https address/);
  });

  it("give tools unique names that every provider accepts", () => {
    const taken = new Set<string>();
    const names = ["a b", "a/b", "x".repeat(100), `${"x".repeat(100)}y`, "ü"].map((tool) => {
      const name = mcpToolName("my server", tool, taken);
      taken.add(name);
      return name;
    });
    assert.equal(new Set(names).size, names.length);
    assert.ok(names.every((name) => /^[a-zA-Z0-9_-]{1,64}$/.test(name)));
    assert.equal(names[0], "mcp__my_server__a_b");
    assert.equal(names[1], "mcp__my_server__a_b_2");
  });
});
