import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { FailureCode } from "../../../src/model/modelFailure.ts";
import { createOpenaiClient } from "../../../src/model/openai/openaiClient.ts";
import { answerOf, GENEROUS, HELLO, partsOf } from "./collect.ts";
import { call, choice, content, done, stop } from "./quirks/quirk.ts";

const MB = 1_000_000;
const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const LONG = "a".repeat(MB);

describe("an answer without an end is stopped, and its text kept:", () => {
  for (const [what, { status = 200, begin = "", again, error, least = 0 }] of Object.entries<{
    readonly status?: number;
    readonly begin?: string;
    readonly again: string;
    readonly error: FailureCode;
    readonly least?: number;
  }>({
    "the body of an error": { status: 500, again: LONG, error: "server-error" },
    "a web page": { begin: "<html>", again: LONG, error: "web-page" },
    "white space": { again: " ".repeat(MB), error: "empty" },
    "a completion in JSON": { begin: '{"a":"', again: LONG, error: "overlong" },
    "one line": {
      begin: 'data: {"choices":[{"delta":{"content":"',
      again: LONG,
      error: "overlong",
    },
    text: { again: event(content(LONG)), error: "overlong", least: 8 * MB },
    arguments: {
      begin: event(call({ index: 0, id: "c" }, "grep", "")),
      again: event(call({ index: 0 }, undefined, LONG)),
      error: "overlong",
    },
  })) {
    it(what, async () => {
      let sent = 0;
      const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
        pull(controller) {
          const bytes = new TextEncoder().encode(sent === 0 ? begin + again : again);
          sent += bytes.length;
          if (sent > 100 * MB) controller.close();
          else controller.enqueue(bytes);
        },
      });
      const client = createOpenaiClient({
        baseUrl: "http://endless.invalid/v1",
        apiKey: null,
        limits: GENEROUS,
        fetch: async () => new Response(body, { status }),
      });
      const answer = await answerOf(client);
      assert.equal(answer.error?.code, error);
      assert.ok(what === "white space" || sent < 12 * MB, `${sent} bytes were read`);
      assert.ok(answer.text.length >= least);
    });
  }

  it("calls", async () => {
    const calls = Array.from({ length: 3_000 }, (_, index) =>
      event(call({ index, id: `c${index}` }, "grep", "{}")),
    ).join("");
    const client = createOpenaiClient({
      baseUrl: "http://endless.invalid/v1",
      apiKey: null,
      limits: GENEROUS,
      fetch: async () => new Response(calls + event(choice({}, "tool_calls")) + done),
    });
    const parts = await partsOf(client, HELLO, new AbortController().signal);
    assert.ok(parts.filter(({ type }) => type === "tool-call-start").length < 2_000);
    assert.equal(parts.at(-1)?.type, "error");
  });
});

describe("a server that redirects", () => {
  const seen: string[] = [];
  let other: Awaited<ReturnType<typeof listen>>;
  let server: Awaited<ReturnType<typeof listen>>;
  let location = "";
  let status = 307;

  before(async () => {
    other = await listen((request, response) => {
      seen.push(`other ${request.headers.authorization}`);
      response.end(event(content("stolen")) + done);
    });
    server = await listen((request, response) => {
      seen.push(`${request.method} ${request.url} ${request.headers.authorization}`);
      if (request.url === "/v2/chat/completions")
        response.end(event(content("Hello")) + event(stop) + done);
      else response.writeHead(status, { location }).end();
    });
  });
  beforeEach(() => seen.splice(0));
  after(async () => Promise.all([other.close(), server.close()]));

  const ask = () =>
    answerOf(
      createOpenaiClient({ baseUrl: `${server.url}/v1`, apiKey: "secret", limits: GENEROUS }),
    );

  for (const code of [301, 302, 303, 307, 308]) {
    it(`to another one with ${code} gives it neither the question nor the key`, async () => {
      [status, location] = [code, `${other.url}/v1/chat/completions`];
      const { error } = await ask();
      assert.deepEqual(
        [error?.code, error?.status, error?.detail],
        ["redirected", code, other.url],
      );
      assert.deepEqual(seen, ["POST /v1/chat/completions Bearer secret"]);
    });
  }

  it("to another of its own addresses is followed, but not for ever", async () => {
    [status, location] = [308, "/v2/chat/completions"];
    assert.equal((await ask()).text, "Hello");
    [status, location] = [307, "/v1/chat/completions"];
    seen.splice(0);
    assert.equal((await ask()).error?.code, "redirected");
    assert.equal(seen.length, 4);
  });
});

async function listen(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer((request, response) => {
    request.resume().on("end", () => answer(request, response));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string")
    throw new Error("The test server has no port.");
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
