import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Browser, Page } from "playwright-core";
import { english } from "../../src/base/localize.ts";
import { ok } from "../../src/base/result.ts";
import { openVoiceLine } from "../../src/node/voice/openVoiceLine.ts";
import { SAMPLE_RATE } from "../../src/ports/audioLine.ts";
import { fromVoicePageSchema } from "../../src/protocol/voicePageMessages.ts";
import type { TurnEventBody } from "../../src/turns/turnEvent.ts";
import { type VoiceChat, VoiceSession } from "../../src/voice/voiceSession.ts";
import { concat, noise } from "../fakes/sound.ts";
import { builtPage } from "../fakes/voice/builtPage.ts";
import { withOwnHome } from "../fakes/voice/ownHome.ts";
import { mixed, ROOMS } from "../fakes/voice/sounds.ts";
import { spokenBy, VOICES, wavOf } from "../fakes/voice/speech.ts";
import { findChromium, launchChromium } from "../harness/browser.mjs";
import { missingSpeechTools } from "../harness/speechTools.mjs";
import { PROBE, sayTo, timesOf } from "./voicePageProbe.ts";
import { until } from "./workbench.ts";

/** All voices and noises, or only some of each: GRAFT_VOICE_MATRIX=full. */
const isFull = process.env.GRAFT_VOICE_MATRIX === "full";
const TURNS = 10;
const SENTENCE = "Rename the first function, and then run all the tests.";
const ROOM = -65;
const START = { parentTurnId: null, text: "", model: null, editFile: null, activeFile: null };

/** The real page with a session, whose recognizer and model answer at once. */
class Talk {
  readonly messages: string[] = [];
  /** The lengths of what was recognized, in milliseconds. */
  readonly utterances: number[] = [];
  readonly interrupted: string[] = [];
  starts = 0;
  sentAt = 0;
  isAnswering = false;
  /** Called once, as soon as the session hears someone. */
  heard: (() => void) | null = null;
  private seq = 0;
  private listener: Parameters<VoiceChat["onEvent"]>[0] = () => undefined;
  readonly session: VoiceSession;

  readonly page: Page;

  constructor(page: Page, files: ReadonlyMap<string, Uint8Array>, isHandsFree: boolean) {
    this.page = page;
    const chat: VoiceChat = {
      busy: false,
      began: () => undefined,
      send: (text) => {
        this.messages.push(text);
        this.sentAt = performance.timeOrigin + performance.now();
        this.emit("user", { ...START, type: "turn-start", role: "user", spoken: true });
        if (this.isAnswering) this.answer("It is renamed.");
      },
      draft: (text) => void this.messages.push(`draft: ${text}`),
      show: () => undefined,
      stop: () => undefined,
      answer: () => undefined,
      speechEnded: (_, { reason }) => reason === "interrupted" && this.interrupted.push(reason),
      onEvent: (listener) => {
        this.listener = listener;
        return { dispose: () => undefined };
      },
      onBusy: () => ({ dispose: () => undefined }),
    };
    this.session = new VoiceSession({
      chat,
      pauseMs: () => (isHandsFree ? 700 : null),
      t: english,
      voice: () => ({
        transcribe: async (pcm) => {
          this.utterances.push((pcm.length * 1000) / SAMPLE_RATE);
          return ok("Do it.");
        },
        async *speak() {
          for (let at = 0; at < 30; at++) yield tone();
          return null;
        },
      }),
      openLine: (signal) =>
        openVoiceLine(
          {
            readFile: async (name) => files.get(name) ?? new Uint8Array(),
            language: "en",
            translations: {},
            theme: "dark",
            handsFree: isHandsFree,
            talk: () => undefined,
            parse: (message) => fromVoicePageSchema.safeParse(message).data ?? null,
            refused: () => undefined,
            show: async (url, token) => Boolean(await page.goto(`${url}#${token}`)),
          },
          signal,
        ),
    });
    let last = "";
    this.session.onChange(({ state }) => {
      const isHeard = state === "hearing" && last !== "hearing";
      last = state;
      if (!isHeard) return;
      this.starts += 1;
      this.heard?.();
      this.heard = null;
    });
    this.emit("user", { ...START, type: "turn-start", role: "user", spoken: true });
  }

