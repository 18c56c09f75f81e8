import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type ModelServer, startModelServer } from "../fakes/model/modelServer.ts";
import { screenshot } from "../ui/screenshot.ts";
import { composer, openPanel, panel, type Workbench } from "../ui/workbench.ts";
import type { AnswerPlan, PlannedFile } from "./answerPlan.ts";
import { busyCores } from "./busyMachine.ts";
import { failWith, SEED } from "./campaign.ts";
import { holdExtensionHost, killExtensionHost } from "./extensionHost.ts";
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
const MOMENTS = [
  "streaming",
  "queued",
  "pending",
  "accepting",
  "accepting",
  "running",
  "running",
] as const;
/** Those of a held host, which dies in each. A browser that is killed forgets what it had not stored. */
const KILLS_OF_QUEUED: readonly (typeof KILLS)[number][] = ["host", "server", "reload", "tab"];

/** The processes of this machine whose command line has a word. */
function processesWith(word: string): readonly string[] {
  return fs.readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const line = fs.readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ");
      return line.includes(word) ? [`${name} ${line}`] : [];
    } catch {
      return [];
    }
  });
}

function endProcesses(found: readonly string[]): void {
  for (const line of found) {
    try {
      process.kill(Number.parseInt(line, 10), "SIGKILL");
    } catch {
      // It has ended meanwhile.
    }
  }
}

/** Is in the command line of a life's command, and of nothing else. */
const markOf = (number: number) => `graft-life-${process.pid}-${number}`;

/** What a life's command is in: process, mount, and the folder that Graft made for it. */
interface Traces {
  readonly folder: string;
  readonly rooms: Set<string>;
}

/** The mounts over the workspace, of every process. */
function mountsOver({ folder }: Traces): readonly string[] {
  return fs.readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const lines = fs.readFileSync(`/proc/${name}/mountinfo`, "utf8").split("\n");
      return lines.filter((line) => line.includes(` ${folder} `) && line.includes(" - overlay "));
    } catch {
      return [];
    }
  });
}

/** Notes the rooms of the mounts that are there now. */
function noteRooms(traces: Traces): void {
  for (const mount of mountsOver(traces)) {
    const room = /upperdir=(\/[^,]*\/graft-shadow-[^/,]*)\//.exec(mount)?.[1];
    if (room !== undefined) traces.rooms.add(room);
  }
}

/** The process that made a room. */
const hostOf = (room: string) => /graft-shadow-\d+-(\d+)-/.exec(room)?.[1] ?? "";

/** The rooms that are there though their process is gone. */
function leftRooms({ rooms }: Traces): readonly string[] {
  return [...rooms].filter(
    (room) => fs.existsSync(room) && !fs.existsSync(`/proc/${hostOf(room)}`),
  );
}

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

/** What the user sends in a life while the host is busy. */
const queuedIn = (number: number) => [1, 2].map((each) => `Queued ${each} of life ${number}.`);

/** A file that only a life's command writes. */
const noiseOf = (number: number) => `noise${number}.txt`;

