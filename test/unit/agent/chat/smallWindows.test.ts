import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import * as path from "node:path";
import type { ChatOptions } from "../../../../src/agent/chatOptions.ts";
import { DEFAULT_RETRY } from "../../../../src/agent/loop/retry.ts";
import { ok } from "../../../../src/base/result.ts";
import { serverWindow } from "../../../../src/model/connections/serverWindow.ts";
import { createOpenaiClient } from "../../../../src/model/openai/openaiClient.ts";
import { type ListServer, startListServer } from "../../../fakes/model/listServer.ts";
import { type ModelStep, stepChunks } from "../../../fakes/model/modelServer.ts";
import { GENEROUS } from "../../model/collect.ts";
import { chat, chatsIn, folder, lastAnswer, open, openChat, server } from "./chatHarness.ts";

const FILE =
  "export function add(a: number, b: number) {\n  return a - b;\n}\n\nexport const two = 2;\n";
const EDIT =
  "```ts:ast-path:add\nexport function add(a: number, b: number) {\n  return a + b;\n}\n```\n";

/** Tools as the surroundings of an editor have them, whose descriptions fill a small window. */
const many: ChatOptions["tools"] = Array.from({ length: 20 }, (_, index) => ({
  name: `tool_${index}`,
  description: "Does something that takes a long sentence to say. ".repeat(8),
  category: "file",
  effect: "read",
  parameters: { type: "object", properties: {} },
  prepare: () => ok({ summary: "", effect: "read", run: async () => ({ ok: true, output: "" }) }),
}));

const readA: ModelStep = { toolCalls: [{ name: "read_file", args: { file_path: "src/a.ts" } }] };
const editA: ModelStep = { toolCalls: [{ name: "edit_mode", args: { file_path: "src/a.ts" } }] };
const notices = (of = chat) =>
  lastAnswer(of).parts.flatMap((part) =>
    part.type === "notice" && part.code === "small-window" ? [part.offer] : [],
  );
const offered = () =>
  server.requests.map(({ body }) => (body.tools ?? []).map((tool) => tool.function.name));
const sizes = () =>
  server.requests.map(({ body }) =>
    Math.ceil(JSON.stringify([body.messages, body.tools]).length / 3.5),
  );

describe("a model with a small context window", () => {
  chatsIn({ "src/a.ts": FILE });

  for (const [window, offer] of [
    [32_768, []],
    [8_192, ["few"]],
    [4_096, ["brief"]],
  ] as const) {
    it(`of ${window} tokens answers about a file, and edits it`, async () => {
      const steps = [
        readA,
        { text: "It subtracts." },
        readA,
        editA,
        { text: EDIT },
        { text: "Done." },
      ];
      await open(steps, { tools: many, contextWindow: () => window });
      assert.equal(
        await chat.send("What does add do?"),
        "done",
        JSON.stringify(lastAnswer().error),
      );
      assert.deepEqual(notices(), offer);
      assert.equal(await chat.send("Fix it."), "done");
      assert.deepEqual(notices(), [], "told once");
      assert.match(readFileSync(path.join(folder.root, "src/a.ts"), "utf8"), /return a \+ b;/);
      assert.ok(
        sizes().every((size) => size < window),
        String(sizes()),
      );
      for (const names of offered())
        assert.ok(names.includes("read_file") && names.includes("edit_mode"));
      assert.equal(offered()[0]?.includes("tool_0"), offer.length === 0);
    });
  }

  it("of 2,048 tokens chats without tools, and edits one file that the user names", async () => {
    await open([{ text: "Hello." }, { text: EDIT }, { text: "Done." }], {
      tools: many,
      contextWindow: () => 2_048,
    });
    assert.equal(await chat.send("hi"), "done");
    assert.deepEqual([notices(), offered()[0]], [["none"], []]);
    assert.equal(await chat.startEditMode("src/a.ts", "Make add add."), "done");
    assert.match(readFileSync(path.join(folder.root, "src/a.ts"), "utf8"), /return a \+ b;/);
    assert.ok(
      sizes().every((size) => size < 2_048),
      String(sizes()),
    );
  });

  it("of 2,048 tokens is told who can turn edit mode on, since it has no tool for that", async () => {
    await open([{ text: EDIT }, { text: "Please start edit mode." }], {
      tools: many,
      contextWindow: () => 2_048,
    });
    assert.equal(await chat.send("Make add add."), "done");
    const told = JSON.stringify(server.requests.at(-1)?.body.messages);
    assert.match(told, /Only the user can turn it on/);
    assert.doesNotMatch(told, /Call `edit_mode`/);
  });

  it("whose limit only a refusal tells gets fewer tools in the same turn", async () => {
    await open(
      ({ body }) =>
        JSON.stringify(body).length > 3_072 * 3.5
          ? {
              status: 400,
              body: JSON.stringify({
                message: `${Math.ceil(JSON.stringify(body).length / 4)} > 4096`,
              }),
            }
          : { text: "Hello." },
      { tools: many },
    );
    assert.equal(await chat.send("hi"), "done");
    assert.deepEqual(notices(), ["brief"]);
    assert.equal(server.requests.length, 2);
  });
});

