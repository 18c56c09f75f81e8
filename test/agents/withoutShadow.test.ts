import assert from "node:assert/strict";
import { startAcpAgent } from "../../src/node/agents/acpAgent.ts";
import { createNodeWorkspace } from "../../src/node/files/nodeWorkspace.ts";
import { createNodeGit } from "../../src/node/processes/nodeGit.ts";
import { createNodeShell } from "../../src/node/processes/nodeShell.ts";
import type { AgentProgram } from "../../src/ports/commands/chatAgent.ts";
import { processTools } from "../../src/tools/processTools.ts";
import { buildCli, type CliBundle } from "../fakes/cliBundle.ts";
import { openTestEditor, type TestEditor } from "../fakes/guests/testEditor.ts";
import { startAnthropicServer } from "../fakes/model/anthropicServer.ts";
import { startModelServer } from "../fakes/model/modelServer.ts";
import { type TempFolder, tempFolder } from "../fakes/workspace/tempFolder.ts";
import { another, chatsIn, lastAnswer, open } from "../unit/agent/chat/chatHarness.ts";
import {
  needsShadows,
  type ShadowWorkspace,
  shadowsOn,
  shadowWorkspace,
} from "../unit/node/shadow/shadowWorkspace.ts";
import { claudeCode, needsAgents, openCode } from "./agentPrograms.ts";

const FILES = {
  "add.js": "module.exports = (a, b) => a - b;\n",
  "sub.js": "module.exports = (a, b) => a - b;\n",
};
const ADD = "module.exports = (a, b) => a + b;\n";

const ALL = { bash: "allow", edit: "allow", "*": "allow" };

type Step = { readonly tool: string; readonly input: object } | { readonly text: string };

/** An agent that has Graft's tools in place of its own. */
interface WithTools {
  readonly name: string;
  /** What it calls itself to the server of tools. */
  readonly author: string;
  /** What an agent says that it starts; null where its model starts none. */
  readonly inner: string | null;
  serve(): Promise<{ readonly url: string; close(): Promise<void> }>;
  program(home: TempFolder, url: string): Promise<AgentProgram>;
}

