import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Browser, BrowserContext, Page } from "playwright-core";
import type { Result } from "../../src/base/result.ts";
import { openVoiceLine } from "../../src/node/voice/openVoiceLine.ts";
import type { AudioEnd, AudioLine } from "../../src/ports/audioLine.ts";
import type { PanelVoice } from "../../src/protocol/messages.ts";
import { fromVoicePageSchema, type VoiceRefusal } from "../../src/protocol/voicePageMessages.ts";
import { builtPage } from "../fakes/voice/builtPage.ts";
import { withOwnHome } from "../fakes/voice/ownHome.ts";
import { recognize, samplesOf, speak, understood, wavOf } from "../fakes/voice/speech.ts";
import { findChromium, launchChromium } from "../harness/browser.mjs";
import { missingSpeechTools } from "../harness/speechTools.mjs";
import { withPanel } from "./withPanel.ts";
import { until } from "./workbench.ts";

const SAID = "Change the name of the first function and then read the whole file again.";
const ANSWER =
  "I renamed the function. All of the tests pass. Two changes are waiting for your review in the editor.";

/** A browser, such as Firefox, that opens a microphone only at the device's own rate. */
const OWN_RATE_ONLY = `
  const createMediaStreamSource = AudioContext.prototype.createMediaStreamSource;
  AudioContext.prototype.createMediaStreamSource = function (stream) {
    if (this.sampleRate === 24000) throw new DOMException("different sample-rate", "NotSupportedError");
    return createMediaStreamSource.call(this, stream);
  };
`;

/**
 * Records what the page plays, at `rate`: what goes to the loudspeaker also goes into `recorded`.
 */
const TAP = `
  const recorded = (globalThis.recorded = []);
  const connect = AudioNode.prototype.connect;
  AudioNode.prototype.connect = function (...args) {
    if (args[0] instanceof AudioDestinationNode) {
      globalThis.rate = this.context.sampleRate;
      const tap = this.context.createScriptProcessor(2048, 1, 1);
      tap.onaudioprocess = ({ inputBuffer }) => recorded.push(...inputBuffer.getChannelData(0));
      connect.call(this, tap);
      connect.call(tap, args[0]);
    }
    return connect.apply(this, args);
  };
`;

interface BeginOptions {
  readonly grant?: boolean;
  /** Runs in the page before its own. */
  readonly script?: string;
  readonly from?: Browser | null;
  /** Opens `tab` as an editor in a browser does; else `page` goes there. */
  readonly inTab?: boolean;
}

