import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { text } from "node:stream/consumers";
import { toBase64 } from "../../../src/base/text/base64.ts";
import {
  learnedCapabilities,
  listLearned,
  memoryStore,
} from "../../../src/model/learnedCapabilities.ts";
import type { ModelRequest } from "../../../src/model/modelClient.ts";
import { createOpenaiClient } from "../../../src/model/openai/openaiClient.ts";
import { PNG_DOT } from "../../fakes/images.ts";
import { answerOf, GENEROUS } from "./collect.ts";

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly location?: string;
}

const HI: Answer = {
  status: 200,
  body: JSON.stringify({ choices: [{ message: { content: "Hi" }, finish_reason: "stop" }] }),
};
const REQUEST: ModelRequest = {
  model: "test-model",
  messages: [
    { role: "system", text: "Be brief." },
    { role: "user", text: "Look" },
    { role: "assistant", text: "", toolCalls: [{ callId: "c1", name: "grep", argsText: "{}" }] },
    { role: "tool", callId: "c1", text: "found" },
  ],
  tools: [],
};

describe("a connection", () => {
  const servers: { close(): void }[] = [];

  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  async function serve(
    ...answers: readonly Answer[]
  ): Promise<{ readonly url: string; readonly received: Received[] }> {
    const received: Received[] = [];
    const server = createServer(async (request, response) => {
      const { status, body, location } = answers[received.length] ?? HI;
      received.push({ headers: request.headers, body: JSON.parse(await text(request)) });
      response
        .writeHead(status, {
          "content-type": "application/json",
          ...(location !== undefined && { location }),
        })
        .end(body);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    servers.push(server);
    const address = server.address();
    assert.ok(typeof address === "object" && address !== null);
    return { url: `http://127.0.0.1:${address.port}/v1`, received };
  }

  const client = (
    baseUrl: string,
    options: Partial<Parameters<typeof createOpenaiClient>[0]> = {},
  ) => createOpenaiClient({ baseUrl, apiKey: "sk-secret", limits: GENEROUS, ...options });

  it("sends its own headers, with the key in them", async () => {
    const { url, received } = await serve();
    await answerOf(client(url, { headers: { "x-team": "blue", "api-key": "sk-secret" } }));
    assert.equal(received[0]?.headers["x-team"], "blue");
    assert.equal(received[0]?.headers["api-key"], "sk-secret");
    assert.equal(received[0]?.headers.authorization, undefined);
    assert.equal(received[0]?.headers["content-type"], "application/json");
  });

  it("sends its headers to no other server, and shows none of them", async () => {
    const other = await serve();
    const { url } = await serve({
      status: 307,
      body: "",
      location: `${other.url}/chat/completions`,
    });
    const headers = { "x-gateway-key": "gateway-key-0123456789" };
    assert.equal((await answerOf(client(url, { headers }))).error?.code, "redirected");
    assert.equal(other.received.length, 0);
    const echoing = await serve({
      status: 403,
      body: '{"error":{"message":"Wrong key gateway-key-0123456789 or sk-secret."}}',
    });
    assert.equal(
      (await answerOf(client(echoing.url, { headers }))).error?.said,
      "Wrong key [key] or [key].",
    );
  });

  it("sends a temperature and a reasoning effort where they are set, and nothing else", async () => {
    const { url, received } = await serve();
    await answerOf(client(url, { request: { temperature: 0.2, reasoningEffort: "low" } }));
    assert.deepEqual(
      [received[0]?.body.temperature, received[0]?.body.reasoning_effort],
      [0.2, "low"],
    );
    await answerOf(client(url));
    assert.deepEqual(Object.keys(received[1]?.body ?? {}), [
      "model",
      "messages",
      "stream",
      "stream_options",
    ]);
  });

  it("marks the instructions and the end of the conversation for a provider's cache, and changes no text", async () => {
    const { url, received } = await serve();
    await answerOf(client(url, { request: { cacheControl: true } }), REQUEST);
    const marked = (words: string) => [
      { type: "text", text: words, cache_control: { type: "ephemeral" } },
    ];
    assert.deepEqual(received[0]?.body.messages, [
      { role: "system", content: marked("Be brief.") },
      { role: "user", content: "Look" },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "c1", type: "function", function: { name: "grep", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: "c1", content: marked("found") },
    ]);
    const image = { id: "i", name: "a.png", width: 1, height: 1 };
    const shown = { role: "user" as const, text: "Look", images: [image] };
    const images = new Map([["i", PNG_DOT]]);
    await answerOf(client(url, { request: { cacheControl: true } }), {
      ...REQUEST,
      messages: [{ role: "user", text: "Look" }],
    });
    await answerOf(client(url, { request: { cacheControl: true } }), {
      ...REQUEST,
      messages: [shown],
      images,
    });
    assert.deepEqual(received[1]?.body.messages, [{ role: "user", content: marked("Look") }]);
    const url64 = {
      type: "image_url",
      image_url: { url: `data:image/png;base64,${toBase64(PNG_DOT)}` },
    };
    const named = {
      type: "text",
      text: 'Look\n\n[The user attached the image "a.png" (1 × 1 pixels):]',
    };
    assert.deepEqual(received[2]?.body.messages, [
      { role: "user", content: [named, { ...url64, cache_control: { type: "ephemeral" } }] },
    ]);
  });

  it("repeats a request without the field that its server names in a refusal, and remembers that for the model", async () => {
    const refusal = (name: string): Answer => ({
      status: 400,
      body: JSON.stringify({ error: { message: `Unknown parameter: ${name}` } }),
    });
    const { url, received } = await serve(
      refusal("messages[0].content[0].cache_control"),
      refusal("stream_options"),
    );
    const store = memoryStore();
    const options = {
      request: { cacheControl: true },
      learned: learnedCapabilities(store, url, "test-model"),
    };
    assert.equal((await answerOf(client(url, options), REQUEST)).text, "Hi");
    assert.equal((await answerOf(client(url, options), REQUEST)).text, "Hi");
    assert.deepEqual(
      received.map(({ body }) => [
        JSON.stringify(body).includes("cache_control"),
        "stream_options" in body,
      ]),
      [
        [true, true],
        [false, true],
        [false, false],
        [false, false],
      ],
    );
    assert.deepEqual(
      listLearned(store).map(({ baseUrl, model, refused }) => ({ baseUrl, model, refused })),
      [{ baseUrl: url, model: "test-model", refused: ["cache-control", "stream-options"] }],
    );
    assert.deepEqual(learnedCapabilities(store, url, "other-model").refused, new Set());
  });

  it("believes a refusal that may have had another cause from the second time on", () => {
    const store = memoryStore();
    const refused = () => [...learnedCapabilities(store, "u", "m").refused];
    learnedCapabilities(store, "u", "m").refuse("images", false);
    assert.deepEqual(refused(), []);
    learnedCapabilities(store, "u", "m").refuse("tools");
    assert.deepEqual(refused(), ["tools"]);
    learnedCapabilities(store, "u", "m").refuse("images", false);
    assert.deepEqual(refused(), ["tools", "images"]);
  });

  it("reads what was learned from a store that holds anything", () => {
    const store = memoryStore();
    for (const value of [
      undefined,
      7,
      [null, { baseUrl: "u" }],
      [{ baseUrl: "u", model: "m", refused: ["what"], suspected: [] }],
    ]) {
      void store.update("graft.learnedCapabilities", value);
      assert.deepEqual(listLearned(store), []);
    }
  });
});
