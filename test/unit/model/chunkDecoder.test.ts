import assert from "node:assert/strict";
import fc from "fast-check";
import { ChunkDecoder } from "../../../src/model/openai/chunkDecoder.ts";
import { withCost } from "../../../src/model/usageCost.ts";
import { type Collected, collect } from "./collect.ts";

function read(...chunks: readonly unknown[]): Collected {
  const parts = new ChunkDecoder({ messages: [] });
  return collect([...chunks.flatMap((chunk) => parts.push(chunk)), ...parts.finish()]);
}

const choice = (delta: unknown, finish_reason: unknown = null) => ({
  choices: [{ index: 0, delta, finish_reason }],
});

describe("wire chunks", () => {
  it("that are garbage read as nothing", () => {
    const junk = [
      null,
      undefined,
      3,
      "x",
      [],
      [[]],
      {},
      { choices: 1 },
      { choices: [null, 2] },
      { choices: [{ delta: [] }] },
      choice({ content: 7, tool_calls: [1, {}] }),
    ];
    const answer = read(...junk.slice(0, -1), choice({ content: "text" }));
    assert.equal(answer.text, "text");
    assert.doesNotThrow(() => read(...junk));
  });

  it("of any JSON whatever never throw", () => {
    const field = fc.constantFrom(
      "choices",
      "delta",
      "message",
      "content",
      "tool_calls",
      "function",
      "arguments",
      "index",
      "id",
      "name",
      "finish_reason",
      "usage",
      "reasoning",
      "reasoning_details",
      "text",
      "thinking",
    );
    const { tree } = fc.letrec((tie) => ({
      leaf: fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.boolean(), fc.double()),
      tree: fc.oneof(
        { maxDepth: 7 },
        tie("leaf"),
        fc.array(tie("tree"), { maxLength: 3 }),
        fc.dictionary(field, tie("tree"), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(fc.array(tree, { maxLength: 4 }), (chunks) => {
        read(...chunks);
        read(...chunks.map((chunk) => choice(chunk)));
        read(
          ...chunks.map((chunk) =>
            choice({ content: chunk, tool_calls: [chunk, { function: chunk }] }),
          ),
        );
      }),
    );
  });

  it("that say stop first and then that the answer was cut off, count as cut off", () => {
    const reasonOf = (...chunks: readonly unknown[]) => read(...chunks).finish;
    assert.equal(reasonOf(choice({ content: "a" }, "stop"), choice({}, "length")), "length");
    assert.equal(reasonOf(choice({ content: "a" }, "length"), choice({}, "stop")), "length");
    assert.equal(reasonOf(choice({ content: "a" }, "stop"), choice({}, "content_filter")), "stop");
  });

  it("keep every good field beside a bad one", () => {
    const answer = read(
      choice({ content: "a", reasoning: 5, tool_calls: "x" }),
      choice({
        content: "b",
        tool_calls: [null, { index: "0", id: 9, function: { name: "f", arguments: "{}" } }],
      }),
    );
    assert.equal(answer.text, "ab");
    assert.deepEqual(
      answer.calls.map(({ name, args }) => [name, args]),
      [["f", "{}"]],
    );
  });

  it("give thinking that comes in two fields once", () => {
    const answer = read(
      choice({
        reasoning_content: "a",
        reasoning_details: [{ type: "reasoning.text", text: "a" }],
      }),
      choice({ reasoning: "b", reasoning_details: [{ type: "reasoning.summary", summary: "b" }] }),
      choice({
        reasoning: null,
        reasoning_details: [
          { type: "reasoning.text", text: "c" },
          { type: "reasoning.encrypted", data: "x" },
        ],
      }),
    );
    assert.equal(answer.reasoning, "abc");
  });

  it("whose content is a list give its texts and its thinking", () => {
    const content = [
      { type: "thinking", thinking: [{ type: "text", text: "hm" }] },
      { type: "text", text: "so" },
      { type: "reference", reference_ids: [1] },
    ];
    const answer = read(choice({ content }));
    assert.deepEqual([answer.reasoning, answer.text], ["hm", "so"]);
  });

  const finishes: readonly [string, readonly unknown[], string][] = [
    ["stop", [choice({ content: "a" }, "stop")], "stop"],
    ["the same reason twice", [choice({ content: "a" }, "stop"), choice({}, "stop")], "stop"],
    [
      "a cut-off answer, also when `stop` follows",
      [choice({ content: "a" }, "length"), choice({}, "stop")],
      "length",
    ],
    [
      "a cut-off answer with calls",
      [
        choice(
          { tool_calls: [{ index: 0, id: "a", function: { name: "f", arguments: '{"x' } }] },
          "length",
        ),
      ],
      "length",
    ],
    [
      "`stop` with calls",
      [
        choice(
          { tool_calls: [{ index: 0, id: "a", function: { name: "f", arguments: "{}" } }] },
          "stop",
        ),
      ],
      "tool-calls",
    ],
    [
      "calls without a reason",
      [choice({ tool_calls: [{ index: 0, id: "a", function: { name: "f", arguments: "{}" } }] })],
      "tool-calls",
    ],
    ["no reason", [choice({ content: "a" }, "")], "unknown"],
    ["another provider's word", [choice({ content: "a" }, "end_turn")], "stop"],
    ["a filter", [choice({ content: "a" }, "content_filter")], "content-filter"],
  ];
  for (const [what, chunks, reason] of finishes) {
    it(`end with ${reason} for ${what}`, () => assert.equal(read(...chunks).finish, reason));
  }

  it("give the last usage, with the finish reason or after it", () => {
    const early = read(
      { ...choice({ content: "a" }), usage: { prompt_tokens: 5, completion_tokens: 1 } },
      { ...choice({}, "stop"), usage: { prompt_tokens: 5, completion_tokens: 2 } },
    );
    assert.deepEqual(early.usage, { inputTokens: 5, outputTokens: 2 });
    const late = read(choice({ content: "a" }, "stop"), {
      choices: [],
      usage: { prompt_tokens: 5, completion_tokens: 3 },
    });
    assert.deepEqual(late.usage, { inputTokens: 5, outputTokens: 3 });
    assert.equal(read(choice({ content: "a" }, "stop")).usage, null);
  });

  for (const [who, usage, cachedInputTokens, inputTokens] of [
    ["OpenAI", { prompt_tokens_details: { cached_tokens: 80 } }, 80, 100],
    ["DeepSeek", { prompt_cache_hit_tokens: 64, prompt_cache_miss_tokens: 36 }, 64, 100],
    [
      "LiteLLM",
      {
        prompt_tokens_details: { cached_tokens: 0 },
        cache_read_input_tokens: 70,
        cache_creation_input_tokens: 20,
      },
      70,
      100,
    ],
    ["Moonshot", { cached_tokens: 50 }, 50, 100],
    ["a gateway that counts cached tokens apart", { cache_read_input_tokens: 900 }, 900, 1000],
    ["a server that says nothing of a cache", { prompt_tokens_details: null }, undefined, 100],
  ] as const) {
    it(`tell what came from the cache: ${who}`, () => {
      const answer = read(choice({ content: "a" }, "stop"), {
        choices: [],
        usage: { prompt_tokens: 100, completion_tokens: 2, ...usage },
      });
      assert.deepEqual(
        [answer.usage?.inputTokens, answer.usage?.cachedInputTokens],
        [inputTokens, cachedInputTokens],
      );
    });
  }

  for (const [who, usage, reasoningTokens, cost] of [
    ["OpenAI", { completion_tokens_details: { reasoning_tokens: 40 } }, 40, undefined],
    ["xAI", { reasoning_tokens: 30 }, 30, undefined],
    ["OpenRouter", { cost: 0.5 }, undefined, 0.5],
    ["Perplexity", { cost: { input_tokens_cost: 0.1, total_cost: 0.4 } }, undefined, 0.4],
    ["DeepInfra", { estimated_cost: 0.3 }, undefined, 0.3],
  ] as const) {
    it(`tell what was only thought, and what it cost: ${who}`, () => {
      const answer = read(choice({ content: "a" }, "stop"), {
        choices: [],
        usage: { prompt_tokens: 100, completion_tokens: 50, ...usage },
      });
      assert.deepEqual(
        [answer.usage?.reasoningTokens, answer.usage?.cost],
        [reasoningTokens, cost],
      );
      const priced = withCost(answer.usage ?? { inputTokens: null, outputTokens: null }, {
        ...{ input: 1, output: 1, cachedInput: null },
      });
      assert.equal(priced.estimated, cost === undefined ? "cost" : undefined);
    });
  }

  it("cost what the server says, else what the model's price says", () => {
    const told = read(choice({ content: "a" }, "stop"), {
      choices: [],
      usage: { prompt_tokens: 5, completion_tokens: 3, cost: 0.95 },
    });
    assert.equal(told.usage?.cost, 0.95);
    const price = { input: 2, output: 10, cachedInput: 0.5 };
    const usage = { inputTokens: 1_000_000, outputTokens: 100_000, cachedInputTokens: 600_000 };
    assert.equal(withCost(usage, price).cost, 0.8 + 0.3 + 1);
    assert.equal(withCost(usage, { ...price, cachedInput: null }).cost, 3);
    const { usage: absurd } = read({
      usage: {
        prompt_tokens: 1,
        completion_tokens: 2 ** 53 - 1,
        cached_tokens: 2 ** 53 - 1,
        cost: 1e308,
      },
    });
    assert.deepEqual(absurd, { inputTokens: 1, outputTokens: null });
    assert.equal(withCost({ ...usage, cost: 7 }, price).cost, 7);
    assert.equal(withCost(usage, null).cost, undefined);
    assert.equal(withCost({ ...usage, outputTokens: null }, price).cost, undefined);
  });

  it("end a call once text follows, and at the end of a cut-off answer those that may not be complete", () => {
    const parts = new ChunkDecoder({ messages: [] });
    const call = (index: number) => ({
      tool_calls: [{ index, id: `c${index}`, function: { name: "f", arguments: '{"x":1}' } }],
    });
    const ends = (chunk: unknown) =>
      parts
        .push(chunk)
        .flatMap((part) =>
          part.type === "tool-call-end" || part.type === "text-delta" ? [part] : [],
        );
    const end = { type: "tool-call-end", name: "f", argsText: '{"x":1}' };
    assert.deepEqual(ends(choice(call(0))), []);
    assert.deepEqual(ends(choice({ content: "" })), []);
    assert.deepEqual(ends(choice({ content: "So." })), [
      { ...end, callId: "c0" },
      { type: "text-delta", text: "So." },
    ]);
    assert.deepEqual(ends(choice(call(1), "length")), []);
    assert.deepEqual(parts.finish(), [
      { ...end, callId: "c1" },
      { type: "finish", reason: "length" },
    ]);
  });

  it("report that the provider failed", () => {
    const parts = new ChunkDecoder({ messages: [] });
    parts.push(choice({}, "error"));
    assert.equal(parts.failureReason, "error");
    assert.equal(parts.finished, false);
  });

  it("cost the same however much came before", () => {
    const parts = new ChunkDecoder({ messages: [] });
    let longest = 0;
    for (let i = 0; i < 20_000; i++) {
      longest = Math.max(
        longest,
        parts.push(
          choice({
            tool_calls: [
              {
                index: 0,
                id: i === 0 ? "a" : "",
                function: { name: "f", arguments: i === 0 ? "{" : "x}" },
              },
            ],
          }),
        ).length,
      );
    }
    assert.equal(longest, 2);
  });
});