describe("the voice page in a real browser", () => {
  let dir = "";
  let files: ReadonlyMap<string, Uint8Array> = new Map();
  let browser: Browser | null = null;
  let speech = false;
  const open: BrowserContext[] = [];
  const ended: AbortController[] = [];
  withOwnHome();

  before(async function () {
    if (!findChromium()) {
      console.log(
        "      No Chromium found; set CHROMIUM to one. Skipping the tests of the voice page.",
      );
      this.skip();
    }
    dir = fs.mkdtempSync(path.join(os.tmpdir(), "graft-voice-"));
    files = await builtPage();
    const missing = missingSpeechTools();
    speech = missing.length === 0;
    if (speech) await speak(SAID, path.join(dir, "said.wav"), { before: 0.7, after: 1.5 });
    else console.log(`      Missing: ${missing.join(", ")}. Skipping what needs real speech.`);
    const capture = speech
      ? [`--use-file-for-fake-audio-capture=${path.join(dir, "said.wav")}`]
      : [];
    browser = await launchChromium(["--use-fake-device-for-media-stream", ...capture]);
  });
  after(async () => {
    await browser?.close();
    fs.rmSync(dir, { recursive: true, force: true });
  });
  afterEach(async () => {
    for (const each of ended.splice(0)) each.abort();
    for (const each of open.splice(0)) await each.close();
  });

  /** Opens a line and its page. */
  async function begin({
    grant = true,
    script = "",
    from = browser,
    inTab = false,
  }: BeginOptions = {}) {
    assert.ok(from);
    const context = await from.newContext({ viewport: { width: 480, height: 400 } });
    open.push(context);
    if (grant) await context.grantPermissions(["microphone"]);
    await context.addInitScript(script);
    const page = await context.newPage();
    const tab = context.waitForEvent("page", { timeout: 0 });
    tab.catch(() => undefined);
    const complaints: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(String(error)));
    const refusals: (VoiceRefusal | null)[] = [];
    const talks: boolean[] = [];
    const controller = new AbortController();
    ended.push(controller);
    const opening = openVoiceLine(
      {
        readFile: async (name) => files.get(name) ?? new Uint8Array(),
        language: "en",
        translations: {},
        theme: "dark",
        handsFree: false,
        talk: (on) => talks.push(on),
        parse: (message) => fromVoicePageSchema.safeParse(message).data ?? null,
        refused: (refusal) => refusals.push(refusal),
        async show(url, token) {
          const address = `${url}#${token}`;
          if (inTab)
            await page.evaluate(
              `void window.open(${JSON.stringify(address)}, "_blank", "noopener")`,
            );
          else await page.goto(address);
          return true;
        },
      },
      controller.signal,
    );
    return {
      page,
      tab,
      context,
      refusals,
      talks,
      opening,
      complaints,
      abort: () => controller.abort(),
    };
  }

  /** Seconds of processor time of the browser so far. */
  async function processorSeconds(): Promise<number> {
    const session = await browser?.newBrowserCDPSession();
    const { processInfo = [] } = (await session?.send("SystemInfo.getProcessInfo")) ?? {};
    await session?.detach();
    return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
  }

  /** What the browser and this process take of a core until `end` settles. */
  async function sharesUntil(end: () => Promise<unknown>): Promise<readonly string[]> {
    const before = {
      browser: await processorSeconds(),
      host: process.cpuUsage(),
      at: performance.now(),
    };
    await end();
    const seconds = (performance.now() - before.at) / 1000;
    const { user, system } = process.cpuUsage(before.host);
    return [(await processorSeconds()) - before.browser, (user + system) / 1e6].map(
      (used) => `${((used / seconds) * 100).toFixed(1)} %`,
    );
  }

  const lineOf = (result: Result<AudioLine, AudioEnd>): AudioLine => {
    assert.ok(result.ok, JSON.stringify(result));
    return result.value;
  };
  const status = (page: Page) => page.getByRole("status");
  const recordedIn = (page: Page, last = Number.POSITIVE_INFINITY): Promise<number[]> =>
    page.evaluate(`recorded.slice(-${last})`);

  it("records speech that a recognizer understands, and nothing while it does not listen", async function () {
    if (!speech) this.skip();
    const { page, opening, complaints, talks } = await begin();
    const line = lineOf(await opening);
    const pieces: Int16Array[] = [];
    line.onSound(({ pcm }) => pieces.push(pcm));
    await line.listen(true);
    await status(page).getByText("Graft is listening").waitFor();
    const total = () => pieces.reduce((sum, { length }) => sum + length, 0);
    await until("it is recorded", () => total() > 24_000 * 5);
    const said = pieces.slice();
    // By then the browser has started.
    const [listening, host] = await sharesUntil(() =>
      until("more is recorded", () => total() > 24_000 * 10),
    );
    await line.listen(false);
    const after = total();
    await status(page).getByText("Nothing is recorded").waitFor();
    const [open] = await sharesUntil(() => delay(3_000));
    console.log(
      `      while it listens: the browser ${listening} of a core, the server with this test ${host};`,
    );
    console.log(`      with the microphone open and nothing recorded: the browser ${open}`);
    await page.getByRole("button", { name: "Talk" }).click();
    await until("the click begins it", () => talks.length === 1);
    assert.deepEqual(talks, [true]);
    assert.equal(new URL(page.url()).hash, "", "the token is in no history");
    const heard = await recognize(wavOf(Int16Array.from(said.flatMap((piece) => [...piece]))));
    console.log(
      `      understood ${(understood(SAID, heard) * 100).toFixed(0)} % of the microphone: ${heard}`,
    );
    assert.ok(understood(SAID, heard) >= 0.9, heard);
    assert.equal(total(), after, "nothing comes after the microphone is paused");
    assert.deepEqual(complaints, []);
  });

  it("plays speech, says how much was heard, and is silent at once when hushed", async function () {
    if (!speech) this.skip();
    const { page, opening, complaints } = await begin({ script: TAP });
    const line = lineOf(await opening);
    await speak(ANSWER, path.join(dir, "answer.wav"));
    const pcm = samplesOf(path.join(dir, "answer.wav"));
    const length = pcm.length / 24;
    const heard: [number, number][] = [];
    line.onPlayed((number, ms) => heard.push([number, ms]));
    for (let at = 0; at < pcm.length; at += 4_001) line.play(1, pcm.subarray(at, at + 4_001));
    await until("it is played", () => (heard.at(-1)?.[1] ?? 0) >= length - 0.001);
    assert.ok(
      heard.length > 20 && heard.every(([, ms], at) => ms >= (heard[at - 1]?.[1] ?? 0)),
      "it grows",
    );
    assert.ok(Math.abs((heard.at(-1)?.[1] ?? 0) - length) < 0.01, "the last report is the length");
    const rate = await page.evaluate<number>("rate");
    const played = Int16Array.from(await recordedIn(page), (sample) => sample * 32_767);
    const understoodWords = await recognize(wavOf(played, rate));
    console.log(
      `      understood ${(understood(ANSWER, understoodWords) * 100).toFixed(0)} % of the loudspeaker: ${understoodWords}`,
    );
    assert.ok(understood(ANSWER, understoodWords) >= 0.8, understoodWords);

    line.play(2, pcm);
    await until("the second is heard", () =>
      heard.some(([number, ms]) => number === 2 && ms > 300),
    );
    const pieces: number[] = [];
    line.onSound(({ pcm }) => pieces.push(pcm.length));
    await line.listen(true);
    await until("it records", () => pieces.length > 2);
    assert.equal(pieces[2], 768, "a voice over the speech is known after 32 ms");
    await line.listen(false);
    const loud = async () => (await recordedIn(page, 2048)).some((each) => Math.abs(each) > 0.01);
    await until("it is loud", loud);
    const hushed = performance.now();
    line.hush();
    await until("it is silent", async () => !(await loud()));
    console.log(
      `      silent ${(performance.now() - hushed).toFixed(0)} ms after hush, seen by polling`,
    );
    const stopped = heard.at(-1)?.[1] ?? 0;
    assert.ok(stopped < length);
    line.play(3, pcm.subarray(0, 2400));
    await until("the third is heard", () =>
      heard.some(([number, ms]) => number === 3 && ms === 100),
    );
    assert.deepEqual(complaints, []);
  });

  it("records and plays also where the browser keeps the microphone's own rate", async () => {
    const { opening, complaints } = await begin({ script: OWN_RATE_ONLY });
    const line = lineOf(await opening);
    let samples = 0;
    const heard: number[] = [];
    line.onSound(({ pcm }) => {
      samples += pcm.length;
    });
    line.onPlayed((_, ms) => heard.push(ms));
    await line.listen(true);
    const began = performance.now();
    line.play(1, new Int16Array(12_000));
    await until("it is played", () => heard.at(-1) === 500);
    await until("a second is recorded", () => samples >= 24_000);
    assert.ok(performance.now() - began > 700, "at the line's rate");
    assert.deepEqual(complaints, []);
  });

  it("says that the microphone was refused, tries again, and ends when the permission is taken away", async () => {
    const { page, context, opening, refusals } = await begin({ grant: false });
    await status(page).getByText("denied the microphone").waitFor();
    await until("the host knows", () => refusals.length > 0);
    assert.deepEqual(refusals, [{ type: "refused", code: "denied", detail: "" }]);
    await context.grantPermissions(["microphone"]);
    await page.getByRole("button", { name: "Try again" }).click();
    const line = lineOf(await opening);
    await status(page).getByText("The microphone is open").waitFor();
    await context.clearPermissions();
    assert.deepEqual(await line.closed, { code: "unplugged" });
    await status(page).getByText("The microphone was disconnected").waitFor();
  });

  it("says that there is no microphone", async () => {
    const without = await launchChromium();
    try {
      const { page, refusals } = await begin({ from: without });
      await status(page).getByText("No microphone was found").waitFor();
      await until("the host knows", () => refusals.length > 0);
      assert.deepEqual(refusals, [{ type: "refused", code: "no-microphone", detail: "" }]);
    } finally {
      await without.close();
    }
  });

  it("closes itself when the talk ends, and says that it can be closed where it may not", async () => {
    const first = await begin({ inTab: true });
    const tab = await first.tab;
    const line = lineOf(await first.opening);
    const closed = tab.waitForEvent("close");
    const stop = tab.getByRole("button", { name: "Stop voice" });
    await stop.focus();
    // The page may be closed before the key has come up.
    tab.keyboard.press("Enter").catch(() => undefined);
    assert.deepEqual(await line.closed, { code: "closed" });
    await closed;

    const second = await begin();
    lineOf(await second.opening).close();
    await status(second.page).getByText("You can close this page").waitFor();
  });

  it("is lost when it is closed, and opens only once", async () => {
    const second = await begin();
    const other = lineOf(await second.opening);
    const again = await second.context.newPage();
    await again.goto(second.page.url());
    await status(again).getByText("only once").waitFor();
    await second.page.close();
    assert.deepEqual(await other.closed, { code: "lost" });
  });
});

