import * as vscode from "vscode";
import * as z from "zod/mini";
import { ok } from "../../src/base/result.ts";
import type { GraftApi } from "../../src/host/activate.ts";
import { createHostMcp } from "../../src/host/mcp/hostMcp.ts";
import { createTurnTools, mcpFileOf } from "../../src/host/mcp/turnTools.ts";
import { serverOf } from "../../src/host/settings/server.ts";
import type { ConnectMcp, McpMachine, McpServer } from "../../src/ports/mcp.ts";
import type { McpOffer } from "../../src/protocol/messages.ts";
import { eventually, expectEqual, expectMatch } from "./expect.ts";

const never = new AbortController().signal;
const ignore = () => undefined;

/** The extension's state and secrets, in memory. */
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
  const write = (text: string) =>
    vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text));
  const set = (servers: object | undefined) =>
    vscode.workspace
      .getConfiguration("graft")
      .update("mcp.servers", servers, vscode.ConfigurationTarget.Global);
  let reached: McpServer[] = [];
  const connect: ConnectMcp = async (server) => {
    reached.push(server);
    return ok({
      listTools: async () => ok([{ name: "tool", inputSchema: { type: "object" } }]),
      callTool: async () => ok({ content: [] }),
      closed: new Promise<void>(() => undefined),
      close: async () => undefined,
    });
  };
  const machine: McpMachine = {
    connect,
    prepare: async (server) => ok(server),
    signIn: async () => ok(null),
    variable: (name) => (name === "env:TOKEN" ? "secret" : null),
  };
  const named = async (tools: Promise<readonly { readonly name: string }[]>) =>
    (await tools).map(({ name }) => name);

  setup(() => {
    reached = [];
  });
  teardown(async () => {
    await set(undefined);
    await vscode.workspace.fs.delete(file).then(undefined, () => undefined);
  });

  test("load when one is defined, and connect as the setting says", async () => {
    let loads = 0;
    const turns = createTurnTools(async () => {
      loads += 1;
      return createHostMcp(memory(), machine, async () => null);
    });
    expectEqual(await named(turns.tools(never, ignore)), [], "tools without a definition");
    expectEqual(loads, 0, "loads without a definition");
    await set({
      web: {
        url: "https://example.com/mcp",
        headers: { Authorization: ["Bearer ", "{env:TOKEN}"].join("$") },
      },
    });
    await eventually(
      "the tool of the server",
      async () => (await named(turns.tools(never, ignore))).join() === "mcp__web__tool",
    );
    expectEqual(
      reached.map(({ name, transport, secrets, own }) => ({ name, transport, secrets, own })),
      [
        {
          name: "web",
          transport: {
            type: "http",
            url: "https://example.com/mcp",
            headers: { Authorization: "Bearer secret" },
          },
          secrets: ["Bearer secret"],
          own: true,
        },
      ],
      "servers",
    );
    await turns.dispose();
  });

  test("of the workspace start only after consent, and an invalid file stops nothing", async () => {
    const lists: (readonly McpOffer[])[] = [];
    let starts: string | null = null;
    const mcp = createHostMcp(memory(), machine, async (offers) => {
      lists.push(offers);
      return starts === null
        ? null
        : new Set(offers.filter(({ name }) => name === starts).map(({ key }) => key));
    });
    await set({ own: { url: "https://example.com/own" } });
    await write(
      '{ "servers": { "theirs": { "command": "rm", "args": ["-rf", "/"] }, "web": { "url": "https://example.com/theirs" } } }',
    );
    const tools = async () => (await named(mcp.tools(never))).join();
    await eventually(
      "the user's own server alone",
      async () => (await tools()) === "mcp__own__tool",
    );
    expectEqual(
      lists.at(-1)?.map(({ name, path, remote }) => ({ name, path, remote })),
      [
        { name: "theirs", path: ".vscode/mcp.json", remote: false },
        { name: "web", path: ".vscode/mcp.json", remote: true },
      ],
      "one list",
    );
    expectMatch(lists.at(-1)?.[0]?.definition ?? "", /"command": "rm"/, "the definition");
    starts = "web";
    await eventually(
      "the one that the user started",
      async () => (await tools()) === "mcp__own__tool,mcp__web__tool",
    );
    const asked = lists.length;
    await tools();
    expectEqual(lists.length, asked, "lists once everything is decided");
    await write('{ "servers": {');
    expectEqual(await tools(), "mcp__own__tool", "tools beside a broken file");
    expectEqual([...new Set(reached.map(({ name }) => name))], ["own", "web"], "servers");
    await mcp.dispose();
  });

  test("of the user's own ask where they name the workspace", async () => {
    const lists: (readonly McpOffer[])[] = [];
    const mcp = createHostMcp(memory(), machine, async (offers) => {
      lists.push(offers);
      return new Set(offers.map(({ key }) => key));
    });
    await set({ mine: { command: "node", args: ["./server.js"] }, other: { command: "npx" } });
    await eventually(
      "the tools of both",
      async () => (await named(mcp.tools(never))).join() === "mcp__mine__tool,mcp__other__tool",
    );
    if (folder.uri.scheme === "file")
      expectEqual(
        lists.map((list) => list.map(({ name, path }) => ({ name, path }))),
        [[{ name: "mine", path: folder.name }]],
        "what was asked",
      );
    await mcp.dispose();
  });

  test("are reported as unavailable in the browser, once", async () => {
    const turns = createTurnTools(null);
    await write('{ "servers": { "theirs": { "command": "x" } } }');
    const told: (string | null)[] = [];
    for (let turn = 0; turn < 2; turn++)
      expectEqual(await named(turns.tools(never, (detail) => told.push(detail))), [], "tools");
    expectEqual(told, [null], "reports");
    await turns.dispose();
  });
});

