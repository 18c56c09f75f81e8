import type { Browser, CDPSession } from "playwright-core";
import type { HostMessage } from "../../src/protocol/messages.ts";
import { TurnScript } from "../fakes/turns/turnScript.ts";
import { launchChromium } from "../harness/browser.mjs";
import { buildPanel, type PanelFiles, PanelPage, readyStatus } from "../ui/panelPage.ts";
import { quantile } from "./packed.ts";

/**
 * What the panel costs the main thread, in a real browser: opening a long chat, streaming into it,
 * and long answers.
 */
const TURNS = 1_000;
const PER_SECOND = 200;
const SECONDS = 5;
const ROUNDS = 5;

let browser: Browser;
let files: PanelFiles;

interface Metrics {
  readonly task: number;
  readonly nodes: number;
  readonly listeners: number;
  readonly heap: number;
}

/** An answer as long sessions have them: prose, lists, code, a table, calls and an edit. */
function longAnswer(script: TurnScript, at: number): TurnScript {
  script.ask(`Question ${at}: what about \`part${at}\`?`);
  script.add({ type: "reasoning-delta", text: "Let me look at the files first. ".repeat(20) });
  for (const call of [1, 2, 3]) {
    script.call(
      `call-${at}-${call}`,
      "read_file",
      { file_path: `src/part${call}.ts` },
      "export const a = 1;\n".repeat(40),
      12,
    );
  }
  script.add({ type: "step-start", step: 1 });
  const intro = `## Part ${at}\n\n${`Some **words** about \`part${at}\` and [a link](src/a.ts).\n\n`.repeat(6)}- one\n- two\n- three\n\n| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n\n`;
  const code = `\`\`\`ts\n${"const value = compute(1, 2);\n".repeat(15)}\`\`\`\n\n`;
  const block = "```ts:3:4\nexport const area = 1;\n```";
  script.text(intro + code + block);
  const textStart = intro.length + code.length;
  script.edit({
    blockId: `block-${at}`,
    step: 1,
    textStart,
    textEnd: textStart + block.length,
    status: "applied",
    addedLines: 1,
    removedLines: 2,
  });
  return script.text("\n\nDone.\n").end();
}

function longChat(turns: number): TurnScript {
  const script = new TurnScript();
  for (let at = 0; at < turns / 2; at++) longAnswer(script, at);
  return script;
}

async function open(): Promise<{
  panel: PanelPage;
  session: CDPSession;
  metrics(): Promise<Metrics>;
}> {
  const panel = await PanelPage.open(browser, files);
  const session = await panel.page.context().newCDPSession(panel.page);
  await session.send("Performance.enable");
  return {
    panel,
    session,
    async metrics() {
      const { metrics } = await session.send("Performance.getMetrics");
      const value = (name: string) =>
        metrics.find((each) => each.name === name)?.value ?? Number.NaN;
      return {
        task: value("TaskDuration") * 1000,
        nodes: value("Nodes"),
        listeners: value("JSEventListeners"),
        heap: value("JSHeapUsedSize") / 1e6,
      };
    },
  };
}

const print = (name: string, value: string) => console.log(`  ${name.padEnd(58)} ${value}`);
const ms = (value: number) => `${value.toFixed(value < 10 ? 2 : 0)} ms`;

/** Milliseconds of the page's main thread that `work` takes. */
async function cost(
  metrics: () => Promise<Metrics>,
  work: () => Promise<unknown>,
): Promise<number> {
  const { task } = await metrics();
  await work();
  return (await metrics()).task - task;
}

async function opening(): Promise<void> {
  const times: Record<string, number> = {};
  for (const [name, turns] of [
    ["12 turns", 12],
    ["the chat", TURNS],
  ] as const) {
    const { panel, session, metrics } = await open();
    const { events } = longChat(turns);
    const text = JSON.stringify({
      type: "snapshot",
      chatId: "chat-1",
      events,
      status: readyStatus,
    });
    await panel.page.evaluate(`window.snapshotText = ${JSON.stringify(text)}; 0`);
    const seen = Number(
      await panel.page.evaluate(
        "(async () => { const message = JSON.parse(window.snapshotText); delete window.snapshotText; const began = performance.now(); window.postMessage(message, '*'); await window.drawn(); return performance.now() - began; })()",
      ),
    );
    times[name] = seen;
    const drawing = await cost(metrics, async () => {
      await panel.page.evaluate("new Promise((done) => setTimeout(done, 12000))");
    });
    await session.send("HeapProfiler.collectGarbage");
    const { nodes, listeners, heap } = await metrics();
    print(`${name}: readable at its end after`, ms(seen));
    print(`${name}: drawn in the 12 s after that`, ms(drawing));
    print(`${name}: nodes, listeners, heap`, `${nodes}, ${listeners}, ${heap.toFixed(1)} MB`);
    await panel.close();
  }
  print(
    `opening ${TURNS} turns, of opening 12`,
    ((times["the chat"] ?? 0) / (times["12 turns"] ?? 1)).toFixed(2),
  );
}