describe("the panel's microphone", () => {
  const panel = withPanel();
  const off: PanelVoice = {
    state: "off",
    handsFree: false,
    words: "",
    muted: false,
    demo: false,
    problem: null,
    unavailable: null,
  };
  const show = (voice: Partial<PanelVoice>) =>
    panel.post({ type: "voice", voice: { ...off, ...voice } });
  const button = () => panel.page.locator(".voice-button");
  /** What was asked for since the last time. */
  const asked = async () => {
    const actions = (await panel.sent()).flatMap((message) =>
      message.type === "voice" ? [message.action] : [],
    );
    await panel.page.evaluate("window.sent.splice(0)");
    return actions;
  };

  it("talks from click to click, while it is held, and by keyboard", async () => {
    await panel.snapshot([]);
    await button().click();
    assert.deepEqual(await asked(), ["press"]);
    await show({ state: "opening" });
    await button().click();
    assert.deepEqual(await asked(), ["close"]);
    await show({ state: "ready" });
    await button().click();
    await show({ state: "listening" });
    assert.equal(await button().getAttribute("aria-pressed"), "true");
    await button().click();
    assert.deepEqual(await asked(), ["press", "release"]);

    await show({ state: "ready" });
    const box = await button().boundingBox();
    assert.ok(box);
    await panel.page.mouse.move(box.x + 5, box.y + 5);
    await panel.page.mouse.down();
    assert.deepEqual(await asked(), ["press"]);
    await show({ state: "hearing" });
    const held = await panel.page.evaluate<number>("performance.now()");
    await until(
      "it is a hold",
      async () => (await panel.page.evaluate<number>("performance.now()")) > held + 350,
    );
    await panel.page.mouse.move(box.x - 100, box.y - 100);
    await panel.page.mouse.up();
    assert.deepEqual(await asked(), ["release"], "also where the pointer has moved away");

    await show({ state: "ready" });
    await button().press("Enter");
    await show({ state: "listening" });
    await button().press("Enter");
    assert.deepEqual(await asked(), ["press", "release"]);
    await panel.page.getByLabel("Message to Graft").press("Space");
    assert.deepEqual(await asked(), [], "the space bar types");
  });

  it("opens and closes hands-free, and shows state, words, trouble and their buttons", async () => {
    await panel.snapshot([]);
    const row = panel.page.locator(".voice");
    assert.ok(!(await row.isVisible()));
    await show({ handsFree: true, state: "listening" });
    await button().click();
    assert.deepEqual(await asked(), ["close"]);
    await show({ handsFree: true, state: "recognizing", words: "Rename that" });
    await row.getByText("Rename that").waitFor();
    await show({ handsFree: true, state: "speaking" });
    await row.getByRole("button", { name: "Hush" }).click();
    await row.getByRole("button", { name: "Turn off" }).click();
    assert.deepEqual(await asked(), ["hush", "close"]);
    await show({
      problem: { text: "It failed: https://example.org/a", retry: true, key: true },
    });
    await row.locator("a.link").click();
    assert.deepEqual((await panel.sent()).at(-1), {
      type: "open-link",
      url: "https://example.org/a",
    });
    await row.getByRole("button", { name: "Try again" }).click();
    await row.getByRole("button", { name: "Voice settings" }).click();
    await row.getByRole("button", { name: "Set API key" }).click();
    assert.deepEqual(await asked(), ["retry", "settings", "key"]);
    await show({ unavailable: "Not here." });
    assert.equal(await button().getAttribute("aria-disabled"), "true");
    await button().press("Enter");
    await panel.page.locator(".composer-hint", { hasText: "Not here." }).waitFor();
    assert.deepEqual(await asked(), []);
  });
});
