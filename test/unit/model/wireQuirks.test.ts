import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { createOpenaiClient } from "../../../src/model/openai/openaiClient.ts";
import { answerOf, type Collected, GENEROUS, HELLO } from "./collect.ts";
import { callQuirks } from "./quirks/callQuirks.ts";
import { contentQuirks } from "./quirks/contentQuirks.ts";
import { failureQuirks } from "./quirks/failureQuirks.ts";
import { framingQuirks } from "./quirks/framingQuirks.ts";
import { content, done, type Quirk, stop } from "./quirks/quirk.ts";
import { shapeQuirks } from "./quirks/shapeQuirks.ts";

const tools = ["read_file", "grep"].map((name) => ({
  name,
  description: "",
  parameters: { type: "object" },
}));

describe("what servers send on the wire is read:", () => {
  for (const quirk of [
    ...framingQuirks,
    ...contentQuirks,
    ...callQuirks,
    ...failureQuirks,
    ...shapeQuirks,
  ]) {
    it(quirk.what, async () => {
      const bytes = bodyOf(quirk);
      for (const cuts of [[bytes.length || 1], [1], [2, 31, 7]])
        check(quirk, await answerOf(clientFor(piecesOf(bytes, cuts)), { ...HELLO, tools }));
    });
  }

  it("a body that is compressed", async () => {
    const { createServer } = await import("node:http");
    const quirk: Quirk = {
      what: "gzip",
      body: [content("Grüße "), content("東京 🗼"), stop, done],
      text: "Grüße 東京 🗼",
    };
    const server = createServer((_request, response) => {
      response
        .writeHead(200, { "content-type": "text/event-stream", "content-encoding": "gzip" })
        .end(gzipSync(bodyOf(quirk)));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const address = server.address();
      const port = typeof address === "object" ? address?.port : 0;
      check(
        quirk,
        await answerOf(
          createOpenaiClient({
            baseUrl: `http://127.0.0.1:${port}/v1`,
            apiKey: null,
            limits: GENEROUS,
          }),
        ),
      );
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });
});

function bodyOf({ body }: Quirk): Buffer {
  return Buffer.from(
    body
      .map((event) => (typeof event === "string" ? event : `data: ${JSON.stringify(event)}\n\n`))
      .join(""),
  );
}

function check(
  { text = "", reasoning = "", calls: wanted = [], finish, outputTokens, error }: Quirk,
  answer: Collected,
): void {
  assert.deepEqual({ text: answer.text, reasoning: answer.reasoning }, { text, reasoning });
  const got = answer.calls.map(
    ({ callId, name, args }, i) => `${wanted[i]?.startsWith("* ") ? "*" : callId} ${name} ${args}`,
  );
  assert.deepEqual(got, wanted);
  if (error) {
    const [kind, code, facts = ""] = error;
    const { said = "", detail = "" } = answer.error ?? {};
    assert.deepEqual([answer.error?.kind, answer.error?.code], [kind, code]);
    assert.ok(`${said} ${detail}`.includes(facts), `${said} ${detail}`);
  } else {
    assert.equal(answer.error, null);
    assert.equal(answer.finish, finish ?? (wanted.length > 0 ? "tool-calls" : "stop"));
  }
  if (outputTokens !== undefined) assert.equal(answer.usage?.outputTokens, outputTokens);
}

function* piecesOf(bytes: Buffer, cuts: readonly number[]): Generator<Uint8Array<ArrayBuffer>> {
  for (let start = 0, turn = 0; start < bytes.length; turn++) {
    const stop = start + (cuts[turn % cuts.length] ?? bytes.length);
    yield new Uint8Array(bytes.subarray(start, stop));
    start = stop;
  }
}

function clientFor(pieces: Iterator<Uint8Array<ArrayBuffer>>) {
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      const next = pieces.next();
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
  });
  return createOpenaiClient({
    baseUrl: "http://quirk.invalid/v1",
    apiKey: null,
    limits: GENEROUS,
    fetch: async () => new Response(body),
  });
}