/** An Ollama that reads no more than its window and says nothing of it. */
async function startOllama(
  window: number,
  steps: readonly ModelStep[],
  routes: Parameters<typeof startListServer>[0] = {},
): Promise<ListServer & { readonly sent: readonly string[] }> {
  const sent: string[] = [];
  const listed = await startListServer({
    "POST /api/show": { model_info: { "qwen3.context_length": 262_144 } },
    ...routes,
    "POST /v1/chat/completions": ({ body }) => {
      const step = steps[Math.min(sent.length, steps.length - 1)] ?? {};
      sent.push(body);
      const tokens = Math.ceil(body.length / 4);
      const chunks = stepChunks(
        { ...step, promptTokens: Math.min(tokens, window - 30) },
        sent.length,
      );
      const events = [...chunks.map((chunk) => JSON.stringify(chunk)), "[DONE]"];
      return {
        status: 200,
        text: events.map((event) => `data: ${event}\n\n`).join(""),
        headers: { "content-type": "text/event-stream" },
      };
    },
  });
  return Object.assign(listed, { sent });
}

describe("a server that cuts requests in silence", () => {
  chatsIn({
    "src/a.ts": FILE,
    "long.txt": "A line of text that is there to be read.\n".repeat(900),
  });
  let ollama: Awaited<ReturnType<typeof startOllama>>;
  afterEach(() => ollama.close());

  async function chatOn(kind: "ollama" | "other", window: number | null) {
    const baseUrl = `${ollama.origin}/v1`;
    const client = createOpenaiClient({
      ...{ baseUrl, apiKey: null, limits: GENEROUS },
      window: (signal) => serverWindow({ kind, baseUrl }, null, "qwen3", fetch, signal),
    });
    return openChat({ url: baseUrl }, folder.root, {
      tools: many,
      retry: DEFAULT_RETRY,
      contextWindow: () => window,
      connect: async () => ok({ client, model: "qwen3", info: null }),
    });
  }
  const cuts = (of: Awaited<ReturnType<typeof chatOn>>) =>
    of
      .events()
      .flatMap((event) => (event.type === "notice" && event.code === "request-cut" ? [event] : []));

  it("is told to the user, and the next request is as small as what it took", async () => {
    const readLong: ModelStep = {
      toolCalls: [{ name: "read_file", args: { file_path: "long.txt" } }],
    };
    ollama = await startOllama(4_096, [readLong, { text: "It is long." }, { text: "Yes." }]);
    const asked = await chatOn("other", null);
    await asked.send("What is in long.txt?");
    const [cut] = cuts(asked);
    assert.ok(cut && cut.sent > 9_000 && cut.counted === 4_066, JSON.stringify(cut));
    await asked.send("Are you sure?");
    assert.equal(cuts(asked).length, 1);
    assert.ok((ollama.sent.at(-1)?.length ?? 0) < 4_096 * 4);
    assert.ok(!ollama.sent.at(-1)?.includes("tool_0"), "fewer tools");
    await asked.dispose();
  });

  for (const kind of ["ollama", "other"] as const)
    it(`is asked before the first request where it is an Ollama, listed as ${kind}, which is then never cut`, async () => {
      let isLoaded = false;
      ollama = await startOllama(4_096, [readA, { text: "It subtracts." }], {
        "GET /api/ps": () => ({
          models: isLoaded ? [{ name: "qwen3:latest", context_length: 4_096 }] : [],
        }),
      });
      const asked = await chatOn(kind, null);
      await asked.send("What does add do?");
      isLoaded = true;
      await asked.send("And now?");
      assert.deepEqual(cuts(asked), []);
      assert.ok(
        ollama.sent.every(({ length }) => length < 4_096 * 4),
        "all of it fits",
      );
      await asked.dispose();
    });

  it("that has a larger window loaded gets all tools, up to what the user set", async () => {
    ollama = await startOllama(65_536, [{ text: "Hello." }], {
      "GET /api/ps": { models: [{ name: "qwen3:latest", context_length: 65_536 }] },
    });
    const asked = await chatOn("ollama", null);
    await asked.send("hi");
    assert.ok(ollama.sent[0]?.includes("tool_0"));
    const small = await chatOn("ollama", 8_192);
    await small.send("hi");
    assert.ok(!ollama.sent[1]?.includes("tool_0"));
    await asked.dispose();
    await small.dispose();
  });

  it("that makes few tokens of a file with many blanks is no such server", async () => {
    const wide = `${" ".repeat(60)}x,\n`.repeat(900);
    writeFileSync(path.join(folder.root, "wide.txt"), wide);
    const step: ModelStep = { toolCalls: [{ name: "read_file", args: { file_path: "wide.txt" } }] };
    ollama = await startOllama(5_500, [step, { text: "Blanks." }]);
    const asked = await chatOn("other", null);
    await asked.send("What is in wide.txt?");
    assert.deepEqual(cuts(asked), []);
    await asked.dispose();
  });

  it("that does not count what it had cached is no such server", async () => {
    const steps = [readA, { toolCalls: [{ name: "read_file", args: { file_path: "long.txt" } }] }];
    let before = 0;
    ollama = await startOllama(1_000_000, [], {});
    await ollama.close();
    const listed = await startListServer({
      "POST /v1/chat/completions": ({ body }) => {
        const index = sent.push(body) - 1;
        const tokens = Math.ceil(body.length / 4);
        const promptTokens = tokens - before;
        before = tokens;
        const step = steps[index] ?? { text: "Done." };
        const events = [
          ...stepChunks({ ...step, promptTokens }, index).map((chunk) => JSON.stringify(chunk)),
          "[DONE]",
        ];
        return {
          status: 200,
          text: events.map((event) => `data: ${event}\n\n`).join(""),
          headers: { "content-type": "text/event-stream" },
        };
      },
    });
    const sent: string[] = [];
    ollama = Object.assign(listed, { sent });
    const asked = await chatOn("other", null);
    await asked.send("What is in both?");
    assert.deepEqual(cuts(asked), []);
    assert.equal(sent.length, 3);
    await asked.dispose();
  });
});