/** Streams at a steady pace; the cost of a chunk and the long tasks. */
async function stream(turns: number): Promise<{ perChunk: number; tasks: readonly number[] }> {
  const { panel, metrics } = await open();
  const script = longChat(turns);
  script.ask("Tell me a lot");
  await panel.snapshot(script.events, { ...readyStatus, busy: true });
  await panel.page.evaluate("new Promise((done) => setTimeout(done, 3000))");
  const mark = script.events.length;
  for (let chunk = 0; chunk < PER_SECOND * SECONDS; chunk++)
    script.text(chunk % 20 === 19 ? "the end.\n\n" : `word${chunk} **b** `);
  let tasks: readonly number[] = [];
  const whole = await cost(metrics, async () => {
    const value: unknown = await panel.page.evaluate(`(async () => {
      const tasks = [];
      const observer = new PerformanceObserver((list) => { for (const entry of list.getEntries()) tasks.push(entry.duration); });
      observer.observe({ entryTypes: ["longtask"] });
      const events = ${JSON.stringify(script.since(mark))};
      const began = performance.now();
      let sent = 0;
      while (sent < events.length) {
        await new Promise((done) => setTimeout(done, 16));
        const due = Math.min(events.length, Math.floor((performance.now() - began) / 1000 * ${PER_SECOND}));
        if (due > sent) window.postMessage({ type: "events", chatId: "chat-1", after: 0, events: events.slice(sent, due) }, "*");
        sent = due;
      }
      await window.drawn();
      observer.disconnect();
      return tasks;
    })()`);
    tasks = Array.isArray(value) ? value.map(Number) : [];
  });
  await panel.close();
  return { perChunk: whole / (PER_SECOND * SECONDS), tasks };
}

async function streaming(): Promise<void> {
  const alone = await stream(0);
  const long = await stream(500);
  const tasks = ({ tasks }: typeof alone) =>
    `${tasks.length}, longest ${ms(Math.max(0, ...tasks))}`;
  print(`${PER_SECOND} chunks a second: tasks over 50 ms in an empty chat`, tasks(alone));
  print(`${PER_SECOND} chunks a second: tasks over 50 ms in 500 turns`, tasks(long));
  print("a chunk in an empty chat; in 500 turns", `${ms(alone.perChunk)}; ${ms(long.perChunk)}`);
  print(
    "a chunk in 500 turns, of one in an empty chat",
    (long.perChunk / alone.perChunk).toFixed(2),
  );
}

async function lastFlush(): Promise<void> {
  let text = "";
  while (text.length < 48_000)
    text += `## Part\n\n${"Some words of **an answer** with `code`.\n".repeat(4)}\n- one\n- two\n\n\`\`\`ts\n${"const value = 1;\n".repeat(10)}\`\`\`\n\n`;
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { panel, metrics } = await open();
    const script = new TurnScript().ask("Hi").text(text, 400);
    const ended = script.events.length;
    script.end();
    await panel.snapshot(script.events.slice(0, 3), { ...readyStatus, busy: true });
    for (let at = 3; at < ended; at += 8)
      await panel.events(script.events.slice(at, Math.min(ended, at + 8)));
    const nothing = await cost(metrics, () => panel.events([]));
    const flush = (await cost(metrics, () => panel.events(script.since(ended)))) - nothing;
    await panel.close();
    const other = await open();
    const whole = (await cost(other.metrics, () => other.panel.snapshot(script.events))) - nothing;
    await other.panel.close();
    ratios.push(flush / whole);
  }
  print("last flush of a 48 KB answer, of rendering it whole", quantile(ratios, 0.5).toFixed(3));
}

async function growing(size: number): Promise<number> {
  const { panel, metrics } = await open();
  const script = new TurnScript()
    .ask("Hi")
    .text("```ts\n")
    .text("const value = compute(1, 2);\n".repeat(Math.ceil(size / 29)), 400);
  await panel.snapshot(script.events.slice(0, 4), { ...readyStatus, busy: true });
  const messages: HostMessage[] = [];
  for (let at = 4; at < script.events.length; at += 4)
    messages.push({
      type: "events",
      chatId: "chat-1",
      after: 0,
      events: script.events.slice(at, at + 4),
    });
  const whole = await cost(metrics, () =>
    panel.page.evaluate(
      `(async () => { for (const message of ${JSON.stringify(messages)}) { window.postMessage(message, "*"); await window.drawn(); } })()`,
    ),
  );
  await panel.close();
  return whole;
}

async function codeBlock(): Promise<void> {
  const [small, large] = [await growing(48_000), await growing(192_000)];
  print("a growing code block of 48 kB; of 192 kB", `${ms(small)}; ${ms(large)}`);
  print("192 kB, of four times 48 kB (1 is linear)", (large / small / 4).toFixed(2));
}

async function main(): Promise<void> {
  browser = await launchChromium();
  files = await buildPanel();
  const parts = { opening, streaming, lastFlush, codeBlock };
  const wanted = process.env.GRAFT_PARTS?.split(",");
  for (const [name, run] of Object.entries(parts))
    if (!wanted || wanted.includes(name)) await run();
  await browser.close();
}

void main();
