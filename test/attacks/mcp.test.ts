import { existsSync } from "node:fs";
import { symlink } from "node:fs/promises";
import * as path from "node:path";
import { PanelApproval } from "../../src/host/panel/panelApproval.ts";
import { mcpMachine } from "../../src/node/mcp/mcpMachine.ts";
import type { McpServer } from "../../src/ports/mcp.ts";
import type { McpServerEntry } from "../../src/tools/mcp/mcpConfig.ts";
import { createMcpTool, mcpToolName, parseMcpTool } from "../../src/tools/mcp/mcpTool.ts";
import { resolveEntry } from "../../src/tools/mcp/resolveEntry.ts";
import { PermissionGrants } from "../../src/tools/permissions/permissionGrants.ts";
import type { PermissionRule } from "../../src/tools/permissions/permissionRule.ts";
import { type TempFolder, tempFolder } from "../fakes/workspace/tempFolder.ts";
import { attacks } from "./attacks.ts";

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

/** What a server runs, and what changes before it starts. */
interface ChangedScript {
  readonly name: string;
  readonly entry: McpServerEntry;
  readonly change: (folder: TempFolder) => Promise<unknown>;
}

const writes =
  (...names: readonly string[]) =>
  async (folder: TempFolder) => {
    for (const name of names) await folder.write(name, EVIL);
  };
const EVIL = "require('fs').writeFileSync(require('path').join(__dirname, 'ran'), '')\n";
const node = (...args: readonly string[]): McpServerEntry => ({ command: "node", args: [...args] });

const CHANGED: readonly ChangedScript[] = [
  { name: "the script", entry: node("server.js"), change: writes("server.js") },
  {
    name: "the script, named absolutely",
    entry: node(["$", "{workspaceFolder}/server.js"].join("")),
    change: writes("server.js"),
  },
  {
    name: "the script, named without its ending",
    entry: node("server"),
    change: writes("server.js"),
  },
  { name: "the script of a folder", entry: node("tool"), change: writes("tool/index.js") },
  {
    name: "what starts a folder",
    entry: node("tool"),
    change: (folder) => folder.write("tool/package.json", '{ "main": "evil.js" }'),
  },
  { name: "a module beside the script", entry: node("server.js"), change: writes("lib.js") },
  { name: "a module of a module", entry: node("server.js"), change: writes("deep/more.js") },
  {
    name: "a module before the script",
    entry: node("--require", "./hook.js", "server.js"),
    change: writes("hook.js"),
  },
  {
    name: "a module before the script, in one word",
    entry: node("--import=./hook.js", "server.js"),
    change: writes("hook.js"),
  },
  {
    name: "a module before the script, after a letter",
    entry: node("-r./hook.js", "server.js"),
    change: writes("hook.js"),
  },
  {
    name: "a module in NODE_OPTIONS",
    entry: { ...node("server.js"), env: { NODE_OPTIONS: "--require ./hook.js" } },
    change: writes("hook.js"),
  },
  {
    name: "a script in another folder",
    entry: { ...node("index.js"), cwd: "tool" },
    change: writes("tool/index.js"),
  },
  {
    name: "a script of a shell",
    entry: { command: "sh", args: ["start.sh"] },
    change: writes("start.sh"),
  },
  {
    name: "a script in the words of a shell",
    entry: { command: "sh", args: ["-c", "cd . && ./start.sh --port 1"] },
    change: writes("start.sh"),
  },
  { name: "the command itself", entry: { command: "./start.sh" }, change: writes("start.sh") },
  {
    name: "the command in a folder",
    entry: { command: "./bin/start" },
    change: writes("bin/start"),
  },
  {
    name: "a script of Python",
    entry: { command: "python3", args: ["server.py"] },
    change: writes("server.py"),
  },
  {
    name: "a module of Python",
    entry: { command: "python3", args: ["-m", "pack.serve"] },
    change: writes("pack/serve.py"),
  },
  {
    name: "a module that a script of Python imports",
    entry: { command: "python3", args: ["server.py"] },
    change: writes("helper.py"),
  },
  {
    name: "a program that npx finds first",
    entry: { command: "npx", args: ["-y", "some-server@1.2.3"] },
    change: writes("node_modules/.bin/some-server"),
  },
  {
    name: "a scoped program that npx finds first",
    entry: { command: "npx", args: ["@org/some-server"] },
    change: writes("node_modules/.bin/some-server"),
  },
  {
    name: "an .npmrc for npx",
    entry: { command: "npx", args: ["-y", "some-server"] },
    change: writes(".npmrc"),
  },
  {
    name: "a uv.toml for uvx",
    entry: { command: "uvx", args: ["some-server"] },
    change: writes("uv.toml"),
  },
  {
    name: "a script of package.json",
    entry: { command: "npm", args: ["run", "mcp"] },
    change: (folder) => folder.write("package.json", '{ "scripts": { "mcp": "evil" } }'),
  },
  {
    name: "a folder of uv",
    entry: { command: "uv", args: ["--directory", "tool", "run", "server.py"] },
    change: writes("tool/server.py"),
  },
  {
    name: "a file of variables",
    // It ends at once, so that nothing waits for its answer.
    entry: { ...node("ends.js"), envFile: "more.env" },
    async change(folder) {
      await folder.write("evil.js", EVIL);
      await folder.write("more.env", "NODE_OPTIONS=--require ./evil.js\n");
    },
  },
  {
    name: "a module in a file of variables",
    entry: { ...node("server.js"), envFile: "more.env" },
    change: writes("hook.js"),
  },
  {
    name: "settings that an argument names",
    entry: node("server.js", "--config", "servers.json"),
    change: (folder) => folder.write("servers.json", '{ "evil": 1 }'),
  },
  {
    name: "a script that became a link",
    entry: node("server.js"),
    async change(folder) {
      await folder.write("evil.js", EVIL);
      await (await import("node:fs/promises")).rm(path.join(folder.root, "server.js"));
      await symlink("evil.js", path.join(folder.root, "server.js"));
    },
  },
];

