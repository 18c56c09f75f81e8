import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTcpServer } from "node:net";
import { mock } from "node:test";
import type { ModelRequest, ModelTimeLimits } from "../../../src/model/modelClient.ts";
import type { FailureCode, ModelFailure } from "../../../src/model/modelFailure.ts";
import { createOpenaiClient } from "../../../src/model/openai/openaiClient.ts";
import type { StreamPart } from "../../../src/model/streamPart.ts";
import { startBodyServer } from "../../fakes/model/bodyServer.ts";
import {
  type ModelServer,
  type ModelStep,
  startModelServer,
} from "../../fakes/model/modelServer.ts";
import { answerOf, collect, GENEROUS, HELLO, partsOf } from "./collect.ts";
import { passTime, withStandingClock } from "./standingClock.ts";

const KEY = "sk-secret-0123456789";

describe("the model client", () => {
  const ends: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  async function serve(...steps: ModelStep[]): Promise<ModelServer> {
    const server = await startModelServer(steps);
    ends.push(() => server.close());
    return server;
  }

  /** A server that does with a request whatever the test wants. */
  async function listen(listener: RequestListener): Promise<string> {
    const server = createServer(listener).listen(0, "127.0.0.1");
    await once(server, "listening");
    ends.push(() => closed(server));
    return `http://127.0.0.1:${portOf(server)}/v1`;
  }

  const client = (
    baseUrl: string,
    limits: Partial<ModelTimeLimits> = {},
    apiKey: string | null = KEY,
  ) => createOpenaiClient({ baseUrl, apiKey, limits: { ...GENEROUS, ...limits } });

  describe("a request", () => {
    it("carries model, messages, tools and the key", async () => {
      const server = await serve({ text: "Hi" });
      const request: ModelRequest = {
        model: "some/model",
        messages: [
          { role: "system", text: "Be brief." },
          { role: "user", text: "Look" },
          {
            role: "assistant",
            text: "",
            toolCalls: [{ callId: "c1", name: "grep", argsText: '{"q": "x"}' }],
          },
          { role: "tool", callId: "c1", text: "found" },
        ],
        tools: [
          {
            name: "grep",
            description: "Searches.",
            parameters: { type: "object", properties: {} },
          },
        ],
      };
      await answerOf(client(server.url), request);
      const [sent] = server.requests;
      assert.deepEqual(sent?.body, {
        model: "some/model",
        messages: [
          { role: "system", content: "Be brief." },
          { role: "user", content: "Look" },
          {
            role: "assistant",
            content: null,
            tool_calls: [
              { id: "c1", type: "function", function: { name: "grep", arguments: '{"q": "x"}' } },
            ],
          },
          { role: "tool", tool_call_id: "c1", content: "found" },
        ],
        stream: true,
        stream_options: { include_usage: true },
        tools: [
          {
            type: "function",
            function: {
              name: "grep",
              description: "Searches.",
              parameters: { type: "object", properties: {} },
            },
          },
        ],
      });
      assert.equal(sent?.headers.authorization, `Bearer ${KEY}`);
    });

    it("has no tool fields without tools, and no authorization without a key", async () => {
      const server = await serve({ text: "Hi" });
      await answerOf(client(server.url, {}, null));
      assert.deepEqual(Object.keys(server.requests[0]?.body ?? {}), [
        "model",
        "messages",
        "stream",
        "stream_options",
      ]);
      assert.equal(server.requests[0]?.headers.authorization, undefined);
    });

    it("is understood with a slash or the whole path at the end of the base URL", async () => {
      const server = await serve({ text: "a" }, { text: "b" });
      assert.equal((await answerOf(client(`${server.url}/`))).text, "a");
      assert.equal((await answerOf(client(`${server.url}/chat/completions`))).text, "b");
    });

    it("is sent once more without stream_options where they are refused, and from then on without them at once", async () => {
      const refusal = {
        status: 400,
        body: '{"error":{"message":"Unknown parameter: stream_options"}}',
      };
      const server = await serve(refusal, { text: "one" }, { text: "two" });
      const model = client(server.url);
      assert.equal((await answerOf(model)).text, "one");
      assert.equal((await answerOf(model)).text, "two");
      assert.deepEqual(
        server.requests.map(({ body }) => "stream_options" in body),
        [true, false, false],
      );
    });
  });

  describe("an abort", () => {
    it("works with a fetch that does not heed it", async () => {
      const controller = new AbortController();
      const deaf = createOpenaiClient({
        baseUrl: "http://deaf.invalid/v1",
        apiKey: null,
        limits: GENEROUS,
        fetch: () => new Promise(() => {}),
      });
      const reading = partsOf(deaf, HELLO, controller.signal);
      setImmediate(() => controller.abort());
      assert.equal(collect(await reading).error?.kind, "aborted");
    });

    it("ends a body that does not heed it", async () => {
      const controller = new AbortController();
      let resolve = () => {};
      const cancelled = new Promise<void>((done) => {
        resolve = done;
      });
      const text = new TextEncoder().encode(
        'data: {"choices":[{"index":0,"delta":{"content":"one"}}]}\n\n',
      );
      const body = new ReadableStream<Uint8Array>({
        start: (stream) => stream.enqueue(text),
        cancel: () => resolve(),
      });
      const deaf = createOpenaiClient({
        baseUrl: "http://deaf.invalid/v1",
        apiKey: null,
        limits: GENEROUS,
        fetch: async () => new Response(body),
      });
      for await (const part of deaf.stream(HELLO, controller.signal))
        if (part.type === "text-delta") controller.abort();
      await cancelled;
    });
  });

  describe("a time limit", () => {
    const one = 'data: {"choices":[{"index":0,"delta":{"content":"one"}}]}\n\n';
    const end =
      'data: {"choices":[{"index":0,"delta":{"content":" two"},"finish_reason":"stop"}]}\n\n';

    /** A client whose answer may be silent for less than 1.5 s, and stays open after its texts. */
    const clientOf = (texts: string[], beforeEach = () => {}) => {
      const body = new ReadableStream<Uint8Array>(
        {
          pull(controller) {
            const text = texts.shift();
            if (text === undefined) return;
            beforeEach();
            controller.enqueue(new TextEncoder().encode(text));
          },
        },
        { highWaterMark: 0 },
      );
      return createOpenaiClient({
        baseUrl: "http://slow.invalid/v1",
        apiKey: null,
        limits: { ...GENEROUS, idleMs: 1_500 },
        fetch: async () => new Response(body),
      });
    };

    it("ends a request that nobody answers", async () => {
      const silent = createTcpServer(
        (socket) => void ends.push(async () => socket.destroy()),
      ).listen(0, "127.0.0.1");
      await once(silent, "listening");
      ends.push(() => closed(silent));
      const { error } = await answerOf(
        client(`http://127.0.0.1:${portOf(silent)}/v1`, { connectMs: 30 }),
      );
      assert.equal(error?.kind, "connect-timeout");
      assert.deepEqual([error?.code, error?.limitMs, error?.begun], ["connect-timeout", 30, false]);
      assert.equal(error?.retryable, true);
    });

    it("gives a server that is reachable but busy the time to its first token", async () => {
      const asked = new EventEmitter();
      const wasAsked = once(asked, "POST");
      const wasProbed = once(asked, "GET");
      const busy: typeof fetch = async (_url, { method } = {}) => {
        if (method === "GET")
          return new Response(new ReadableStream({ cancel: () => void asked.emit("GET") }), {
            status: 404,
          });
        asked.emit("POST");
        return new Promise(() => {});
      };
      const limits = { ...GENEROUS, connectMs: 20, firstTokenMs: 40 };
      const slow = createOpenaiClient({
        baseUrl: "http://busy.invalid/v1",
        apiKey: null,
        limits,
        fetch: busy,
      });
      const { error } = await withStandingClock(async () => {
        const answer = answerOf(slow);
        await wasAsked;
        mock.timers.tick(limits.connectMs);
        await wasProbed;
        return passTime(answer);
      });
      assert.deepEqual([error?.code, error?.limitMs], ["first-token-timeout", limits.firstTokenMs]);
    });

    it("ends a request whose answer has a beginning but no token, keep-alive comments or not", async () => {
      const url = await listen((_request, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(
          'data: {"choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}\n\n',
        );
        const beat = setInterval(() => response.write(": keep-alive\n\n"), 5);
        response.on("close", () => clearInterval(beat));
      });
      assert.equal(
        (await answerOf(client(url, { firstTokenMs: 60 }))).error?.kind,
        "first-token-timeout",
      );
    });

    it("is not reached by an answer that is kept alive by comments", async () => {
      const beat = () => mock.timers.tick(1_000);
      const kept = clientOf([one, ...new Array<string>(20).fill(": keep-alive\n\n"), end], beat);
      const answer = await withStandingClock(() => passTime(answerOf(kept)));
      assert.deepEqual([answer.text, answer.finish, answer.error], ["one two", "stop", null]);
    });

    it("does not turn a finished answer into an error when the server leaves the connection open", async () => {
      const open = clientOf([one, end]);
      const answer = await withStandingClock(() => passTime(answerOf(open)));
      assert.deepEqual([answer.text, answer.finish], ["one two", "stop"]);
    });
  });

  describe("a failure is reported:", () => {
    async function errorOf(step: ModelStep, apiKey: string | null = KEY) {
      const server = await serve(step);
      const { error } = await answerOf(client(server.url, {}, apiKey));
      assert.ok(error);
      assert.ok(!JSON.stringify(error).includes(KEY), "the key is in the facts");
      return error;
    }

    const failures: readonly [string, ModelStep, FailureCode, Partial<ModelFailure>][] = [
      [
        "a wrong key, without showing it",
        { status: 401, body: `{"error":{"message":"Incorrect API key provided: ${KEY}"}}` },
        "key-rejected",
        { said: "Incorrect API key provided: [key]" },
      ],
      ["a forbidden model", { status: 403 }, "forbidden", {}],
      [
        "an unknown model",
        {
          status: 404,
          body: '{"error":{"message":"model \\"x\\" not found, try pulling it first"}}',
        },
        "model-not-found",
        { said: 'model "x" not found, try pulling it first' },
      ],
      [
        "an unknown path",
        { status: 404, body: "404 page not found" },
        "api-not-found",
        { said: "404 page not found" },
      ],
      [
        "a bad request",
        { status: 400, body: '{"detail":[{"msg":"messages: field required"}]}' },
        "rejected",
        { said: "messages: field required" },
      ],
      [
        "a bad request in Mistral's words",
        {
          status: 422,
          body: '{"object":"error","message":{"detail":[{"loc":["body"],"msg":"Extra inputs are not permitted"}]}}',
        },
        "rejected",
        { said: "Extra inputs are not permitted" },
      ],
      [
        "a bad request in Cloudflare's words",
        {
          status: 400,
          body: '{"errors":[{"message":"AiError: no such model","code":5007}],"success":false,"result":{},"messages":[]}',
        },
        "rejected",
        { said: "AiError: no such model" },
      ],
      [
        "a rate limit",
        { status: 429, headers: { "retry-after": "7" } },
        "rate-limited",
        { retryAfterMs: 7000 },
      ],
      [
        "a spent quota",
        {
          status: 429,
          body: '{"error":{"message":"You exceeded your quota","code":"insufficient_quota"}}',
        },
        "quota-spent",
        { said: "You exceeded your quota" },
      ],
      [
        "a server error",
        { status: 503, body: "<html><body>Bad gateway</body></html>" },
        "server-error",
        { status: 503, said: "" },
      ],
      ["a web page", { body: "<!doctype html><html></html>" }, "web-page", {}],
      ["an answer without events", { body: "\n" }, "empty", {}],
      ["an end mark and nothing else", { body: "data: [DONE]\n\n" }, "empty", {}],
      [
        "something other than chunks",
        { body: "data: out of memory\n\n" },
        "invalid-json",
        { said: "out of memory" },
      ],
      ["something other than a completion", { body: '{"choices":' }, "unreadable", {}],
      [
        "an error object with status 200",
        { body: '{"error":{"message":"out of memory","code":500}}' },
        "server-error",
        { said: "out of memory" },
      ],
      [
        "an error object as the first chunk",
        { body: 'data: {"error":{"message":"Slow down","code":429}}\n\n' },
        "rate-limited",
        { said: "Slow down" },
      ],
    ];
    for (const [what, step, code, facts] of failures) {
      it(what, async () => {
        const error = await errorOf(step);
        assert.equal(error.code, code);
        assert.deepEqual({ ...error, ...facts }, error);
      });
    }

    it("retryable, unless the request itself is at fault", async () => {
      assert.equal((await errorOf({ status: 429 })).retryable, true);
      assert.equal((await errorOf({ status: 503 })).retryable, true);
      assert.equal((await errorOf({ status: 400 })).retryable, false);
      assert.equal((await errorOf({ status: 429, body: "insufficient_quota" })).retryable, false);
    });

    it("a missing key", async () => {
      const error = await errorOf({ status: 401 }, null);
      assert.equal(error.kind, "no-key");
    });

    it("no server", async () => {
      const server = createServer().listen(0, "127.0.0.1");
      await once(server, "listening");
      const url = `http://127.0.0.1:${portOf(server)}/v1`;
      await closed(server);
      const { error } = await answerOf(client(url));
      assert.deepEqual([error?.kind, error?.code], ["network", "connection-refused"]);
    });

    it("an unknown host", async () => {
      const unresolved = () =>
        Promise.reject(
          new TypeError("fetch failed", { cause: { code: "ENOTFOUND", message: "getaddrinfo" } }),
        );
      const baseUrl = "http://no-such-host.invalid/v1";
      const { error } = await answerOf(
        createOpenaiClient({ baseUrl, apiKey: null, limits: GENEROUS, fetch: unresolved }),
      );
      assert.deepEqual([error?.kind, error?.code], ["network", "unknown-host"]);
    });

    it("a proxy that refuses, or is not there, and a browser that says nothing", async () => {
      const failing = async (thrown: TypeError) => {
        const options = {
          baseUrl: "https://api.example.com/v1",
          apiKey: null,
          limits: GENEROUS,
          fetch: () => Promise.reject(thrown),
        };
        const { error } = await answerOf(createOpenaiClient(options));
        return [error?.code, error?.detail];
      };
      const told = new Error("Proxy response (407) !== 200 when HTTP Tunneling");
      const tunnel = new TypeError("fetch failed", {
        cause: Object.assign(new DOMException("Request was cancelled."), { cause: told }),
      });
      assert.equal((await failing(tunnel))[0], "proxy-login");
      const absent = new TypeError("fetch failed", {
        cause: new Error("connect ECONNREFUSED 127.0.0.1:3128"),
      });
      assert.deepEqual(await failing(absent), [
        "proxy-refused",
        "connect ECONNREFUSED 127.0.0.1:3128",
      ]);
      for (const words of [
        "getaddrinfo ENOTFOUND proxy.company.test",
        "connect ETIMEDOUT 10.0.0.8:3128",
        "Connect Timeout Error (attempted address: proxy.company.test:3128, timeout: 10000ms)",
      ])
        assert.equal(
          (await failing(new TypeError("fetch failed", { cause: new Error(words) })))[0],
          "proxy-refused",
          words,
        );
      const unknown = new TypeError("fetch failed", {
        cause: new Error("getaddrinfo ENOTFOUND api.example.com"),
      });
      assert.equal((await failing(unknown))[0], "unknown-host");
      const direct = new TypeError("fetch failed", {
        cause: new Error("connect ECONNREFUSED 192.0.2.1:443"),
      });
      assert.equal((await failing(direct))[0], "connection-refused");
      assert.equal((await failing(new TypeError("Failed to fetch")))[0], "browser-refused");
    });

    it("a server that does not speak https", async () => {
      const url = await listen((_request, response) => response.end());
      const { error } = await answerOf(client(url.replace("http:", "https:")));
      assert.deepEqual([error?.kind, error?.code], ["network", "tls"]);
    });

    it("a server that hangs up", async () => {
      const { kind, code } = await errorOf({ dieAfter: 0 });
      assert.deepEqual([kind, code], ["network", "connection-closed"]);
    });

    for (const baseUrl of ["", "localhost:11434", "ftp://host/v1", "http://user:pass@host/v1"]) {
      it(`the base URL "${baseUrl}"`, async () => {
        const { error } = await answerOf(client(baseUrl));
        assert.equal(error?.kind, "bad-request");
        assert.equal(error?.code, baseUrl.includes("@") ? "url-with-credentials" : "invalid-url");
        assert.ok(!JSON.stringify(error).includes("pass@"));
      });
    }

    it("a key that cannot be sent", async () => {
      const { error } = await answerOf(client("http://127.0.0.1:9/v1", {}, `${KEY}\nmore`));
      assert.equal(error?.kind, "auth");
      assert.ok(!JSON.stringify(error).includes(KEY));
    });
  });

  describe("an answer that breaks off", () => {
    it("keeps its text and its open call, ended by nothing but an error", async () => {
      const server = await serve({
        text: "Reading.",
        toolCalls: [{ name: "grep", args: { q: "x".repeat(40) } }],
        dieAfter: 4,
      });
      const parts = await partsOf(client(server.url), HELLO, new AbortController().signal);
      const answer = collect(parts);
      assert.equal(answer.text, "Reading.");
      assert.equal(answer.calls[0]?.deltas, '{"q":"xxxxxxxxxx');
      assert.equal(answer.error?.kind, "interrupted");
      assert.ok(!parts.some(({ type }) => type === "tool-call-end"));
    });

    it("with an error object keeps its text and says what the server said", async () => {
      const body =
        'data: {"choices":[{"index":0,"delta":{"content":"Well"}}]}\n\nevent: error\ndata: {"error":{"message":"GPU lost","code":500}}\n\n';
      const server = await serve({ body });
      const answer = await answerOf(client(server.url));
      assert.equal(answer.text, "Well");
      assert.equal(answer.error?.kind, "interrupted");
      assert.equal(answer.error?.said, "GPU lost");
    });

    it("without end mark or finish reason is not taken for complete; with the mark it is", async () => {
      const chunk = 'data: {"choices":[{"index":0,"delta":{"content":"Well"}}]}\n\n';
      const server = await serve({ body: chunk }, { body: `${chunk}data: [DONE]\n\n` });
      const first = await answerOf(client(server.url));
      assert.deepEqual([first.text, first.error?.kind], ["Well", "interrupted"]);
      const second = await answerOf(client(server.url));
      assert.deepEqual([second.text, second.finish], ["Well", "unknown"]);
    });

    it("between two calls that each come with the finish reason is complete, with the calls that came", async () => {
      const chunk = (index: number) =>
        `data: ${JSON.stringify({
          choices: [
            {
              index: 0,
              delta: {
                tool_calls: [
                  {
                    index,
                    id: `${index}`,
                    function: { name: "read_file", arguments: '{"path":"a.ts"}' },
                  },
                ],
              },
              finish_reason: "tool_calls",
            },
          ],
        })}\n\n`;
      const server = await startBodyServer();
      try {
        for (const end of ["complete", "destroyed"] as const) {
          const parts: StreamPart[] = [];
          let hasRead = () => {};
          const read = new Promise<void>((resolve) => {
            hasRead = resolve;
          });
          const bytes = Buffer.from(chunk(0) + chunk(1).slice(0, 60));
          server.next = { bytes, cuts: [], end, read };
          const { signal } = new AbortController();
          for await (const part of client(server.url).stream(HELLO, signal)) {
            parts.push(part);
            hasRead();
          }
          const answer = collect(parts);
          assert.deepEqual(
            [answer.calls.map(({ callId }) => callId), answer.finish, answer.error],
            [["0"], "tool-calls", null],
          );
        }
      } finally {
        await server.close();
      }
    });

    it("after the finish reason is complete all the same", async () => {
      const body =
        'data: {"choices":[{"index":0,"delta":{"content":"Well"},"finish_reason":"stop"}]}\n\ndata: {"error":{"message":"late"}}\n\n';
      const server = await serve({ body });
      const answer = await answerOf(client(server.url));
      assert.deepEqual([answer.text, answer.finish], ["Well", "stop"]);
    });
  });
});

function portOf(server: Pick<Server, "address">): number {
  const address = server.address();
  if (address === null || typeof address === "string")
    throw new Error("The test server has no port.");
  return address.port;
}

async function closed(server: { close(): unknown; closeAllConnections?(): void }): Promise<void> {
  server.close();
  server.closeAllConnections?.();
}
