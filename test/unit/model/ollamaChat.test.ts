import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import {
  learnedCapabilities,
  listLearned,
  memoryStore,
} from "../../../src/model/learnedCapabilities.ts";
import type { Message } from "../../../src/model/message.ts";
import { createOpenaiClient } from "../../../src/model/openai/openaiClient.ts";
import { answerOf, GENEROUS } from "./collect.ts";

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const LOOK = 'Look.\n\n[The user attached the image "a.png" (1 × 1 pixels):]';
const line = (message: object, more: object = {}) =>
  `${JSON.stringify({ model: "m", message: { role: "assistant", ...message }, done: false, ...more })}\n`;
const END = { done: true, done_reason: "stop", prompt_eval_count: 26, eval_count: 9 };
const call = (name: string, args: object) => ({ function: { name, arguments: args } });

const conversation: readonly Message[] = [
  { role: "system", text: "You are Graft." },
  { role: "user", text: "Look.", images: [{ id: "i1", name: "a.png", width: 1, height: 1 }] },
  {
    role: "assistant",
    text: "",
    toolCalls: [{ callId: "c1", name: "read_file", argsText: '{"path":"a.ts"}' }],
  },
  { role: "tool", callId: "c1", text: "a" },
];
const tools = [{ name: "read_file", description: "Reads.", parameters: { type: "object" } }];

describe("Ollama's own API, where a window is asked for", () => {
  let server: Server;
  let bodies: { path: string; body: Record<string, unknown> }[];
  let answer: (path: string) => { status?: number; lines: string; cut?: number };

  beforeEach(async () => {
    bodies = [];
    server = createServer(async (request, response) => {
      let text = "";
      for await (const piece of request.setEncoding("utf8")) text += piece;
      bodies.push({ path: request.url ?? "", body: JSON.parse(text) });
      const { status = 200, lines, cut = lines.length } = answer(request.url ?? "");
      response.writeHead(status, { "content-type": "application/x-ndjson" });
      const bytes = Buffer.from(lines);
      for (let at = 0; at < bytes.length; at += cut) response.write(bytes.subarray(at, at + cut));
      response.end();
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  });
  afterEach(() => {
    server.close();
    server.closeAllConnections();
  });

  function client(store = memoryStore()) {
    const address = server.address();
    assert.ok(address !== null && typeof address === "object");
    const baseUrl = `http://127.0.0.1:${address.port}/v1`;
    return createOpenaiClient({
      baseUrl,
      apiKey: null,
      limits: GENEROUS,
      learned: learnedCapabilities(store, baseUrl, "m"),
      request: { temperature: 0.2, reasoningEffort: "low", numCtx: 32_768 },
    });
  }
  const request = {
    model: "m",
    messages: conversation,
    tools,
    images: new Map([["i1", Uint8Array.from(Buffer.from(PNG, "base64"))]]),
  };

  it("gets the window, and the conversation in its own words", async () => {
    answer = () => ({ lines: line({ content: "Here." }) + line({ content: "" }, END) });
    assert.equal((await answerOf(client(), request)).text, "Here.");
    assert.deepEqual(bodies, [
      {
        path: "/api/chat",
        body: {
          model: "m",
          messages: [
            { role: "system", content: "You are Graft." },
            { role: "user", content: LOOK, images: [PNG] },
            {
              role: "assistant",
              content: "",
              tool_calls: [
                { id: "c1", function: { name: "read_file", arguments: { path: "a.ts" } } },
              ],
            },
            { role: "tool", content: "a", tool_name: "read_file" },
          ],
          stream: true,
          options: { num_ctx: 32_768, temperature: 0.2 },
          think: "low",
          tools: [{ type: "function", function: tools[0] }],
        },
      },
    ]);
  });

  for (const cut of [1, 7, 100_000])
    it(`answers with thinking, text, calls and counts, ${cut} bytes at a time`, async () => {
      answer = () => ({
        lines:
          line({ content: "", thinking: "Hm… " }) +
          line({ content: "I read 😀 " }) +
          line({ content: "both." }) +
          line({ content: "", tool_calls: [call("read_file", { path: "a.ts" })] }) +
          line({ content: "", tool_calls: [call("read_file", { path: "b.ts" })] }) +
          line({ content: "" }, END),
        cut,
      });
      const got = await answerOf(client(), request);
      assert.equal(got.error, null);
      assert.equal(got.text, "I read 😀 both.");
      assert.equal(got.reasoning, "Hm… ");
      assert.deepEqual(
        got.calls.map(({ name, args }) => [name, JSON.parse(args)]),
        [
          ["read_file", { path: "a.ts" }],
          ["read_file", { path: "b.ts" }],
        ],
      );
      assert.equal(got.finish, "tool-calls");
      assert.deepEqual([got.usage?.inputTokens, got.usage?.outputTokens], [26, 9]);
    });

  it("says why an answer is not complete", async () => {
    const cases = [
      [line({ content: "Half" }), "interrupted"],
      [
        line({ content: "Half" }) + JSON.stringify({ error: "model runner has stopped" }),
        "stream-error",
      ],
      ["not JSON\n", "invalid-json"],
    ] as const;
    for (const [lines, code] of cases) {
      answer = () => ({ lines });
      assert.equal((await answerOf(client(), request)).error?.code, code, lines);
    }
  });

  it("is left for the OpenAI-compatible API where a gateway has only that", async () => {
    const store = memoryStore();
    const chunk = {
      choices: [{ index: 0, delta: { content: "Here." }, finish_reason: "stop" }],
    };
    answer = (path) =>
      path === "/api/chat"
        ? { status: 404, lines: "404 page not found" }
        : { lines: `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n` };
    assert.equal((await answerOf(client(store), request)).text, "Here.");
    assert.equal((await answerOf(client(store), request)).text, "Here.");
    assert.deepEqual(
      bodies.map(({ path }) => path),
      ["/api/chat", "/v1/chat/completions", "/v1/chat/completions"],
    );
    assert.deepEqual(listLearned(store)[0]?.refused, ["ollama-chat"]);
  });

  it("is believed where it does not have the model", async () => {
    answer = () => ({ status: 404, lines: JSON.stringify({ error: "model 'm' not found" }) });
    assert.equal((await answerOf(client(), request)).error?.code, "model-not-found");
    assert.equal(bodies.length, 1);
  });
});
