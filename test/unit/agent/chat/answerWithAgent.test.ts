import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { openGuest } from "../../../../src/agent/guests/openGuest.ts";
import { toBase64 } from "../../../../src/base/text/base64.ts";
import { noLanguageServices } from "../../../../src/cli/nonInteractive.ts";
import { createPendingReviewer } from "../../../../src/edits/review/pendingReviewer.ts";
import { memoryStore } from "../../../../src/model/learnedCapabilities.ts";
import { startAcpAgent } from "../../../../src/node/agents/acpAgent.ts";
import { createNodeWorkspace } from "../../../../src/node/files/nodeWorkspace.ts";
import { createNodeWorkspaceFiles } from "../../../../src/node/files/nodeWorkspaceFiles.ts";
import { createNodeGit } from "../../../../src/node/processes/nodeGit.ts";
import { createNodeShell } from "../../../../src/node/processes/nodeShell.ts";
import type { ApprovalRequest } from "../../../../src/ports/approval.ts";
import type { AgentProgram } from "../../../../src/ports/commands/chatAgent.ts";
import type { ShadowBackendName } from "../../../../src/ports/commands/shadow.ts";
import type { Workspace } from "../../../../src/ports/workspace.ts";
import { type ProcessTools, processTools } from "../../../../src/tools/processTools.ts";
import type { AgentTurn } from "../../../../src/turns/turn.ts";
import type { TurnEvent } from "../../../../src/turns/turnEvent.ts";
import { bundledScript } from "../../../fakes/bundledScript.ts";
import { comes } from "../../../fakes/comes.ts";
import { testSyntax } from "../../../fakes/editor/testSyntax.ts";
import { memoryImageStore, PNG_DOT } from "../../../fakes/images.ts";
import { RecordingLogger } from "../../../fakes/recordingLogger.ts";
import { MemoryEventLog } from "../../../fakes/turns/memoryEventLog.ts";
import { gitRepository } from "../../../fakes/workspace/gitRepository.ts";
import { type TempFolder, tempFolder } from "../../../fakes/workspace/tempFolder.ts";
import { needsShadows, shadowsOn } from "../../node/shadow/shadowWorkspace.ts";
import { chat, chatsIn, folder, lastAnswer, open } from "./chatHarness.ts";

const FILES = { "a.txt": "one\n", "b.txt": "two\nzwei\n", ".gitignore": "out/\n" };
/** The workspace, trusted as the test says at the time. */
function workspaceThat(own: Workspace, isTrusted: () => boolean): Workspace {
  return Object.create(own, { trusted: { get: isTrusted } });
}

const TOOL_SERVER = { command: "node", args: ["graft", "mcp"], env: { A: "b" } };
const SCRIPT = "test/fakes/agents/scriptedAgent.ts";

