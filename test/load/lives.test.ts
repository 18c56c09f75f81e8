import fs from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type ModelServer, startModelServer } from "../fakes/model/modelServer.ts";
import { openPanel, panel, screenshot, type Workbench } from "../ui/workbench.ts";
import type { AnswerPlan, PlannedFile } from "./answerPlan.ts";
import { busyCores } from "./busyMachine.ts";
import { failWith, SEED } from "./campaign.ts";
import { killExtensionHost } from "./extensionHost.ts";
import { LineModel } from "./lineModel.ts";
import { lastWords, type PacedModel, pacedModel } from "./pacedModel.ts";
import { type RandomChoices, randomChoices } from "./randomChoices.ts";
import {
  bringToFront,
  closeEverything,
  newChat,
  openLoadWindow,
  pressFor,
  readDiff,
  send,
  typeInDiff,
  untilSeen,
} from "./screen.ts";

/** How many lives: GRAFT_LIVES=200 for the long campaign. */
const LIVES = Number(process.env.GRAFT_LIVES ?? 3);

/** The longest time between what happens and the kill, in milliseconds. */
const LATEST_KILL_MS = 1500;

/** The first ones are played in every run. */
const KILLS = ["power", "tab", "another", "host", "server", "reload", "browser"] as const;
const MOMENTS = ["streaming", "pending", "accepting", "accepting"] as const;

/** Files of different lines, and an answer that replaces some in each, in order. */
function planLife(random: RandomChoices, number: number): AnswerPlan {
  const pieces = [`Answer ${number}.\n\n`];
  const files = Array.from({ length: random.int(1, 8) }, (_, at): PlannedFile => {
    const name = `life${number}_${at + 1}.txt`;
    const eol = random.pick(["\n", "\n", "\r\n"] as const);
    const lines = [...Array.from({ length: 36 }, (_line, line) => `old ${at}.${line + 1}`), ""];
    const blocks = Array.from({ length: random.int(2, 3) }, (_block, block) => {
      const start = block * 10 + random.int(3, 6);
      const written = Array.from(
        { length: random.int(1, 3) },
        (_line, line) => `new ${at}.${block}.${line}`,
      );
      return { start, end: start + random.int(-1, 1), lines: written };
    });
    let holdAt = 0;
    for (const { start, end, lines: written } of blocks) {
      const place = start > end ? `${end}:${end}:after` : `${start}:${end}`;
      pieces.push(`\`\`\`txt:${place} ${name}\n${written.map((line) => `${line}\n`).join("")}`);
      holdAt = pieces.length;
      pieces.push("```\n\n");
    }
    return {
      path: name,
      text: lines.join(eol),
      eol,
      model: new LineModel(lines, blocks),
      holdAt,
      random,
    };
  });
  return {
    number,
    prompt: `Make answer ${number}.`,
    files,
    pieces,
    paceMs: random.pick([0, 1, 5]),
  };
}

