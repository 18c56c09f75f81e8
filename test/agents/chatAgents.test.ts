import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { decidePending } from "../../src/edits/review/decidePending.ts";
import { createPendingReviewer } from "../../src/edits/review/pendingReviewer.ts";
import { startAcpAgent } from "../../src/node/agents/acpAgent.ts";
import { createFileApplier } from "../../src/node/files/fileApplier.ts";
import { createNodeWorkspace } from "../../src/node/files/nodeWorkspace.ts";
import { createNodeWorkspaceFiles } from "../../src/node/files/nodeWorkspaceFiles.ts";
import { createNodeGit } from "../../src/node/processes/nodeGit.ts";
import { createNodeShell } from "../../src/node/processes/nodeShell.ts";
import type { AgentProgram } from "../../src/ports/commands/chatAgent.ts";
import type { Reviewer } from "../../src/ports/review.ts";
import { processTools } from "../../src/tools/processTools.ts";
import type { AgentTurn } from "../../src/turns/turn.ts";
import { startAnthropicServer } from "../fakes/model/anthropicServer.ts";
import { startGeminiServer } from "../fakes/model/geminiServer.ts";
import { startModelServer } from "../fakes/model/modelServer.ts";
import { type TempFolder, tempFolder } from "../fakes/workspace/tempFolder.ts";
import { another, chatsIn, lastAnswer, open } from "../unit/agent/chat/chatHarness.ts";
import {
  needsShadows,
  type ShadowWorkspace,
  shadowWorkspace,
} from "../unit/node/shadow/shadowWorkspace.ts";
import { isRunning } from "../unit/tools/processes.ts";
import { agentFile, claudeCode, needsAgents, openCode } from "./agentPrograms.ts";

const FILES = {
  "add.js": "module.exports = (a, b) => a - b;\n",
  "sub.js": "module.exports = (a, b) => a - b;\n",
  "test.js":
    "const add = require('./add.js');\nif (add(1, 2) !== 3) {\n  console.error('add is wrong');\n  process.exit(1);\n}\nconsole.log('add passes');\n",
  "src/add.js":
    "function add(a, b) {\n  return a - b;\n}\n\nfunction sub(a, b) {\n  return a - b;\n}\n",
};
const ADDS = "function add(a, b) {\n  return a + b;\n}\n";
const SUBS = "\nfunction sub(a, b) {\n  return a - b;\n}\n";
const NEW = "module.exports = 1;\n";
const PROPOSED = {
  "new.js": NEW,
  "add.js": "module.exports = (a, b) => a + b;\n",
  "sub.js": "module.exports = (a, b) => b - a;\n",
};
/** Runs for an hour; like no other program of the machine. */
const LONG = `setTimeout(() => {}, ${3_600_000 + process.pid})`;

/** What a real agent is told by its model, and heard by it. */
interface Model {
  readonly url: string;
  /** Each request of the agent's work, as JSON. */
  heard(): readonly string[];
  close(): Promise<void>;
}

/** A step of the script: a call of the agent's own tool, or a text. */
type Step = { readonly tool: string; readonly input: object } | { readonly text: string };

/** An agent of another maker, and how its tools are called. */
interface RealAgent {
  readonly name: string;
  serve(steps: readonly Step[]): Promise<Model>;
  /** Writes its settings to `home`. */
  program(home: TempFolder, url: string): Promise<AgentProgram>;
  write(file: string, content: string): Step;
  run(command: string): Step;
  /** Puts `+` in place of `-` into a file. */
  repair(file: string): readonly Step[];
}

const REPAIR = { old_string: "a - b", new_string: "a + b" };

const AGENTS: readonly RealAgent[] = [
  {
    name: "Claude Code",
    async serve(steps) {
      const { url, heard, close } = await startAnthropicServer(steps);
      return { url, heard: () => heard, close };
    },
    program: claudeCode,
    write: (file_path, content) => ({ tool: "Write", input: { file_path, content } }),
    run: (command) => ({ tool: "Bash", input: { command, description: "run" } }),
    repair: (file_path) => [
      { tool: "Read", input: { file_path } },
      { tool: "Edit", input: { file_path, ...REPAIR } },
    ],
  },
  {
    name: "OpenCode",
    async serve(steps) {
      let played = 0;
      const server = await startModelServer(({ body }) => {
        if (!body.tools) return { text: "title" };
        const step = steps[played++] ?? { text: "done" };
        return "text" in step ? step : { toolCalls: [{ name: step.tool, args: step.input }] };
      });
      const main = () => server.requests.filter(({ body }) => body.tools);
      return {
        url: server.url,
        heard: () => main().map(({ body }) => JSON.stringify(body.messages)),
        close: () => server.close(),
      };
    },
    program: openCode,
    write: (filePath, content) => ({ tool: "write", input: { filePath, content } }),
    run: (command) => ({ tool: "bash", input: { command, description: "run" } }),
    repair: (filePath) => [
      { tool: "read", input: { filePath } },
      { tool: "edit", input: { filePath, oldString: "a - b", newString: "a + b" } },
    ],
  },
  {
    name: "Gemini CLI",
    async serve(steps) {
      const { url, heard, close } = await startGeminiServer(steps);
      return { url, heard: () => heard, close };
    },
    async program(home, url) {
      const security = { auth: { selectedType: "gemini-api-key" } };
      const settings = { security, general: { disableAutoUpdate: true } };
      await home.write(".gemini/settings.json", JSON.stringify(settings));
      const entry = agentFile("@google/gemini-cli", "bundle/gemini.js");
      const env = { HOME: home.root, GEMINI_API_KEY: "x", GOOGLE_GEMINI_BASE_URL: url };
      return { name: "Gemini CLI", command: process.execPath, args: [entry, "--acp"], env };
    },
    write: (file_path, content) => ({ tool: "write_file", input: { file_path, content } }),
    run: (command) => ({ tool: "run_shell_command", input: { command } }),
    repair: (file_path) => [
      { tool: "replace", input: { file_path, instruction: "Add.", ...REPAIR } },
    ],
  },
];

