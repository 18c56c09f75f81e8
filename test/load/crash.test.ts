import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { screenshot } from "../ui/screenshot.ts";
import { type PlannedFile, planAnswer } from "./answerPlan.ts";
import { busyWindow } from "./busyWindow.ts";
import { count, failWith, outOfTime, SEED } from "./campaign.ts";
import { killExtensionHost } from "./extensionHost.ts";
import { DIFF_TAB, LENS } from "./lensTexts.ts";
import { type RandomChoices, randomChoices } from "./randomChoices.ts";
import {
  bringToFront,
  closeEverything,
  decideByLens,
  newChat,
  pressFor,
  send,
  typeInDiff,
  untilSeen,
  untilShown,
} from "./screen.ts";

/** The longest time between a click on Accept and the crash, in milliseconds. */
const LATEST_CRASH_MS = 400;

describe("an extension host that crashes on a busy machine, in a real VS Code", () => {
  const window = busyWindow();

  const onDisk = (file: PlannedFile) =>
    fs.readFileSync(path.join(window.workbench.folder, file.path), "utf8");

  /**
   * Has the model answer about one fresh file, which the user types a word into while it is
   * written.
   */
  async function begin(random: RandomChoices, number: number): Promise<PlannedFile> {
    const { page } = window.workbench;
    const plan = planAnswer(random, number, 1);
    const [file] = plan.files;
    assert.ok(file);
    fs.writeFileSync(path.join(window.workbench.folder, file.path), file.text);
    window.model.plan(plan);
    await send(page, plan.prompt);
    await bringToFront(page, file.path);
    await untilShown(page, "the proposal is written", {
      original: file.model.real,
      lens: LENS.writing,
    });
    const line = random.pick(file.model.freeRealLines());
    await typeInDiff(page, "original", line, "~typed~");
    file.model.typeInReal(line, "~typed~");
    await untilShown(page, "the file shows what was typed", { original: file.model.real });
    return file;
  }

  /**
   * After the crash: what the user sees and saves is one of these texts, and stays it when the
   * window comes back.
   */
  async function settlesOn(file: PlannedFile, texts: readonly string[]): Promise<void> {
    const { page } = window.workbench;
    await untilSeen(
      "the file is what it was between two decisions",
      async () => {
        await pressFor(page, "saveAll");
        return (
          texts.includes(onDisk(file)) &&
          (await page.locator(".tab.dirty", { hasText: file.path }).count()) === 0
        );
      },
      () =>
        `${JSON.stringify(onDisk(file))}\n--- instead of one of\n${texts.map((text) => JSON.stringify(text)).join("\n")}`,
    );
    const saved = onDisk(file);
    await window.machine.reload();
    await untilSeen(
      "no proposal without a review is left",
      async () => (await page.locator(".tab", { hasText: DIFF_TAB }).count()) === 0,
    );
    assert.equal(onDisk(file), saved);
  }

  async function repeat(
    name: string,
    seconds: number,
    what: string,
    once: (random: RandomChoices, number: number) => Promise<void>,
  ): Promise<void> {
    const wrong: string[] = [];
    const wanted = count(name, 10);
    let done = 0;
    while (done < wanted && (done === 0 || !outOfTime(name, seconds))) {
      done++;
      const began = Date.now();
      try {
        await once(randomChoices(SEED * 1000 + done), done);
        console.log(`      crash ${done}: ${Date.now() - began} ms`);
      } catch (error) {
        await screenshot(window.workbench.page, `load-${name.toLowerCase()}-${done}`);
        wrong.push(`crash ${done}: ${String(error)}`);
        console.log(`      ${wrong.at(-1)}`);
        await window.machine.reload();
      }
      await closeEverything(window.workbench.page);
      await newChat(window.workbench.page);
    }
    failWith(wrong, done, what);
  }

  it("in the middle of an answer leaves the file as the user wrote it", async function () {
    this.timeout(0);
    await repeat(
      "STREAM_CRASHES",
      135,
      "crashes in the middle of an answer",
      async (random, number) => {
        const file = await begin(random, number);
        killExtensionHost(window.workbench);
        window.model.release(file.path);
        await settlesOn(file, [file.model.real.join(file.eol)]);
      },
    );
  });

  it("in the middle of an accept leaves the file as it was before or after it", async function () {
    this.timeout(0);
    await repeat(
      "ACCEPT_CRASHES",
      165,
      "crashes in the middle of an accept",
      async (random, number) => {
        const { page } = window.workbench;
        const file = await begin(random, 1000 + number);
        const { model: lines, eol } = file;
        window.model.release(file.path);
        await untilShown(page, "the proposal is complete", {
          original: lines.real,
          modified: lines.proposed,
          lens: LENS.decide,
        });
        const [first] = lines.pending;
        if (first && lines.pending.length > 1) {
          await decideByLens(page, LENS.accept, lines.proposedStart(first));
          lines.accept([first]);
          await untilShown(page, "the first hunk is accepted", {
            original: lines.real,
            modified: lines.proposed,
            lens: LENS.decide,
          });
        }
        const between = lines.real.join(eol);
        await pressFor(page, "acceptFile");
        await delay(random.int(0, LATEST_CRASH_MS));
        killExtensionHost(window.workbench);
        lines.accept(lines.pending);
        await settlesOn(file, [between, lines.real.join(eol)]);
      },
    );
  });
});
