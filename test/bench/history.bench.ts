import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createNodeEventLogStorage } from "../../src/node/storage/nodeEventLog.ts";
import { hostMessageSchema } from "../../src/protocol/messages.ts";
import { listChats } from "../../src/review/chats/listChats.ts";
import { applyTurnEvent, emptyTree } from "../../src/turns/turnReducer.ts";
import { TurnStore } from "../../src/turns/turnStore.ts";
import { TurnScript } from "../fakes/turns/turnScript.ts";

const MEGABYTE = 1_000_000;
const logger = { info() {}, warn() {}, error() {} };

/**
 * A chat's history of at least `bytes`: short answers and long tool results, or a text in the small
 * pieces that a slow model leaves.
 */
function history(bytes: number, kind: "long results" | "small pieces"): readonly string[] {
  const script = new TurnScript();
  let size = 0;
  const lines: string[] = [];
  for (let turn = 0; size < bytes; turn++) {
    const mark = script.events.length;
    script.ask(`Request ${turn}: what does this part of the program do, and why?`);
    if (kind === "long results") {
      for (let call = 0; call < 4; call++)
        script.call(
          `call-${turn}-${call}`,
          "read_file",
          { path: `src/file${call}.ts` },
          "const line = 1;\n".repeat(800),
          5,
        );
      script.text("It reads the file and gives its lines. ".repeat(40), 200);
    } else script.text("It reads the file and gives its lines. ".repeat(400), 60);
    script.end();
    for (const event of script.since(mark)) {
      const line = JSON.stringify(event);
      size += line.length + 1;
      lines.push(line);
    }
  }
  return lines;
}

async function timed<T>(name: string, work: () => T | Promise<T>): Promise<T> {
  const start = performance.now();
  const value = await work();
  console.log(`  ${name.padEnd(52)}${(performance.now() - start).toFixed(0).padStart(7)} ms`);
  return value;
}

async function measure(
  folder: string,
  megabytes: number,
  kind: "long results" | "small pieces",
): Promise<void> {
  const storage = createNodeEventLogStorage(folder);
  const name = `chat-${kind.replace(" ", "-")}-${megabytes}`;
  const lines = history(megabytes * MEGABYTE, kind);
  await storage.open(name).append(lines);
  const { size } = await stat(path.join(folder, `${name}.jsonl`));
  console.log(`\n  ${(size / MEGABYTE).toFixed(0)} MB of ${kind}, ${lines.length} events`);
  const log = storage.open(name);
  await timed("reading the file", () => log.read());
  const store = await timed("opening the chat: reading, checking, the turn tree", () =>
    TurnStore.load(log, logger),
  );
  const text = await timed("the panel's snapshot as the host writes it", () =>
    JSON.stringify({ type: "snapshot", chatId: name, events: store.events }),
  );
  console.log(
    `  ${"the snapshot".padEnd(52)}${(text.length / MEGABYTE).toFixed(1).padStart(7)} MB`,
  );
  await timed("the panel's part: reading, checking, the turn tree", () => {
    const status = {
      busy: false,
      model: "",
      demo: true,
      chosen: true,
      offers: null,
      pending: [],
      keyMissing: false,
      trusted: true,
      workspace: true,
      elsewhere: false,
      behind: [],
    };
    const parsed = hostMessageSchema.safeParse({ ...JSON.parse(text), status });
    const tree = emptyTree();
    if (parsed.success && parsed.data.type === "snapshot")
      for (const event of parsed.data.events) applyTurnEvent(tree, event);
    if (tree.turns.size !== store.tree.turns.size)
      throw new Error("the panel has other turns than the host");
  });
  await timed("the list of chats, this one read anew", () => listChats(storage));
  await timed("the list of chats, from the index", () => listChats(storage));
}

async function main(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "graft-bench-"));
  try {
    for (const kind of ["long results", "small pieces"] as const)
      for (const megabytes of [1, 50]) await measure(folder, megabytes, kind);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

void main();
