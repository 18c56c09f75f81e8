import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { text as readText } from "node:stream/consumers";
import { learnedCapabilities, memoryStore } from "../../../src/model/learnedCapabilities.ts";
import type { Message } from "../../../src/model/message.ts";
import { createOpenaiClient } from "../../../src/model/openai/openaiClient.ts";
import { answerOf, GENEROUS, partsOf } from "./collect.ts";

const sse = (events: readonly object[]) =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
const message = (message: string, status = 400) => ({
  status,
  body: JSON.stringify({ error: { message } }),
});
const item = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "sealed" };
const called = { type: "function_call", call_id: "c1", name: "read_file", arguments: '{"p":"a"}' };
const usage = {
  input_tokens: 30,
  output_tokens: 9,
  input_tokens_details: { cached_tokens: 20 },
  output_tokens_details: { reasoning_tokens: 4 },
};
const said = { type: "message", content: [{ type: "output_text", text: "Let me look." }] };

/** One answer, through either API: what it says, a call, and what it took. */
const CHAT = `${sse([
  { choices: [{ index: 0, delta: { content: "Let me look." } }] },
  {
    choices: [
      {
        index: 0,
        delta: {
          tool_calls: [
            { index: 0, id: "c1", function: { name: "read_file", arguments: '{"p":"a"}' } },
          ],
        },
        finish_reason: "tool_calls",
      },
    ],
    usage: {
      prompt_tokens: 30,
      completion_tokens: 9,
      prompt_tokens_details: { cached_tokens: 20 },
      completion_tokens_details: { reasoning_tokens: 4 },
    },
  },
])}data: [DONE]\n\n`;
const STREAMED = sse([
  { type: "response.created", response: { object: "response", status: "in_progress" } },
  { type: "response.output_item.added", output_index: 0, item: { type: "reasoning", id: "rs_1" } },
  { type: "response.output_item.done", output_index: 0, item },
  { type: "response.output_text.delta", output_index: 1, delta: "Let me " },
  { type: "response.output_text.delta", output_index: 1, delta: "look." },
  { type: "response.output_item.added", output_index: 2, item: { ...called, arguments: "" } },
  { type: "response.function_call_arguments.delta", output_index: 2, delta: '{"p"' },
  { type: "response.function_call_arguments.delta", output_index: 2, delta: ':"a"}' },
  { type: "response.output_item.done", output_index: 2, item: called },
  { type: "response.completed", response: { status: "completed", usage } },
]);
const UNPIECED = sse([
  { type: "response.output_item.done", output_index: 0, item },
  { type: "response.output_text.delta", output_index: 1, delta: "Let me look." },
  { type: "response.output_item.added", output_index: 2, item: { ...called, arguments: "" } },
  { type: "response.output_item.done", output_index: 2, item: called },
  { type: "response.completed", response: { status: "completed", usage } },
]);
const WHOLE = JSON.stringify({
  object: "response",
  status: "completed",
  error: null,
  output: [item, said, called],
  usage,
});

const tools = [{ name: "read_file", description: "Reads.", parameters: { type: "object" } }];
const messages: readonly Message[] = [
  { role: "system", text: "You are Graft." },
  { role: "user", text: "Look." },
];
const request = { model: "m", messages, tools };