attacks(
  "a server whose files changed since the user agreed",
  CHANGED.map(({ name, entry, change }) => ({
    name,
    async play() {
      const folder = await tempFolder({
        "server.js": "require('./lib'); process.stdin.resume();",
        "ends.js": "",
        "lib.js": "require('./deep/more.js')",
        "deep/more.js": "",
        "hook.js": "",
        "tool/index.js": "",
        "tool/package.json": "{}",
        "tool/server.py": "",
        "start.sh": "sleep 1",
        "bin/start": "",
        "server.py": "import helper\n",
        "helper.py": "",
        "pack/serve.py": "",
        "more.env": "NODE_OPTIONS=--require ./hook.js\n",
        "servers.json": "{}",
        "package.json": '{ "scripts": { "mcp": "node server.js" } }',
      });
      try {
        const server = await prepared("s", entry, folder.root);
        const before = await mcpMachine.scripts(server, folder.root);
        await change(folder);
        const same =
          JSON.stringify(await mcpMachine.scripts(server, folder.root)) === JSON.stringify(before);
        // A file of variables is known as a file itself.
        if (same && !("envFile" in entry)) return "nobody is asked again";
        const callbacks = { toolsChanged: () => undefined, roots: () => [] };
        const started = await mcpMachine.connect(
          { ...server, files: { ...server.files, ...before } },
          callbacks,
          AbortSignal.timeout(20_000),
        );
        if (started.ok) await started.value.close();
        if (existsSync(path.join(folder.root, "ran"))) return "it ran";
        if ("envFile" in entry && name === "a file of variables") return null;
        return !started.ok && started.error.code === "scripts-changed" ? null : "it was started";
      } finally {
        await folder.remove();
      }
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
    ["s", { ...good, envFile: "/dev/null" }, acts("go")],
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
