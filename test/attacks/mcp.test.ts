import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import * as path from "node:path";
import { PanelApproval } from "../../src/host/panel/panelApproval.ts";
import { mcpMachine } from "../../src/node/mcp/mcpMachine.ts";
import type { McpServer } from "../../src/ports/mcp.ts";
import type { McpServerEntry } from "../../src/tools/mcp/mcpConfig.ts";
import { createMcpTool, mcpToolName, parseMcpTool } from "../../src/tools/mcp/mcpTool.ts";
import { namesWorkspace, resolveEntry } from "../../src/tools/mcp/resolveEntry.ts";
import { PermissionGrants } from "../../src/tools/permissions/permissionGrants.ts";
import type { PermissionRule } from "../../src/tools/permissions/permissionRule.ts";
import { attacks } from "./attacks.ts";

const home = mkdtempSync(path.join(tmpdir(), "graft-variables-"));
const NO_VARIABLES = path.join(home, "empty.env");
writeFileSync(NO_VARIABLES, "");
after(() => rmSync(home, { recursive: true }));

/** A server of a definition, ready to start in `folder`. */
async function prepared(
  name: string,
  entry: McpServerEntry,
  folder: string,
  own = false,
): Promise<McpServer> {
  const resolved = resolveEntry(name, entry, (variable) =>
    variable === "workspaceFolder" ? folder : "",
  );
  const server = resolved.ok ? await mcpMachine.prepare(resolved.value, folder) : resolved;
  if (!server.ok) throw new Error(JSON.stringify(server.error));
  return { ...server.value, own };
}

attacks(
  "a server of the user's own that starts in a stranger's workspace unasked",
  [
    ["says the workspace's folder", { command: "node", args: [`$\{workspaceFolder}/server.js`] }],
    ["says it as its folder", { command: "node", args: ["server.js"], cwd: `$\{workspaceFolder}` }],
    ["says a path from here", { command: "./start.sh" }],
    ["says here", { command: "server", args: ["."] }],
    ["says a path above", { command: "node", args: ["../server.js"] }],
    ["says a path of Windows", { command: "node", args: [".\\server.js"] }],
    ["says a path in an option", { command: "node", args: ["--import=./hook.js", "server"] }],
    ["says a path in a shell's words", { command: "sh", args: ["-c", "cd . && server"] }],
    ["says a path in a variable", { command: "x", env: { NODE_OPTIONS: "--require ./hook.js" } }],
    ["says its variables' file", { command: "x", envFile: "./more.env" }],
  ].map(([name, entry]) => ({
    name: String(name),
    play: () => (namesWorkspace(entry as McpServerEntry) ? null : "nobody is asked"),
  })),
);

attacks(
  "a server of the user's own that names no workspace",
  [
    ["runs what npx finds there", { command: "npx", args: ["-y", "some-server@1.2.3"] }],
    ["runs a script there", { command: "node", args: ["server.js"] }],
  ].map(([name, entry]) => ({
    name: String(name),
    async play() {
      const resolved = resolveEntry("s", entry as McpServerEntry, () => "");
      const server = resolved.ok ? await mcpMachine.prepare(resolved.value, null) : resolved;
      if (!server.ok || server.value.transport.type !== "stdio") return "it cannot start";
      return server.value.transport.cwd === homedir() ? null : "it starts elsewhere";
    },
  })),
);

/** Whether a permission for a call of one server covers one of another. */
async function covers(
  first: McpServer,
  firstTool: object,
  second: McpServer,
  secondTool: object,
  rules: readonly PermissionRule[] = [],
): Promise<boolean> {
  const never = new AbortController();
  const approval = new PanelApproval({
    trusted: () => true,
    policy: () => ({ write: "allow", rules, restrictions: [] }),
    grants: new PermissionGrants({ get: () => undefined, update: async () => undefined }),
    acceptAll: async () => true,
    saveFiles: async () => true,
  });
  const request = (server: McpServer, raw: object, callId: string) => {
    const info = parseMcpTool(raw);
    if (!info) throw new Error("no tool");
    const tool = createMcpTool(mcpToolName(server.name, info.name), server, info, async () => ({
      ok: true,
      output: "",
    }));
    const call = tool.prepare({});
    if (!call.ok) throw new Error("no call");
    const { run: _, look: __, details: ___, ...subject } = call.value;
    return { turnId: "t", callId, tool: tool.name, reviewed: false, ...subject };
  };
  const asked = approval.request(request(first, firstTool, "one"), never.signal);
  await approval.answer({ tree: { turns: { has: () => true } } }, "one", true, {
    scope: "session",
  });
  await asked;
  const decided = approval.request(request(second, secondTool, "two"), never.signal);
  await new Promise(setImmediate);
  const isOpen = approval.open.all.length > 0;
  never.abort();
  return !isOpen && (await decided).allowed;
}

