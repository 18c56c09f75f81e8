// Voice without a browser: from a transcript to the turn, from the turn's end to the first sound,
// and what listening costs.
import { Chat } from "../../src/agent/chat/chat.ts";
import { Emitter } from "../../src/base/emitter.ts";
import { english } from "../../src/base/localize.ts";
import { ok } from "../../src/base/result.ts";
import { ChangeJournal } from "../../src/edits/history/changeJournal.ts";
import type { ModelClient } from "../../src/model/modelClient.ts";
import { Endpointer } from "../../src/voice/endpointer.ts";
import { Speakable } from "../../src/voice/speakable.ts";
import { VoiceSession } from "../../src/voice/voiceSession.ts";
import { allowAll } from "../fakes/allowAll.ts";
import { noSyntax } from "../fakes/editor/noSyntax.ts";
import { RecordingLogger } from "../fakes/recordingLogger.ts";
import { concat, heardSound, noise, words } from "../fakes/sound.ts";
import { MemoryEventLog } from "../fakes/turns/memoryEventLog.ts";
import { RecordingReviewer } from "../fakes/turns/recordingReviewer.ts";
import { MemoryLine } from "../fakes/voice/memoryLine.ts";
import { ScriptedVoice } from "../fakes/voice/scriptedVoice.ts";
import { voiceChat } from "../fakes/voice/voiceChat.ts";
import { memoryWorkspace } from "../fakes/workspace/memoryWorkspace.ts";

const TURNS = 200;
const SECONDS = 120;
const WORDS = words(600, -20);

const client: ModelClient = {
  baseUrl: "http://bench.invalid/v1",
  async *stream() {
    for (const text of ["It is ", "done. ", "All tests ", "pass. "])
      yield { type: "text-delta", text };
    yield { type: "finish", reason: "stop" };
  },
};

class TimedLine extends MemoryLine {
  readonly firstSound = new Emitter<number>();
  override play(speech: number, pcm: Int16Array): void {
    this.firstSound.fire(performance.now());
    super.play(speech, pcm);
  }
}

/** The first turn pays for code that was not run yet, and the worst of all for a busy machine. */
function report(what: string, times: readonly number[], limit: number): void {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) =>
    `${(sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN).toFixed(2)} ms`;
  const first = (times[0] ?? Number.NaN).toFixed(2);
  console.log(
    `${what}: first ${first} ms, median ${at(0.5)}, 99 % within ${at(0.99)}, worst ${at(1)} (limit ${limit} ms)`,
  );
}

async function turns(): Promise<void> {
  const logger = new RecordingLogger();
  const chat = await Chat.open({
    chatId: "chat",
    workspace: memoryWorkspace(new Map()),
    syntax: noSyntax,
    reviewer: new RecordingReviewer(),
    approval: allowAll,
    tools: [],
    log: new MemoryEventLog(),
    journal: new ChangeJournal(new MemoryEventLog(), logger),
    logger,
    connect: async () => ok({ client, model: "bench", info: null }),
    maxSteps: () => 10,
    activeFile: () => null,
  });
  const line = new TimedLine();
  const voice = new ScriptedVoice();
  let transcribed = 0;
  const transcribe = voice.transcribe.bind(voice);
  voice.transcribe = async (...args) => {
    const result = await transcribe(...args);
    transcribed = performance.now();
    return result;
  };
  const session = new VoiceSession({
    chat: voiceChat(chat),
    openLine: async () => ok(line),
    voice: () => voice,
    pauseMs: () => null,
    t: english,
  });
  await session.openMicrophone();
  const toTurn: number[] = [];
  const toSound: number[] = [];
  const toSilence: number[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    voice.transcripts.push(`Question ${turn}`);
    let ended = 0;
    const sounded = new Promise<number>((resolve) => {
      const listening = line.firstSound.on((at) => {
        listening.dispose();
        resolve(at);
      });
    });
    const listening = chat.onEvent(({ type }) => {
      if (type === "turn-start" && toTurn.length === turn)
        toTurn.push(performance.now() - transcribed);
      if (type === "turn-end") ended = performance.now();
    });
    session.press();
    line.say(WORDS);
    await session.release();
    toSound.push((await sounded) - ended);
    listening.dispose();
    const began = performance.now();
    session.press();
    toSilence.push(performance.now() - began);
    await session.release();
  }
  session.dispose();
  await chat.dispose();
  report("transcript to turn-start", toTurn, 20);
  report("end of the turn to the first sound at the line", toSound, 50);
  report("button to silence", toSilence, 250);
}

/** Processor time of the host for a second of sound, in the page's frames. */
function listening(): void {
  const sound = concat(
    ...Array.from({ length: SECONDS / 2 }, () => concat(noise(1_000, -60), words(1_000, -25))),
  );
  const pieces = heardSound(sound);
  const endpointer = new Endpointer(700);
  const began = process.cpuUsage();
  for (const piece of pieces) endpointer.push(piece);
  const { user, system } = process.cpuUsage(began);
  console.log(
    `listening: ${((user + system) / 10_000 / SECONDS).toFixed(2)} % of a core (limit 3 %)`,
  );
}

function speaking(): void {
  const text = "The tests pass, and `area` is renamed in **three** files. ".repeat(2_000);
  const began = performance.now();
  const speakable = new Speakable(english);
  let sentences = 0;
  for (let at = 0; at < text.length; at += 4)
    sentences += speakable.push(text.slice(at, at + 4)).length;
  console.log(
    `sentences: ${((performance.now() - began) / (text.length / 1_000)).toFixed(3)} ms a thousand characters, ${sentences} sentences`,
  );
}

async function main(): Promise<void> {
  await turns();
  listening();
  speaking();
}

void main();
