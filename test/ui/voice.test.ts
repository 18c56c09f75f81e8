import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Locator, Page } from "playwright-core";
import { type ModelServer, startModelServer } from "../fakes/model/modelServer.ts";
import { recognize, speak, understood, wavOf } from "../fakes/voice/speech.ts";
import { type SpeechServer, startSpeechServer } from "../fakes/voice/speechServer.ts";
import { missingSpeechTools } from "../harness/speechTools.mjs";
import { screenshot, screenshotsOfFailures } from "./screenshot.ts";
import { PROBE, sayTo, takePlayed, timesOf } from "./voicePageProbe.ts";
import {
  ask,
  openPanel,
  openWorkbench,
  PATIENCE,
  panel,
  runCommand,
  side,
  tab,
  until,
  type Workbench,
} from "./workbench.ts";

const FIRST = "Change the name of the first function and then read the whole file again.";
const SECOND = "Please tell me what the second file does.";
const INTERRUPTION = "Thank you, that is enough for the whole day.";
const DONE =
  "I read both of the files. The first one has a function, and the second one has a number.";
const LONG =
  "The second file has one number in it. It is used in all of the other files of the project. " +
  "Every time that you change it, you also have to change the name of the function in the first file. " +
  "After that you can run all of the tests again, and look at what they say about the change.";

const LONG_SENTENCE = LONG.split(". ")[1] ?? "";

/** The sentences of `LONG`. */
const LONG_SENTENCES = 3;

/**
 * One voice conversation in a real VS Code, with real speech in the microphone and out of the
 * loudspeaker.
 */
