import assert from "node:assert/strict";
import { chmod, readFile } from "node:fs/promises";
import * as path from "node:path";
import type { Chat } from "../../../../src/agent/chat/chat.ts";
import type { ChatOptions } from "../../../../src/agent/chatOptions.ts";
import { createNodeWorkspace } from "../../../../src/node/files/nodeWorkspace.ts";
import { searchWithRipgrep } from "../../../../src/node/files/ripgrepSearch.ts";
import { createNodeGit } from "../../../../src/node/processes/nodeGit.ts";
import { createNodeShell } from "../../../../src/node/processes/nodeShell.ts";
import { noProposals } from "../../../../src/tools/command/chatProposals.ts";
import { type ProcessTools, processTools } from "../../../../src/tools/processTools.ts";
import { comes } from "../../../fakes/comes.ts";
import {
  type ModelServer,
  type ModelStep,
  startModelServer,
} from "../../../fakes/model/modelServer.ts";
import { testTool } from "../../../fakes/testTool.ts";
import { strictModel } from "../../../fakes/turns/strictHistory.ts";
import { gitRepository } from "../../../fakes/workspace/gitRepository.ts";
import { type TempFolder, tempFolder } from "../../../fakes/workspace/tempFolder.ts";
import { mcpHarness } from "../../tools/mcp/mcpHarness.ts";
import { fileWithText, processGone } from "../../tools/processes.ts";
import { openChat } from "./chatHarness.ts";

/** Writes its process id to `file` and ends by force only. */
const stubborn = (file: string) =>
  `bash -c 'trap "" TERM HUP INT; echo $$ > ${file}; exec sleep 3600'`;
const call = (name: string, args: object = {}): ModelStep => ({ toolCalls: [{ name, args }] });
const stalled: ModelStep = { text: "never", stallAfter: 0 };

/** Processes that a turn starts, each of which writes its id to a file of its own. */
interface Kind {
  readonly name: string;
  readonly steps: readonly ModelStep[];
  readonly pids: readonly string[];
}

const command = `${stubborn("inner")} & setsid ${stubborn("session")} & set -m; ${stubborn("group")} & echo $$ > outer; wait`;
const kinds: readonly Kind[] = [
  {
    name: "a command, what it started, what left its group and what began a session",
    steps: [call("run_command", { command })],
    pids: ["inner", "session", "group", "outer"],
  },
  {
    name: "a command of the same turn that runs in the background",
    steps: [call("run_command", { command: stubborn("background"), background: true }), stalled],
    pids: ["background"],
  },
  {
    name: "git with a hook that hangs",
    steps: [call("git_commit", { message: "No", paths: ["a.txt"] })],
    pids: ["hook"],
  },
  { name: "a search", steps: [call("search")], pids: ["search"] },
];

