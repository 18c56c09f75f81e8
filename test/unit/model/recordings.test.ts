import assert from "node:assert/strict";
import fc from "fast-check";
import { createOpenaiClient } from "../../../src/model/openai/openaiClient.ts";
import { campaignRuns } from "../../fakes/campaignRuns.ts";
import { type BodyServer, type ServedBody, startBodyServer } from "../../fakes/model/bodyServer.ts";
import { batchReading } from "./batchReading.ts";
import { answerOf, type Collected, GENEROUS } from "./collect.ts";
import { type Recording, recordedAnswers } from "./recordedAnswers.ts";

const seed = Number(process.env.GRAFT_SEED ?? 1);
/**
 * Beyond this, a recording is served in one write again; cutAnywhere.test.ts feeds all bytes one by
 * one, without a connection.
 */
const SINGLE_BYTES = campaignRuns(200, 1_000);
/** So many of the three ways to frame each recording are read at random cuts. */
const FRAMINGS = Math.min(campaignRuns(1, 3), 3);

describe(`recorded answers of real providers (seed ${seed})`, () => {
  let server: BodyServer;
  let recordings: readonly Recording[] = [];

  before(async function () {
    const recorded = recordedAnswers();
    if (recorded === null) this.skip();
    recordings = recorded;
    server = await startBodyServer();
  });

  after(() => server?.close());

  async function read(served: ServedBody): Promise<Collected> {
    server.next = served;
    return answerOf(createOpenaiClient({ baseUrl: server.url, apiKey: null, limits: GENEROUS }));
  }

  function compare(name: string, body: string, answer: Collected): void {
    const expected = batchReading(body);
    assert.equal(answer.text, expected.text, `${name}: text`);
    assert.equal(answer.reasoning, expected.reasoning, `${name}: reasoning`);
    const ended = answer.finish !== null;
    const calls = answer.calls.map(({ name: tool, args, deltas }) => ({
      name: tool,
      args: ended ? args : deltas,
    }));
    const wanted = expected.calls.map(({ name: tool, args }) => ({
      name: tool,
      args: ended && args === "" ? "{}" : args,
    }));
    assert.deepEqual(calls, wanted, `${name}: calls`);
    assert.equal(
      answer.error !== null,
      expected.error && expected.finishes.length === 0,
      `${name}: ends in ${answer.error?.code}`,
    );
    if (expected.outputTokens !== null && !expected.error)
      assert.equal(answer.usage?.outputTokens, expected.outputTokens, `${name}: usage`);
    for (const [i, call] of expected.calls.entries())
      if (call.id !== "") assert.equal(answer.calls[i]?.callId, call.id, `${name}: call id`);
  }

  it("reads each of them whole as a batch reading does", async () => {
    for (const { name, body } of recordings)
      compare(name, body, await read({ bytes: Buffer.from(body), cuts: [], end: "complete" }));
  });

  it(`reads the same one byte at a time (the first ${SINGLE_BYTES} of each)`, async () => {
    for (const { name, body } of recordings) {
      const bytes = Buffer.from(body);
      const cuts = [
        ...new Array<number>(Math.min(bytes.length, SINGLE_BYTES)).fill(1),
        bytes.length,
      ];
      compare(name, body, await read({ bytes, cuts, end: "complete" }));
    }
  });

  it(`reads the same at random cuts, with CRLF and with comments between the events (${FRAMINGS} of the three for each)`, async () => {
    const cutLists = fc.sample(
      fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 2, maxLength: 12 }),
      {
        numRuns: recordings.length,
        seed,
      },
    );
    for (const [i, { name, body }] of recordings.entries()) {
      const cuts = cutLists[i] ?? [];
      const framings = [
        body,
        body.replaceAll("\n", "\r\n"),
        body.replaceAll("\n\n", "\n\n: keep-alive\n\n"),
      ];
      for (const [k, framed] of framings.entries())
        if ((i + k) % framings.length < FRAMINGS)
          compare(name, body, await read({ bytes: Buffer.from(framed), cuts, end: "complete" }));
    }
  });
});
