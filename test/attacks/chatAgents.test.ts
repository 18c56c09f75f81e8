import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { createPendingReviewer } from "../../src/edits/review/pendingReviewer.ts";
import { startAcpAgent } from "../../src/node/agents/acpAgent.ts";
import { createNodeWorkspace } from "../../src/node/files/nodeWorkspace.ts";
import { createNodeGit } from "../../src/node/processes/nodeGit.ts";
import { createNodeShell } from "../../src/node/processes/nodeShell.ts";
import { type ProcessTools, processTools } from "../../src/tools/processTools.ts";
import type { AgentTurn } from "../../src/turns/turn.ts";
import { type TurnEvent, turnEventSchema } from "../../src/turns/turnEvent.ts";
import { bundledScript } from "../fakes/bundledScript.ts";
import { comes } from "../fakes/comes.ts";
import { gitRepository } from "../fakes/workspace/gitRepository.ts";
import { chat, chatsIn, folder, lastAnswer, open } from "../unit/agent/chat/chatHarness.ts";
import { needsShadows, shadowsOn } from "../unit/node/shadow/shadowWorkspace.ts";

const FILES = { "a.txt": "one\n" };

describe("an agent of another maker that keeps to no protocol", () => {
  let machine: ProcessTools;
  let reviewer: ReturnType<typeof createPendingReviewer>;
  let asked: string[];
  let events: TurnEvent[];

  before(async function () {
    await needsShadows(this, "overlay");
  });
  afterEach(async () => {
    await machine.dispose();
    assert.deepEqual(fs.readdirSync(folder.root).sort(), [".git", "a.txt"]);
    assert.equal(fs.readFileSync(path.join(folder.root, "a.txt"), "utf8"), FILES["a.txt"]);
    // What a chat cannot read again is gone with the window.
    for (const event of events)
      assert.ok(turnEventSchema.safeParse(JSON.parse(JSON.stringify(event))).success, event.type);
  });
  chatsIn(FILES);

  async function begin(play: string, answers: object = {}): Promise<void> {
    await gitRepository(folder.root, "-A");
    machine = processTools({
      workspace: await createNodeWorkspace(folder.root),
      shell: createNodeShell(),
      git: createNodeGit(async () => ({ folders: [folder.root], opened: null })),
      shadows: await shadowsOn("overlay", [folder.root]),
      startAgent: startAcpAgent,
    });
    reviewer = createPendingReviewer();
    [asked, events] = [[], []];
    const env = { PLAY: play, ANSWERS: JSON.stringify(answers) };
    const args = [bundledScript("test/fakes/agents/hostileAgent.ts")];
    const agent = { name: "Hostile", command: process.execPath, args, env };
    await open([], {
      reviewer,
      approval: {
        async request({ summary }) {
          asked.push(summary);
          return { allowed: true, by: "user" };
        },
      },
      chatAgent: machine.agentOf,
      connect: async () => ({ ok: true, value: { agent } }),
    });
    chat.onEvent((event) => events.push(event));
  }

  const textOf = ({ parts }: AgentTurn) =>
    parts.map((part) => (part.type === "text" ? part.text : "")).join("");
  const problemOf = ({ error }: AgentTurn) => error?.code === "agent-failed" && error.problem;
  const callsOf = ({ toolCalls }: AgentTurn) =>
    [...toolCalls.values()].map(({ name, status, output }) => [name, status, output]);

  it("is stopped at once, however many of its calls have ended", async () => {
    await begin("many calls that end");
    const done = chat.send("Please.");
    await comes("a call that ended", () => events.some(({ type }) => type === "tool-result"));
    chat.stop();
    assert.equal(await done, "cancelled");
    // A look after each of these calls would take minutes.
    const looked = events.filter(({ type }) => type === "tool-result").length;
    assert.ok(lastAnswer().toolCalls.size >= looked);
  }).timeout(60_000);

  it("ends its turn with many calls open", async () => {
    await begin("many calls that stay open");
    assert.equal(await chat.send("Please."), "done");
    assert.equal(lastAnswer().toolCalls.size, 1_500);
  });

  for (const play of ["text without end", "a result of 50 MB"])
    it(`is ended, and its user told, for ${play}`, async () => {
      await begin(play);
      assert.equal(await chat.send("Please."), "error");
      assert.equal(problemOf(lastAnswer()), "too-much");
    });

  it("may name its calls as it named others", async () => {
    await begin("the same ids again");
    for (const time of [1, 2]) {
      assert.equal(await chat.send("Please."), "done");
      const turn = lastAnswer();
      assert.deepEqual(callsOf(turn), [
        ["agent_edit", "success", ""],
        ["agent_execute", "success", "out"],
      ]);
      const [edit] = turn.edits.values();
      assert.equal(edit?.callId, [...turn.toolCalls.keys()][0]);
      assert.equal(reviewer.allPending()[0]?.text, `${time}\n`);
    }
    const ids = [...chat.tree.turns.values()].flatMap((turn) =>
      turn.role === "agent" ? [...turn.toolCalls.keys()] : [],
    );
    assert.equal(new Set(ids).size, 4, "a decision on one is on no other");
  });

  it("cannot ask or speak for another session", async () => {
    await begin("another session");
    assert.equal(await chat.send("Please."), "done");
    assert.deepEqual(asked, []);
    assert.equal(textOf(lastAnswer()), '{"outcome":{"outcome":"cancelled"}}');
  });

  it("counts what it counts, and plans what can be read", async () => {
    await begin("numbers that are none");
    assert.equal(await chat.send("Please."), "done");
    const turn = lastAnswer();
    assert.deepEqual([turn.contextUse?.history, turn.contextUse?.window], [5, 10]);
    const [plan] = turn.toolCalls.values();
    assert.equal(plan?.output?.split("\n").length, 200);
  });

  it("is heard through rubbish", async () => {
    await begin("rubbish between the lines");
    assert.equal(await chat.send("Please."), "done");
    assert.equal(textOf(lastAnswer()), "still here");
    assert.deepEqual(callsOf(lastAnswer()), [["agent_execute", "success", ""]]);
  });

  const unread: Readonly<Record<string, readonly unknown[]>> = {
    initialize: [null, { protocolVersion: "1" }],
    "session/new": [{}, { sessionId: 5 }],
    "session/prompt": [null, { stopReason: {} }],
  };
  for (const [method, answers] of Object.entries(unread))
    for (const answer of answers)
      it(`fails clearly where it answers ${method} with ${JSON.stringify(answer)}`, async () => {
        await begin("", { [method]: answer });
        assert.equal(await chat.send("Please."), "error");
        assert.equal(problemOf(lastAnswer()), "unreadable");
      });

  it("works where only what it tells of itself and offers cannot be read", async () => {
    await begin("rubbish between the lines", {
      initialize: { protocolVersion: 1, agentInfo: 5, agentCapabilities: { loadSession: {} } },
      "session/new": {
        ...{ sessionId: "session-1", modes: { currentModeId: 1 } },
        configOptions: [null, { type: "select", id: "a", options: 5 }],
      },
    });
    assert.equal(await chat.send("Please."), "done");
    assert.equal(textOf(lastAnswer()), "still here");
  });

  it("is over with half a line, and what it said before is kept", async () => {
    await begin("half a line");
    assert.equal(await chat.send("Please."), "error");
    assert.equal(problemOf(lastAnswer()), "ended");
    assert.equal(textOf(lastAnswer()), "begun");
  });

  it("hears what of its work is lost, and so does its user", async () => {
    await begin("400 files and a commit");
    assert.equal(await chat.send("Please."), "done");
    assert.deepEqual(reviewer.allPending(), []);
    const lost = lastAnswer().parts.flatMap((part) =>
      part.type === "notice" && part.code === "agent-changes-lost"
        ? [[part.files, part.repository]]
        : [],
    );
    assert.deepEqual(lost, [[400, true]]);
    const report = lastAnswer().parts.find((part) => part.type === "edit-report");
    assert.match(report?.text ?? "", /400 files/);
  });
});