describe("talking with Graft, in a real VS Code with the packed extension", () => {
  let dir = "";
  let model: ModelServer;
  let speech: SpeechServer;
  let workbench: Workbench;
  let voicePage: Page;
  const answeredAt: number[] = [];
  const say = async (text: string) => {
    const file = path.join(dir, "say.wav");
    await speak(text, file);
    await sayTo(voicePage, fs.readFileSync(file));
  };
  const row = () => panel(workbench.page).locator(".voice");
  const button = () => panel(workbench.page).locator(".voice-button");
  const state = (text: string) => row().getByText(text).waitFor();
  /** Unix time of `performance.now`. */
  const unix = (at: number) => performance.timeOrigin + at;
  const note = (text: string) => console.log(`      ${text}`);

  /** Clicks a microphone, and gives the page that opens. */
  async function opened(microphone: Locator): Promise<Page> {
    const opening = workbench.page.context().waitForEvent("page", { timeout: PATIENCE });
    await microphone.click();
    const page = await opening;
    page.setDefaultTimeout(PATIENCE);
    return page;
  }

  /** Clicks the microphone, and follows to the page that opens. */
  async function open(): Promise<Page> {
    const page = await opened(button());
    await page.getByRole("heading", { name: "Talk with Graft" }).waitFor();
    return page;
  }

  before(async function () {
    const missing = missingSpeechTools();
    if (missing.length > 0) {
      note(`Missing: ${missing.join(", ")}. Skipping the tests with real speech.`);
      this.skip();
    }
    dir = fs.mkdtempSync(path.join(os.tmpdir(), "graft-voice-"));
    await speak(FIRST, path.join(dir, "first.wav"), { before: 1.5, after: 1 });
    speech = await startSpeechServer();
    model = await startModelServer((_request, index) => {
      answeredAt[index] = performance.now();
      const calls = ["a.ts", "b.ts"].map((file_path) => ({
        name: "read_file",
        args: { file_path },
      }));
      return (
        [{ toolCalls: calls }, { text: DONE }, { text: LONG }][index] ?? { text: "All right." }
      );
    });
    workbench = await openWorkbench({
      files: { "a.ts": "export function first(): void {}\n", "b.ts": "export const second = 2;\n" },
      settings: {
        "graft.baseUrl": model.url,
        "graft.model": "test-model",
        "graft.voice.connection": "Voice",
        "graft.voice.mode": "handsFree",
      },
      flags: [
        "--use-fake-device-for-media-stream",
        `--use-file-for-fake-audio-capture=${path.join(dir, "first.wav")}%noloop`,
        "--autoplay-policy=document-user-activation-required",
      ],
    });
    // Connections belong to the machine that the extension runs on.
    const machine = path.join(workbench.home, "data/Machine/settings.json");
    fs.mkdirSync(path.dirname(machine), { recursive: true });
    fs.writeFileSync(
      machine,
      JSON.stringify({
        "graft.connections": [{ name: "Voice", kind: "other", baseUrl: speech.url }],
      }),
    );
    await workbench.page.context().addInitScript(PROBE);
    await workbench.page.context().grantPermissions(["microphone"]);
    await openPanel(workbench.page);
  });

  after(async () => {
    await workbench?.close();
    await model?.close();
    await speech?.close();
    if (dir !== "") fs.rmSync(dir, { recursive: true, force: true });
  });

  screenshotsOfFailures(() => workbench.page);

  it("hears a request, runs both tool calls, and speaks the answer after their results", async () => {
    const { page } = workbench;
    speech.next(FIRST);
    assert.equal(await row().isVisible(), false, "nothing is open before a click");
    voicePage = await open();
    await voicePage.getByText("Graft is listening").waitFor();
    await page.locator(".statusbar-item", { hasText: "Graft is listening" }).waitFor();
    await state("Listening");
    await screenshot(page, "voice-1-listening");
    await screenshot(voicePage, "voice-1-page");
    await state("Speaking");
    await screenshot(page, "voice-2-speaking");
    const [asked, again] = model.requests;
    assert.match(
      asked?.body.messages.at(-1)?.content ?? "",
      new RegExp(`^${FIRST}[^]*said this aloud`),
    );
    const results = again?.body.messages.filter(({ role }) => role === "tool") ?? [];
    assert.equal(results.length, 2);
    await until("it is heard", async () => (await timesOf(voicePage)).loudFrom > 0);
    const times = await timesOf(voicePage);
    const resultsAt = unix(answeredAt[1] ?? 0);
    assert.ok(times.loudFrom > resultsAt, "no sound before the last tool result");
    note(
      `answer sent → first sound data at the page ${(times.firstAt - resultsAt).toFixed(0)} ms (with flite's own time)`,
    );
    note(
      `transcript → model request ${((answeredAt[0] ?? 0) - (speech.recordings[0]?.answeredAt ?? 0)).toFixed(0)} ms`,
    );
    await state("Listening");
    await panel(page).locator(".user-spoken").waitFor();
    await panel(page).getByText(DONE, { exact: true }).waitFor();
    const heard = await recognize(speech.recordings[0]?.wav ?? Buffer.alloc(0));
    note(`understood ${(understood(FIRST, heard) * 100).toFixed(0)} % of the recording: ${heard}`);
    assert.ok(understood(FIRST, heard) >= 0.9, heard);
    const played = await recognize(wavOf(await takePlayed(voicePage), times.rate));
    note(
      `understood ${(understood(DONE, played) * 100).toFixed(0)} % of the loudspeaker: ${played}`,
    );
    assert.ok(understood(DONE, played) >= 0.8, played);
  });

  it("is silent when the user speaks over the answer, and tells the model what was not heard", async () => {
    speech.next(SECOND);
    await say(SECOND);
    await state("Speaking");
    await until("some of it was heard", async () => (await timesOf(voicePage)).loudFrom > 0);
    const first = await timesOf(voicePage);
    const flite = speech.speakingMs[speech.spoken.length - LONG_SENTENCES] ?? 0;
    note(
      `end of speech → first sound ${(first.loudFrom - first.saidTo).toFixed(0)} ms hands-free, ${flite.toFixed(0)} ms of it flite's`,
    );
    speech.next(INTERRUPTION);
    await say(INTERRUPTION);
    const { saidFrom, saidTo, loudTo } = await timesOf(voicePage);
    note(`start of the user's speech → silence ${(loudTo - saidFrom).toFixed(0)} ms`);
    assert.ok(loudTo < saidTo - 300, "it is silent before the user has finished");
    const told = (await model.request(3)).body.messages
      .map(({ content }) => content ?? "")
      .join("\n");
    assert.match(told, /The user interrupted your spoken answer/);
    assert.ok(told.includes(INTERRUPTION));
    await until("that is answered aloud", () => speech.spoken.at(-1) === "All right.");
    await state("Listening");
  });

  it("answers what is typed in silence, in the same chat", async () => {
    const before = speech.spoken.length;
    await ask(workbench.page, "And now by keyboard");
    const { messages } = (await model.request(4)).body;
    const texts = messages.map(({ content }) => content ?? "").join("\n");
    assert.ok(texts.includes(FIRST) && texts.includes(INTERRUPTION));
    assert.match(messages.at(-1)?.content ?? "", /^And now by keyboard/);
    assert.doesNotMatch(messages.at(-1)?.content ?? "", /said this aloud/);
    await until(
      "it is answered",
      async () =>
        (await panel(workbench.page).getByText("All right.", { exact: true }).count()) === 2,
    );
    assert.equal(speech.spoken.length, before);
    await state("Listening");
  });

  it("says what failed and goes on by text", async () => {
    speech.next(404);
    await say(SECOND);
    await row().getByText("could not be recognized").waitFor();
    await screenshot(workbench.page, "voice-3-problem");
    speech.next("Once more.");
    await row().getByRole("button", { name: "Try again" }).click();
    assert.match((await model.request(5)).body.messages.at(-1)?.content ?? "", /^Once more\./);
    await state("Listening");
    await until("its answer was spoken", () => speech.spoken.at(-1) === "All right.");
    await state("Listening");
  });

  it("puts half a sentence into the message box where the page is closed, and sends nothing", async () => {
    const asked = model.requests.length;
    speech.next("Delete the whole");
    // A long sentence: the page is closed before it ends.
    say(LONG_SENTENCE).catch(() => undefined);
    await state("Hearing you");
    await until("there are words in it", async () => {
      return unix(performance.now()) > (await timesOf(voicePage)).saidFrom + 1_000;
    });
    await voicePage.close();
    await row().getByText("voice page was closed").waitFor();
    const box = panel(workbench.page).getByLabel("Message to Graft");
    await until("it is a draft", async () => (await box.inputValue()) === "Delete the whole");
    await row().getByText("were not sent").waitFor();
    assert.equal(model.requests.length, asked);
    await box.fill("");
    assert.match((await button().getAttribute("aria-label")) ?? "", /Talk/);
  });

  it("says that the browser denied the microphone, and talks while the button is held once it is allowed", async () => {
    const { page } = workbench;
    const context = page.context();
    await context.clearPermissions();
    // The window reads changed settings when it loads.
    workbench.set({ "graft.voice.mode": "pushToTalk" });
    await page.reload();
    await openPanel(page);
    await panel(page).locator(".user-spoken").first().waitFor();
    await panel(page).getByRole("button", { name: "Talk (opens the microphone)" }).waitFor();
    voicePage = await open();
    await row().getByText("browser denied the microphone").waitFor();
    assert.equal(await row().getByText("Opening the microphone").isVisible(), false);
    await screenshot(page, "voice-4-refused");
    await screenshot(voicePage, "voice-4-page");
    await context.grantPermissions(["microphone"]);
    await voicePage.getByRole("button", { name: "Try again" }).click();
    // The first click has begun it; the recording on the fake device begins with silence.
    await state("Listening. Let go or click to send.");
    await button().click();
    await state("Microphone open. Hold the button to talk.");
    await voicePage.getByText("Nothing is recorded").waitFor();
    const box = await button().boundingBox();
    assert.ok(box);
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await state("Listening. Let go");
    speech.next(SECOND);
    const asked = model.requests.length;
    await say(SECOND);
    const released = unix(performance.now());
    await page.mouse.up();
    await model.request(asked);
    await state("Speaking");
    await until("it is heard", async () => (await timesOf(voicePage)).loudFrom > released);
    const { firstAt, loudFrom } = await timesOf(voicePage);
    const stages = [
      ["transcript", unix(speech.recordings.at(-1)?.answeredAt ?? 0)],
      ["model request", unix(answeredAt[asked] ?? 0)],
      ["speech request", unix(speech.askedAt.at(-1) ?? 0)],
      ["sound at the page", firstAt],
      ["first sound", loudFrom],
    ] as const;
    note(
      `button let go → ${stages.map(([name, at]) => `${name} ${(at - released).toFixed(0)} ms`).join(", ")}`,
    );
    const closed = voicePage.waitForEvent("close");
    await runCommand(page, "Graft: Turn Microphone Off");
    await closed;
    await page
      .locator(".statusbar-item", { hasText: "Microphone open" })
      .waitFor({ state: "detached" });
  });

  it("puts half a sentence into the message box of the chat that it was said to, in a tab too", async () => {
    const { page } = workbench;
    const [inTab, inSide] = [tab(page), side(page)];
    await runCommand(page, "Graft: Open Chat in Editor");
    await inTab.locator(".user-spoken").first().waitFor();
    await runCommand(page, "Graft: New Chat");
    const isNew = async () => (await inSide.locator(".user-spoken").count()) === 0;
    await until("the side bar has a new chat", isNew);
    voicePage = await opened(inTab.locator(".voice-button"));
    await inTab.getByText("Listening. Let go or click to send.").waitFor();
    speech.next("Delete the whole");
    // A long sentence: the page is closed before it ends.
    say(LONG_SENTENCE).catch(() => undefined);
    await inTab.getByText("Hearing you").waitFor();
    await until("there are words in it", async () => {
      return unix(performance.now()) > (await timesOf(voicePage)).saidFrom + 1_000;
    });
    await voicePage.close();
    const box = (of: typeof inTab) => of.getByLabel("Message to Graft");
    await until(
      "it is a draft",
      async () => (await box(inTab).inputValue()) === "Delete the whole",
    );
    assert.equal(await box(inSide).inputValue(), "");
  });
});