describe("the Responses API", () => {
  let server: Server;
  let asked: { path: string; body: Record<string, unknown> }[];
  let answer: (path: string, body: Record<string, unknown>) => { status?: number; body: string };

  beforeEach(async () => {
    asked = [];
    server = createServer(async (incoming, response) => {
      const body: Record<string, unknown> = JSON.parse(await readText(incoming));
      asked.push({ path: incoming.url ?? "", body });
      const { status = 200, body: sent } = answer(incoming.url ?? "", body);
      const type = sent.startsWith("data:") ? "text/event-stream" : "application/json";
      response.writeHead(status, { "content-type": type }).end(sent);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  });
  afterEach(() => {
    server.close();
    server.closeAllConnections();
  });

  function client(api?: "chat" | "responses", store = memoryStore()) {
    const address = server.address();
    assert.ok(address !== null && typeof address === "object");
    const baseUrl = `http://127.0.0.1:${address.port}/v1`;
    const learned = learnedCapabilities(store, baseUrl, "m");
    const settings = { baseUrl, apiKey: null, limits: GENEROUS, learned, request: { api } };
    return { client: createOpenaiClient(settings), learned };
  }

  for (const [how, body] of [
    ["in pieces", STREAMED],
    ["with whole arguments", UNPIECED],
    ["whole", WHOLE],
  ] as const)
    it(`gives the same parts as chat completions, where it answers ${how}`, async () => {
      answer = (path) => ({ body: path.endsWith("/responses") ? body : CHAT });
      const chat = await answerOf(client("chat").client, request);
      const other = await answerOf(client("responses").client, request);
      const shown = ({ text, calls, finish, usage: took }: typeof chat) => ({
        ...{ text, calls, finish, took },
      });
      assert.deepEqual(shown(other), shown(chat));
      assert.equal(other.text, "Let me look.");
    });

  it("is asked without storing, and gets the reasoning back with the calls it led to", async () => {
    answer = () => ({ body: STREAMED });
    const { client: asking } = client("responses");
    const parts = [];
    for await (const part of asking.stream(request, new AbortController().signal)) parts.push(part);
    const data = parts.find(({ type }) => type === "provider-data");
    assert.ok(data?.type === "provider-data");
    const next: readonly Message[] = [
      ...messages,
      {
        role: "assistant",
        text: "Let me look.",
        toolCalls: [{ callId: "c1", name: "read_file", argsText: '{"p":"a"}' }],
        providerData: data.data,
      },
      { role: "tool", callId: "c1", text: "a" },
    ];
    await answerOf(asking, { ...request, messages: next });
    const body = asked.at(-1)?.body;
    assert.deepEqual(
      [body?.store, body?.include, body?.messages],
      [false, ["reasoning.encrypted_content"], undefined],
    );
    assert.deepEqual(body?.input, [
      { role: "system", content: "You are Graft." },
      { role: "user", content: [{ type: "input_text", text: "Look." }] },
      item,
      { role: "assistant", content: "Let me look." },
      called,
      { type: "function_call_output", call_id: "c1", output: "a" },
    ]);
  });

  it("puts each reasoning item before what it led to, and keeps the phase of a text", async () => {
    const [first, second] = ["rs_1", "rs_2"].map((id) => ({ ...item, id }));
    const message = { type: "message", phase: "commentary", content: [] };
    const again = { ...called, call_id: "c2" };
    const streamed = sse([
      { type: "response.output_item.done", output_index: 0, item: first },
      { type: "response.output_text.delta", output_index: 1, delta: "Let me look." },
      { type: "response.output_item.done", output_index: 1, item: message },
      { type: "response.output_item.added", output_index: 2, item: { ...called, arguments: "" } },
      { type: "response.output_item.done", output_index: 2, item: called },
      { type: "response.output_item.done", output_index: 3, item: second },
      { type: "response.output_item.added", output_index: 4, item: { ...again, arguments: "" } },
      { type: "response.output_item.done", output_index: 4, item: again },
      { type: "response.output_item.done", output_index: 5, item: { ...item, id: "rs_3" } },
      { type: "response.completed", response: { status: "completed", usage } },
    ]);
    const whole = JSON.stringify({
      ...{ object: "response", status: "completed", usage },
      output: [first, { ...said, phase: "commentary" }, called, second, again],
    });
    for (const body of [streamed, whole]) {
      answer = () => ({ body });
      const { client: asking } = client("responses");
      const parts = await partsOf(asking, request, new AbortController().signal);
      const data = parts.find(({ type }) => type === "provider-data");
      assert.ok(data?.type === "provider-data");
      const toolCalls = ["c1", "c2"].map((callId) => ({
        ...{ callId, name: "read_file", argsText: '{"p":"a"}' },
      }));
      const next: readonly Message[] = [
        ...messages,
        { role: "assistant", text: "Let me look.", toolCalls, providerData: data.data },
        { role: "tool", callId: "c1", text: "a" },
        { role: "tool", callId: "c2", text: "a" },
      ];
      await answerOf(asking, { ...request, messages: next });
      assert.deepEqual(Object(asked.at(-1)?.body.input).slice(2), [
        first,
        { role: "assistant", content: "Let me look.", phase: "commentary" },
        called,
        second,
        again,
        { type: "function_call_output", call_id: "c1", output: "a" },
        { type: "function_call_output", call_id: "c2", output: "a" },
      ]);
    }
  });

  it("is asked without the reasoning where a gateway looks it up", async () => {
    // https://github.com/maximhq/bifrost/issues/5410
    const refusal =
      "Item with id 'rs_1' not found. Items are not persisted when `store` is set to false. Try again with `store` set to true, or remove this item from your input.";
    answer = (_, body) =>
      JSON.stringify(body.input).includes("rs_1") ? message(refusal, 404) : { body: STREAMED };
    const { client: asking, learned } = client("responses");
    const parts = await partsOf(asking, request, new AbortController().signal);
    const data = parts.find(({ type }) => type === "provider-data");
    assert.ok(data?.type === "provider-data");
    const toolCalls = [{ callId: "c1", name: "read_file", argsText: "{}" }];
    const next: readonly Message[] = [
      ...messages,
      { role: "assistant", text: "", toolCalls, providerData: data.data },
      { role: "tool", callId: "c1", text: "a" },
    ];
    const answered = await answerOf(asking, { ...request, messages: next });
    assert.equal(answered.text, "Let me look.");
    assert.deepEqual([...learned.refused], ["provider-data"]);
  });

  it("is read from its end where a server streams nothing else, with xAI's cost", async () => {
    const response = {
      ...{ status: "completed", output: [said, called] },
      // https://docs.x.ai/developers/cost-tracking
      usage: { ...usage, cost_in_usd_ticks: 37_756_000 },
    };
    answer = () => ({ body: sse([{ type: "response.completed", response }]) });
    const { text, calls, usage: took } = await answerOf(client("responses").client, request);
    assert.deepEqual([text, calls.length, took?.cost], ["Let me look.", 1, 0.0037756]);
  });

  for (const [what, said, status] of [
    [
      // https://github.com/pipecat-ai/pipecat/issues/4043
      "refuses tools without it",
      "Function tools with reasoning_effort are not supported for gpt-5.4 in /v1/chat/completions. Please use /v1/responses instead.",
      400,
    ],
    [
      // https://platform.openai.com/docs/models
      "has a model for it alone",
      "This model is only supported in v1/responses and not in v1/chat/completions.",
      404,
    ],
  ] as const)
    it(`is asked where a server ${what}, learned once`, async () => {
      answer = (path) => (path.endsWith("/responses") ? { body: STREAMED } : message(said, status));
      const { client: asking, learned } = client();
      assert.equal((await answerOf(asking, request)).text, "Let me look.");
      assert.deepEqual([...learned.refused], ["chat-api"]);
      assert.equal((await answerOf(asking, request)).text, "Let me look.");
      assert.deepEqual(
        asked.map(({ path }) => path),
        ["/v1/chat/completions", "/v1/responses", "/v1/responses"],
      );
    });

  it("is not asked again where a server lacks it, or the user chose the other", async () => {
    const refusal =
      "Function tools with reasoning_effort are not supported for m in /v1/chat/completions. Use /v1/responses or set reasoning_effort to 'none'.";
    answer = (path, body) =>
      path.endsWith("/responses")
        ? message("404 page not found", 404)
        : body.reasoning_effort === "none"
          ? { body: CHAT }
          : message(refusal);
    for (const api of [undefined, "chat"] as const) {
      asked = [];
      const { client: asking, learned } = client(api);
      assert.equal((await answerOf(asking, request)).text, "Let me look.");
      assert.deepEqual([...learned.refused], ["reasoning-with-tools"]);
      assert.equal(asked.length, api === undefined ? 3 : 2);
    }
  });

  for (const [what, events, code, finish] of [
    [
      "fails",
      [{ type: "response.failed", response: { error: { message: "Broken" } } }],
      "stream-error",
      null,
    ],
    ["ends early", [{ type: "response.output_text.delta", delta: "Half" }], "interrupted", null],
    [
      "is cut at its limit",
      [
        { type: "response.output_text.delta", delta: "Half" },
        {
          type: "response.incomplete",
          response: { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } },
        },
      ],
      undefined,
      "length",
    ],
  ] as const)
    it(`says that an answer ${what}`, async () => {
      answer = () => ({ body: sse(events) });
      const { error, finish: reason } = await answerOf(client("responses").client, request);
      assert.deepEqual([error?.code, reason ?? null], [code, finish]);
    });
});
