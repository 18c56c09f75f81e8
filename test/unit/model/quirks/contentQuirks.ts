import type { FinishReason } from "../../../../src/model/streamPart.ts";
import { choice, content, done, type Quirk, read, stop } from "./quirk.ts";

/** What a provider's own reasons for the end mean. */
const ownReasons: readonly (readonly [reason: string, means: FinishReason])[] = [
  // https://docs.cohere.com/reference/chat
  ["COMPLETE", "stop"],
  // https://cloud.baidu.com/doc/WENXINWORKSHOP
  ["normal", "stop"],
  // https://docs.ai21.com
  ["endoftext", "stop"],
  // https://github.com/vespa-engine/vespa/pull/33327
  ["<|eot_id|>", "stop"],
  // https://docs.x.ai
  ["REASON_STOP", "stop"],
  ["REASON_MAX_LEN", "length"],
  // https://platform.openai.com/docs/api-reference/responses
  ["max_output_tokens", "length"],
  ["incomplete", "length"],
  // https://cloud.ibm.com/apidocs/watsonx-ai
  ["token_limit", "length"],
  // https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
  ["content_filtered", "content-filter"],
  ["guardrail_intervened", "content-filter"],
  // https://docs.anthropic.com/en/api/messages
  ["refusal", "content-filter"],
  // https://ai.google.dev/api/generate-content#FinishReason
  ["BLOCKLIST", "content-filter"],
  ["SPII", "content-filter"],
  ["IMAGE_SAFETY", "content-filter"],
  // https://github.com/simstudioai/sim/pull/6302
  ["model_armor", "content-filter"],
];

