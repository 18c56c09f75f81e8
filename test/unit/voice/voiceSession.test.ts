import assert from "node:assert/strict";
import { mock } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { Chat } from "../../../src/agent/chat/chat.ts";
import { english } from "../../../src/base/localize.ts";
import { err, ok } from "../../../src/base/result.ts";
import type { AudioEnd } from "../../../src/ports/audioLine.ts";
import { createAskUser } from "../../../src/tools/editor/askUser.ts";
import { spokenText, unheardText } from "../../../src/turns/promptText.ts";
import type { TurnEvent } from "../../../src/turns/turnEvent.ts";
import { VoiceSession, type VoiceState } from "../../../src/voice/voiceSession.ts";
import {
  type ModelServer,
  type ModelStep,
  startModelServer,
} from "../../fakes/model/modelServer.ts";
import { concat, noise, words } from "../../fakes/sound.ts";
import { testTool } from "../../fakes/testTool.ts";
import { MemoryLine } from "../../fakes/voice/memoryLine.ts";
import { ScriptedVoice } from "../../fakes/voice/scriptedVoice.ts";
import { voiceChat } from "../../fakes/voice/voiceChat.ts";
import { type TempFolder, tempFolder } from "../../fakes/workspace/tempFolder.ts";
import { openChat } from "../agent/chat/chatHarness.ts";

const WORDS = words(600, -20);
interface SessionOptions {
  readonly isHandsFree: boolean;
}

let folder: TempFolder;
let server: ModelServer;
let chat: Chat;
let line: MemoryLine;
let voice: ScriptedVoice;
let session: VoiceSession;
let opened: AudioEnd | null;
let states: VoiceState[];
let answers: (readonly string[])[];
let drafts: string[];
let shown: number;

async function start(
  steps: readonly ModelStep[],
  transcripts: ScriptedVoice["transcripts"],
  {
    isHandsFree = false,
    ...options
  }: Parameters<typeof openChat>[2] & Partial<SessionOptions> = {},
): Promise<void> {
  server = await startModelServer(steps);
  chat = await openChat(server, folder.root, options);
  line = new MemoryLine();
  voice = new ScriptedVoice(...transcripts);
  opened = null;
  states = [];
  answers = [];
  drafts = [];
  shown = 0;
  session = new VoiceSession({
    chat: voiceChat(chat, (_, values) => void answers.push(values), {
      draft: (text) => drafts.push(text),
      show: () => {
        shown += 1;
      },
    }),
    openLine: async () => (opened ? err(opened) : ok(line)),
    voice: () => voice,
    pauseMs: () => (isHandsFree ? 700 : null),
    t: english,
  });
  session.onChange(({ state }) => state !== states.at(-1) && states.push(state));
  await session.openMicrophone();
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await setImmediate();
}

/** Holds the button while saying something. */
async function say(sound = WORDS): Promise<void> {
  session.press();
  await until(() => line.listening);
  line.say(sound);
  await session.release();
}

const playedTexts = () => line.played.map(({ pcm }) => voice.textOf(pcm));
const events = <T extends TurnEvent["type"]>(type: T) =>
  chat.events().filter((event): event is TurnEvent & { type: T } => event.type === type);
const ended = (count: number) => until(() => events("turn-end").length === count && !chat.busy);
const sent = (request: number) =>
  (server.requests[request]?.body.messages ?? [])
    .slice(1)
    .map(({ role, content }) => `${role}: ${content ?? ""}`);
const reads: ModelStep = {
  text: "Let me see. ",
  toolCalls: ["a", "b"].map((text) => ({ name: "look", args: { text } })),
};