describe("random lives with kills, in a real VS Code", () => {
  const model: PacedModel = pacedModel();
  let server: ModelServer;
  let workbench: Workbench;
  let relax: () => void = () => undefined;

  before(async () => {
    server = await startModelServer(model.handler);
    workbench = await openLoadWindow(
      {},
      { "graft.baseUrl": server.url, "graft.model": "test-model" },
    );
    await openPanel(workbench.page);
    relax = busyCores();
  });

  after(async () => {
    relax();
    await workbench?.close();
    await server?.close();
  });

  const onDisk = (file: PlannedFile) =>
    fs.readFileSync(path.join(workbench.folder, file.path), "utf8");

  /** The user types a word into a file and saves it. */
  async function typeAndSave(file: PlannedFile, random: RandomChoices): Promise<void> {
    const { page } = workbench;
    const line = random.pick(file.model.freeRealLines());
    await bringToFront(page, file.path);
    await typeInDiff(page, "original", line, "~typed~");
    file.model.typeInReal(line, "~typed~");
    await untilSeen("what was typed is saved", async () => {
      await pressFor(page, "saveAll");
      return onDisk(file) === file.model.real.join(file.eol);
    });
  }

  /** Lives up to a moment; what is left of each file's blocks is in its line model. */
  async function liveTo(
    moment: (typeof MOMENTS)[number],
    plan: AnswerPlan,
    random: RandomChoices,
  ): Promise<void> {
    const { page } = workbench;
    for (const file of plan.files)
      fs.writeFileSync(path.join(workbench.folder, file.path), file.text);
    model.plan(plan);
    await send(page, plan.prompt);
    const [first, ...others] = plan.files;
    if (!first) return;
    if (moment === "streaming") {
      const last = first.model.hunks.at(-1);
      await untilSeen(`the last block of ${first.path} is being written`, async () => {
        await bringToFront(page, first.path);
        return (await readDiff(page)).modified.some(({ text }) => text === last?.proposed[0]);
      });
      for (const file of others) file.model.reject(file.model.hunks);
      first.model.reject(last ? [last] : []);
      return;
    }
    for (const file of plan.files) model.release(file.path);
    await panel(page).getByText(lastWords(plan), { exact: true }).waitFor();
    if (random.chance(40)) await typeAndSave(first, random);
    if (moment === "accepting") await pressFor(page, "acceptAll");
  }

  async function kill(how: (typeof KILLS)[number]): Promise<void> {
    if (how === "host") killExtensionHost(workbench);
    await workbench.reopen(how === "host" ? "reload" : how);
    await openPanel(workbench.page);
  }

  /**
   * Accepts all that waits and saves it: then each file is what it was, with what the user typed
   * and every complete block, once.
   */
  async function holds(plan: AnswerPlan): Promise<void> {
    const { page } = workbench;
    for (const { model: lines } of plan.files) lines.accept(lines.pending);
    const wrong = () =>
      plan.files.filter((file) => onDisk(file) !== file.model.real.join(file.eol));
    await untilSeen(
      "all that was complete is in the files",
      async () => {
        await pressFor(page, "acceptAll");
        await pressFor(page, "saveAll");
        return wrong().length === 0;
      },
      () =>
        wrong()
          .map(
            (file) =>
              `${file.path}: ${JSON.stringify(onDisk(file))}\nnot ${JSON.stringify(file.model.real.join(file.eol))}`,
          )
          .join("\n"),
    );
  }

  it(`loses nothing in ${LIVES} lives`, async function () {
    this.timeout(0);
    const lost: string[] = [];
    for (let number = 1; number <= LIVES; number++) {
      const random = randomChoices(SEED * 1000 + number);
      const how = number <= KILLS.length ? KILLS[number - 1] : random.pick(KILLS);
      // A second window beside one that writes gets the proposals once they are complete.
      const moment = random.pick(how === "another" ? MOMENTS.slice(1) : MOMENTS);
      if (!how || !moment) throw new Error("no life");
      const wait = random.int(0, LATEST_KILL_MS);
      const name = `life ${number}: ${how} killed ${wait} ms into ${moment}`;
      const began = Date.now();
      try {
        const plan = planLife(random, number);
        await liveTo(moment, plan, random);
        await delay(wait);
        await kill(how);
        // A host whose browser is gone would go on with its answer.
        const livesOn = how === "browser" || how === "tab";
        if (!livesOn) for (const file of plan.files) model.release(file.path);
        await holds(plan);
        for (const file of plan.files) model.release(file.path);
        console.log(`      ${name}: ${Date.now() - began} ms; ${lost.length} of ${number} lost`);
      } catch (error) {
        await screenshot(workbench.page, `life-${number}`);
        lost.push(`${name}: ${String(error)}`);
        console.log(`      ${lost.at(-1)}; ${lost.length} of ${number} lost`);
        await workbench.reopen("server");
        await openPanel(workbench.page);
      }
      await closeEverything(workbench.page);
      await newChat(workbench.page);
    }
    console.log(`      ${LIVES} lives, ${lost.length} lost`);
    failWith(lost, LIVES, "lives");
  });
});
