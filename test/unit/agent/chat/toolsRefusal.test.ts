import assert from "node:assert/strict";
import { ok } from "../../../../src/base/result.ts";
import {
  forgetLearned,
  listLearned,
  memoryStore,
} from "../../../../src/model/learnedCapabilities.ts";
import type { ModelInfo } from "../../../../src/model/modelInfo.ts";
import { createOpenaiClient } from "../../../../src/model/openai/openaiClient.ts";
import type { Memory } from "../../../../src/ports/memory.ts";
import type { ModelHandler, ModelStep } from "../../../fakes/model/modelServer.ts";
import { pluck } from "../../../fakes/pluck.ts";
import { testTool } from "../../../fakes/testTool.ts";
import { GENEROUS } from "../../model/collect.ts";
import { another, chat, chatsIn, open as serve, server } from "./chatHarness.ts";

const said = (message: string, status: number): ModelStep => ({
  status,
  body: JSON.stringify({ error: { message } }),
});

const refusals: readonly (readonly [who: string, answer: ModelStep, tries?: number])[] = [
  ["Ollama", said("registry.ollama.ai/library/gemma3:latest does not support tools", 400)],
  [
    "OpenRouter",
    said(
      "No endpoints found that support tool use. To learn more about provider routing, visit: https://openrouter.ai",
      404,
    ),
  ],
  [
    "vLLM",
    said(
      '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
      400,
    ),
  ],
  ["Azure", said("Unrecognized request argument supplied: tools", 400)],
  ["OpenAI", said("Unsupported parameter: 'tools' is not supported with this model.", 400)],
  [
    "LiteLLM",
    said(
      "litellm.UnsupportedParamsError: ollama does not support parameters: ['tools'], for model=phi3.",
      400,
    ),
  ],
  ["Gemini", said("Function calling is not enabled for models/gemma-3-27b-it", 400)],
  ["DeepSeek", said("deepseek-reasoner does not support Function Calling", 400)],
  ["Groq", said("`tool calling` is not supported with this model", 400)],
  ["Fireworks", said("Function calling is not supported by this deployment", 422)],
  // https://github.com/zed-industries/zed/issues/36094
  [
    "OpenRouter, of the choice",
    said("No endpoints found that support the provided 'tool_choice' value.", 404),
  ],
  // https://github.com/graze-social/cocore/issues/166
  ["a pool of machines", said("No connected provider supports tool calling for this model.", 400)],
  // https://github.com/QwenLM/Qwen/issues/1298
  ["a gateway to Qwen", said("Unsupported param: tools", 400)],
  ["a gateway in another language", said("该模型不支持工具调用 (tools)", 400)],
  // Once more without streaming.
  [
    "Bedrock behind a gateway",
    said("This model doesn't support tool use in streaming mode.", 400),
    2,
  ],
  // Once more without all parts that it may mean.
  [
    "a template that raises",
    said("Error rendering prompt with jinja template: Unknown test: sequence", 400),
    2,
  ],
  ["a gateway without words", { status: 501, body: "" }],
  [
    "a gateway whose route for tools is missing",
    { status: 405, body: "<html><body>405</body></html>" },
  ],
  [
    "a validator",
    {
      status: 422,
      body: '{"detail":[{"loc":["body","tools"],"msg":"Extra inputs are not permitted"}]}',
    },
  ],
  [
    "an error in the stream",
    {
      body: 'data: {"error":{"code":404,"message":"No endpoints found that support tool use."}}\n\n',
    },
  ],
];

const others: readonly (readonly [what: string, answer: ModelStep, code: string])[] = [
  [
    "a model that is not there",
    said('model "x" not found, try pulling it first', 404),
    "model-not-found",
  ],
  ["a rejected key", said("Incorrect API key", 401), "key-rejected"],
  ["a forbidden model", said("You have no access to tools", 403), "forbidden"],
  ["a rate limit", said("Slow down", 429), "rate-limited"],
  [
    "a content filter",
    { status: 400, body: '{"error":{"code":"content_filter","message":"Filtered."}}' },
    "content-filter",
  ],
  [
    "a history that is not valid",
    said("messages with role 'tool' must follow 'tool_calls'", 400),
    "rejected",
  ],
  ["a server that fails", said("CUDA out of memory", 500), "server-error"],
  ["a server that is overloaded", said("Overloaded", 503), "server-error"],
];

