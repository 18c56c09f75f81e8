import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { Chat } from "../../../../src/agent/chat/chat.ts";
import { DEFAULT_RETRY } from "../../../../src/agent/loop/retry.ts";
import { err, ok } from "../../../../src/base/result.ts";
import { ChangeJournal } from "../../../../src/edits/history/changeJournal.ts";
import { createPendingReviewer } from "../../../../src/edits/review/pendingReviewer.ts";
import { modelError } from "../../../../src/model/modelFailure.ts";
import { createOpenaiClient } from "../../../../src/model/openai/openaiClient.ts";
import { createNodeWorkspace } from "../../../../src/node/files/nodeWorkspace.ts";
import { createNodeWorkspaceFiles } from "../../../../src/node/files/nodeWorkspaceFiles.ts";
import { createNodeGit } from "../../../../src/node/processes/nodeGit.ts";
import { createNodeShell } from "../../../../src/node/processes/nodeShell.ts";
import {
  CandidateChats,
  type OptionsOfChats,
} from "../../../../src/review/candidates/candidateChats.ts";
import { chatStates } from "../../../../src/review/chats/chatStates.ts";
import { OpenChats } from "../../../../src/review/chats/openChats.ts";
import { type ProcessTools, processTools } from "../../../../src/tools/processTools.ts";
import type { AgentTurn } from "../../../../src/turns/turn.ts";
import { TurnStore } from "../../../../src/turns/turnStore.ts";
import { allowAll } from "../../../fakes/allowAll.ts";
import { testSyntax } from "../../../fakes/editor/testSyntax.ts";
import { hostNamed } from "../../../fakes/hostNamed.ts";
import { ManualClock } from "../../../fakes/manualClock.ts";
import {
  type ModelHandler,
  type ModelServer,
  type ModelStep,
  startModelServer,
} from "../../../fakes/model/modelServer.ts";
import { RecordingLogger } from "../../../fakes/recordingLogger.ts";
import { MemoryEventLog } from "../../../fakes/turns/memoryEventLog.ts";
import { MemoryEventLogStorage } from "../../../fakes/turns/memoryEventLogStorage.ts";
import { gitRepository } from "../../../fakes/workspace/gitRepository.ts";
import { type TempFolder, tempFolder } from "../../../fakes/workspace/tempFolder.ts";
import { GENEROUS } from "../../model/collect.ts";
import { needsShadows, shadowsOn } from "../../node/shadow/shadowWorkspace.ts";

const SOURCE = "function one() {\n  return 1;\n}\n";
const REQUEST = { text: "Change it, please.", attached: [] };
const call = (name: string, args: object): ModelStep => ({ toolCalls: [{ name, args }] });
const patch = (text: string) =>
  call("patch_source_file", {
    file_path: "a.ts",
    edits: [{ search: "return 1;", replace: `return ${text};` }],
  });

/** Calls of models by their names; each then says that it is done. */
const CALLS: Readonly<Record<string, ModelStep>> = {
  ten: patch("10"),
  twenty: patch("20"),
  adds: call("create_file", { file_path: "b.ts", content: "export const b = 1;\n" }),
  deletes: call("delete_file", { path: "a.ts" }),
  folds: call("delete_file", { path: "old", recursive: true }),
  commits: call("git_commit", { message: "Mine", paths: ["a.ts"] }),
  runs: call("run_command", { command: "echo made > made.txt && echo more >> a.ts" }),
  leaves: call("run_command", { command: "echo made > made.txt", on: "workspace" }),
  quiet: { text: "There is nothing to do." },
};
const answers: ModelHandler = ({ body: { model, messages } }) => {
  if (model === "stalls") return { text: "Wait.", stallAfter: 1 };
  if (messages.at(-1)?.role === "tool") return { text: "Done." };
  return model === "usual" ? usual : (CALLS[model] ?? { text: "Hello." });
};
/** What the model of ordinary chats calls. */
let usual: ModelStep;

