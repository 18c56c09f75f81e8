import assert from "node:assert/strict";
import type { McpProblem, McpServer } from "../../../../src/ports/mcp.ts";
import {
  type McpServerEntry,
  parseMcpFile,
  parseMcpServers,
} from "../../../../src/tools/mcp/mcpConfig.ts";
import { mcpToolName } from "../../../../src/tools/mcp/mcpTool.ts";
import { mcpProblemMessage } from "../../../../src/tools/mcp/messages.ts";
import { resolveEntry } from "../../../../src/tools/mcp/resolveEntry.ts";
import { assertDistinct, assertSentence, factsOf } from "../../../fakes/assertMessages.ts";
import { pluck } from "../../../fakes/pluck.ts";

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
    assert.deepEqual(pluck(parsed.value.inputs, "id"), ["token"]);
    assert.deepEqual(parsed.value.problems, []);
  });

  it("are reported when invalid, while the others are used", () => {
    const { servers, problems } = parseMcpServers(
      { good: { command: "x" }, empty: {}, bad: { url: 7 }, none: null },
      "graft.mcp.servers",
    );
    assert.deepEqual([...servers.keys()], ["good"]);
    assert.deepEqual(problems, [
      {
        code: "invalid-server",
        place: "graft.mcp.servers",
        name: "empty",
        detail: "command: Invalid input: expected string, received undefined",
      },
      {
        code: "invalid-server",
        place: "graft.mcp.servers",
        name: "bad",
        detail: "url: Invalid input: expected string, received number",
      },
      {
        code: "invalid-server",
        place: "graft.mcp.servers",
        name: "none",
        detail: "Invalid input: expected object, received null",
      },
    ]);
  });

  for (const [text, wrong] of [
    [
      '{ "servers": { "a": { "command": "x" } ',
      { code: "invalid-json", place: "mcp.json", line: 1, detail: "CloseBraceExpected" },
    ],
    [
      '{\n "servers": [],\n}',
      {
        code: "invalid-file",
        place: "mcp.json",
        detail: "servers: Invalid input: expected record, received array",
      },
    ],
    [
      "7",
      {
        code: "invalid-file",
        place: "mcp.json",
        detail: "Invalid input: expected object, received number",
      },
    ],
  ] as const) {
    it(`are rejected with a reason: ${JSON.stringify(text)}`, () => {
      const parsed = parseMcpFile(text, "mcp.json");
      assert.deepEqual(parsed.ok || parsed.error, wrong);
    });
  }

  it("are none in an empty file", () => {
    for (const text of ["", "{}", "// nothing\n"]) {
      const parsed = parseMcpFile(text, "mcp.json");
      assert.equal(parsed.ok && parsed.value.servers.size, 0);
    }
  });

  it("have their variables filled in, or name those without a value", () => {
    const values: Readonly<Record<string, string>> = {
      workspaceFolder: "/w",
      "env:TOKEN": `$& ${variable("x")} t`,
      "input:key": "k",
    };
    const resolved = (entry: McpServerEntry) =>
      resolveEntry("s", entry, (name) => values[name] ?? null);
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
      definition: "",
      own: false,
    };
    const entry = {
      command: `${variable("workspaceFolder")}/bin`,
      args: [variable("env:TOKEN")],
      env: { A: variable("input:key"), B: 3, C: null },
      cwd: variable("workspaceFolder"),
      envFile: `${variable("workspaceFolder")}/.env`,
    };
    const filled = resolved(entry);
    assert.deepEqual(filled.ok && { ...filled.value, definition: "" }, expected);
    assert.equal(
      filled.ok && filled.value.definition,
      JSON.stringify(entry),
      "no value is part of what identifies it",
    );
    const missing = resolved({
      url: `https://x.test/${variable("env:NONE")}`,
      headers: { y: variable("what") },
    });
    assert.deepEqual(missing.ok || missing.error, {
      code: "no-values",
      name: "s",
      variables: ["env:NONE", "what"],
    });
    const odd = resolved({ url: "file:///etc/passwd" });
    assert.deepEqual(odd.ok || odd.error, { code: "no-http-address", name: "s" });
  });

  it("give tools names of their own that every provider accepts", () => {
    const tools = ["a b", "a/b", "a_b", "x".repeat(100), `${"x".repeat(100)}y`, "ü", "b__a_b"];
    const names = ["my server", "my.server", "my_server", "my_server__b"].flatMap((server) =>
      tools.map((tool) => mcpToolName(server, tool)),
    );
    assert.equal(new Set(names).size, names.length);
    assert.ok(names.every((name) => /^[a-zA-Z0-9_-]{1,64}$/.test(name)));
    assert.equal(mcpToolName("my_server", "a_b"), "mcp__my_server__a_b");
  });
});

describe("what the user reads about MCP servers", () => {
  const name = "docs";
  const place = "mcp.json";
  const plain = ["still-starting", "start-timeout", "no-http-address", "unencrypted-key"] as const;
  const problems: readonly McpProblem[] = [
    { code: "invalid-json", place, line: 3, detail: "CloseBraceExpected" },
    { code: "invalid-file", place, detail: "servers: must be a record" },
    { code: "invalid-server", place, name, detail: "command: is required" },
    { code: "no-values", name, variables: ["env:TOKEN", "workspaceFolder"] },
    { code: "no-env-file", name, file: "/w/.env", detail: "ENOENT" },
    { code: "unauthorized", name, status: 401 },
    { code: "not-signed-in", name, why: "cancelled", detail: "" },
    { code: "not-signed-in", name, why: "no-page", detail: "" },
    { code: "not-signed-in", name, why: "refused", detail: "access denied" },
    { code: "not-started", name, detail: "spawn npx ENOENT", wrote: "" },
    { code: "not-started", name, detail: "Connection closed", wrote: "the token is missing" },
    ...plain.map((code) => ({ code, name })),
    { code: "name-taken", name },
    { code: "too-many-tools", total: 200, shown: 88 },
  ];

  it("holds the server and the reason, and differs for each cause", () => {
    for (const problem of problems)
      assertSentence([mcpProblemMessage(problem), ...factsOf(problem, "why")]);
    assertDistinct(problems.map((problem) => mcpProblemMessage(problem)));
  });
});