describe("a server that answers nothing to a request that is too long", () => {
  chatsIn({
    "src/a.ts": FILE,
    "long.txt": "A line of text that is there to be read.\n".repeat(2_000),
  });
  const readLong: ModelStep = {
    toolCalls: [{ name: "read_file", args: { file_path: "long.txt" } }],
  };
  const NOTHING = "data: [DONE]\n\n";

  for (const [what, empty, isServed] of [
    [
      // https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/2339
      "LM Studio, which counts the request",
      (tokens: number) =>
        [
          { choices: [{ index: 0, delta: { role: "assistant" }, finish_reason: "stop" }] },
          { choices: [], usage: { prompt_tokens: tokens, completion_tokens: 0 } },
        ]
          .map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
          .join("") + NOTHING,
      true,
    ],
    [
      // https://github.com/NousResearch/hermes-agent/issues/51448
      "a llama.cpp that ends at once",
      () => NOTHING,
      true,
    ],
    [
      // https://github.com/earendil-works/pi, packages/ai/src/utils/overflow.ts
      "MiMo, which leaves no room for the answer",
      () =>
        `data: ${JSON.stringify({
          choices: [{ index: 0, delta: {}, finish_reason: "length" }],
          usage: { prompt_tokens: 16_384, completion_tokens: 0 },
        })}\n\n${NOTHING}`,
      false,
    ],
  ] as const)
    it(`gets a smaller one: ${what}`, async () => {
      const WINDOW = 16_384;
      const steps = [readLong, { text: "It is long." }];
      let step = 0;
      // A tokenizer that makes more tokens of it than Graft estimates.
      const tokensOf = (body: unknown) => Math.ceil(JSON.stringify(body).length / 2.6);
      await open(
        ({ body }) => {
          const tokens = tokensOf([body.messages, body.tools]);
          if (tokens > WINDOW) return { body: empty(tokens) };
          return { promptTokens: tokens, ...(steps[step++] ?? { text: "Done." }) };
        },
        {
          contextWindow: () => null,
          connect: async () =>
            ok({
              client: createOpenaiClient({
                ...{ baseUrl: server.url, apiKey: null, limits: GENEROUS },
                ...(isServed && { window: async () => ({ tokens: WINDOW, isLoaded: true }) }),
              }),
              model: "qwen3",
              info: null,
            }),
        },
      );
      assert.equal(await chat.send("What is in long.txt?"), "done");
      const said = lastAnswer().parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
      assert.deepEqual(said.join(""), "It is long.");
      assert.ok(server.requests.length <= 6, `${server.requests.length} requests`);
    });

  it("is not taken for one where it answers nothing to a short one", async () => {
    await open([{ body: NOTHING }, { text: "Hello." }], {
      connect: async () =>
        ok({
          client: createOpenaiClient({
            ...{ baseUrl: server.url, apiKey: null, limits: GENEROUS },
            window: async () => ({ tokens: 131_072, isLoaded: true }),
          }),
          model: "qwen3",
          info: null,
        }),
      retry: { ...DEFAULT_RETRY, firstMs: 1 },
    });
    assert.equal(await chat.send("hi"), "done");
    assert.equal(server.requests.length, 2, "the same once more");
  });
});