  /** A turn that a spoken message began ends with this answer. */
  answer(text: string): void {
    this.emit("agent", { ...START, type: "turn-start", role: "agent", parentTurnId: "user" });
    this.emit("agent", { type: "text-delta", text });
    this.emit("agent", { type: "turn-end", reason: "done", error: null });
  }

  private emit(turnId: string, body: TurnEventBody): void {
    this.seq += 1;
    this.listener({ ...body, turnId, seq: this.seq, at: 0 });
  }
}

function tone(): Int16Array {
  return Int16Array.from({ length: SAMPLE_RATE / 10 }, (_, at) => 6_000 * Math.sin(at / 12));
}

const milliseconds = (pcm: Int16Array) => (pcm.length * 1000) / SAMPLE_RATE;
const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

describe("two people talking, through the real page", () => {
  let dir = "";
  let browser: Browser | null = null;
  let files: ReadonlyMap<string, Uint8Array> = new Map();
  const voices = new Map<string, Int16Array>();
  const open: Talk[] = [];
  withOwnHome();

  before(async function () {
    if (!findChromium() || missingSpeechTools().length > 0) this.skip();
    dir = fs.mkdtempSync(path.join(os.tmpdir(), "graft-voice-"));
    files = await builtPage();
    for (const voice of isFull ? VOICES : VOICES.slice(0, 2)) {
      const said = await spokenBy(voice, SENTENCE);
      if (said) voices.set(voice, said);
      else console.log(`      Missing: ${voice}`);
    }
    // Without a file, the fake device beeps.
    const silence = path.join(dir, "silence.wav");
    fs.writeFileSync(silence, wavOf(noise(1_000, ROOM)));
    browser = await launchChromium([
      "--use-fake-device-for-media-stream",
      `--use-file-for-fake-audio-capture=${silence}`,
      "--autoplay-policy=no-user-gesture-required",
    ]);
  });
  afterEach(async () => {
    for (const { session, page } of open.splice(0)) {
      session.dispose();
      await page.context().close();
    }
  });
  after(async () => {
    await browser?.close();
    if (dir !== "") fs.rmSync(dir, { recursive: true, force: true });
  });

  async function begin(isHandsFree: boolean): Promise<Talk> {
    assert.ok(browser);
    const context = await browser.newContext({ permissions: ["microphone"] });
    await context.addInitScript(PROBE);
    const talk = new Talk(await context.newPage(), files, isHandsFree);
    open.push(talk);
    await talk.session.openMicrophone();
    assert.equal(talk.session.view.problem, null);
    return talk;
  }

  for (const mode of ["hands-free", "push to talk"] as const)
    it(`hears whole sentences and nothing else, ${mode}`, async function () {
      this.timeout(900_000);
      const isHandsFree = mode === "hands-free";
      const talk = await begin(isHandsFree);
      const rows: string[] = [];
      const all = { cases: 0, whole: 0, wrong: 0, over: 0 };
      const far = concat(...voices.values());
      for (const [name, { sound, decibels }] of ROOMS) {
        if (!isFull && !/quiet|music|cough/.test(name)) continue;
        const row = { whole: 0, split: 0, starts: 0, wrong: 0, over: 0, interrupted: 0 };
        for (const said of voices.values()) {
          const [before, after] = [700, isHandsFree ? 1_600 : 300];
          const silence = (ms: number) => noise(ms, ROOM);
          const whole = concat(silence(before), said, silence(after));
          const room = mixed(whole, sound(milliseconds(whole) / 1000, far), decibels);
          const end = room.length - silence(after).length;
          const counts = { messages: talk.messages.length, utterances: talk.utterances.length };
          await until("it is quiet", async () => !(await timesOf(talk.page)).loud);
          if (!isHandsFree) talk.session.press();
          // An earlier turn ends as soon as the user is heard, and must wait for the last word.
          talk.heard = () => talk.answer("The earlier one is done.");
          await sayTo(talk.page, wavOf(room.subarray(0, end)));
          const { loudFrom, loudTo } = await timesOf(talk.page);
          if (loudFrom > 0 && loudFrom <= loudTo) row.over += 1;
          await sayTo(talk.page, wavOf(room.subarray(end)));
          if (!isHandsFree) await talk.session.release();
          const isOpen = () => ["hearing", "recognizing"].includes(talk.session.view.state);
          await until("it is sent", () => !isOpen());
          const messages = talk.messages.length - counts.messages;
          const heard = talk.utterances.slice(counts.utterances);
          const length = heard.reduce((sum, ms) => sum + ms, 0);
          if (messages === 1 && length >= milliseconds(said) * 0.95) row.whole += 1;
          if (messages > 1) row.split += 1;
          talk.session.hush();
        }
        const before = { messages: talk.messages.length, starts: talk.starts };
        const interrupted = talk.interrupted.length;
        // Nobody speaks: neither in silence nor over an answer.
        const alone = sound(4, far).map((each) => each / 4);
        if (isHandsFree) talk.answer("A long answer that goes on.");
        else talk.session.press();
        await sayTo(talk.page, wavOf(alone));
        if (isHandsFree) assert.ok((await timesOf(talk.page)).loudFrom > 0, "the answer is heard");
        else await talk.session.release();
        row.starts = talk.starts - before.starts;
        row.wrong = talk.messages.length - before.messages;
        row.interrupted = talk.interrupted.length - interrupted;
        talk.session.hush();
        rows.push(
          `${name.padEnd(13)} ${row.whole}/${voices.size} whole, ${row.split} split, ${row.over} talked over, alone: ${row.starts} starts, ${row.wrong} messages, ${row.interrupted} interruptions`,
        );
        all.cases += voices.size;
        all.whole += row.whole;
        all.wrong += row.wrong + row.interrupted;
        all.over += row.over;
      }
      for (const row of rows) console.log(`      ${row}`);
      const { cases, whole, wrong, over } = all;
      console.log(`      ${mode}: ${whole} of ${cases} sentences whole`);
      assert.deepEqual({ wrong, over }, { wrong: 0, over: 0 });
      assert.ok(whole >= cases * 0.95, `${whole} of ${cases} are whole`);
    });

  it("answers soon, and is soon silent", async function () {
    if (!isFull) this.skip();
    this.timeout(300_000);
    const said = [...voices.values()][0] ?? new Int16Array(0);
    for (const isHandsFree of [false, true]) {
      const talk = await begin(isHandsFree);
      talk.isAnswering = true;
      const toSend: number[] = [];
      const toPage: number[] = [];
      const toSound: number[] = [];
      const toSilence: number[] = [];
      const wav = wavOf(concat(noise(400, ROOM), said, noise(isHandsFree ? 1_100 : 0, ROOM)));
      for (let turn = 0; turn < TURNS; turn++) {
        if (!isHandsFree) talk.session.press();
        await sayTo(talk.page, wav);
        const released = performance.timeOrigin + performance.now();
        if (!isHandsFree) await talk.session.release();
        const from = isHandsFree ? (await timesOf(talk.page)).saidTo : released;
        await until("it is heard", async () => (await timesOf(talk.page)).loudFrom > from);
        const { firstAt, loudFrom } = await timesOf(talk.page);
        toSend.push(talk.sentAt - from);
        toPage.push(firstAt - from);
        toSound.push(loudFrom - from);
        if (isHandsFree) {
          await sayTo(talk.page, wavOf(concat(noise(200, ROOM), said)));
          const over = await timesOf(talk.page);
          toSilence.push(over.loudTo - over.saidFrom);
          // These words are answered too.
          await until("they are sent", () => talk.messages.length === (turn + 1) * 2);
        }
        talk.session.hush();
        const isIdle = () => ["ready", "listening"].includes(talk.session.view.state);
        await until("it is silent", isIdle);
      }
      const text = (times: readonly number[]) => `${median(times).toFixed(0)} ms`;
      console.log(
        `      ${isHandsFree ? "end of speech" : "button let go"} → sent ${text(toSend)} → sound at the page ${text(toPage)} → first sound ${text(toSound)}${isHandsFree ? `; voice → silence ${text(toSilence)}` : ""} (medians of ${TURNS})`,
      );
    }
  });
});
