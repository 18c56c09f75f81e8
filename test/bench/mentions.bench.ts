import path from "node:path";
import { foldersOf, fuzzyPath, searchPaths } from "../../src/base/text/fuzzyPaths.ts";
import { TurnScript } from "../fakes/turns/turnScript.ts";
import { launchChromium } from "../harness/browser.mjs";
import { run } from "../harness/exec.mjs";
import { root } from "../harness/root.mjs";
import { buildPanel, PanelPage } from "../ui/panelPage.ts";

/**
 * What `@` in the composer costs in a workspace of 50,000 files: the extension host's thread for
 * preparing the list once and for each key of a query, the panel's thread for a key and for showing
 * the list. Counts processor time and takes the least of several rounds, so that a busy machine
 * changes little.
 */
const FILES = 50_000;
/** How many files the list shows. */
const SHOWN = 20;
const ROUNDS = 15;
const FRAME_MS = 1000 / 60;
const QUERIES = ["somecomponent49", "p9f10c4", "src/feature5", "sctv", "zzz"];

/** Files that share a folder with seven others, and files with folders of their own. */
const shapes = { "8 files a folder": 8, "1 file a folder": 1 };

function filesOf(perFolder: number): readonly string[] {
  return Array.from({ length: FILES }, (_, at) => {
    const folder = Math.floor(at / perFolder);
    const kind = folder % 2 === 0 ? "components" : "hooks";
    return `packages/package${folder % 97}/src/feature${folder % 1013}/${kind}/someComponent${at}.view.ts`;
  });
}

/** Milliseconds of the processor. */
function cost(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const least = (measure: () => number) => Math.min(...Array.from({ length: ROUNDS }, measure));

function inHost(): void {
  for (const [name, perFolder] of Object.entries(shapes)) {
    const files = filesOf(perFolder);
    const entries = [...files, ...foldersOf(files)].map(fuzzyPath);
    console.log(`  ${name}: ${entries.length} files and folders`);
    console.log(
      `    preparing them: ${least(() => cost(() => [...files, ...foldersOf(files)].map(fuzzyPath))).toFixed(1)} ms, once, in slices`,
    );
    let slowest = 0;
    for (const query of QUERIES) {
      const keys = Array.from(query, (_, at) =>
        least(() => cost(() => searchPaths(entries, query.slice(0, at + 1), SHOWN))),
      );
      slowest = Math.max(slowest, ...keys);
      console.log(
        `    ${query.padEnd(16)} its keys ${keys.map((ms) => ms.toFixed(1)).join(", ")} ms`,
      );
    }
    console.log(`    slowest: ${(slowest / FRAME_MS).toFixed(2)} of a frame`);
  }
}

/** In the panel of a chat with 50 turns. */
async function inPanel(): Promise<void> {
  const browser = await launchChromium();
  const panel = await PanelPage.open(browser, await buildPanel());
  const session = await panel.page.context().newCDPSession(panel.page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const spent = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return 1000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN);
  };
  const costOf = async (work: () => Promise<unknown>) => {
    const before = await spent();
    await work();
    return (await spent()) - before;
  };
  const script = new TurnScript();
  for (let turn = 0; turn < 50; turn++)
    script
      .ask("Why?")
      .text("Some **words** about `code`.\n\n```ts\nconst a = 1;\n```\n".repeat(5))
      .end();
  await panel.snapshot(script.events);
  const box = panel.page.getByLabel("Message to Graft");
  const drawn = () => panel.page.evaluate("window.drawn()");
  const plain: number[] = [];
  const listed: number[] = [];
  await box.fill("x");
  await drawn();
  for (let round = 0; round < 3 * ROUNDS; round++)
    plain.push(await costOf(() => panel.page.keyboard.press("c").then(drawn)));
  await box.fill("");
  await box.press("@");
  for (let round = 0; round < 3 * ROUNDS; round++) {
    await panel.page.keyboard.press("c");
    const asked = (await panel.sent()).findLast((message) => message.type === "suggest");
    if (asked?.type !== "suggest") throw new Error("The panel asked for no list.");
    const items = Array.from({ length: SHOWN }, (_, at) => {
      const path = `packages/package${at}/src/components/component${at + round}.view.ts`;
      const ref = { kind: "file" as const, path, lines: null, name: "", text: null };
      return { label: `component${at + round}.view.ts`, detail: path, ref, insert: `@${path} ` };
    });
    await drawn();
    listed.push(
      await costOf(() => panel.post({ type: "suggestions", id: asked.id, items, complete: true })),
    );
  }
  await browser.close();
  const [key, list] = [Math.min(...plain), Math.min(...listed)];
  const share = (ms: number) => `${(ms / FRAME_MS).toFixed(2)} of a frame`;
  console.log(
    `  the panel: a key ${key.toFixed(1)} ms, its list of ${SHOWN} ${list.toFixed(1)} ms; ${share(list)}, with the key ${share(key + list)}`,
  );
}

/** In a real editor with this many files: as a share of `findFiles` alone. */
async function inEditor(): Promise<void> {
  const env = { ...process.env, GRAFT_FILES: String(FILES), GRAFT_GREP: "has the first results" };
  await run(process.execPath, [path.join(root, "esbuild.mjs"), "--tests"], {
    env,
    quiet: "building",
  });
  await run(
    process.execPath,
    ["--import", "tsx", path.join(root, "test/harness/integration.mjs"), "node"],
    { env },
  );
}

async function main(): Promise<void> {
  const parts = { inHost, inPanel, inEditor };
  const wanted = process.env.GRAFT_PARTS?.split(",");
  for (const [name, run] of Object.entries(parts))
    if (!wanted || wanted.includes(name)) await run();
}

void main();
