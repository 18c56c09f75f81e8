import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Chat } from "../../src/agent/chat/chat.ts";
import { StreamHub } from "../../src/agent/loop/streamHub.ts";
import { ok } from "../../src/base/result.ts";
import { ChangeJournal } from "../../src/edits/history/changeJournal.ts";
import { createOpenaiClient } from "../../src/model/openai/openaiClient.ts";
import { branch } from "../../src/turns/branch.ts";
import { conversation } from "../../src/turns/conversation.ts";
import type { TurnEventBody } from "../../src/turns/turnEvent.ts";
import { TurnStore } from "../../src/turns/turnStore.ts";
import { allowAll } from "../fakes/allowAll.ts";
import { noSyntax } from "../fakes/editor/noSyntax.ts";
import { RecordingLogger } from "../fakes/recordingLogger.ts";
import { testTool } from "../fakes/testTool.ts";
import { RecordingReviewer } from "../fakes/turns/recordingReviewer.ts";
import { memoryWorkspace } from "../fakes/workspace/memoryWorkspace.ts";

const CHUNKS = 20_000;
const CALLS = 500;
const TURNS = 1_000;
const ROUNDS = 5;
const LIMITS = { connectMs: 10_000, firstTokenMs: 10_000, idleMs: 10_000 };

const chunk = (delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
const DONE = "data: [DONE]\n\n";

/** An answer of many pieces of text, as a server sends it: several events in one read. */
function textBody(chunks: number): Uint8Array[] {
  const reads: Uint8Array[] = [];
  for (let at = 0; at < chunks; at += 10)
    reads.push(new TextEncoder().encode(chunk({ content: "four" }).repeat(10)));
  reads.push(new TextEncoder().encode(chunk({}, "stop") + DONE));
  return reads;
}

function callsBody(calls: number): Uint8Array[] {
  const pieces = Array.from({ length: calls }, (_, index) =>
    chunk({
      tool_calls: [
        {
          index,
          id: `c${index}`,
          type: "function",
          function: { name: "read", arguments: `{"text":"${index}"}` },
        },
      ],
    }),
  );
  return [...pieces, chunk({}, "tool_calls") + DONE].map((piece) =>
    new TextEncoder().encode(piece),
  );
}

function served(reads: readonly Uint8Array[]): Response {
  let at = 0;
  return new Response(
    new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          const next = reads[at++];
          if (next) controller.enqueue(next);
          else controller.close();
        },
      },
      { highWaterMark: 0 },
    ),
  );
}

/** Nothing attached: reads the body, splits the events off and parses each. */
async function plainReading(reads: readonly Uint8Array[]): Promise<void> {
  const reader = served(reads).body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  let objects = 0;
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    const events = (rest + next.value).split("\n\n");
    rest = events.pop() ?? "";
    for (const event of events) {
      if (event === "data: [DONE]") continue;
      if (typeof JSON.parse(event.slice(6)) === "object") objects += 1;
    }
  }
  if (objects === 0) throw new Error("Nothing was read.");
}

async function clientOnly(reads: readonly Uint8Array[], tools: boolean): Promise<void> {
  const client = createOpenaiClient({
    baseUrl: "http://bench.invalid/v1",
    apiKey: null,
    limits: LIMITS,
    fetch: async () => served(reads),
  });
  const specs = tools ? [{ name: "read", description: "", parameters: { type: "object" } }] : [];
  const request = { model: "m", messages: [{ role: "user" as const, text: "x" }], tools: specs };
  for await (const _part of client.stream(request, new AbortController().signal));
}

/** A turn of a chat: client, loop, events, tree, log. */
async function wholeLoop(bodies: readonly (readonly Uint8Array[])[]): Promise<void> {
  let request = 0;
  const fetch = async () => served(bodies[request++] ?? []);
  const client = createOpenaiClient({
    baseUrl: "http://bench.invalid/v1",
    apiKey: null,
    limits: LIMITS,
    fetch,
  });
  const logger = new RecordingLogger();
  const log = { read: async () => [], append: async () => undefined };
  const workspace = memoryWorkspace(new Map());
  const chat = await Chat.open({
    chatId: "bench",
    workspace,
    syntax: noSyntax,
    reviewer: new RecordingReviewer(),
    approval: allowAll,
    tools: [testTool("read", async (text) => ({ ok: true, output: text }))],
    log,
    journal: new ChangeJournal(log, logger),
    logger,
    connect: async () => ok({ client, model: "m", info: null }),
    maxSteps: () => 10,
    activeFile: () => null,
  });
  const reason = await chat.send("x");
  if (reason !== "done") throw new Error(`The turn ended with ${reason}.`);
  await chat.dispose();
}