/** Runs only where it is asked for: the agents take a gigabyte in the cache folder. */
describe("agents where no shadow can be had", () => {
  let cli: CliBundle;
  let work: ShadowWorkspace;
  let home: TempFolder;
  let window: TestEditor;
  const formerHome = process.env.HOME;
  chatsIn({});

  before(async function () {
    await needsShadows(this, "overlay");
    await needsAgents(this);
    cli = await buildCli();
  });
  after(() => cli?.remove());
  beforeEach(async () => {
    work = await shadowWorkspace(FILES, "overlay");
    home = await tempFolder();
    process.env.HOME = home.root;
    window = await openTestEditor(work.root);
  });
  afterEach(async () => {
    window.dispose();
    if (formerHome === undefined) delete process.env.HOME;
    else process.env.HOME = formerHome;
    await work.remove();
    await home.remove();
  });

  /** All but OpenCode's name for the repository, which it keeps there. */
  const files = () =>
    Object.fromEntries(
      Object.entries(work.snapshot()).filter(([name]) => !/^\.git(?:\/opencode)?$/.test(name)),
    );
  const graft = (prefix: string) => (name: string, input: object) => ({
    tool: `${prefix}${name}`,
    input,
  });
  const proposing = (call: ReturnType<typeof graft>): Step[] => [
    call("read_file", { file_path: "add.js" }),
    call("edit_file", { file_path: "add.js", edits: [{ at: "1:1", code: ADD }] }),
    call("edit_file", { file_path: "new.js", edits: [{ code: ADD }] }),
    call("delete_file", { path: "sub.js" }),
    { text: "Done." },
  ];
  const agents: readonly WithTools[] = [
    {
      name: "Claude Code",
      author: "Claude Code",
      inner: null,
      serve: () =>
        startAnthropicServer([
          { tool: "Write", input: { file_path: work.at("new.js"), content: ADD } },
          { tool: "Bash", input: { command: "echo > new.js", description: "write" } },
          { tool: "Read", input: { file_path: work.at("sub.js") } },
          {
            tool: "Edit",
            input: { file_path: work.at("sub.js"), old_string: "a - b", new_string: "b - a" },
          },
          ...proposing(graft("mcp__graft__")),
        ]),
      program: claudeCode,
    },
    {
      name: "OpenCode",
      author: "opencode",
      inner: "The helper is done.",
      async serve() {
        const steps: readonly Step[] = [
          { tool: "write", input: { filePath: work.at("new.js"), content: ADD } },
          { tool: "bash", input: { command: "echo > new.js", description: "write" } },
          { tool: "read", input: { filePath: work.at("sub.js") } },
          {
            tool: "edit",
            input: { filePath: work.at("sub.js"), oldString: "a - b", newString: "b - a" },
          },
          {
            tool: "task",
            input: { description: "help", prompt: "Write.", subagent_type: "helper" },
          },
          { tool: "write", input: { filePath: work.at("new.js"), content: ADD } },
          { tool: "bash", input: { command: "echo > new.js", description: "write" } },
          { text: "The helper is done." },
          ...proposing(graft("graft_")),
        ];
        let played = 0;
        const server = await startModelServer(({ body }) => {
          if (!body.tools) return { text: "title" };
          const step = steps[played++] ?? { text: "done" };
          return "text" in step ? step : { toolCalls: [{ name: step.tool, args: step.input }] };
        });
        return { url: server.url, close: () => server.close() };
      },
      // The user allows it everything, in every way there is.
      program: (place, url) =>
        openCode(place, url, {
          permission: ALL,
          agent: {
            build: { permission: ALL },
            mine: { mode: "primary", permission: ALL },
            helper: { mode: "subagent", description: "Helps.", permission: ALL },
          },
        }),
    },
  ];

  for (const agent of agents)
    it(`proposes by Graft's tools as ${agent.name}, which has no others that change a file`, async () => {
      const model = await agent.serve();
      const machine = processTools({
        workspace: await createNodeWorkspace(work.root),
        shell: createNodeShell(),
        git: createNodeGit(async () => ({ folders: [work.root], opened: null })),
        ...{ shadows: await shadowsOn("none", [work.root]), startAgent: startAcpAgent },
        toolServer: () => ({
          command: process.execPath,
          args: [cli.program, "mcp", "--beside", "--root", work.root],
          env: {},
        }),
      });
      const program = await agent.program(home, model.url);
      const asked: string[] = [];
      await open([]);
      const chat = await another({
        workspace: await createNodeWorkspace(work.root),
        chatAgent: machine.agentOf,
        connect: async () => ({ ok: true, value: { agent: program } }),
        approval: {
          async request({ summary }) {
            asked.push(summary);
            return { allowed: true, by: "user" };
          },
        },
      });
      const before = files();
      try {
        assert.equal(await chat.send("Repair add."), "done");
        assert.deepEqual(files(), before);
        const notice = lastAnswer(chat).parts.find((part) => part.type === "notice");
        assert.ok(notice?.code === "agent-without-shadow" && notice.way === "tools");
        const { reviewer, hellos } = window;
        const texts = reviewer.allPending().map(({ file, text }) => [file.path, text]);
        assert.deepEqual(Object.fromEntries(texts), { "add.js": ADD, "new.js": ADD });
        const [deletion] = reviewer.operations.pending;
        assert.equal(deletion?.file.path, "sub.js");
        const blocks = reviewer.allPending().flatMap((proposal) => proposal.blocks);
        const authors = [...blocks, deletion].map((each) => each?.origin.agent);
        assert.deepEqual(authors, [agent.author, agent.author, agent.author]);
        assert.equal(hellos.length, 1);
        assert.deepEqual(asked, [], "what only proposes is not asked about");
        const offered = chat.tree.offers?.options.flatMap(({ values }) => values) ?? [];
        assert.ok(!offered.some(({ id }) => id === "mine"), "a mode that may write");
        const outputs = [...lastAnswer(chat).toolCalls.values()].map(({ output }) => output ?? "");
        assert.ok(agent.inner === null || outputs.join("\n").includes(agent.inner), "it ran");
      } finally {
        await chat.dispose();
        await machine.dispose();
        await model.close();
      }
      assert.deepEqual(files(), before);
    }).timeout(600_000);
});