describe("a model that supports no tools", () => {
  chatsIn({ "a.ts": "export const a = 1;\n" });
  let store: Memory;
  const edit = "```ts:1:1\nexport const a = 2;\n```\n";
  const refusal = said("gemma3 does not support tools", 400);

  beforeEach(() => {
    store = memoryStore();
  });

  const open: typeof serve = (answers, options) => serve(answers, { learned: store, ...options });
  const again: typeof another = (options) => another({ learned: store, ...options });

  const refusing =
    (answer: ModelStep): ModelHandler =>
    ({ body }) =>
      body.tools ? answer : { text: "Hello." };
  const sentTools = () => server.requests.map(({ body }) => body.tools !== undefined);
  const refused = () => listLearned(store).flatMap((one) => one.refused);
  const notices = () => chat.events().flatMap((event) => (event.type === "notice" ? [event] : []));

  for (const [who, answer, tries = 1] of refusals) {
    it(`is asked once without them, whatever the server says: ${who}`, async () => {
      await open(refusing(answer));
      assert.equal(await chat.send("Hi"), "done");
      assert.equal(await chat.send("Again"), "done");
      const withTools = Array.from({ length: tries }, () => true);
      assert.deepEqual(sentTools(), [...withTools, false, false]);
      assert.deepEqual(refused(), ["tools"]);
      assert.deepEqual(pluck(notices(), "code"), ["tools-refused"]);
    });
  }

  for (const [what, answer, code] of others) {
    it(`is not learned from ${what}`, async () => {
      await open(() => answer);
      assert.equal(await chat.send("Hi"), "error");
      const [turn] = [...chat.tree.turns.values()].flatMap((one) =>
        one.role === "agent" ? [one] : [],
      );
      assert.equal(turn?.error?.code, code);
      assert.deepEqual(refused(), []);
      assert.deepEqual(
        notices().filter((notice) => notice.code === "tools-refused"),
        [],
      );
    });
  }

  it("is learned from an error 500 the second time only, because one may pass", async () => {
    await open(refusing(said("tools param requires --jinja flag", 500)));
    assert.equal(await chat.send("Hi"), "done");
    assert.deepEqual(sentTools(), [true, true, true, true, false]);
    assert.deepEqual(refused(), []);
    assert.equal(await chat.send("Again"), "done");
    assert.deepEqual(refused(), ["tools"]);
    assert.equal(await chat.send("And again"), "done");
    assert.deepEqual(sentTools().slice(5), [true, true, true, true, false, false]);
  });

  it("answers in text after one notice, and edit mode still works", async () => {
    await open([
      refusal,
      { text: "Hello." },
      { text: "Again." },
      { text: edit },
      { text: "Done." },
    ]);
    assert.equal(await chat.send("Hi"), "done");
    const turn = chat.tree.turns.get(chat.tree.headTurnId ?? "");
    const [text, notice] = turn?.role === "agent" ? turn.parts : [];
    assert.ok(
      notice?.type === "notice" && notice.code === "tools-refused" && text?.type === "text",
    );
    assert.equal(notice.error.said, "gemma3 does not support tools");
    assert.equal(await chat.send("And now?"), "done");
    assert.equal(await chat.startEditMode("a.ts", "Make a 2"), "done");
    assert.deepEqual(sentTools(), [true, false, false, false, false]);
    assert.match(server.requests[1]?.body.messages[0]?.content ?? "", /- list_directory: /);
    assert.equal(notices().length, 1);
    assert.match(JSON.stringify(server.requests[4]?.body), /has been updated/);
  });

  it("is remembered in the next chat, which says so, until the user forgets it", async () => {
    await open(refusing(refusal));
    await chat.send("Hi");
    await chat.dispose();
    await again();
    await chat.send("Hi");
    assert.deepEqual(sentTools(), [true, false, false]);
    assert.deepEqual(pluck(notices(), "code"), ["tools-refused"]);
    await forgetLearned(store, { baseUrl: server.url, model: "test-model" });
    await chat.send("Again");
    assert.deepEqual(sentTools(), [true, false, false, true, false]);
  });

  it("is what the user says: true always sends tools, false never does", async () => {
    const info = (tools: boolean): ModelInfo => ({
      ...{
        id: "test-model",
        label: "Test",
        contextWindow: null,
        images: null,
        reasoning: null,
        price: null,
      },
      tools,
    });
    await open(refusing(refusal), { info: info(true) });
    assert.equal(await chat.send("Hi"), "error");
    await chat.dispose();
    await again({ info: info(false) });
    assert.equal(await chat.send("Hi"), "done");
    assert.deepEqual(sentTools(), [true, false]);
    assert.deepEqual(refused(), []);
  });

  it("is not assumed of a model that has called tools in the chat", async () => {
    await open([{ toolCalls: [{ name: "list_directory", args: {} }] }, refusal]);
    assert.equal(await chat.send("What is here?"), "error");
    assert.deepEqual(sentTools(), [true, true]);
  });

  it("sees the calls of the model before it as text, and nothing is learned from that", async () => {
    const answers = [
      { toolCalls: [{ name: "list_directory", args: {} }] },
      { text: "One." },
      refusal,
      { text: "Still one." },
    ];
    await open(answers);
    const client = createOpenaiClient({ baseUrl: server.url, apiKey: null, limits: GENEROUS });
    let model = "with-tools";
    await again({ connect: async () => ok({ client, model, info: null }) });
    await chat.send("What is here?");
    model = "without";
    assert.equal(await chat.send("Sure?"), "done");
    const messages = server.requests[3]?.body.messages ?? [];
    assert.ok(
      messages.every(({ role, tool_calls }) => role !== "tool" && tool_calls === undefined),
    );
    assert.match(JSON.stringify(messages), /Result of list_directory/);
    assert.deepEqual(refused(), []);
  });

  const nonceIn = (body: unknown) => /<call (\w+) TOOL_NAME>/.exec(JSON.stringify(body))?.[1] ?? "";
  const written = (body: unknown) => ({
    text: `Looking.\n<call ${nonceIn(body)} list_directory>\n{"path": "."}\n</call ${nonceIn(body)}>`,
  });

  it("calls tools in text with the word of its request", async () => {
    let answers = 0;
    await open(({ body }) =>
      body.tools ? refusal : answers++ === 0 ? written(body) : { text: "One file." },
    );
    assert.equal(await chat.send("What is here?"), "done");
    const results = chat
      .events()
      .flatMap((event) => (event.type === "tool-result" ? [event.output] : []));
    assert.deepEqual(results, ["a.ts"]);
    const [, second, third] = server.requests.map(({ body }) => nonceIn(body));
    assert.ok(second && third && second !== third);
  });

  it("is still learned from a second error 500 where it called tools in text", async () => {
    const answers: ModelHandler = ({ body }) => {
      if (body.tools) return said("tools param requires --jinja flag", 500);
      return JSON.stringify(body.messages).includes("Result of list_directory")
        ? { text: "One file." }
        : written(body);
    };
    await open(answers);
    assert.equal(await chat.send("What is here?"), "done");
    assert.deepEqual(refused(), []);
    assert.equal(await chat.send("Again"), "done");
    assert.deepEqual(refused(), ["tools"]);
  });

  it("is not learned where an MCP tool may be what the server refuses", async () => {
    const odd = testTool("odd", async () => ({ ok: true, output: "" }));
    await open(refusing(said("Invalid schema for function 'odd'", 400)), {
      turnTools: async () => [odd],
    });
    assert.equal(await chat.send("Hi"), "done");
    assert.deepEqual(refused(), []);
  });
});

describe("a call that nobody read", () => {
  chatsIn({ "a.ts": "export const a = 1;\n" });
  const text = '<tool_call>{"name": "list_directory", "arguments": {}}</tool_call>';
  const codes = () =>
    chat.events().flatMap((event) => (event.type === "notice" ? [event.code] : []));

  it("is named once a chat, and does not run", async () => {
    await serve([{ text }, { text }]);
    await chat.send("What is here?");
    await chat.send("Again");
    assert.deepEqual(codes(), ["unread-call"]);
    assert.ok(!chat.events().some(({ type }) => type === "tool-call"));
  });

  it("is a quotation where the model has called tools before", async () => {
    await serve([{ toolCalls: [{ name: "list_directory", args: {} }] }, { text }]);
    await chat.send("What is here?");
    assert.deepEqual(codes(), []);
  });
});