function wordsOf({ parts }: AgentTurn): string {
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}

/** A text that the model says when the test wants. */
function heldText(): { readonly text: Promise<string>; say(text: string): void } {
  let say: (text: string) => void = () => undefined;
  const text = new Promise<string>((resolve) => {
    say = resolve;
  });
  return { text, say: (said) => say(said) };
}

/** Runs only where it is asked for: the agents take a gigabyte in the cache folder. */
describe("agents of other makers in Graft's chat", () => {
  let work: ShadowWorkspace;
  let home: TempFolder;
  chatsIn({});

  before(async function () {
    await needsShadows(this, "overlay");
    await needsAgents(this);
  });
  beforeEach(async () => {
    work = await shadowWorkspace(FILES, "overlay");
    home = await tempFolder();
  });
  afterEach(async () => {
    await work.remove();
    await home.remove();
  });

  const machineTools = async () =>
    processTools({
      workspace: await createNodeWorkspace(work.root),
      shell: createNodeShell(),
      git: createNodeGit(async () => ({ folders: [work.root], opened: null })),
      ...{ shadows: work.shadows, startAgent: startAcpAgent },
      runChoice: () => ({ on: "proposals", sandbox: "auto" }),
    });

  for (const agent of AGENTS)
    it(`proposes what ${agent.name} writes, repairs and runs, tells it decisions, stops it`, async () => {
      const model = await agent.serve([
        agent.write(work.at("new.js"), NEW),
        agent.run(`node test.js; echo out > '${path.join(home.root, "outside")}'`),
        ...agent.repair(work.at("add.js")),
        agent.run("node test.js && sed -i 's/a - b/b - a/' sub.js"),
        { text: "All three are done." },
        agent.run("cat sub.js add.js"),
        agent.run(`node -e '${LONG}'`),
        { text: "This is never said." },
      ]);
      const program = await agent.program(home, model.url);
      const machine = await machineTools();
      const rejected = new Set<string>();
      const kept = createPendingReviewer();
      const reviewer: Reviewer = {
        ...kept,
        pending: (file) => (rejected.has(file.path) ? null : kept.pending(file)),
        allPending: () => kept.allPending().filter(({ file }) => !rejected.has(file.path)),
      };
      const asked: string[] = [];
      await open([]);
      const chat = await another({
        workspace: await createNodeWorkspace(work.root),
        reviewer,
        chatAgent: machine.agentOf,
        connect: async () => ({ ok: true, value: { agent: program } }),
        approval: {
          async request({ summary, command }) {
            asked.push(command?.text ?? summary);
            return { allowed: true, by: "user" };
          },
        },
      });
      const before = work.snapshot();
      try {
        assert.equal(await chat.send("Repair add."), "done");
        const turn = lastAnswer(chat);
        const texts = reviewer.allPending().map(({ file, text }) => [file.path, text]);
        assert.deepEqual(Object.fromEntries(texts), PROPOSED);
        assert.deepEqual(kept.operations.pending, []);
        assert.deepEqual(work.snapshot(), before);
        // Gemini CLI tells its client nothing of what a command writes.
        const results = model.heard().at(-1) ?? "";
        assert.match(results, /add is wrong/);
        assert.match(results, /add passes/);
        assert.match(results, /denied|EACCES/, "it hears that it may not write there");
        assert.ok(!fs.existsSync(path.join(home.root, "outside")));
        assert.ok(asked.some((text) => text.includes("sed -i")));

        const block = [...turn.edits.values()].find((edit) => edit.path === "sub.js");
        assert.ok(block);
        rejected.add("sub.js");
        chat.decided(
          { chatId: "chat-1", turnId: turn.id, callId: block.callId },
          "sub.js",
          [
            {
              ...{ blockId: block.blockId, status: "rejected" },
              reason: { code: "rejected-by-user" },
            },
          ],
          null,
        );
        const already = model.heard().length;
        const second = chat.send("Go on.");
        let isOver = false;
        void second.then(() => {
          isOver = true;
        });
        while (!isRunning("node", "-e", LONG) && !isOver) await new Promise(setImmediate);
        assert.ok(isRunning("node", "-e", LONG), "the long command runs");
        chat.stop();
        assert.equal(await second, "cancelled");
        const [next = "", after = ""] = model.heard().slice(already);
        const told = next.slice(next.lastIndexOf("All three are done."));
        assert.match(told, /sub\.js/);
        assert.match(told, /reject/i);
        assert.match(told, /Go on\./);
        // The rejected file is as it was, and what waits is there.
        const seen = after.slice(after.lastIndexOf("All three are done."));
        assert.match(seen, /=> a - b[\s\S]*=> a \+ b/);
        assert.deepEqual(work.snapshot(), before);
      } finally {
        await chat.dispose();
        await machine.dispose();
        await model.close();
      }
      assert.ok(!isRunning("node", "-e", LONG), "nothing of the agent is left");
      assert.deepEqual(work.snapshot(), before);
    }).timeout(600_000);

  it("proposes an edit block of Claude Code's text while it writes, and tells it that it is accepted", async () => {
    const middle = heldText();
    const rest = heldText();
    const model = await startAnthropicServer([
      { tool: "Read", input: { file_path: work.at("src/add.js") } },
      {
        text: "I repair add.\n\n```js:ast-path:add src/add.js\nfunction add",
        more: [middle.text, rest.text],
      },
      { tool: "Bash", input: { command: "cat src/add.js", description: "look" } },
      { text: "I see." },
    ]);
    const machine = await machineTools();
    const reviewer = createPendingReviewer();
    const workspace = await createNodeWorkspace(work.root);
    const program = await claudeCode(home, model.url);
    await open([]);
    const chat = await another({
      workspace,
      reviewer,
      chatAgent: machine.agentOf,
      connect: async () => ({ ok: true, value: { agent: program } }),
    });
    const states: string[] = [];
    let isOver = false;
    chat.onEvent((event) => {
      if (event.type === "edit-update") states.push(event.edit.status);
    });
    const until = async (what: string, isThere: () => boolean) => {
      while (!isThere() && !isOver) await new Promise(setImmediate);
      assert.ok(isThere(), what);
    };
    const files = work.snapshot();
    try {
      const done = chat.send("Repair add.");
      void done.then(() => {
        isOver = true;
      });
      await until("it streams", () => states.includes("streaming"));
      middle.say(ADDS.slice("function add".length));
      await until("it grows", () => wordsOf(lastAnswer(chat)).includes("return a + b"));
      assert.equal(states.at(-1), "streaming");
      assert.deepEqual(reviewer.allPending(), [], "an open block is no proposal");
      rest.say("```\n\nPlease look at it.");
      assert.equal(await done, "done");
      const turn = lastAnswer(chat);
      const [edit, ...others] = turn.edits.values();
      assert.ok(edit && others.length === 0);
      assert.deepEqual([edit.status, edit.warnings], ["pending", []], "it has read the file");
      const said = wordsOf(turn);
      assert.ok(said.includes(`\`\`\`js:ast-path:add src/add.js\n${ADDS}\`\`\``), said);
      const [proposal] = reviewer.allPending();
      assert.deepEqual([proposal?.file.path, proposal?.text], ["src/add.js", ADDS + SUBS]);
      assert.equal(proposal?.blocks[0]?.origin.agent, "Claude Code");
      assert.deepEqual(work.snapshot(), files);
      await decidePending(
        reviewer,
        {
          ...{ workspace, write: createFileApplier(workspace) },
          files: await createNodeWorkspaceFiles(work.root),
          ask: async () => true,
          settled: (_, __, error) => assert.equal(error, null),
          decided: (origin, path, blocks) => chat.decided(origin, path, blocks, null),
        },
        new AbortController().signal,
      );
      assert.equal(fs.readFileSync(work.at("src/add.js"), "utf8"), ADDS + SUBS);
      const already = model.heard.length;
      isOver = false;
      assert.equal(await chat.send("Go on."), "done");
      const [next = ""] = model.heard.slice(already);
      const told = next.slice(next.lastIndexOf("Please look at it."));
      assert.match(told, /src\/add\.js', ast-path:add: accepted[\s\S]*Go on\./);
      assert.match(model.heard.at(-1) ?? "", /return a \+ b/);
    } finally {
      middle.say("");
      rest.say("");
      await chat.dispose();
      await machine.dispose();
      await model.close();
    }
    assert.deepEqual(Object.keys(work.snapshot()), Object.keys(files));
  }).timeout(600_000);
});