/** CPU milliseconds of the best of several rounds: what else the machine does only ever adds. */
async function best(work: () => Promise<void>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const gc: unknown = runInNewContext("gc");
  if (typeof gc === "function") gc();
}

async function memory(): Promise<void> {
  const logger = new RecordingLogger();
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const store = await TurnStore.load(
    { read: async () => [], append: async () => undefined },
    logger,
  );
  const hub = new StreamHub(0, (event) => store.append(event), logger);
  let text = 0;
  for (let turn = 0; turn < TURNS; turn++) {
    const parentTurnId = turn === 0 ? null : `agent-${turn - 1}`;
    const start = { type: "turn-start", model: "m", editFile: null, activeFile: null } as const;
    hub.emit(`user-${turn}`, {
      ...start,
      role: "user",
      parentTurnId,
      text: `Question ${turn}: what does this do?`,
    });
    const emit = (event: TurnEventBody) => hub.emit(`agent-${turn}`, event);
    emit({ ...start, role: "agent", parentTurnId: `user-${turn}`, text: null });
    emit({
      type: "tool-call",
      callId: `c${turn}`,
      name: "read_file",
      argsText: '{"path":"a.ts"}',
      input: { path: "a.ts" },
    });
    emit({ type: "tool-start", callId: `c${turn}` });
    const output = `${turn} `.repeat(500);
    emit({
      type: "tool-result",
      callId: `c${turn}`,
      status: "success",
      output,
      error: null,
      durationMs: 1,
    });
    for (let piece = 0; piece < 400; piece++) emit({ type: "text-delta", text: `p${piece} ` });
    emit({ type: "turn-end", reason: "done", error: null });
    text += output.length + 400 * 5;
  }
  await store.flush();
  collectGarbage();
  const heap = process.memoryUsage().heapUsed - before;
  const messages = conversation(branch(store.tree, store.tree.headTurnId), true);
  console.log(
    `\n  A chat of ${TURNS} turns, each with a call and 400 pieces of text: ${(heap / 1e6).toFixed(1)} MB of heap`,
  );
  console.log(
    `  for ${(text / 1e6).toFixed(1)} million characters (${(heap / text).toFixed(1)} bytes each); ${messages.length} messages.`,
  );
}

async function main(): Promise<void> {
  console.log(
    `CPU time, the best of ${ROUNDS} rounds; ratios to reading the same stream with nothing attached but JSON.parse.`,
  );
  const body = textBody(CHUNKS);
  const plain = await best(() => plainReading(body));
  const client = await best(() => clientOnly(body, false));
  const scanned = await best(() => clientOnly(body, true));
  const loop = await best(() => wholeLoop([body]));
  const grown = (await best(() => wholeLoop([textBody(10 * CHUNKS)]))) / loop;
  const micro = (ms: number, count: number) => `${((ms * 1000) / count).toFixed(1)} µs`;
  const row = (name: string, ms: number, base: number, count: number) =>
    console.log(
      `  ${name.padEnd(44)}${micro(ms, count).padStart(10)}${(ms / base).toFixed(2).padStart(9)}`,
    );
  console.log(
    `\n  ${`per chunk, of ${CHUNKS}`.padEnd(44)}${"each".padStart(10)}${"ratio".padStart(9)}`,
  );
  row("read and parsed", plain, plain, CHUNKS);
  row("the client", client, plain, CHUNKS);
  row("the client, looking for calls in the text", scanned, plain, CHUNKS);
  row("the loop: events, tree, log", loop, plain, CHUNKS);
  console.log(
    `  the loop's own share: ${((loop - scanned) / plain).toFixed(2)}; ten times the chunks: ${grown.toFixed(1)} times the time`,
  );
  const calls = [callsBody(CALLS), textBody(10)];
  const plainCalls = await best(async () => {
    for (const each of calls) await plainReading(each);
  });
  const loopCalls = await best(() => wholeLoop(calls));
  console.log(
    `\n  ${`per call, of ${CALLS}`.padEnd(44)}${"each".padStart(10)}${"ratio".padStart(9)}`,
  );
  row("read and parsed", plainCalls, plainCalls, CALLS);
  row("run, answered and sent back", loopCalls, plainCalls, CALLS);
  await memory();
}

void main();