describe("chats of several models that answer one request", () => {
  let folder: TempFolder;
  let server: ModelServer;
  let storage: MemoryEventLogStorage;
  let chats: OpenChats<Chat>;
  let candidates: CandidateChats;
  let machine: ProcessTools | null;
  /** What the workspace's own review has. */
  const shared = { reviewer: createPendingReviewer() };

  const connectTo = (model: string) => async () =>
    model === "gone"
      ? err(modelError({ code: "connection-gone" }, { baseUrl: "Test", model }))
      : ok({
          client: createOpenaiClient({ baseUrl: server.url, apiKey: "key", limits: GENEROUS }),
          ...{ model, info: null },
        });
  const models = (...names: readonly string[]) =>
    names.map((name) => ({ name, connect: connectTo(name) }));

  /** Opens the window; `withMachine` where commands can run. */
  async function open(withMachine = false): Promise<void> {
    const workspace = await createNodeWorkspace(folder.root);
    const files = await createNodeWorkspaceFiles(folder.root);
    const logger = new RecordingLogger();
    machine = withMachine
      ? processTools({
          ...{ workspace, shell: createNodeShell() },
          git: createNodeGit(async () => ({ folders: [folder.root], opened: null })),
          shadows: await shadowsOn("copy", [folder.root]),
        })
      : null;
    const own = machine;
    candidates = new CandidateChats({ workspace, machine: own });
    const ordinary: OptionsOfChats = (_, __, reviewer = shared.reviewer) => ({
      ...{ workspace, files, logger, reviewer, syntax: testSyntax, approval: allowAll, tools: [] },
      ...(own && { processTools: (proposals) => own.of(proposals) }),
      connect: connectTo("usual"),
      retry: { ...DEFAULT_RETRY, firstMs: 1 },
      maxSteps: () => 5,
      activeFile: () => null,
    });
    const options = candidates.options(ordinary);
    chats = await OpenChats.open({
      storage,
      memory: { get: () => undefined, update: async () => undefined },
      lease: { host: hostNamed("window-1"), clock: new ManualClock() },
      asking: () => undefined,
      taken: () => undefined,
      openChat: (chatId, log) => {
        const journal = new ChangeJournal(new MemoryEventLog(), logger);
        return Chat.open({ ...options(chatId, () => undefined), chatId, log, journal });
      },
    });
  }

  beforeEach(async () => {
    folder = await tempFolder({ "a.ts": SOURCE, "old/c.ts": "old\n" });
    server = await startModelServer(answers);
    storage = new MemoryEventLogStorage();
    shared.reviewer = createPendingReviewer();
    usual = { text: "Hello." };
  });
  afterEach(async () => {
    await chats.dispose();
    await machine?.dispose();
    await server.close();
    await folder.remove();
  });

  async function sent(...names: readonly string[]): Promise<AgentTurn> {
    const { chat } = chats;
    const begun = await candidates.send(chats, chat, REQUEST, models(...names));
    assert.ok(begun.ok);
    await begun.value.done;
    return asking();
  }
  function asking(): AgentTurn {
    const { turns, headTurnId } = chats.shown.tree;
    const turn = turns.get(headTurnId ?? "");
    assert.ok(turn?.role === "agent");
    return turn;
  }
  const madeOf = ({ candidates: all }: AgentTurn) =>
    all.map(({ end }) => [
      end?.reason,
      end?.files.map(({ path, text }) => [path, text]),
      end?.left,
    ]);
  const userTree = async () => [
    await readFile(`${folder.root}/a.ts`, "utf8"),
    ...["b.ts", "made.txt"].filter((name) => existsSync(`${folder.root}/${name}`)),
    existsSync(`${folder.root}/old/c.ts`),
  ];

  for (const [what, name, made] of [
    ["changes a file", "ten", ["done", [["a.ts", SOURCE.replace("1", "10")]], []]],
    ["makes a file", "adds", ["done", [["b.ts", "export const b = 1;\n"]], []]],
    ["deletes a file", "deletes", ["done", [["a.ts", null]], []]],
    ["changes nothing", "quiet", ["done", [], []]],
    ["cannot be reached", "gone", ["error", [], []]],
    ["would delete a folder at once", "folds", ["done", [], []]],
  ] as const)
    it(`keeps what a model proposes that ${what}, and the user's files as they are`, async () => {
      await open();
      const turn = await sent(name, "twenty");
      const other = ["done", [["a.ts", SOURCE.replace("1", "20")]], []];
      assert.deepEqual(madeOf(turn), [made, other]);
      assert.equal(turn.endReason, "done");
      assert.deepEqual(await userTree(), [SOURCE, true]);
      assert.deepEqual(shared.reviewer.allPending(), []);
      assert.deepEqual(shared.reviewer.operations.pending, []);
    });

  it("refuses one model, and more than four, before anything is opened", async () => {
    await open();
    const { chat } = chats;
    for (const [names, code] of [
      [["ten"], "too-few"],
      [["ten", "ten", "ten", "ten", "ten"], "too-many"],
    ] as const) {
      const refused = await candidates.send(chats, chat, REQUEST, models(...names));
      assert.deepEqual(refused, { ok: false, error: { code, count: names.length } });
    }
    const five = Array.from({ length: 5 }, (_, at) => ({
      ...{ chatId: `chat-${at}`, model: "ten" },
      answer: () => assert.fail("nothing is asked"),
    }));
    assert.equal(await chat.askModels(REQUEST, five), "error");
    assert.equal(chat.tree.turns.size, 0);
    assert.equal(chats.all.length, 1);
    assert.equal(server.requests.length, 0);
  });

  it("sends nothing while the chat that asks answers", async () => {
    await open();
    const { chat } = chats;
    const first = await candidates.send(chats, chat, REQUEST, models("stalls", "stalls"));
    assert.ok(first.ok);
    const refused = await candidates.send(chats, chat, REQUEST, models("ten", "twenty"));
    assert.deepEqual(refused, { ok: false, error: { code: "busy" } });
    chat.stop();
    await first.value.done;
  });

  it("stops all of them with the chat that asked", async () => {
    await open();
    const { chat } = chats;
    const begun = await candidates.send(chats, chat, REQUEST, models("stalls", "stalls"));
    assert.ok(begun.ok);
    await Promise.all([server.request(0), server.request(1)]);
    assert.deepEqual(
      chatStates(chats, []).map(({ state, title }) => [state, title]),
      [
        ["running", REQUEST.text],
        ["running", `stalls: ${REQUEST.text}`],
        ["running", `stalls: ${REQUEST.text}`],
      ],
    );
    chat.stop();
    assert.equal(await begun.value.done, "cancelled");
    assert.deepEqual(
      asking().candidates.map(({ end }) => end?.reason),
      ["cancelled", "cancelled"],
    );
  });

  it("has on record after a crash what had ended, and the rest as interrupted", async () => {
    await open();
    const { chat } = chats;
    const begun = await candidates.send(chats, chat, REQUEST, models("ten", "stalls"));
    assert.ok(begun.ok);
    await new Promise<void>((resolve) => {
      chat.onEvent(({ type }) => type === "candidate-end" && resolve());
    });
    await chat.flush();
    const killed = new MemoryEventLog();
    await killed.append([...storage.open(chat.chatId).lines]);
    const { tree } = await TurnStore.load(killed, new RecordingLogger());
    const turn = tree.turns.get(tree.headTurnId ?? "");
    assert.ok(turn?.role === "agent");
    assert.equal(turn.endReason, "interrupted");
    assert.deepEqual(madeOf(turn), [
      ["done", [["a.ts", SOURCE.replace("1", "10")]], []],
      [undefined, undefined, undefined],
    ]);
    chat.stop();
    await begun.value.done;
  });

  it("closes their chats, which are then like any other and tell nothing of their end", async () => {
    await open();
    const turn = await sent("ten", "twenty");
    const [first] = turn.candidates;
    const id = first?.chatId ?? "";
    const tab = await chats.hold(id, () => undefined);
    assert.ok(tab);
    assert.ok(candidates.isCandidate(tab.chat));
    assert.equal(tab.chat.tree.title, `ten: ${REQUEST.text}`);
    assert.deepEqual(chatStates(chats, []), []);
    await tab.chat.send("Once more");
    assert.equal(server.requests.at(-1)?.body.model, "usual");
    assert.equal(candidates.isCandidate(tab.chat), false);
  });

  it("goes on as any other chat where it is shown while it answers", async () => {
    await open();
    const { chat } = chats;
    const begun = await candidates.send(chats, chat, REQUEST, models("ten", "quiet"));
    assert.ok(begun.ok);
    const shown = chats.all.find(({ tree }) => tree.title?.startsWith("ten"));
    const tab = await chats.hold(shown?.chatId ?? "", () => undefined);
    assert.ok(tab);
    // What waits in its queue begins as its answer ends.
    await Promise.all([begun.value.done, tab.chat.send("And then")]);
    usual = patch("30");
    assert.equal(await tab.chat.send("Change it yourself"), "done");
    assert.equal(server.requests.at(-1)?.body.model, "usual");
    assert.deepEqual(
      shared.reviewer.allPending().map(({ text }) => text),
      [SOURCE.replace("1", "30")],
    );
    assert.deepEqual(madeOf(asking())[0]?.[1], [["a.ts", SOURCE.replace("1", "10")]]);
  });

  describe("that run commands", () => {
    before(async function () {
      await needsShadows(this, "copy");
    });
    beforeEach(() => gitRepository(folder.root, "-A"));

    it("run them on their own proposals alone, also before there are any", async () => {
      await open(true);
      const turn = await sent("runs", "ten");
      assert.deepEqual(madeOf(turn), [
        [
          ...["done"],
          [
            ["a.ts", `${SOURCE}more\n`],
            ["made.txt", "made\n"],
          ],
          [],
        ],
        ["done", [["a.ts", SOURCE.replace("1", "10")]], []],
      ]);
      assert.deepEqual(await userTree(), [SOURCE, true]);
    });

    it("neither commit nor leave their proposals", async () => {
      await open(true);
      const turn = await sent("commits", "leaves");
      assert.deepEqual(madeOf(turn), [
        ["done", [], []],
        ["done", [["made.txt", "made\n"]], []],
      ]);
      assert.deepEqual(await userTree(), [SOURCE, true]);
      const { stdout } = await promisify(execFile)("git", ["log", "--oneline"], {
        cwd: folder.root,
      });
      assert.doesNotMatch(stdout, /Mine/);
    });
  });
});