/** Where text, thinking, usage and the reason for the end stand. */
export const contentQuirks: readonly Quirk[] = [
  {
    what: "Azure: a first chunk without choices, filter results in each",
    body: [
      {
        choices: [],
        created: 0,
        id: "",
        model: "",
        object: "",
        prompt_filter_results: [{ prompt_index: 0, content_filter_results: {} }],
      },
      choice({ content: "", refusal: null, role: "assistant" }, null, {
        content_filter_results: {},
      }),
      choice({ content: "one" }, null, {
        content_filter_results: { hate: { filtered: false, severity: "safe" } },
        logprobs: null,
      }),
      choice({}, "stop", { content_filter_results: {} }),
      { choices: [], usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 } },
      done,
    ],
    text: "one",
    outputTokens: 4,
  },
  {
    what: "Azure: the filter's findings after the text, without a delta",
    body: [
      content("one"),
      { choices: [{ index: 0, finish_reason: null, content_filter_offsets: { check_offset: 3 } }] },
      stop,
      done,
    ],
    text: "one",
  },
  {
    what: "DeepSeek: thinking in a field, null and empty fields around it",
    body: [
      choice({ role: "assistant", content: null, reasoning_content: "" }),
      choice({ content: null, reasoning_content: "Hm." }),
      choice({ content: "one", reasoning_content: null }),
      {
        ...choice({ content: "", reasoning_content: null }, "stop"),
        usage: { prompt_tokens: 2, completion_tokens: 9 },
      },
      done,
    ],
    text: "one",
    reasoning: "Hm.",
    outputTokens: 9,
  },
  {
    what: "Mistral: content as a list, thinking in it",
    body: [
      choice({ role: "assistant", content: "" }),
      choice({
        content: [
          {
            type: "thinking",
            thinking: [
              { type: "text", text: "H" },
              { type: "text", text: "m." },
            ],
          },
        ],
      }),
      choice({ content: [{ type: "thinking", thinking: [], closed: true }] }),
      choice({
        content: [
          { type: "text", text: "one " },
          { type: "reference", reference_ids: [1] },
          { type: "text", text: "two" },
        ],
      }),
      choice({ content: "" }, "stop"),
      done,
    ],
    text: "one two",
    reasoning: "Hm.",
  },
  {
    what: "Together: the text beside its delta, once",
    body: [
      choice({ role: "assistant", content: "one", token_id: 5 }, null, { text: "one", seed: 1 }),
      choice({ content: "", token_id: 6 }, "eos"),
      done,
    ],
    text: "one",
  },
  {
    what: "Perplexity: the message so far beside each delta, once",
    body: [
      choice({ content: "one " }, null, { message: { content: "one " } }),
      choice({ content: "two" }, "stop", { message: { content: "one two" } }),
      done,
    ],
    text: "one two",
  },
  {
    what: "MiniMax: the whole message once more at the end, an empty role",
    body: [
      choice({ role: "", content: "one " }),
      choice({ content: "two" }, "stop"),
      {
        object: "chat.completion",
        choices: [
          {
            index: 0,
            finish_reason: "stop",
            message: { role: "assistant", content: "one two", reasoning_content: "Hm." },
          },
        ],
        usage: { prompt_tokens: 1, completion_tokens: 6 },
        base_resp: { status_code: 0, status_msg: "" },
      },
    ],
    text: "one two",
    outputTokens: 6,
  },
  {
    what: "Groq: usage in a field of its own",
    body: [
      { ...choice({ role: "assistant", content: "" }), x_groq: { id: "req_1" } },
      content("one"),
      {
        ...stop,
        x_groq: { id: "req_1", usage: { prompt_tokens: 1, completion_tokens: 5, queue_time: 0.1 } },
      },
      done,
    ],
    text: "one",
    outputTokens: 5,
  },
  {
    what: "Moonshot: usage in the choice",
    body: [
      content("one"),
      choice({}, "stop", { usage: { prompt_tokens: 1, completion_tokens: 8 } }),
      done,
    ],
    text: "one",
    outputTokens: 8,
  },
  {
    what: "Cerebras and vLLM: thinking in `reasoning`, usage and times in a last chunk",
    body: [
      choice({ reasoning: "Hm." }),
      content("one"),
      {
        ...stop,
        usage: { prompt_tokens: 1, completion_tokens: 2 },
        time_info: { queue_time: 0.1 },
      },
      done,
    ],
    text: "one",
    reasoning: "Hm.",
    outputTokens: 2,
  },
  {
    what: "Fireworks: usage beside the reason, and measurements",
    body: [content("one"), { ...stop, usage: { completion_tokens: 3 }, perf_metrics: {} }, done],
    text: "one",
    outputTokens: 3,
  },
  {
    what: "usage that grows with each chunk, the last of it",
    body: [
      { ...content("one"), usage: { completion_tokens: 1 } },
      { ...stop, usage: { completion_tokens: 4 } },
      done,
    ],
    text: "one",
    outputTokens: 4,
  },
  {
    what: "a null error in each chunk",
    body: [{ ...content("one"), error: null }, { ...stop, error: null, message: "" }, done],
    text: "one",
  },
  {
    what: "text in the chunk that says why it ended",
    body: [content("one "), choice({ content: "two" }, "length"), done],
    text: "one two",
    finish: "length",
  },
  {
    what: "a refusal as the answer",
    body: [choice({ refusal: "I will not." }), stop, done],
    text: "I will not.",
  },
  {
    what: "Copilot's Claude: text in a choice, and the call in another",
    body: [
      {
        choices: [
          { index: 0, delta: { content: "I look." }, finish_reason: "stop" },
          {
            index: 1,
            delta: { tool_calls: [{ index: 0, id: "c1", function: { name: "read_file" } }] },
          },
        ],
      },
      {
        choices: [
          {
            index: 1,
            delta: { tool_calls: [{ index: 0, function: { arguments: '{"path":"a.ts"}' } }] },
          },
        ],
      },
      { choices: [{ index: 1, delta: {}, finish_reason: "tool_calls" }] },
      done,
    ],
    text: "I look.",
    calls: [read("c1")],
  },
  {
    what: "text in a second choice that nobody asked for",
    body: [
      {
        choices: [
          { index: 1, delta: { content: "other" } },
          { index: 0, delta: { content: "one" } },
        ],
      },
      stop,
      done,
    ],
    text: "one\n\nother",
  },
  {
    what: "Zhipu: text that its filter cut off",
    body: [content("one"), choice({}, "sensitive"), done],
    text: "one",
    finish: "content-filter",
  },
  {
    what: "Gemini: a filter, with its finding",
    body: [content("one"), choice({}, "content_filter: RECITATION"), done],
    text: "one",
    finish: "content-filter",
  },
  {
    what: "an answer as long as the window",
    body: [content("one"), choice({}, "model_context_window_exceeded"), done],
    text: "one",
    finish: "length",
  },
  {
    what: "a reason in capitals",
    body: [content("one"), choice({}, "MAX_TOKENS"), done],
    text: "one",
    finish: "length",
  },
  ...[
    ["`thinking`", { thinking: "Hm." }],
    // https://docs.litellm.ai/docs/reasoning_content
    ["LiteLLM's `thinking_blocks`", { thinking_blocks: [{ type: "thinking", thinking: "Hm." }] }],
    ["`reasoning_text`", { reasoning_text: "Hm." }],
    ["a field that nobody named yet", { chain_of_thought: { text: "Hm." } }],
    ["a list of parts", { content: [{ type: "reasoning", text: "Hm." }] }],
    ["two fields at once", { thinking: "Hm.", reasoning_content: "Hm." }],
    ["a block in `reasoning`", { reasoning: { content: "Hm." } }],
    ["blocks in `reasoning_content`", { reasoning_content: [{ type: "text", text: "Hm." }] }],
    [
      "OpenRouter's `reasoning_details`",
      { reasoning_details: [{ type: "reasoning.text", text: "Hm.", format: "x", index: 0 }] },
    ],
    ["one detail", { reasoning_details: { type: "reasoning.summary", summary: "Hm." } }],
    ["Gemini's part with a flag", { content: [{ thought: true, text: "Hm." }] }],
    ["the only part of content", { content: { type: "thinking", thinking: "Hm." } }],
  ].flatMap(([where, delta]): Quirk[] => [
    {
      what: `thinking in ${where}`,
      body: [choice(Object(delta)), content("one"), stop, done],
      text: "one",
      reasoning: "Hm.",
    },
    {
      what: `thinking in ${where}, whole`,
      body: [
        JSON.stringify({
          choices: [
            {
              message: {
                content: "one",
                ...Object(delta),
                ...(Object(delta).content && {
                  content: [...[Object(delta).content].flat(), { type: "text", text: "one" }],
                }),
              },
              finish_reason: "stop",
            },
          ],
        }),
      ],
      text: "one",
      reasoning: "Hm.",
    },
  ]),
  {
    // https://github.com/earendil-works/pi/issues/2326
    what: "mlx-vlm: usage by other names",
    body: [content("one"), { ...stop, usage: { input_tokens: 11, output_tokens: 5 } }, done],
    text: "one",
    outputTokens: 5,
  },
  {
    // https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_TokenUsage.html
    what: "Bedrock: usage by its names",
    body: [content("one"), { ...stop, usage: { inputTokens: 11, outputTokens: 5 } }, done],
    text: "one",
    outputTokens: 5,
  },
  ...ownReasons.map(
    ([reason, finish]): Quirk => ({
      what: `a reason of its own: ${reason}`,
      body: [content("one"), choice({}, reason), done],
      text: "one",
      finish,
    }),
  ),
  {
    what: "fields that only say something of the thinking",
    body: [
      choice({
        content: "one",
        reasoning_effort: "high",
        thinking_mode: "auto",
        thinking_enabled: "true",
        reasoning_id: "rs_1",
        thought_signature: "c2ln",
        reasoning_tokens: "12",
        encrypted_reasoning: "abc",
      }),
      stop,
      done,
    ],
    text: "one",
  },
];
