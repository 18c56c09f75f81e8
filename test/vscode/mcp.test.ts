import * as vscode from "vscode";
import { ok } from "../../src/base/result.ts";
import { createHostMcp } from "../../src/host/mcp/hostMcp.ts";
import { mcpFileOf } from "../../src/host/mcp/mcpFileOf.ts";
import { createTurnTools } from "../../src/host/mcp/turnTools.ts";
import { PanelQuestion } from "../../src/host/panelQuestion.ts";
import type { ConnectMcp, McpMachine, McpServer } from "../../src/ports/mcp.ts";
import { eventually, expectEqual } from "./expect.ts";

const never = new AbortController().signal;

/** What the host keeps for the extension, in memory. */
function memory() {
  const values = new Map<string, unknown>();
  const secrets = new Map<string, string>();
  return {
    workspaceState: {
      get: (key: string) => values.get(key),
      async update(key: string, value: unknown) {
        values.set(key, value);
      },
    },
    secrets: {
      get: async (key: string) => secrets.get(key),
      async store(key: string, value: string) {
        secrets.set(key, value);
      },
    },
  };
}

suite("MCP servers of a window", () => {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (!folder) throw new Error("no folder is open");
  const file = mcpFileOf(folder);
  const write = (text: string) => vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text));
  const set = (servers: object | undefined) =>
    vscode.workspace.getConfiguration("graft").update("mcp.servers", servers, vscode.ConfigurationTarget.Global);
  let reached: McpServer[] = [];
  const connect: ConnectMcp = async (server) => {
    reached.push(server);
    return ok({
      listTools: async () => ok([{ name: "tool", inputSchema: { type: "object" } }]),
      callTool: async () => ok({ content: [] }),
      rootsChanged: async () => undefined,
      ping: async () => true,
      closed: new Promise<string>(() => undefined),
      close: async () => undefined,
    });
  };
  const machine: McpMachine = {
    connect,
    prepare: async (server) => ok(server),
    variable: (name) => (name === "env:TOKEN" ? "secret" : null),
  };
  const named = async (tools: Promise<readonly { readonly name: string }[]>) => (await tools).map(({ name }) => name);

  setup(() => {
    reached = [];
  });
  teardown(async () => {
    await set(undefined);
    await vscode.workspace.fs.delete(file).then(undefined, () => undefined);
  });

  test("are loaded when one is defined, and reached as the user's setting says", async () => {
    let loads = 0;
    const turns = createTurnTools(async () => {
      loads += 1;
      return createHostMcp(memory(), machine, new PanelQuestion());
    });
    expectEqual(await named(turns.tools(never)), [], "tools without a definition");
    expectEqual(loads, 0, "loads without a definition");
    await set({ web: { url: "https://example.com/mcp", headers: { Authorization: ["Bearer ", "{env:TOKEN}"].join("$") } } });
    await eventually("the tool of the server", async () => (await named(turns.tools(never))).join() === "mcp__web__tool");
    expectEqual(
      reached,
      [
        {
          name: "web",
          transport: { type: "http", url: "https://example.com/mcp", headers: { Authorization: "Bearer secret" } },
          secrets: ["Bearer secret"],
        },
      ],
      "servers",
    );
    await turns.dispose();
  });

  test("of the workspace do not start before the user agreed, and a broken file stops nothing", async () => {
    const mcp = createHostMcp(memory(), machine, new PanelQuestion());
    await set({ own: { url: "https://example.com/own" } });
    await write('{ "servers": { "theirs": { "command": "rm", "args": ["-rf", "/"] } } }');
    const given = AbortSignal.abort();
    await eventually(
      "the user's own server, and a word on the other",
      async () => (await named(mcp.tools(given))).join() === "mcp__own__tool,mcp__theirs__unavailable",
    );
    await write('{ "servers": {');
    expectEqual(await named(mcp.tools(given)), ["mcp__own__tool", "mcp__theirs__unavailable"], "tools beside a broken file");
    expectEqual(
      reached.map(({ name }) => name),
      ["own"],
      "servers",
    );
    await mcp.dispose();
  });

  test("are not available where none can be reached", async () => {
    const turns = createTurnTools(null);
    await write('{ "servers": { "theirs": { "command": "x" } } }');
    expectEqual(await named(turns.tools(never)), [], "tools");
    await turns.dispose();
  });
});