/** Has the model run a command in the end, which changes files where it runs until it is stopped. */
function withCommand(plan: AnswerPlan): AnswerPlan {
  const line = `while :; do date >>${noiseOf(plan.number)}; rm -f life*.txt; sleep 0.1; done`;
  return { ...plan, command: `sh -c '${line}' ${markOf(plan.number)}` };
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
      {
        "graft.baseUrl": server.url,
        "graft.model": "test-model",
        "graft.permissions.rules": [{ tool: "run_command", allow: "always" }],
      },
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

  /** The command has changed no file of the user's. */
  function untouched(plan: AnswerPlan): void {
    for (const file of plan.files) assert.equal(onDisk(file), file.text);
    assert.equal(fs.existsSync(path.join(workbench.folder, noiseOf(plan.number))), false);
  }

  /** Lives up to a moment; what is left of each file's blocks is in its line model. */
  async function liveTo(
    moment: (typeof MOMENTS)[number],
    plan: AnswerPlan,
    random: RandomChoices,
    traces: Traces,
  ): Promise<void> {
    const { page } = workbench;
    for (const file of plan.files)
      fs.writeFileSync(path.join(workbench.folder, file.path), file.text);
    model.plan(plan);
    await send(page, plan.prompt);
    const [first, ...others] = plan.files;
    if (!first) return;
    if (moment === "streaming" || moment === "queued") {
      const last = first.model.hunks.at(-1);
      await untilSeen(`the last block of ${first.path} is being written`, async () => {
        await bringToFront(page, first.path);
        return (await readDiff(page)).modified.some(({ text }) => text === last?.proposed[0]);
      });
      for (const file of others) file.model.reject(file.model.hunks);
      first.model.reject(last ? [last] : []);
      if (moment === "queued") await queue(plan.number);
      return;
    }
    for (const file of plan.files) model.release(file.path);
    if (moment === "running") {
      await untilSeen("the command runs", () => processesWith(markOf(plan.number)).length > 0);
      return untilSeen("it is in a shadow", () => {
        noteRooms(traces);
        return traces.rooms.size > 0;
      });
    }
    await panel(page).getByText(lastWords(plan), { exact: true }).waitFor();
    if (random.chance(40)) await typeAndSave(first, random);
    if (moment === "accepting") await pressFor(page, "acceptAll");
  }

  /** The user sends messages that a busy host does not take. */
  async function queue(number: number): Promise<void> {
    holdExtensionHost(workbench);
    for (const text of queuedIn(number)) {
      await composer(workbench.page).fill(text);
      await composer(workbench.page).press("Enter");
      await panel(workbench.page).getByText(text, { exact: true }).waitFor();
    }
  }

  /** Each message is in the chat, in its queue, or in the composer. */
  async function hasQueued(number: number): Promise<void> {
    const { page } = workbench;
    const missing = async () => {
      const shown = `${await panel(page).locator("body").textContent()} ${await composer(page).inputValue()}`;
      return queuedIn(number).filter((text) => !shown.includes(text));
    };
    await untilSeen(
      "no message is lost",
      async () => (await missing()).length === 0,
      async () => (await missing()).join("\n"),
    );
  }

  async function kill(how: (typeof KILLS)[number], isHeld: boolean): Promise<void> {
    if (how === "host" || isHeld) killExtensionHost(workbench);
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
      const possible = number === 1 ? (["running"] as const) : MOMENTS;
      const fits = (each: (typeof MOMENTS)[number]) =>
        each !== "queued" || KILLS_OF_QUEUED.includes(how ?? "power");
      const moment = random.pick(
        (how === "another" ? MOMENTS.slice(2, -2) : possible).filter(fits),
      );
      if (!how || !moment) throw new Error("no life");
      const wait = random.int(0, LATEST_KILL_MS);
      const name = `life ${number}: ${how} killed ${wait} ms into ${moment}`;
      const began = Date.now();
      const traces = { folder: workbench.folder, rooms: new Set<string>() };
      try {
        const planned = planLife(random, number);
        const plan = moment === "running" ? withCommand(planned) : planned;
        await liveTo(moment, plan, random, traces);
        await delay(wait);
        if (moment === "running") untouched(plan);
        await kill(how, moment === "queued");
        if (moment === "queued") await hasQueued(number);
        if (moment === "running") untouched(plan);
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
      const running = () => processesWith(markOf(number));
      // A host whose browser is gone waits for that in its turn, until the server ends it. Its room
      // goes when the next host begins.
      const isOrphaned = how === "browser" || how === "tab";
      if (isOrphaned) endProcesses([...running(), ...[...traces.rooms].map(hostOf)]);
      const left = () => [
        ...running(),
        ...mountsOver(traces),
        ...(isOrphaned ? [] : leftRooms(traces)),
      ];
      await untilSeen(
        `nothing of ${name} is left`,
        () => left().length === 0,
        () => left().join("\n"),
      );
    }
    console.log(`      ${LIVES} lives, ${lost.length} lost`);
    failWith(lost, LIVES, "lives");
  });
});
