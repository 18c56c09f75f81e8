import assert from "node:assert/strict";
import fc from "fast-check";
import { createOpenaiClient } from "../../../src/model/openai/openaiClient.ts";
import type { StreamPart } from "../../../src/model/streamPart.ts";
import { campaignRuns } from "../../fakes/campaignRuns.ts";
import { type BodyServer, startBodyServer } from "../../fakes/model/bodyServer.ts";
import { type BatchReading, batchReadings, dataOf } from "./batchReading.ts";
import { answerOf, type Collected, collect, GENEROUS, HELLO } from "./collect.ts";
import { recordedAnswers } from "./recordedAnswers.ts";

const seed = Number(process.env.GRAFT_SEED ?? 1);
/** So many bytes at each end of a recording are fed one by one. */
const ONE_BY_ONE = campaignRuns(800, 1_000_000);
/** So many events of each recording are cut, and so many of its last four. */
const CUT_EVENTS = campaignRuns(2, 200);
const CUT_LAST = Math.min(campaignRuns(1, 4), 4);
const tools = [{ name: "grep", description: "", parameters: { type: "object" } }];
/** So many bytes of each recording are also tried over HTTP. */
const OVER_HTTP = campaignRuns(3, 20);
/** The bytes of one piece of what comes before a cut, or between the single bytes. */
const PIECE = 2_000;
/** The longest that is held back while it may be the beginning of a tag. */
const LONGEST_HELD = "<thinking>".length;

interface Cuttable {
  readonly name: string;
  readonly bytes: Buffer;
  /** Where each event begins; the last one is the body's end. */
  readonly starts: readonly number[];
  /** What the events before each of these places say. */
  readonly readings: readonly BatchReading[];
}

describe(`an answer that ends at any byte (seed ${seed})`, () => {
  const recordings: Cuttable[] = [];
  let server: BodyServer;

  before(async function () {
    const recorded = recordedAnswers();
    if (recorded === null) this.skip();
    for (const { name, body } of recorded) {
      const unix = body.replaceAll("\r\n", "\n");
      const bytes = Buffer.from(unix);
      const starts = [0];
      for (let end = bytes.indexOf("\n\n"); end >= 0; end = bytes.indexOf("\n\n", end + 2))
        starts.push(end + 2);
      recordings.push({ name, bytes, starts, readings: batchReadings(unix) });
    }
    server = await startBodyServer();
  });

  after(() => server?.close());

  it(`has given out, after every single byte of every recording (up to ${ONE_BY_ONE} at each end), what the events until then say`, async () => {
    let bytes = 0;
    for (const recording of recordings) bytes += await readByteByByte(recording);
    console.log(`      ${bytes} bytes`);
  });

  it("is none but these, at every byte of every recording: between events, in one that cannot be read yet, or behind one without its blank line", () => {
    for (const { name, bytes, starts } of recordings) {
      let before = "";
      for (const [k, start] of starts.entries()) {
        const event = bytes.subarray(start, starts[k + 1] ?? bytes.length).toString("utf8");
        const data = dataOf(event);
        if (data === "") continue;
        const from = event.indexOf(data);
        assert.ok(from >= 0, `${name}: the data are on one line`);
        // What is cut inside of a character is cut inside of a string, which is not closed then.
        for (let end = from + sharedLength(data, before) + 1; end < from + data.length; end++)
          assert.ok(
            !isReadable(event.slice(from, end)),
            `${name}: the event at ${start} cut at ${end}`,
          );
        before = data;
      }
    }
  });

  it(`gives what had come until then, and says whether that is all (at ${CUT_EVENTS} events of every recording and ${CUT_LAST} of its last, cut at some byte and behind its last)`, async () => {
    let cuts = 0;
    for (const [at, recording] of recordings.entries()) {
      const { bytes, starts } = recording;
      const every = Math.ceil(starts.length / CUT_EVENTS);
      for (const [k, start] of starts.entries()) {
        const isNearEnd = k >= starts.length - 4 && (k + at + seed) % 4 < CUT_LAST;
        if (k % every !== seed % every && !isNearEnd) continue;
        const event = bytes
          .subarray(start, starts[k + 1] ?? bytes.length)
          .toString("utf8")
          .trimEnd();
        const length = Buffer.byteLength(event);
        const between = k % 8 === seed % 8 || isNearEnd || length === 0 ? [0] : [];
        const within = length === 0 ? [] : [1 + ((seed + k * 7919) % (length - 1)), length];
        for (const cut of [...between, ...within]) {
          const client = createOpenaiClient({
            baseUrl: "http://cut.invalid/v1",
            apiKey: null,
            limits: GENEROUS,
            fetch: async () => new Response(eventStream(recording, k, cut)),
          });
          compare(recording, start + cut, await answerOf(client, { ...HELLO, tools }));
          cuts += 1;
        }
      }
    }
    console.log(`      ${cuts} cuts`);
  });

  it(`does the same over HTTP, whether the body ends or the connection (${OVER_HTTP} sampled bytes of each recording)`, async () => {
    const client = createOpenaiClient({ baseUrl: server.url, apiKey: null, limits: GENEROUS });
    for (const recording of recordings) {
      const { bytes } = recording;
      const lengths = fc.sample(fc.integer({ min: 0, max: bytes.length }), {
        numRuns: OVER_HTTP,
        seed,
      });
      for (const [i, length] of lengths.entries()) {
        const end = i % 2 === 0 ? "complete" : "destroyed";
        server.next = { bytes: bytes.subarray(0, length), cuts: [], end };
        const answer = await answerOf(client, { ...HELLO, tools });
        // What was under way when a connection broke may be lost with it.
        if (end === "complete") compare(recording, length, answer);
        else isBeginning(recording, length, answer);
      }
    }
  });
});