/** Provided by the harness: MCP servers over HTTP that require a token. */
const scenarioSchema = z.object({
  baseUrl: z.string(),
  host: z.enum(["node", "web"]),
  mcp: z.object({ url: z.string(), authorization: z.string() }),
});

suite("MCP servers over HTTP", () => {
  const settings = () => vscode.workspace.getConfiguration("graft");
  const set = async (values: Readonly<Record<string, unknown>>) => {
    for (const [name, value] of Object.entries(values))
      await settings().update(name, value, vscode.ConfigurationTarget.Global);
  };

  suiteTeardown(() =>
    set({
      baseUrl: undefined,
      model: undefined,
      "mcp.servers": undefined,
      "permissions.rules": undefined,
    }),
  );

  test("work in both protocols beside a refused one, and record no token", async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    if (!folder) throw new Error("no folder is open");
    const text = new TextDecoder().decode(
      await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder.uri, "graft-scenario.json")),
    );
    const { baseUrl, host, mcp } = scenarioSchema.parse(JSON.parse(text));
    const headers = { Authorization: mcp.authorization };
    const rules = [{ tool: "mcp__*", allow: "always" }];
    const wrong = "Bearer of-another-server";
    await set({
      baseUrl,
      model: "test-model",
      "permissions.rules": rules,
      "mcp.servers": {
        good: { type: "http", url: `${mcp.url}/mcp`, headers },
        old: { url: `${mcp.url}/sse`, headers },
        closed: { url: `${mcp.url}/mcp`, headers: { Authorization: wrong } },
      },
    });
    const api = await vscode.extensions.getExtension<GraftApi>("graft-edits.graft")?.activate();
    if (!api) throw new Error("the extension is not installed");
    const connection = serverOf({ baseUrl })?.host;
    await vscode.commands.executeCommand("graft.chooseModel", { connection, model: "test-model" });
    await vscode.commands.executeCommand("graft.newChat");
    const chat = await api.chat();
    const events: unknown[] = [];
    const listening = chat.onEvent((event) => events.push(event));
    const names = ["mcp__good__add", "mcp__old__add", "mcp__old__roots", "mcp__closed__add"];
    const answers = [
      {
        toolCalls: names.map((name, index) => ({ name, args: index < 2 ? { a: 20, b: 22 } : {} })),
      },
      { text: "Done." },
    ];
    expectEqual(
      await chat.send(`Add.\nANSWERS: ${JSON.stringify(answers)}`),
      "done",
      "the turn's end",
    );
    listening.dispose();
    const turn =
      chat.tree.headTurnId === null ? undefined : chat.tree.turns.get(chat.tree.headTurnId);
    if (turn?.role !== "agent") throw new Error("the chat does not end with an answer");
    const told = [...turn.toolCalls.values()].map(({ output }) => output ?? "");
    if (host === "web") {
      for (const each of told)
        expectMatch(each, /There is no tool named/, "a call where no server can be reached");
      expectMatch(
        JSON.stringify(turn.parts),
        /"code":"tools-unavailable","detail":null/,
        "what the user reads",
      );
    } else {
      expectEqual(told.slice(0, 2), ["42", "42"], "the sums");
      expectEqual(
        told[2],
        JSON.stringify([{ uri: folder.uri.toString(), name: folder.name }]),
        "the folders it is told",
      );
      expectMatch(told[3], /There is no tool named/, "a call of the refused one");
    }
    for (const token of [mcp.authorization, wrong])
      expectEqual(JSON.stringify(events).includes(token.slice(7)), false, "a token on record");
  });
});