describe("speaking with Graft", () => {
  beforeEach(async () => {
    folder = await tempFolder({ "a.ts": "export const a = 1;\n" });
  });

  afterEach(async () => {
    mock.timers.reset();
    session.dispose();
    await chat.dispose();
    await server.close();
    await folder.remove();
  });

  it("sends what takes minutes as one message, recognized in parts", async () => {
    await start([{ text: "Yes." }], ["First,", "second", "and third."], { isHandsFree: true });
    for (let part = 0; part < 2; part++) line.say(concat(words(21_000, -20), noise(400, -70)));
    assert.equal(events("turn-start").length, 0, "nothing is sent while the user goes on");
    line.say(words(2_000, -20));
    line.say(noise(1_000, -70));
    await ended(1);
    assert.equal(events("turn-start")[0]?.text, "First, second and third.");
    assert.equal(voice.utterances.length, 3);
  });

  it("waits with what it has to say while the user speaks or holds the button", async () => {
    await start([{ text: "One is done." }, { text: "Two." }], ["Begin", "", "And two"]);
    await say();
    await until(() => chat.busy);
    session.press();
    await ended(1);
    await until(() => line.held);
    line.say(noise(400, -70));
    assert.deepEqual(playedTexts(), [], "not into the recording");
    await session.release();
    await until(() => playedTexts().includes("One is done."));
    assert.equal(line.held, false, "said after, because nothing new came of it");
    line.listenTo();

    session.press();
    line.say(WORDS);
    await session.release();
    await until(() => voice.utterances.length === 2);
    await until(() => session.view.state === "ready");
    await say();
    await ended(2);
    await until(() => playedTexts().at(-1) === "Two.");
  });

  it("drops what it had to say where a new request makes it old", async () => {
    await start([{ text: "One is done." }, { text: "Two." }], ["Begin", "No, two"]);
    await say();
    await until(() => chat.busy);
    session.press();
    await ended(1);
    line.say(WORDS);
    await session.release();
    await ended(2);
    await until(() => playedTexts().includes("Two."));
    assert.deepEqual(playedTexts(), ["Two."]);
  });

  it("fades at a possible voice and goes on, and only words interrupt", async () => {
    await start(
      [{ text: "One is done. Two is next." }, { text: "Right." }],
      ["Begin", "(coughs)", "No"],
      {
        isHandsFree: true,
      },
    );
    line.say(WORDS);
    line.say(noise(1_000, -70));
    await until(() => line.played.length === 2);
    line.say(noise(100, -20));
    assert.equal(line.held, true, "a cough");
    line.say(noise(400, -70));
    assert.equal(line.held, false);
    line.say(noise(500, -20));
    assert.equal(line.held, true, "a longer one");
    line.say(noise(1_000, -70));
    await until(() => !line.held);
    assert.equal(line.hushed, 0);
    assert.equal(events("speech-end").length, 0);
    line.say(WORDS);
    line.say(noise(1_000, -70));
    await ended(2);
    assert.equal(events("speech-end")[0]?.reason, "interrupted");
  });

  it("never makes a message of what recognizers invent", async () => {
    const invented = [
      "[BLANK_AUDIO]",
      "(upbeat music)",
      "Thank you.",
      "♪♪",
      "Thanks for watching!",
    ];
    await start([{ text: "Yes." }], [...invented, "[NOISE] Thank you, set arr[0] to 2 * 3 * 4."]);
    for (const _ of invented) {
      await say();
      await until(() => session.view.problem?.code === "nothing-recognized");
    }
    await say();
    await ended(1);
    assert.equal(events("turn-start")[0]?.text, "Thank you, set arr[0] to 2 * 3 * 4.");
  });

  it("waits where words cannot end a sentence, and then makes them a draft", async () => {
    await start([{ text: "Yes." }], ["Delete the whole.", "folder.", "Rename the"], {
      isHandsFree: true,
    });
    line.say(WORDS);
    line.say(noise(1_500, -70));
    await until(() => session.view.words === "Delete the whole.");
    line.say(WORDS);
    line.say(noise(1_000, -70));
    await ended(1);
    assert.equal(events("turn-start")[0]?.text, "Delete the whole. folder.");
    line.listenTo();
    line.say(WORDS);
    line.say(noise(5_000, -70));
    await until(() => drafts.length === 1);
    assert.deepEqual(drafts, ["Rename the"]);
    assert.deepEqual(session.view.problem, { code: "draft", reason: "silence" });
    assert.equal(server.requests.length, 1);
  });

  it("makes a draft of what no button and no pause has ended", async () => {
    await start([], ["Delete the whole", "Delete the whole", "Delete the whole", "Delete all"]);
    session.press();
    line.say(WORDS);
    session.close();
    await until(() => drafts.length === 1);
    assert.deepEqual(session.view.problem, { code: "draft", reason: "closed" });
    for (const code of ["unplugged", "taken"] as const) {
      line = new MemoryLine();
      session.press();
      await until(() => line.listening);
      line.say(WORDS);
      line.end({ code });
      await until(() => session.view.problem?.code === "draft");
      assert.deepEqual(session.view.problem, { code: "draft", reason: code });
    }
    line = new MemoryLine();
    session.press();
    await until(() => line.listening);
    line.say(WORDS);
    await session.end();
    assert.deepEqual(drafts, [...Array(3).fill("Delete the whole"), "Delete all"]);
    assert.equal(server.requests.length, 0);
  });

  it("makes a draft where the line is lost in a breath of what takes long", async () => {
    await start([], ["Delete the first folder"], { isHandsFree: true });
    line.say(concat(words(21_000, -20), noise(400, -70)));
    await until(() => voice.utterances.length === 1);
    line.end({ code: "lost" });
    await until(() => drafts.length === 1);
    assert.deepEqual(drafts, ["Delete the first folder"]);
    assert.deepEqual(session.view.problem, { code: "draft", reason: "lost" });
    assert.equal(server.requests.length, 0);
  });

  it("sends what a pause has ended, although the line is lost before its words are known", async () => {
    await start([{ text: "Yes." }], ["Rename it."], { isHandsFree: true });
    line.say(WORDS);
    line.say(noise(1_000, -70));
    line.end({ code: "lost" });
    await ended(1);
    assert.deepEqual(drafts, []);
  });

  it("keeps every recording that was not recognized, and tries all again in order", async () => {
    await start(
      [{ text: "I heard you." }, { text: "And again." }],
      [["connection-refused"], ["connection-refused"], "First", "Second"],
    );
    await say();
    await until(() => session.view.problem !== null);
    await say();
    await until(() => voice.utterances.length === 2);
    await until(() => session.view.problem?.code === "transcription");
    session.retry();
    const said = () =>
      [...events("turn-start"), ...events("user-message")].flatMap(({ text }) => text ?? []);
    await until(() => said().length === 2 && !chat.busy);
    assert.deepEqual(said(), ["First", "Second"]);
  });

  it("asks the speech server for two sentences ahead at most, and reads long answers on request", async () => {
    const sentences = Array.from({ length: 12 }, (_, index) => `Sentence ${index + 1}.`);
    await start([{ text: sentences.join(" ") }], ["Tell me all", "Read it.", "Quiet."]);
    await say();
    await until(() => playedTexts().includes("Sentence 2."));
    assert.deepEqual(playedTexts(), sentences.slice(0, 2));
    line.listenTo();
    await until(() => playedTexts().length === 3);
    assert.match(playedTexts().at(-1) ?? "", /read it/);
    await say();
    await until(() => playedTexts().includes("Sentence 5."));
    assert.deepEqual(playedTexts().slice(3), sentences.slice(2, 5));
    line.listenTo(1);
    await until(() => playedTexts().includes("Sentence 6."));
    await say();
    await until(() => session.view.state === "ready");
    assert.deepEqual(
      voice.prepared.filter((text) => text.startsWith("Sentence")),
      sentences.slice(0, 6),
    );
  });

  it("runs every call of an answer and speaks only what follows the results", async () => {
    const ran: string[] = [];
    const look = testTool("look", async () => {
      ran.push(`after ${line.played.length}`);
      return { ok: true, output: "42" };
    });
    await start([reads, { text: "It is **42**. See `src/a.ts`." }], ["Look at both"], {
      tools: [look],
    });
    await say();
    await ended(1);
    assert.deepEqual(ran, ["after 0", "after 0"]);
    await until(() => line.played.length === 2);
    assert.deepEqual(playedTexts(), ["It is 42.", "See a.ts."]);
    assert.equal(session.view.state, "speaking");
    line.listenTo();
    assert.equal(session.view.state, "ready");
    const { step, heard, total, reason } = events("speech-end")[0] ?? {};
    assert.deepEqual([step, heard, total, reason], [1, 29, 29, "done"]);
    assert.deepEqual(states, [
      "opening",
      "ready",
      "listening",
      "hearing",
      "recognizing",
      "working",
      "speaking",
      "ready",
    ]);
    assert.deepEqual(sent(0), [`user: ${spokenText({ text: "Look at both", spoken: true })}`]);
    assert.deepEqual(voice.utterances, [WORDS.length]);
  });

  it("is silent to what was typed, and goes on by voice in the same chat", async () => {
    await start([{ text: "Typed answer." }, { text: "Spoken answer." }], ["And now?"]);
    await chat.send("Hello");
    await say();
    await ended(2);
    await until(() => line.played.length === 1);
    assert.deepEqual(playedTexts(), ["Spoken answer."]);
    assert.deepEqual(voice.prepared, ["Spoken answer."]);
    assert.equal(sent(1).length, 3);
  });

  it("needs no button where a pause ends what is said", async () => {
    await start([{ text: "Yes." }], ["Are you there?"], { isHandsFree: true });
    assert.equal(session.view.state, "listening");
    line.say(noise(1_000, -70));
    line.say(WORDS);
    assert.equal(session.view.state, "hearing");
    line.say(noise(1_000, -70));
    await until(() => line.played.length === 1);
    assert.equal(line.listening, true);
    assert.deepEqual(playedTexts(), ["Yes."]);
  });

  it("goes silent when the user speaks over the answer, and tells the model what they did not hear", async () => {
    await start(
      [{ text: "One is done. Two is next." }, { text: "Right." }],
      ["Begin", "No, three"],
      { isHandsFree: true },
    );
    line.say(WORDS);
    line.say(noise(1_000, -70));
    await until(() => line.played.length === 2);
    line.listenTo(1);
    line.say(WORDS);
    assert.equal(line.held, true);
    assert.equal(session.view.state, "hearing");
    line.say(noise(1_000, -70));
    await ended(2);
    const { heard, total, reason } = events("speech-end")[0] ?? {};
    assert.deepEqual([heard, total, reason], [13, 25, "interrupted"]);
    const unheard = unheardText({
      type: "unheard",
      step: 0,
      last: "One is done.",
      reason: "interrupted",
    });
    assert.equal(
      sent(1)[2],
      `user: ${unheard}\n\n${spokenText({ text: "No, three", spoken: true })}`,
    );
  });

  it("queues what is said while tools run", async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const look = testTool("look", async () => {
      await held;
      return { ok: true, output: "42" };
    });
    await start([reads, { text: "It is 42." }], ["Look", "In words"], { tools: [look] });
    await say();
    await until(() => events("tool-start").length > 0);
    await say();
    await until(() => chat.queued.length === 1);
    assert.equal(session.view.state, "working");
    release();
    await ended(1);
    assert.equal(events("user-message")[0]?.spoken, true);
    await until(() => line.played.length === 1);
  });

  it("stops the turn, or only the speech, by a word", async () => {
    const look = testTool(
      "look",
      (_, { signal }) =>
        new Promise((resolve) =>
          signal.addEventListener("abort", () => resolve({ ok: true, output: "" })),
        ),
    );
    await start(
      [reads, { text: "A long story. And more." }],
      ["Look", "Stop!", "Again", "Quiet, please."],
      { tools: [look] },
    );
    await say();
    await until(() => events("tool-start").length > 0);
    await say();
    await ended(1);
    assert.equal(events("turn-end")[0]?.reason, "cancelled");
    await say();
    await ended(2);
    await until(() => line.played.length === 2);
    await say();
    await until(() => session.view.state === "ready");
    assert.equal(events("speech-end")[0]?.reason, "interrupted");
    assert.equal(events("turn-start").filter(({ role }) => role === "user").length, 2);
  });

  it("announces an approval, which only a click gives, and takes the answer to a question", async () => {
    let approve: () => void = () => undefined;
    const write = testTool("write", async () => ({ ok: true, output: "" }), "execute");
    let answer: (values: readonly string[]) => void = () => undefined;
    const question = {
      ask: () =>
        new Promise<{ answered: true; values: readonly string[] }>((resolve) => {
          answer = (values) => resolve({ answered: true, values });
        }),
    };
    const asks = {
      name: "ask_user",
      args: { question: "Which *one*?", kind: "choice", options: ["Alpha", "Beta"] },
    };
    await start(
      [
        { toolCalls: [{ name: "write", args: { text: "x" } }] },
        { toolCalls: [asks] },
        { text: "Beta it is." },
      ],
      ["Go", "Yes, allow it", "Show it.", "The second one"],
      {
        tools: [write, createAskUser(question)],
        approval: {
          request: () =>
            new Promise((resolve) => (approve = () => resolve({ allowed: true, by: "user" }))),
        },
      },
    );
    await say();
    await until(() => line.played.length === 2);
    assert.equal(session.view.state, "speaking");
    assert.match(playedTexts().join(" "), /asks for permission: .*show it/);
    line.listenTo();
    assert.equal(session.view.state, "waiting");
    await say();
    await until(() => playedTexts().some((text) => text.startsWith("Only the buttons")));
    assert.equal(chat.queued.length, 0, "a hint instead of a message");
    assert.equal(events("approval-decision").length, 0);
    await say();
    await until(() => shown === 1);
    approve();
    await until(() => events("question").length === 1);
    await until(() => playedTexts().includes("Answer 2: Beta."));
    await say();
    await until(() => answers.length === 1);
    assert.deepEqual(answers, [["The second one"]], "its model knows which one that is");
    answer(["The second one"]);
    await until(() => playedTexts().includes("Beta it is."));
  });

  it("says no more of an approval that was decided before it could be announced", async () => {
    mock.timers.enable({ apis: ["setTimeout"] });
    let approve: () => void = () => undefined;
    const write = testTool("write", async () => ({ ok: true, output: "" }), "execute");
    await start(
      [{ toolCalls: [{ name: "write", args: { text: "x" } }] }, { text: "It is written." }],
      ["Go"],
      {
        tools: [write],
        approval: {
          request: () =>
            new Promise((resolve) => (approve = () => resolve({ allowed: true, by: "user" }))),
        },
      },
    );
    await say();
    await until(() => events("approval-request").length === 1);
    session.press();
    mock.timers.tick(4_000);
    approve();
    await ended(1);
    line.say(noise(400, -70));
    await session.release();
    await until(() => line.played.length > 0);
    assert.deepEqual(playedTexts(), ["It is written."]);
  });

  it("says in a word what takes long, also where a short call began after it", async () => {
    mock.timers.enable({ apis: ["setTimeout"] });
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const look = testTool("look", async (text) => {
      if (text === "a") await held;
      return { ok: true, output: "42" };
    });
    await start([reads, { text: "It is 42." }], ["Look"], { tools: [look] });
    await say();
    await until(() => events("tool-start").length === 2 && events("tool-result").length === 1);
    mock.timers.tick(4_000);
    await until(() => line.played.length === 1);
    assert.deepEqual(playedTexts(), ["Still working."]);
    release();
    await ended(1);
  });

  it("says why nothing was sent, and sends nothing for silence", async () => {
    await start([], [""]);
    await say(noise(1_000, -70));
    assert.deepEqual(session.view.problem, { code: "nothing-heard" });
    assert.deepEqual(voice.utterances, []);
    await say();
    await until(() => session.view.problem?.code === "nothing-recognized");
    session.close();
    opened = { code: "denied" };
    await session.openMicrophone();
    assert.deepEqual(session.view.problem, { code: "line", end: { code: "denied" } });
    assert.equal(server.requests.length, 0);
  });

  it("reports what was heard when a sentence cannot be spoken, and keeps sound out of the record", async () => {
    await start([{ text: "First one. Second one. Third one." }], ["Go"]);
    voice.unspeakable.add("Second one.");
    await say();
    await until(() => line.played.length === 1);
    line.listenTo();
    await until(() => events("speech-end").length === 1);
    const { heard, total, reason } = events("speech-end")[0] ?? {};
    assert.deepEqual([heard, total, reason], [11, 33, "failed"]);
    assert.equal(session.view.problem?.code, "speech");
    assert.ok(JSON.stringify(chat.events()).length < 5_000);
  });
});