describe("a chat that another maker's agent answers", () => {
  let machine: ProcessTools;
  let reviewer: ReturnType<typeof createPendingReviewer>;
  let asked: ApprovalRequest[];
  let events: TurnEvent[];
  let allows: boolean;
  let backend: ShadowBackendName | "none";
  let isTrusted: boolean;
  /** Lies outside of the workspace, so that the agent writes to the files themselves. */
  let side: TempFolder;
  chatsIn(FILES);

  before(async function () {
    await needsShadows(this, "overlay");
  });
  beforeEach(async () => {
    await gitRepository(folder.root, "-A");
    side = await tempFolder({});
    [asked, events, allows] = [[], [], true];
    backend = "overlay";
    isTrusted = true;
  });
  afterEach(async () => {
    await machine?.dispose();
    await side.remove();
  });

  /** Opens a chat with an agent that plays one list of steps a prompt. */
  async function begin(
    steps: readonly (readonly Readonly<Record<string, unknown>>[])[],
    env: Readonly<Record<string, string>> = {},
    parts: Partial<Parameters<typeof open>[1]> = {},
  ): Promise<void> {
    const own = await createNodeWorkspace(folder.root);
    const workspace = workspaceThat(own, () => isTrusted);
    const shadows = await shadowsOn(backend, [folder.root]);
    await machine?.dispose();
    machine = processTools({
      workspace,
      shell: createNodeShell(),
      git: createNodeGit(async () => ({ folders: [folder.root], opened: null })),
      ...{ shadows, startAgent: startAcpAgent, toolServer: () => TOOL_SERVER },
    });
    reviewer = createPendingReviewer();
    const agent: AgentProgram = {
      name: "Scripted",
      command: process.execPath,
      args: [bundledScript(SCRIPT)],
      env: {
        STEPS: JSON.stringify(steps),
        PROMPTS: path.join(side.root, "prompts"),
        ...env,
      },
    };
    await open([], {
      reviewer,
      approval: {
        async request(request) {
          asked.push(request);
          return { allowed: allows, by: "user" };
        },
      },
      chatAgent: machine.agentOf,
      connect: async () => ({ ok: true, value: { agent } }),
      ...parts,
    });
    chat.onEvent((event) => events.push(event));
  }

  const toldPrompts = (): readonly string[] =>
    fs
      .readFileSync(path.join(side.root, "prompts"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));

  const proposedTexts = () =>
    Object.fromEntries(reviewer.allPending().map(({ file, text }) => [file.path, text]));
  const textOf = (turn: AgentTurn) =>
    turn.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
  const callsOf = (turn: AgentTurn) =>
    [...turn.toolCalls.values()].map(({ name, status }) => `${name} ${status}`);
  function assertUntouched(): void {
    for (const [name, text] of Object.entries(FILES))
      assert.equal(fs.readFileSync(path.join(folder.root, name), "utf8"), text, name);
    assert.deepEqual(fs.readdirSync(folder.root).sort(), [
      ...[".git", ".gitignore", "a.txt", "b.txt"],
    ]);
  }

  it("shows what it says and does, and proposes what it writes", async () => {
    await begin([
      [
        { think: "Let me see." },
        { say: "I change " },
        { say: "two files." },
        { write: "a.txt", text: "ONE\n" },
        { run: "echo new > c.txt; rm b.txt; cat a.txt" },
        { plan: ["write", "test"], done: 1 },
        { say: "Done." },
      ],
    ]);
    assert.equal(await chat.send("Please."), "done");
    const turn = lastAnswer();
    assert.equal(turn.model, "Scripted");
    assert.equal(textOf(turn), "I change two files.Done.");
    assert.deepEqual(callsOf(turn), [
      "agent_edit success",
      "agent_execute success",
      "agent_plan success",
    ]);
    const [write, run] = [...turn.toolCalls.values()];
    assert.equal(run?.output, "ONE\n");
    assert.equal(write?.onProposals, null);
    assert.deepEqual(run?.onProposals, { changed: 0, created: 1, deleted: 1, backend: "overlay" });
    assert.deepEqual(proposedTexts(), { "a.txt": "ONE\n", "c.txt": "new\n" });
    assert.deepEqual(
      reviewer.operations.pending.map(({ file }) => file.path),
      ["b.txt"],
    );
    const authors = [
      ...reviewer.allPending().flatMap(({ blocks }) => blocks),
      ...reviewer.operations.pending,
    ].map(({ origin }) => origin.agent);
    assert.deepEqual(authors, ["Scripted", "Scripted", "Scripted"]);
    assert.deepEqual(
      [...turn.edits.values()].map(
        ({ path: file, callId }) => `${file} ${callId === write?.callId}`,
      ),
      ["a.txt true", "c.txt false", "b.txt false"],
    );
    assertUntouched();
  });

  it("asks for what has effects elsewhere, and not for what only proposes", async () => {
    allows = false;
    await begin([
      [
        { write: "a.txt", text: "ONE\n", ask: true },
        { run: "echo ran > a.txt", ask: true },
      ],
    ]);
    assert.equal(await chat.send("Please."), "done");
    assert.deepEqual(
      asked.map(({ command, onProposals }) => [command?.text, onProposals?.backend]),
      [["echo ran > a.txt", "overlay"]],
    );
    assert.deepEqual(callsOf(lastAnswer()), ["agent_edit success", "agent_execute error"]);
    assert.deepEqual(proposedTexts(), { "a.txt": "ONE\n" });
  });

  it("asks whether an agent that knows no other yes may always do a thing", async () => {
    const steps = [
      { write: "a.txt", text: "ONE\n", ask: true },
      { run: "echo ran > b.txt", ask: true },
    ];
    for (allows of [false, true]) {
      await begin([steps], { OPTIONS: "always,no" });
      assert.equal(await chat.send("Please."), "done");
      assert.deepEqual(
        asked.map(({ eachTime, command }) => [eachTime, command]),
        [true, true].map((each) => [each, undefined]),
      );
      for (const { summary } of asked) assert.match(summary, /always/);
      assert.match(asked[1]?.arguments ?? "", /echo ran/);
      assert.deepEqual(proposedTexts(), allows ? { "a.txt": "ONE\n", "b.txt": "ran\n" } : {});
      asked = [];
    }
  });

  it("asks nobody where an agent knows no yes", async () => {
    await begin([[{ run: "echo ran > a.txt", ask: true }]], { OPTIONS: "no" });
    assert.equal(await chat.send("Please."), "done");
    assert.deepEqual([asked, proposedTexts()], [[], {}]);
  });

  it("says which links and files that are no text it cannot propose", async () => {
    await begin([[{ run: "ln -s /etc made; printf '\\0' > bin; echo x > c.txt" }], []]);
    assert.equal(await chat.send("Please."), "done");
    const lost = ["bin", "made"].map((name) => path.join(folder.root, name));
    const said = lastAnswer().parts.flatMap((part) =>
      part.type === "notice" && part.code === "agent-changes-lost"
        ? [part.unproposed?.toSorted()]
        : [],
    );
    assert.deepEqual(said, [lost]);
    assert.deepEqual(proposedTexts(), { "c.txt": "x\n" });
    await chat.send("Go on.");
    for (const name of lost) assert.ok(toldPrompts()[1]?.includes(name), name);
    assertUntouched();
  });

  it("goes on in its session, and hears what the user decided", async () => {
    await begin([
      [
        { write: "a.txt", text: "ONE\n" },
        { write: "b.txt", text: "TWO\nzwei\n" },
      ],
      [{ run: "cat a.txt b.txt" }],
    ]);
    await chat.send("First.");
    const decided = lastAnswer();
    const block = [...decided.edits.values()].find((edit) => edit.path === "a.txt");
    assert.ok(block);
    chat.decided(
      { chatId: "chat-1", turnId: decided.id, callId: block.callId },
      "a.txt",
      [
        { blockId: block.blockId, status: "rejected", reason: { code: "rejected-by-user" } },
      ] as never,
      null,
    );
    await chat.send("Second.");
    const [, second = ""] = toldPrompts();
    assert.match(second, /a\.txt/);
    assert.ok(second.endsWith("Second."));
    assert.equal([...lastAnswer().toolCalls.values()][0]?.output, "ONE\nTWO\nzwei\n");
  });

  it("stops when the user stops it, also where it does not listen", async () => {
    for (const wait of ["cancel", "forever"] as const) {
      await begin([[{ say: "Working." }, { write: "a.txt", text: "half\n" }, { wait }]]);
      const done = chat.send("Please.");
      await comes("a proposal", () => Object.keys(proposedTexts()).length > 0);
      chat.stop();
      assert.equal(await done, "cancelled", wait);
      assert.deepEqual(proposedTexts(), { "a.txt": "half\n" });
      assertUntouched();
    }
  });

  it("says in the row of a failed call what it wrote, without the agent's fences", async () => {
    await begin([[{ run: "printf '```\\nno such test\\n```\\n'; exit 1" }]]);
    await chat.send("Please.");
    assert.equal([...lastAnswer().toolCalls.values()][0]?.error?.message, "no such test");
  });

  const failures: readonly (readonly [
    string,
    readonly Readonly<Record<string, unknown>>[],
    Readonly<Record<string, string>>,
    string,
  ])[] = [
    ["ends in the middle", [{ say: "Begun." }, { exit: 3, says: "out of luck" }], {}, "ended"],
    ["wants a sign-in", [], { SIGN_IN: "1" }, "sign-in"],
    ["speaks another protocol", [], { VERSION: "99" }, "other-protocol"],
    ["refuses", [{ stop: "refusal" }], {}, "refused"],
  ];
  for (const [what, steps, env, problem] of failures)
    it(`says so where the agent ${what}`, async () => {
      await begin([steps], env);
      assert.equal(await chat.send("Please."), "error");
      const { error } = lastAnswer();
      assert.ok(error?.code === "agent-failed");
      assert.equal(error.problem, problem);
      if (problem === "ended") assert.match(error.detail, /out of luck/);
      if (problem === "sign-in") assert.match(error.detail, /scripted login/);
      assertUntouched();
    });

  const METHODS = JSON.stringify([
    { id: "term", name: "In a terminal", type: "terminal" },
    { id: "broken", name: "With a key" },
    { id: "web", name: "In the browser", description: "Opens a page." },
  ]);
  const signInProblem = () => {
    const { error } = lastAnswer();
    return error?.code === "agent-failed" && [error.problem, error.detail];
  };

  for (const when of ["SIGN_IN", "SIGN_IN_LATE"])
    it(`signs in as the user chooses, and goes on with the message (${when})`, async () => {
      await begin(
        [[{ say: "Hello." }]],
        { METHODS, [when]: "1" },
        {
          approval: {
            async request(request) {
              asked.push(request);
              return { allowed: /browser/.test(request.summary), by: "user" };
            },
          },
        },
      );
      assert.equal(await chat.send("Please."), "done");
      assert.equal(textOf(lastAnswer()), "Hello.");
      assert.equal(toldPrompts().length, 1);
      assert.deepEqual(
        asked.map(({ summary, arguments: more, eachTime }) => [summary, more, eachTime]),
        [
          ["Sign in to Scripted: With a key", undefined, true],
          ["Sign in to Scripted: In the browser", "Opens a page.", true],
        ],
      );
    });

  it("says so where the user does not sign in, or it fails", async () => {
    allows = false;
    await begin([[{ say: "Hello." }]], { METHODS, SIGN_IN: "1" });
    assert.equal(await chat.send("Please."), "error");
    assert.deepEqual(signInProblem(), ["sign-in", "Authentication required: Run `scripted login`"]);
    allows = true;
    await begin([[{ say: "Hello." }]], { METHODS, SIGN_IN: "1" });
    assert.equal(await chat.send("Please."), "error");
    assert.deepEqual(signInProblem(), ["sign-in-failed", "Internal error: no browser"]);
  });

  it("is stopped while it waits for the user to sign in", async () => {
    const slow = JSON.stringify([{ id: "slow", name: "Slowly" }]);
    await begin([[{ say: "Hello." }]], { METHODS: slow, SIGN_IN: "1" });
    const done = chat.send("Please.");
    await comes("a question", () => asked.length > 0);
    chat.stop();
    assert.equal(await done, "cancelled");
  });

  it("starts it anew after it ended, with the conversation so far", async () => {
    await begin([[{ say: "Begun." }, { exit: 1 }]]);
    await chat.send("First.");
    await chat.send("Second.");
    assert.match(toldPrompts()[1] ?? "", /user: First\.[\s\S]*Begun\.[\s\S]*Second\.$/);
  });

  it("finds its session again in another window", async () => {
    const [log, learned] = [new MemoryEventLog(), memoryStore()];
    const sessions = path.join(side.root, "sessions");
    await begin([[{ say: "One." }], [{ say: "Two." }]], { SESSIONS: sessions }, { log, learned });
    await chat.send("First.");
    await chat.dispose();
    await begin([[{ say: "Again." }]], { SESSIONS: sessions }, { log, learned });
    await chat.send("Second.");
    assert.equal(toldPrompts().at(-1), "Second.", "it knows the rest");
    assert.equal(textOf(lastAnswer()), "Again.", "what it repeats is not shown");
  });

  it("goes on with another version of the agent, which knows neither its session nor its mode", async () => {
    let env: Record<string, string> = { MODES: "ask,plan", SESSIONS: path.join(side.root, "old") };
    const steps = [[{ write: "a.txt", text: "ONE\n" }, { say: "One." }]];
    const program = (): AgentProgram => ({
      ...{ name: `Scripted${env.SESSIONS?.slice(-3)}`, command: process.execPath },
      args: [bundledScript(SCRIPT)],
      env: {
        STEPS: JSON.stringify(steps),
        PROMPTS: path.join(side.root, "prompts"),
        ...env,
      },
    });
    await begin([], {}, { connect: async () => ({ ok: true, value: { agent: program() } }) });
    await chat.send("First.");
    const [modes] = chat.tree.offers?.options ?? [];
    assert.equal(await chat.chooseAgentOption(modes?.id ?? "", "plan"), true);
    env = { MODES: "ask,auto", SESSIONS: path.join(side.root, "new") };
    fs.writeFileSync(path.join(side.root, "new"), "");
    steps[0] = [{ write: "b.txt", text: "TWO\n" }, { say: "Two." }];
    assert.equal(await chat.send("Second."), "done");
    assert.match(toldPrompts().at(-1) ?? "", /user: First\.[\s\S]*One\.[\s\S]*Second\. \[ask\]$/);
    assert.deepEqual(proposedTexts(), { "a.txt": "ONE\n", "b.txt": "TWO\n" });
    const authors = reviewer
      .allPending()
      .flatMap(({ blocks }) => blocks.map(({ origin }) => origin.agent));
    assert.deepEqual(authors, ["Scriptedold", "Scriptednew"]);
    assertUntouched();
  });

  it("keeps what another agent proposes in the same file, and refuses the same lines", async () => {
    const text = "1\n2\n3\n4\n5\n";
    fs.writeFileSync(path.join(folder.root, "a.txt"), text);
    await begin([
      [{ write: "a.txt", text: text.replace("1", "uno") }],
      [{ write: "a.txt", text: text.replace("5", "fünf") }],
    ]);
    const workspace = await createNodeWorkspace(folder.root);
    const logger = new RecordingLogger();
    const guest = openGuest({
      ...{ chatId: "guest-1", agent: "Other", workspace, reviewer, logger, writes: false },
      files: await createNodeWorkspaceFiles(folder.root),
      syntax: testSyntax,
      services: noLanguageServices,
    });
    const { signal } = new AbortController();
    await guest.call("read_file", { file_path: "a.txt" }, signal);
    const edits = [{ at: "1:1", code: "eins" }];
    await guest.call("edit_file", { file_path: "a.txt", edits }, signal);
    await chat.send("The first line.");
    assert.deepEqual(proposedTexts(), { "a.txt": text.replace("1", "eins") });
    const [call] = lastAnswer().toolCalls.values();
    assert.deepEqual(
      [...lastAnswer().edits.values()].map(({ callId, path: file, status, reason }) => ({
        ...{ file, status, isIts: callId === call?.callId },
        why: reason?.code === "write-failed" && reason.error.code,
      })),
      [{ file: "a.txt", status: "rejected", isIts: true, why: "changed-meanwhile" }],
    );
    await chat.send("The last line.");
    const both = text.replace("1", "eins").replace("5", "fünf");
    assert.match(toldPrompts().at(-1) ?? "", /'a\.txt'[\s\S]*The last line/, "it hears of it");
    assert.deepEqual(proposedTexts(), { "a.txt": both });
    const [proposal] = reviewer.allPending();
    assert.deepEqual(
      proposal?.blocks.map(({ origin }) => origin.agent),
      ["Other", "Scripted"],
    );
    assert.equal(fs.readFileSync(path.join(folder.root, "a.txt"), "utf8"), text);
  });

  it("loses nothing that comes late, many times or mixed with rubbish", async () => {
    await begin([
      [{ rubbish: "this is no JSON\n" }, { say: "x", times: 20_000 }, { late: " end" }],
    ]);
    assert.equal(await chat.send("Please."), "done");
    assert.equal(textOf(lastAnswer()), `${"x".repeat(20_000)} end`);
  });

  it("leaves a check beside it its own changes", async () => {
    await begin([[{ write: "a.txt", text: "ONE\n" }], [{ run: "ls" }]]);
    await chat.send("Please.");
    const files = reviewer.allPending().map(({ file, text }) => ({ file, text }));
    const line = { text: "cat a.txt > made.txt && grep -q ONE made.txt", folder: "." };
    const check = { chatId: "chat-1", files, line, isSandboxed: false, onOutput() {} };
    const outcome = await machine.check(check, new AbortController().signal);
    assert.equal(outcome.code, "passed");
    assert.equal(await machine.runsOnProposals("chat-1"), false);
    await chat.send("Look.");
    assert.equal([...lastAnswer().toolCalls.values()][0]?.output, "a.txt\nb.txt\n");
    assert.deepEqual(proposedTexts(), { "a.txt": "ONE\n" });
  });

  it("offers the agent's modes and commands, and sends what is chosen", async () => {
    const env = { MODES: "ask,plan,refused" };
    const steps = [
      [
        { commands: { review: "Reviews\n a \u001b[31mlot", "no good": "a space" } },
        { say: "One." },
        { mode: "plan" },
      ],
      [{ say: "Two." }],
      [{ say: "Three." }],
    ];
    await begin(steps, env);
    await chat.send("First.");
    const { offers } = chat.tree;
    assert.equal(offers?.agent, "Scripted");
    assert.deepEqual(
      offers.commands.map(({ name }) => name),
      ["review"],
    );
    const said = offers.commands[0]?.description ?? "";
    assert.ok(said.startsWith("Reviews a ") && !said.includes("\u001b"));
    const [modes] = offers.options;
    assert.equal(modes?.current, "plan", "as the agent says");
    assert.deepEqual(
      modes.values.map(({ id, name }) => [id, name]),
      [
        ["ask", "ASK"],
        ["plan", "PLAN"],
        ["refused", "REFUSED"],
      ],
    );
    assert.equal(await chat.chooseAgentOption(modes.id, "ask"), true);
    assert.equal(chat.tree.offers?.options[0]?.current, "ask");
    assert.equal(await chat.chooseAgentOption(modes.id, "refused"), false);
    assert.equal(chat.tree.offers?.options[0]?.current, "ask");
    await chat.chooseAgentOption(modes.id, "plan");
    await chat.send("/review this");
    // Another process of the agent gets what the user chose.
    await chat.retry(lastAnswer().id);
    const [first, second, again] = toldPrompts();
    assert.match(first ?? "", /\n\nFirst\. \[ask\]$/);
    assert.equal(second, "/review this [plan]");
    // It hears of the conversation after the command, which is one at the beginning only.
    assert.match(again ?? "", /^\/review this\n[\s\S]*One\.[\s\S]* \[plan\]$/);
  });

  it("offers the agent's other choices", async () => {
    await begin([[{ say: "One." }]], { MODELS: "small,large" });
    await chat.send("First.");
    assert.equal(await chat.chooseAgentOption("model", "large"), true);
    assert.deepEqual(
      chat.tree.offers?.options.map(({ name, current }) => [name, current]),
      [["Model", "large"]],
    );
  });

  it("sends images to an agent that takes them, and keeps those of its answer", async () => {
    const images = memoryImageStore();
    const id = await images.add(PNG_DOT, "png");
    const data = toBase64(PNG_DOT);
    const shown = { id, width: 1, height: 1, preview: `data:image/png;base64,${data}` };
    const none = { path: null, lines: null, text: null };
    const image = { kind: "image" as const, ...none, name: "shot.png", image: shown };
    await begin(
      [[{ say: "Here: " }, { image: data }, { image: "no image" }]],
      { IMAGES: "1" },
      { images },
    );
    await chat.send("What is it?", [image]);
    assert.match(toldPrompts()[0] ?? "", /\nimage$/);
    const parts = lastAnswer().parts.flatMap((part) =>
      part.type === "answer-image" ? [part.attachment.image] : [],
    );
    assert.deepEqual(parts, [shown]);
    assert.ok(await images.read("chat-1", id));

    await begin([[{ say: "Where?" }]], {}, { images });
    await chat.send("What is it?", [image]);
    assert.doesNotMatch(toldPrompts().at(-1) ?? "", /\nimage$/);
    const notices = lastAnswer().parts.filter((part) => part.type === "notice");
    assert.deepEqual(
      notices.map(({ code }) => code),
      ["agent-without-images"],
    );
  });

  it("starts no agent in a workspace that is not trusted", async () => {
    isTrusted = false;
    await begin([[{ say: "Here." }]]);
    assert.equal(await chat.send("Please."), "error");
    const { error } = lastAnswer();
    assert.ok(error?.code === "agent-failed" && error.problem === "not-trusted");
    assert.ok(!fs.existsSync(path.join(side.root, "prompts")));
    // Once it is trusted, the same chat goes on.
    isTrusted = true;
    assert.equal(await chat.send("Now?"), "done");
  });

  it("asks once whether an agent may write first where no shadow can be had", async () => {
    backend = "none";
    allows = false;
    await begin([[{ write: "a.txt", text: "ONE\n" }]]);
    assert.equal(await chat.send("Please."), "error");
    const { error } = lastAnswer();
    assert.ok(error?.code === "agent-failed" && error.problem === "no-shadow");
    assert.deepEqual(
      asked.map(({ eachTime, notOnProposals }) => [eachTime, notOnProposals?.code]),
      [[true, "switched-off"]],
    );
    assertUntouched();
  });

  it("shows what an agent that writes first wants to change, and says that it does", async () => {
    backend = "none";
    await begin([
      [
        { write: "a.txt", text: "ONE\n", ask: true },
        { run: "cat a.txt", ask: true },
      ],
      [{ write: "a.txt", text: "TWO\n", ask: true }],
    ]);
    assert.equal(await chat.send("Please."), "done");
    assert.deepEqual(callsOf(lastAnswer()), [
      ...["agent_other success", "agent_edit success", "agent_execute success"],
    ]);
    const [, edit, command] = asked;
    assert.match(edit?.arguments ?? "", /a\.txt\n@@[\s\S]*-one\n\+ONE/);
    assert.equal(edit?.eachTime, true);
    assert.equal(command?.command?.text, "cat a.txt");
    assert.equal(command.onProposals, undefined);
    const notices = () =>
      lastAnswer().parts.flatMap((part) =>
        part.type === "notice" && part.code === "agent-without-shadow" ? [part.way] : [],
      );
    assert.deepEqual(notices(), ["writes-first"]);
    assert.equal(fs.readFileSync(path.join(folder.root, "a.txt"), "utf8"), "ONE\n");
    allows = false;
    await chat.send("Again.");
    assert.deepEqual(notices(), ["writes-first"]);
    assert.equal(asked.length, 4, "it is not asked again whether it may start");
    assert.equal(fs.readFileSync(path.join(folder.root, "a.txt"), "utf8"), "ONE\n");
  });

  it("hands Graft's tools to Claude Code in place of its own where no shadow can be had", async () => {
    backend = "none";
    const begun = path.join(side.root, "begun");
    const name = "@agentclientprotocol/claude-agent-acp";
    await begin([[{ say: "Done." }]], { NAME: name, BEGUN: begun });
    assert.equal(await chat.send("Please."), "done");
    assert.deepEqual(asked, []);
    const { mcpServers, _meta } = JSON.parse(fs.readFileSync(begun, "utf8"));
    assert.deepEqual(mcpServers, [
      { name: "graft", command: "node", args: ["graft", "mcp"], env: [{ name: "A", value: "b" }] },
    ]);
    const { disallowedTools, allowedTools } = _meta.claudeCode.options;
    for (const tool of ["Edit", "Write", "NotebookEdit", "Bash"])
      assert.ok(disallowedTools.includes(tool), tool);
    assert.deepEqual(allowedTools, ["mcp__graft"]);
    const notice = lastAnswer().parts.find((part) => part.type === "notice");
    assert.ok(notice?.code === "agent-without-shadow" && notice.way === "tools");
  });

  it("hands Graft's tools to OpenCode likewise, but not over the user's own settings", async () => {
    backend = "none";
    const begun = path.join(side.root, "begun");
    const env = { NAME: "OpenCode", BEGUN: begun };
    await begin([[{ run: "echo $OPENCODE_CONFIG_CONTENT" }]], env);
    assert.equal(await chat.send("Please."), "done");
    assert.deepEqual(asked, []);
    assert.equal(JSON.parse(fs.readFileSync(begun, "utf8")).mcpServers[0].name, "graft");
    const [call] = lastAnswer().toolCalls.values();
    const { permission, agent } = JSON.parse(call?.output ?? "");
    for (const rules of [permission, agent.build.permission])
      assert.deepEqual([rules["edit*"], rules["bash*"]], ["deny", "deny"]);
    await begin([[{ say: "Done." }]], { ...env, OPENCODE_CONFIG_CONTENT: "{}" });
    await chat.send("Please.");
    assert.deepEqual(JSON.parse(fs.readFileSync(begun, "utf8")).mcpServers, []);
    assert.equal(asked.length, 1, "it writes first, so the user is asked");
  });

  it("offers no mode of OpenCode's that may write, where it has Graft's tools, and leaves one", async () => {
    backend = "none";
    const env = { NAME: "OpenCode", MODES: "mine,build,plan" };
    await begin([[{ say: "One." }], [{ say: "Two." }]], env);
    assert.equal(await chat.send("First."), "done");
    const [modes] = chat.tree.offers?.options ?? [];
    assert.deepEqual(
      [modes?.current, modes?.values.map(({ id }) => id)],
      ["build", ["build", "plan"]],
    );
    assert.equal(await chat.chooseAgentOption(modes?.id ?? "", "mine"), false);
    await chat.send("Second.");
    assert.deepEqual(
      toldPrompts().map((text) => /\[\w+\]$/.exec(text)?.[0]),
      ["[build]", "[build]"],
    );
    await chat.dispose();
    await begin([[{ say: "One." }]], { ...env, MODES: "mine" });
    assert.equal(await chat.send("First."), "error", "it has no mode without its own tools");
  });

  it("works in a copy, whose paths stand for the workspace's", async () => {
    backend = "copy";
    await begin([
      [
        { write: "a.txt", text: "ONE\n", ask: true },
        { write: "b.txt", text: "TWO\n" },
        { run: "cat a.txt; pwd; echo more >> b.txt", ask: true },
      ],
      [{ run: "cat a.txt b.txt" }],
    ]);
    assert.equal(await chat.send("Please."), "done", JSON.stringify(lastAnswer().error));
    const turn = lastAnswer();
    const [first, second, run] = [...turn.toolCalls.values()];
    const place = run?.output?.split("\n")[1];
    assert.notEqual(place, folder.root);
    // What an absolute path in a copy leads to is the user's own file.
    assert.deepEqual(
      asked.map(({ command, onProposals, eachTime }) => [
        command?.text ?? null,
        onProposals?.backend ?? null,
        eachTime ?? false,
      ]),
      [
        [null, null, true],
        ["cat a.txt; pwd; echo more >> b.txt", "copy", false],
      ],
    );
    assert.ok(!JSON.stringify(asked.map(({ summary }) => summary)).includes(place ?? "/"));
    assert.deepEqual(
      [...turn.edits.values()].map(({ path: file, callId }) => [file, callId]),
      [
        ["a.txt", first?.callId],
        ["b.txt", second?.callId],
        ["b.txt", second?.callId],
      ],
    );
    assert.deepEqual(proposedTexts(), { "a.txt": "ONE\n", "b.txt": "TWO\nmore\n" });
    assertUntouched();
    await chat.send("Look.");
    assert.equal([...lastAnswer().toolCalls.values()][0]?.output, "ONE\nTWO\nmore\n");
  });

  it("runs nothing where no process can be started", async () => {
    await begin([[]], {}, { chatAgent: () => null });
    assert.equal(await chat.send("Please."), "error");
    const { error } = lastAnswer();
    assert.ok(error?.code === "agent-failed");
    assert.equal(error.problem, "no-processes");
  });
});