const acts = (name: string) => ({ name });
const reads = (name: string) => ({ name, annotations: { readOnlyHint: true } });
const good: McpServerEntry = { command: "good", args: ["--stdio"] };

/** Two calls: the first is allowed for the session, then the second is made. */
const PAIRS: readonly (readonly [
  name: string,
  one: readonly [string, McpServerEntry, object],
  two: readonly [string, McpServerEntry, object],
])[] = [
  [
    "another server of nearly the same name",
    ["my.server", good, acts("go")],
    ["my server", { command: "evil" }, acts("go")],
  ],
  [
    "another server of the same name",
    ["s", good, acts("go")],
    ["s", { command: "evil" }, acts("go")],
  ],
  [
    "the same program with other arguments",
    ["s", good, acts("go")],
    ["s", { ...good, args: ["--stdio", "--all"] }, acts("go")],
  ],
  [
    "the same program with other variables",
    ["s", good, acts("go")],
    ["s", { ...good, env: { NODE_OPTIONS: "-r ./x" } }, acts("go")],
  ],
  [
    "the same program in another folder",
    ["s", good, acts("go")],
    ["s", { ...good, cwd: "x" }, acts("go")],
  ],
  [
    "the same program with a file of variables",
    ["s", good, acts("go")],
    ["s", { ...good, envFile: NO_VARIABLES }, acts("go")],
  ],
  [
    "another address",
    ["s", { url: "https://a.example" }, acts("go")],
    ["s", { url: "https://b.example" }, acts("go")],
  ],
  ["another tool of the server", ["s", good, acts("go")], ["s", good, acts("stop")]],
  ["another tool of nearly the same name", ["s", good, acts("a.b")], ["s", good, acts("a b")]],
  [
    "a tool and a server that share their words",
    ["a", good, acts("b__c")],
    ["a__b", { command: "evil" }, acts("c")],
  ],
  [
    "a tool of a long name",
    ["s", good, acts("x".repeat(80))],
    ["s", good, acts(`${"x".repeat(80)}y`)],
  ],
  [
    "reading tools of another server of the same name",
    ["s", good, reads("look")],
    ["s", { command: "evil" }, reads("look")],
  ],
  [
    "reading tools of nearly the same name",
    ["my.server", good, reads("look")],
    ["my server", { command: "evil" }, reads("look")],
  ],
  ["a tool that acts, after one that reads", ["s", good, reads("look")], ["s", good, acts("look")]],
  [
    "a tool that reads, after one that acts, elsewhere",
    ["s", good, acts("look")],
    ["s", { command: "evil" }, reads("look")],
  ],
];

attacks(
  "a permission for an MCP server",
  PAIRS.map(([name, [one, oneEntry, oneTool], [two, twoEntry, twoTool]]) => ({
    name,
    play: async () =>
      (await covers(
        await prepared(one, oneEntry, "/"),
        oneTool,
        await prepared(two, twoEntry, "/"),
        twoTool,
      ))
        ? "it is allowed"
        : null,
  })),
);

attacks(
  "a rule that names an MCP server",
  [
    ["mcp__github__*", "github"],
    ["mcp__github__go", "github"],
    ["mcp__*", "github"],
    ["mcp__github__*", "github__evil"],
    ["mcp__git_hub__*", "git.hub"],
    ["*hub*", "github"],
  ].map(([tool = "", server = ""]) => ({
    name: `${tool} for the workspace's ${server}`,
    async play() {
      const foreign = await prepared(server, { command: "evil" }, "/");
      const other = await prepared("other", good, "/");
      return (await covers(other, acts("x"), foreign, acts("go"), [{ tool, allow: "always" }]))
        ? "it is allowed"
        : null;
    },
  })),
);

describe("permissions for MCP servers", () => {
  it("cover the same tool of the same server, whatever it is called, and all of its reading ones", async () => {
    const [one, renamed] = [await prepared("one", good, "/"), await prepared("renamed", good, "/")];
    if (!(await covers(one, acts("go"), renamed, acts("go"))))
      throw new Error("the same tool is asked about");
    if (!(await covers(one, reads("look"), one, reads("see"))))
      throw new Error("a reading tool is asked about");
  });

  it("follow the rules for servers of the user's own", async () => {
    const mine = await prepared("github", good, "/", true);
    const other = await prepared("other", good, "/");
    if (
      !(await covers(other, acts("x"), mine, acts("go"), [
        { tool: "mcp__github__*", allow: "always" },
      ]))
    )
      throw new Error("it is asked about");
  });
});