describe("a turn that is stopped leaves no process:", () => {
  const { stdio, start, lines } = mcpHarness();
  let folder: TempFolder;
  let servers: ModelServer[];
  let machine: ProcessTools;

  beforeEach(async () => {
    servers = [];
    folder = await tempFolder({ "a.txt": "a\n" });
    const at = (name: string) => path.join(folder.root, name);
    await gitRepository(folder.root);
    await chmod(
      await folder.write(".git/hooks/pre-commit", `#!/bin/sh\n${stubborn(at("hook"))}\n`),
      0o755,
    );
    await chmod(await folder.write("rg", `#!/bin/sh\nexec ${stubborn(at("search"))}\n`), 0o755);
    machine = processTools({
      workspace: await createNodeWorkspace(folder.root),
      shell: createNodeShell(),
      git: createNodeGit(async () => ({ folders: [folder.root], opened: null })),
    });
  });
  afterEach(async () => {
    await machine.dispose();
    await Promise.all(servers.map((server) => server.close()));
    await folder.remove();
  });

  async function open(
    steps: readonly ModelStep[],
    options: Partial<ChatOptions> = {},
  ): Promise<Chat> {
    const server = await startModelServer(
      strictModel((_request, index) => steps[index] ?? stalled),
    );
    servers.push(server);
    const query = { pattern: "x", isRegExp: false, caseSensitive: true, include: null, limit: 10 };
    const search = testTool("search", async (_text, { signal }) => {
      await searchWithRipgrep(path.join(folder.root, "rg"), folder.root, query, [], signal);
      return { ok: true, output: "" };
    });
    const chat = await openChat(server, folder.root, {
      tools: [...machine.of(noProposals), search],
      ...options,
    });
    chat.onEvent((event) => {
      if (event.type === "turn-end" && event.reason === "cancelled")
        machine.turnStopped(event.turnId);
    });
    return chat;
  }

  const pidOf = async (name: string) => Number(await fileWithText(path.join(folder.root, name)));

  for (const { name, steps, pids } of kinds) {
    it(name, async () => {
      const chat = await open(steps);
      const turn = chat.send("Please.");
      const started = await Promise.all(pids.map(pidOf));
      await servers[0]?.request(steps.length - 1);
      chat.stop();
      assert.equal(await turn, "cancelled");
      for (const pid of started) await processGone(pid);
      await chat.dispose();
    });
  }

  it("a command that waits for permission never starts", async () => {
    const asked = call("run_command", { command: "echo $$ > asked" });
    const chat = await open([asked], { approval: { request: () => new Promise(() => undefined) } });
    const pending = new Promise((resolve) =>
      chat.onEvent((event) => event.type === "approval-request" && resolve(null)),
    );
    const turn = chat.send("Please.");
    await pending;
    chat.stop();
    assert.equal(await turn, "cancelled");
    await Promise.all([chat.dispose(), machine.dispose()]);
    await assert.rejects(readFile(path.join(folder.root, "asked")));
  });

  it("a background command of an earlier turn runs until the window closes", async () => {
    const chat = await open([
      call("run_command", { command: stubborn("server"), background: true }),
      { text: "It runs." },
    ]);
    assert.equal(await chat.send("Start the server."), "done");
    const turn = chat.send("And now?");
    await servers[0]?.request(2);
    chat.stop();
    assert.equal(await turn, "cancelled");
    const pid = await pidOf("server");
    assert.equal(await isRunning(pid), true);
    await machine.dispose();
    assert.equal(await isRunning(pid), false);
    await chat.dispose();
  });

  it("an MCP server sees its call cancelled, keeps running, and ends with the window", async () => {
    const { mcp } = start([stdio("hang", "--stubborn")]);
    const chat = await open([call("mcp__hang__hang")], {
      turnTools: (signal) => mcp.tools(signal),
    });
    const turn = chat.send("Please.");
    await new Promise((resolve) =>
      chat.onEvent((event) => event.type === "tool-start" && resolve(null)),
    );
    await comes("the call", () => lines("hang").includes("call hang"));
    chat.stop();
    assert.equal(await turn, "cancelled");
    await comes("the cancelling", () => lines("hang").includes("cancelled hang"));
    const pid = Number(/^start (\d+)$/.exec(lines("hang")[0] ?? "")?.[1]);
    assert.equal(await isRunning(pid), true);
    await Promise.all([chat.dispose(), mcp.dispose()]);
    assert.equal(await isRunning(pid), false);
  });

  it("everything at once is gone when the end of the window is over", async () => {
    const { mcp, tools } = start([stdio("all", "--stubborn")]);
    await tools();
    const ended = [
      ...kinds.filter(({ name }) => name !== "a search"),
      { steps: [call("mcp__all__hang")], pids: [] },
    ];
    const chats: Chat[] = [];
    for (const { steps } of ended) {
      const chat = await open(steps, { turnTools: (signal) => mcp.tools(signal) });
      chats.push(chat);
      void chat.send("Please.");
    }
    const pids = await Promise.all(ended.flatMap((kind) => kind.pids).map(pidOf));
    await comes("the call", () => lines("all").includes("call hang"));
    await Promise.all([...chats.map((chat) => chat.dispose()), machine.dispose(), mcp.dispose()]);
    for (const pid of [...pids, Number(/\d+/.exec(lines("all")[0] ?? "")?.[0])])
      assert.equal(await isRunning(pid), false);
  });
});

async function isRunning(pid: number): Promise<boolean> {
  const state = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
  return state !== null && !/ Z /.test(state);
}
