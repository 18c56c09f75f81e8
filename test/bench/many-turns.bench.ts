import type { Browser } from "playwright-core";
import { TurnScript } from "../fakes/turns/turnScript.ts";
import { launchChromium } from "../harness/browser.mjs";
import { buildPanel, type PanelFiles, PanelPage, readyStatus } from "../ui/panelPage.ts";
import { quantile } from "./packed.ts";

/**
 * What a chat of 150 turns costs the panel's main thread, as ratios to a new one: a turn with a tool
 * call and a streamed answer, each kind of work in it, and drawing the chat anew.
 */
const TURNS = 150;
const ROUNDS = 7;
/** Turns in a round. */
const ASKED = 6;
/** Milliseconds between two messages of the host. */
const FRAME = 16;

const WORDS = "The total is the sum of the prices, less the discount of the coupon. ".repeat(12);
const CODE = `\n\n\`\`\`ts\n${"const total = prices.reduce((sum, price) => sum + price, 0);\n".repeat(12)}\`\`\`\n`;

const KINDS = {
  TaskDuration: "all",
  ScriptDuration: "scripts",
  LayoutDuration: "layout",
  RecalcStyleDuration: "styles",
} as const;
type Kind = keyof typeof KINDS;
const kinds = ["TaskDuration", "ScriptDuration", "LayoutDuration", "RecalcStyleDuration"] as const;

/** Reads a file, then answers. */
function answer(script: TurnScript, number: number): TurnScript {
  script.ask(`Question ${number}`);
  script.text("I read it.");
  const lines = "export const a = 1;\n".repeat(40);
  script.call(`call-${number}`, "read_file", { file_path: "a.ts" }, lines, 12);
  script.add({ type: "step-start", step: 1 });
  return script.text(`${WORDS}${CODE}\n\nThis answers Question ${number}!`, 64).end();
}

interface OpenChat {
  readonly panel: PanelPage;
  costs(): Promise<Record<Kind, number>>;
  /** Plays turns as the host does, a message a frame. */
  play(): Promise<void>;
  /** Takes them back, so that each round has the same chat before it. */
  restore(): Promise<void>;
  /** Draws the chat anew; gives the milliseconds until its end is there. */
  redraw(): Promise<number>;
}

async function open(browser: Browser, files: PanelFiles, turns: number): Promise<OpenChat> {
  const panel = await PanelPage.open(browser, files);
  const session = await panel.page.context().newCDPSession(panel.page);
  await session.send("Performance.enable");
  let script = new TurnScript();
  for (let at = 0; at < turns; at++) answer(script, at);
  await panel.snapshot(script.events);
  return {
    panel,
    async costs() {
      const { metrics } = await session.send("Performance.getMetrics");
      const value = (kind: string) =>
        (metrics.find(({ name }) => name === kind)?.value ?? Number.NaN) * 1_000;
      return {
        TaskDuration: value("TaskDuration"),
        ScriptDuration: value("ScriptDuration"),
        LayoutDuration: value("LayoutDuration"),
        RecalcStyleDuration: value("RecalcStyleDuration"),
      };
    },
    async play() {
      const from = script.events.length;
      for (let at = 0; at < ASKED; at++) answer(script, 1_000 + at);
      const { events } = script;
      await panel.page.evaluate(`(async () => {
        const events = ${JSON.stringify(events.slice(from))};
        for (let at = 0; at < events.length; at += 2) {
          window.postMessage({ type: "events", chatId: "chat-1", after: 0, events: events.slice(at, at + 2) }, "*");
          await new Promise((done) => setTimeout(done, ${FRAME}));
        }
        await window.drawn();
      })()`);
    },
    async restore() {
      script = new TurnScript();
      for (let at = 0; at < turns; at++) answer(script, at);
      await panel.snapshot(script.events);
      await panel.page.evaluate("new Promise((done) => setTimeout(done, 300))");
    },
    async redraw() {
      const message = {
        ...{ type: "snapshot", chatId: "chat-1" },
        ...{ events: script.events, status: readyStatus },
      };
      return Number(
        await panel.page.evaluate(
          `(async () => { const message = ${JSON.stringify(message)}; const began = performance.now(); window.postMessage(message, "*"); await window.drawn(); return performance.now() - began; })()`,
        ),
      );
    },
  };
}

async function main(): Promise<void> {
  const browser = await launchChromium();
  const files = await buildPanel();
  const chats = {
    new: await open(browser, files, 1),
    long: await open(browser, files, TURNS),
  } as const;
  const ratios: Record<Kind, number[]> = {
    TaskDuration: [],
    ScriptDuration: [],
    LayoutDuration: [],
    RecalcStyleDuration: [],
  };
  const means: Record<Kind, { new: number; long: number }[]> = {
    TaskDuration: [],
    ScriptDuration: [],
    LayoutDuration: [],
    RecalcStyleDuration: [],
  };
  const drawn: { new: number; long: number }[] = [];
  const cost = async ({ costs, play, restore }: OpenChat) => {
    const before = await costs();
    await play();
    const after = await costs();
    await restore();
    return (kind: Kind) => after[kind] - before[kind];
  };
  for (const chat of Object.values(chats)) await cost(chat);
  for (let round = 0; round < ROUNDS; round++) {
    const [fresh, long] = [await cost(chats.new), await cost(chats.long)];
    for (const kind of kinds) {
      ratios[kind].push(long(kind) / fresh(kind));
      means[kind].push({ new: fresh(kind) / ASKED, long: long(kind) / ASKED });
    }
    drawn.push({ new: await chats.new.redraw(), long: await chats.long.redraw() });
  }
  const ms = (value: number) => value.toFixed(1);
  for (const kind of kinds) {
    const middle = (chat: "new" | "long") =>
      quantile(
        means[kind].map((each) => each[chat]),
        0.5,
      );
    console.log(
      `  a turn, ${KINDS[kind]}: ${ms(middle("new"))} ms in a new chat, ${ms(middle("long"))} ms after ${TURNS} turns: ${quantile(ratios[kind], 0.5).toFixed(2)}`,
    );
  }
  const middle = (chat: "new" | "long") =>
    quantile(
      drawn.map((each) => each[chat]),
      0.5,
    );
  console.log(
    `  drawn anew: ${ms(middle("new"))} ms and ${ms(middle("long"))} ms: ${(middle("long") / middle("new")).toFixed(2)}`,
  );
  for (const { panel } of Object.values(chats)) await panel.close();
  await browser.close();
}

void main();