/**
 * Feeds a recording one byte at a time, but its middle in pieces, and looks before each what has
 * been given out. Gives the number of bytes.
 */
async function readByteByByte({ name, bytes, starts, readings }: Cuttable): Promise<number> {
  const parts: StreamPart[] = [];
  let fed = 0;
  let events = 0;
  let looked = -1;
  const look = () => {
    while ((starts[events + 1] ?? Number.POSITIVE_INFINITY) <= fed) events += 1;
    const reading = readings[events];
    const state = events * 1_000_000 + parts.length;
    if (state === looked || !reading) return;
    looked = state;
    const at = `${name} after ${fed} bytes`;
    const given = collect(parts);
    assert.ok(
      reading.text.startsWith(given.text) &&
        reading.text.length - given.text.trimEnd().length < LONGEST_HELD,
      `${at}: text`,
    );
    assert.equal(given.reasoning, reading.reasoning, `${at}: reasoning`);
    assert.deepEqual(
      given.calls.map((call) => [call.name, call.deltas]),
      reading.calls.map((call) => [call.name, call.args]),
      `${at}: calls`,
    );
  };
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        look();
        if (fed === bytes.length) controller.close();
        else {
          const between = bytes.length - ONE_BY_ONE - fed;
          const size = fed < ONE_BY_ONE || between <= 0 ? 1 : Math.min(PIECE, between);
          controller.enqueue(bytes.subarray(fed, fed + size));
          fed += size;
        }
      },
    },
    { highWaterMark: 0 },
  );
  const client = createOpenaiClient({
    baseUrl: "http://cut.invalid/v1",
    apiKey: null,
    limits: GENEROUS,
    fetch: async () => new Response(body),
  });
  for await (const part of client.stream(HELLO, new AbortController().signal)) parts.push(part);
  const last = readings.at(-1);
  assert.equal(collect(parts).text, last?.text, `${name}: text`);
  // After an error, nobody reads on.
  assert.ok(fed === bytes.length || last?.error, `${name}: read to its end`);
  return fed;
}

/** A recording up to its event `k`, and `length` bytes of that one, in pieces of a few events. */
function eventStream(
  { bytes, starts }: Cuttable,
  k: number,
  length: number,
): ReadableStream<Uint8Array> {
  const end = (starts[k] ?? bytes.length) + length;
  let at = 0;
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = bytes.subarray(at, Math.min(at + PIECE, end));
      at += piece.length;
      if (piece.length > 0) controller.enqueue(piece);
      else controller.close();
    },
  });
}

function compare(
  { name, bytes, starts, readings }: Cuttable,
  length: number,
  answer: Collected,
): void {
  const at = `${name} cut at ${length}`;
  const k = starts.findLastIndex((start) => start <= length);
  const last = dataOf(bytes.subarray(starts[k], length).toString("utf8"));
  const reading = readings[isReadable(last) || last === "[DONE]" ? k + 1 : k];
  assert.ok(reading, at);
  assert.equal(answer.text, reading.text, `${at}: text`);
  assert.equal(answer.reasoning, reading.reasoning, `${at}: reasoning`);
  assert.deepEqual(
    answer.calls.map((call) => [call.name, call.deltas]),
    reading.calls.map((call) => [call.name, call.args]),
    `${at}: calls`,
  );
  assert.equal(answer.usage?.outputTokens ?? null, reading.outputTokens, `${at}: usage`);
  const finished = reading.finishes.some((reason) => reason !== "error");
  const empty = reading.text === "" && reading.reasoning === "" && reading.calls.length === 0;
  assert.equal(
    answer.error === null,
    finished || (reading.done && !reading.error && !empty),
    `${at}: ${answer.error?.code}`,
  );
}

/** Checks that an answer holds a beginning of the recording, and does not pass for all of it. */
function isBeginning({ name, readings }: Cuttable, length: number, answer: Collected): void {
  const at = `${name} destroyed at ${length}`;
  const whole = readings.at(-1);
  assert.ok(whole, at);
  assert.ok(whole.text.startsWith(answer.text), `${at}: text`);
  assert.ok(whole.reasoning.startsWith(answer.reasoning), `${at}: reasoning`);
  for (const [k, call] of answer.calls.entries())
    assert.ok(whole.calls[k]?.args.startsWith(call.deltas), `${at}: call ${k}`);
  // The provider had said that it stopped.
  const complete = readings.some(({ text, calls, finishes, done }) => {
    return (
      text === answer.text && calls.length === answer.calls.length && (finishes.length > 0 || done)
    );
  });
  assert.ok(answer.error !== null || complete, `${at}: passes for complete`);
}

/** How far two events say the same, which need not be looked at twice. */
function sharedLength(left: string, right: string): number {
  let length = 0;
  while (length < left.length - 1 && left.charAt(length) === right.charAt(length)) length += 1;
  return length;
}

function isReadable(data: string): boolean {
  // An object without its last brace need not be tried: trying all takes most of the time.
  if (data.startsWith("{") && !data.trimEnd().endsWith("}")) return false;
  try {
    JSON.parse(data);
    return true;
  } catch {
    return false;
  }
}
