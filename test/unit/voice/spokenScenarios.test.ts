import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Chat } from "../../../src/agent/chat/chat.ts";
import type { ChatOptions } from "../../../src/agent/chatOptions.ts";
import { english } from "../../../src/base/localize.ts";
import { createNodeWorkspace } from "../../../src/node/files/nodeWorkspace.ts";
import { createNodeGit } from "../../../src/node/processes/nodeGit.ts";
import { createNodeShell } from "../../../src/node/processes/nodeShell.ts";
import { noProposals } from "../../../src/tools/command/chatProposals.ts";
import { createAskUser } from "../../../src/tools/editor/askUser.ts";
import { type ProcessTools, processTools } from "../../../src/tools/processTools.ts";
import type { TurnEvent } from "../../../src/turns/turnEvent.ts";
import { VoiceSession } from "../../../src/voice/voiceSession.ts";
import type { ModelStep } from "../../fakes/model/modelServer.ts";
import { words } from "../../fakes/sound.ts";
import { editBlock } from "../../fakes/turns/applyTo.ts";
import { answerAll, RecordingReviewer } from "../../fakes/turns/recordingReviewer.ts";
import { withOwnHome } from "../../fakes/voice/ownHome.ts";
import { ScriptedPage } from "../../fakes/voice/scriptedPage.ts";
import { ScriptedVoice } from "../../fakes/voice/scriptedVoice.ts";
import { voiceChat } from "../../fakes/voice/voiceChat.ts";
import { chatsIn, folder, open as serve, server } from "../agent/chat/chatHarness.ts";

const FILE = "src/a.mjs";
const TEXT = "export function total(values) {\n  return values.length;\n}\n";
const TESTS =
  'import { summarize } from "./src/a.mjs";\nconsole.log(summarize([1, 2]) === 2 ? "1 test passed" : "1 test failed");\n';

describe("a developer who speaks", () => {
  withOwnHome();

  chatsIn({ [FILE]: TEXT, "test.mjs": TESTS });
  let chat: Chat;
  let page: ScriptedPage;
  let voice: ScriptedVoice;
  let session: VoiceSession;
  let machine: ProcessTools;
  let answer: (values: readonly string[]) => void;

  async function open(
    steps: readonly ModelStep[],
    options: Partial<ChatOptions> = {},
  ): Promise<void> {
    const workspace = await createNodeWorkspace(folder.root);
    machine = processTools({
      workspace,
      shell: createNodeShell(),
      git: createNodeGit(async () => ({ folders: [folder.root], opened: null })),
    });
    const question = {
      ask: () =>
        new Promise<{ answered: true; values: readonly string[] }>((resolve) => {
          answer = (values) => resolve({ answered: true, values });
        }),
    };
    chat = await serve(steps, {
      tools: [createAskUser(question), ...machine.of(noProposals)],
      ...options,
    });
    page = new ScriptedPage();
    voice = new ScriptedVoice();
    session = new VoiceSession({
      chat: voiceChat(chat, (_, values) => answer(values)),
      openLine: (signal) => page.openLine(signal),
      voice: () => voice,
      pauseMs: () => null,
      t: english,
    });
    await session.openMicrophone();
  }

  afterEach(async () => {
    session.dispose();
    await machine.dispose();
  });

  async function until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await setImmediate();
  }

  async function say(text: string): Promise<void> {
    voice.transcripts.push(text);
    session.press();
    await until(() => page.listening);
    page.say(words(600, -20));
    await session.release();
  }

  const heard = () => page.played.map(({ pcm }) => voice.textOf(pcm));
  const hears = (text: string) => until(() => heard().includes(text));
  const events = <T extends TurnEvent["type"]>(type: T) =>
    chat.events().filter((event): event is TurnEvent & { type: T } => event.type === type);
  const request = (index: number) =>
    server.requests[index]?.body.messages.map(({ role, content }) => `${role}: ${content ?? ""}`) ??
    [];
  const edits = { name: "edit_mode", args: { file_path: FILE, use_line_numbers: true } };

  it("renames and runs the tests: an edit, and a command that only a click allows", async () => {
    let allow: () => void = () => undefined;
    await open(
      [
        { text: "I rename it. ", toolCalls: [edits] },
        { text: editBlock("1:1", "export function summarize(values) {") },
        {
          text: "Now the tests. ",
          toolCalls: ["node test.mjs", "node --version"].map((command) => ({
            name: "run_command",
            args: { command },
          })),
        },
        { text: "It is renamed, and the test passes." },
      ],
      {
        approval: {
          request: ({ tool }) =>
            tool === "run_command"
              ? new Promise((resolve) => (allow = () => resolve({ allowed: true, by: "user" })))
              : Promise.resolve({ allowed: true, by: "settings" }),
        },
      },
    );
    await say("Rename that to summarize and run the tests");
    await until(() => heard().some((text) => text.includes("asks to run node test")));
    assert.equal(
      await readFile(path.join(folder.root, FILE), "utf8"),
      TEXT.replace("total", "summarize"),
    );
    await say("Yes, do it");
    await until(() => heard().some((text) => text.includes("Only the buttons")));
    assert.equal(chat.queued.length, 0);
    await page.listenTo();
    assert.equal(
      events("approval-decision").filter(({ callId }) => callId.startsWith("call_2")).length,
      0,
      "no voice allows a command",
    );
    allow();
    await until(() => events("approval-decision").some(({ callId }) => callId === "call_2_0"));
    await until(() => events("approval-request").some(({ callId }) => callId === "call_2_1"));
    allow();
    await hears("It is renamed, and the test passes.");
    const results = request(3).filter((message) => message.startsWith("tool: "));
    assert.equal(results.length, 3, "one result of each call");
    assert.match(results[1] ?? "", /1 test passed/);
    assert.deepEqual(
      heard().filter((text) => /rename it|Now the tests|export/.test(text)),
      [],
      "no word from before the last result, and no code",
    );
  });

  it("answers the model's question aloud, and the answer decides", async () => {
    const asks = {
      name: "ask_user",
      args: { question: "What is the new name?", kind: "choice", options: ["sum", "count"] },
    };
    await open(
      [
        { toolCalls: [asks] },
        { toolCalls: [edits] },
        { text: editBlock("1:1", "export function count(values) {") },
        { text: "It is count." },
      ],
      { reviewer: new RecordingReviewer(answerAll("pending")) },
    );
    await say("Rename total to something better");
    await hears("Answer 2: count.");
    await say("The second one");
    await hears("It is count.");
    await page.listenTo();
    await hears("A change waits for your review in a.mjs.");
    assert.equal(
      events("turn-start").filter(({ role }) => role === "user").length,
      1,
      "the answer is no message",
    );
    assert.match(request(1).at(-1) ?? "", /^tool: The second one$/);
    assert.equal(
      await readFile(path.join(folder.root, FILE), "utf8"),
      TEXT,
      "nothing changes before a review",
    );
  });

  it("speaks an edit, interrupts the answer, and goes on by keyboard", async () => {
    await open([
      { toolCalls: [edits] },
      { text: editBlock("2:2", "  return values.reduce((sum, value) => sum + value, 0);") },
      { text: "It adds them up now. That was a mistake before. Tell me what else is wrong." },
      { text: "All right." },
      { text: "Written only." },
    ]);
    await say("Make it add the values up");
    await hears("Tell me what else is wrong.");
    await page.listenTo(1);
    await say("Wait");
    await until(() => page.hushed === 1);
    await hears("All right.");
    await page.listenTo();
    await until(() => session.view.state === "ready");
    const spoken = heard().length;
    await chat.send("Use a loop instead");
    assert.equal(heard().length, spoken, "what is typed is answered in silence");
    const last = request(4).join("\n");
    assert.match(
      last,
      /interrupted your spoken answer after they heard:? \\?"It adds them up now\./,
    );
    for (const text of ["Make it add the values up", "Wait", "Use a loop instead"])
      assert.ok(last.includes(text), text);
    assert.match(await readFile(path.join(folder.root, FILE), "utf8"), /reduce/);
  });
});
