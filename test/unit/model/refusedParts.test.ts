import assert from "node:assert/strict";
import {
  forgetRefusals,
  learnedCapabilities,
  listLearned,
  memoryStore,
  type RequestPart,
} from "../../../src/model/learnedCapabilities.ts";
import type { Message } from "../../../src/model/message.ts";
import { createOpenaiClient } from "../../../src/model/openai/openaiClient.ts";
import { startModelServer, type WireRequest } from "../../fakes/model/modelServer.ts";
import { answerOf, GENEROUS } from "./collect.ts";

type Refuses = (body: WireRequest) => boolean;

const hasSystem: Refuses = ({ messages }) =>
  messages.some(({ role }) => role === "system" || role === "developer");
const streams: Refuses = ({ stream }) => stream === true;
const hasNull: Refuses = ({ messages }) => messages.some(({ content }) => content === null);
const hasBoth: Refuses = ({ messages }) =>
  messages.some(({ content, tool_calls }) => Boolean(content) && tool_calls !== undefined);
const hasSeveral: Refuses = ({ messages }) =>
  messages.some(({ tool_calls = [] }) => tool_calls.length > 1);
const has =
  (field: string): Refuses =>
  (body) =>
    body[field] !== undefined;
const lacks =
  (field: string): Refuses =>
  (body) =>
    body[field] === undefined;

/** The ids of calls and results. */
const idsOf = ({ messages }: WireRequest) =>
  messages.flatMap(({ tool_calls = [], tool_call_id }) => [
    ...tool_calls.map(({ id }) => id),
    ...(tool_call_id === undefined ? [] : [tool_call_id]),
  ]);
const callsOf = ({ messages }: WireRequest) => messages.flatMap((each) => each.tool_calls ?? []);
const hasUserAfterTool: Refuses = ({ messages }) =>
  messages.some(({ role }, index) => role === "user" && messages[index - 1]?.role === "tool");
const hasNothing: Refuses = ({ messages }) =>
  messages.some(({ role, content }) => role === "assistant" && !content);

/** Who says it, the status, the words, what is refused, and what is learned. */
const refusals: readonly (readonly [string, number, string, Refuses, readonly RequestPart[]])[] = [
  [
    // https://github.com/microsoft/agent-framework/issues/1077
    "OpenAI's o1-mini",
    400,
    "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
    hasSystem,
    ["system-role"],
  ],
  [
    // https://discuss.ai.google.dev/t/gemma-3-missing-features-despite-announcement/71692
    "Google's Gemma",
    400,
    "Developer instruction is not enabled for models/gemma-3-27b-it",
    hasSystem,
    ["system-role"],
  ],
  [
    // The chat template of google/gemma-2-9b-it raises it, vLLM passes it on.
    "a template of Gemma",
    400,
    "System role not supported",
    hasSystem,
    ["system-role"],
  ],
  [
    // The chat template of mistralai/Mistral-7B-Instruct-v0.1, in llama.cpp.
    "a template of Mistral",
    500,
    "Conversation roles must alternate user/assistant/user/assistant/...",
    hasSystem,
    [],
  ],
  [
    // https://github.com/microsoft/vscode/issues/260670
    "OpenAI, for an organization that is not verified",
    400,
    "Your organization must be verified to stream this model. Please go to: https://platform.openai.com/settings/organization/general and click on Verify Organization.",
    streams,
    ["streaming"],
  ],
  ["a gateway", 501, "Streaming responses are not implemented", streams, ["streaming"]],
  [
    "a server that knows no stream_options and does not stream",
    400,
    "Unrecognized request argument supplied: stream_options, stream",
    (body) => streams(body) || has("stream_options")(body),
    ["streaming"],
  ],
  [
    "a validator",
    422,
    "body.messages.2.content: Input should be a valid string, got null",
    hasNull,
    ["null-content"],
  ],
  [
    "a strict gateway",
    400,
    "Invalid 'messages[2].content': expected a string or an array, but None was given",
    hasNull,
    ["null-content"],
  ],
  [
    // https://github.com/github/copilot-cli/issues/4884
    "Mistral, without words",
    422,
    "Unprocessable Entity",
    hasBoth,
    ["text-with-calls"],
  ],
  [
    "Mistral",
    400,
    "Assistant message must have either content or tool_calls, but not both.",
    hasBoth,
    ["text-with-calls"],
  ],
  [
    // The chat template of meta-llama/Llama-3.1-8B-Instruct.
    "a template of Llama",
    400,
    "This model only supports single tool-calls at once!",
    hasSeveral,
    ["parallel-calls"],
  ],
  [
    "OpenAI's o-series, for a temperature",
    400,
    "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
    has("temperature"),
    ["temperature"],
  ],
  [
    "a model without efforts",
    400,
    "Unrecognized request argument supplied: reasoning_effort",
    has("reasoning_effort"),
    ["reasoning-effort"],
  ],
  [
    "a gateway that wants a limit",
    400,
    "max_tokens: Field required",
    lacks("max_tokens"),
    ["no-max-tokens"],
  ],
  [
    "a server that wants it by its new name",
    400,
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead; it is required.",
    lacks("max_completion_tokens"),
    ["max-tokens-name"],
  ],
  [
    // https://github.com/danny-avila/LibreChat/issues/6456
    "Bedrock's Titan",
    400,
    "This model doesn't support system messages. Try again without a system message or use a model that supports system messages.",
    hasSystem,
    ["system-role"],
  ],
  [
    // https://docs.aws.amazon.com/bedrock/latest/userguide/conversation-inference.html
    "Bedrock, of the first message",
    400,
    "A conversation must start with a user message. Try again with a conversation that starts with a user message.",
    hasSystem,
    ["system-role"],
  ],
  [
    // The chat template of google/gemma-3, in LM Studio.
    "a template without instructions",
    400,
    "Error rendering prompt with jinja template: Only user and assistant roles are supported!",
    hasSystem,
    ["system-role"],
  ],
  [
    // https://docs.cohere.com/reference/chat
    "a gateway to Cohere",
    422,
    "preamble is not accepted by this deployment",
    hasSystem,
    ["system-role"],
  ],
  [
    // https://github.com/github/gh-models/issues/31
    "Azure's o1",
    400,
    "Unsupported value: 'stream' does not support true with this model. Supported values are: false.",
    streams,
    ["streaming"],
  ],
  [
    // https://github.com/earendil-works/pi/issues/3739
    "Bedrock's Llama, with tools",
    400,
    "This model doesn't support tool use in streaming mode.",
    streams,
    ["streaming"],
  ],
  [
    // https://github.com/danny-avila/LibreChat/issues/8877
    "Bedrock's gpt-oss",
    500,
    "The model is unsupported for streaming.",
    streams,
    [],
  ],
  [
    // https://www.rfc-editor.org/rfc/rfc9110#name-406-not-acceptable
    "a gateway by HTTP's own words",
    406,
    "text/event-stream is not acceptable here",
    streams,
    ["streaming"],
  ],
  ["a proxy without server-sent events", 400, "SSE is disabled", streams, ["streaming"]],
  [
    // https://github.com/BerriAI/litellm/issues/9905
    "DeepSeek",
    422,
    "Failed to deserialize the JSON body into the target type: messages[2]: invalid type: null, expected a string at line 1 column 812",
    hasNull,
    ["null-content"],
  ],
  [
    // https://github.com/lmstudio-ai/lmstudio-bug-tracker
    "LM Studio's templates",
    400,
    'Error rendering prompt with jinja template: Cannot apply filter "trim" to type: NullValue',
    hasNull,
    ["null-content"],
  ],
  [
    // https://github.com/vllm-project/vllm
    "vLLM's templates",
    400,
    "can only concatenate str (not NoneType) to str",
    hasNull,
    ["null-content"],
  ],
  [
    // https://docs.cohere.com/reference/chat
    "Cohere",
    400,
    "invalid request: all elements in history must have a message.",
    hasNull,
    ["null-content"],
  ],
  [
    // https://cloud.google.com/vertex-ai/generative-ai/docs
    "Vertex AI",
    400,
    "Unable to submit request because it must include at least one parts field, which describes the prompt input.",
    hasNull,
    ["null-content"],
  ],
  [
    // https://docs.aws.amazon.com/bedrock/latest/userguide/conversation-inference.html
    "Bedrock, of a message",
    400,
    "The text field in the ContentBlock object at messages.1.content.0 is blank. Add text to the text field, and try again.",
    hasNull,
    [],
  ],
  [
    // https://console.groq.com/docs
    "Groq",
    400,
    "'messages.2' : for 'role:assistant' the following must be satisfied[('messages.2.content' : value must be a string)]",
    hasNull,
    ["null-content"],
  ],
  [
    // https://docs.anthropic.com/en/api/messages
    "a gateway to Anthropic",
    400,
    "max_tokens: Field required",
    lacks("max_tokens"),
    ["no-max-tokens"],
  ],
  [
    "a server of Java",
    400,
    "Parameter maxTokens must not be empty",
    lacks("max_tokens"),
    ["no-max-tokens"],
  ],
  [
    "a gateway with words for people",
    422,
    "Please say how many max tokens the answer may have",
    lacks("max_tokens"),
    ["no-max-tokens"],
  ],
  [
    // https://github.com/jekalmin/extended_openai_conversation/issues/298
    "Azure, for the limit by its new name",
    400,
    "Missing required parameter: 'max_completion_tokens'.",
    lacks("max_completion_tokens"),
    ["max-tokens-name"],
  ],
  [
    // https://docs.mistral.ai
    "Mistral, of several calls",
    400,
    "Not the same number of function calls and responses",
    hasSeveral,
    ["parallel-calls"],
  ],
  [
    // https://github.com/meta-llama
    "Llama's API",
    400,
    "Multiple tool calls in one assistant turn are unsupported",
    hasSeveral,
    ["parallel-calls"],
  ],
  [
    // https://openrouter.ai/docs/api-reference/errors
    "OpenRouter, without the provider's words",
    400,
    "Provider returned error",
    hasSystem,
    ["system-role"],
  ],
  [
    // https://github.com/anomalyco/opencode/issues/1680
    "Mistral, of ids",
    400,
    "Tool call id was call_PTLP8xhu3uwZk4l3nlnrrJha but must be a-z, A-Z, 0-9, with a length of 9.",
    (body) => idsOf(body).some((id) => !/^[a-zA-Z0-9]{9}$/.test(id)),
    ["call-ids"],
  ],
  [
    // https://github.com/vercel/ai/issues/5171
    "OpenAI, of ids",
    400,
    "Invalid 'messages[2].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 43 instead.",
    (body) => idsOf(body).some((id) => !id.startsWith("c0")),
    ["call-ids"],
  ],
  [
    // https://github.com/avante-corp/avante.nvim/pull/2695
    "Mistral, of the order",
    400,
    "Unexpected role 'user' after role 'tool'",
    hasUserAfterTool,
    ["user-after-calls"],
  ],
  [
    // https://github.com/charmbracelet/crush/issues/279
    "a template of Ministral",
    400,
    "After the optional system message, conversation roles must alternate user and assistant roles except for tool calls and results.",
    hasUserAfterTool,
    ["user-after-calls"],
  ],
  [
    // https://github.com/continuedev/continue/issues/11285
    "DeepSeek, of its thinking",
    400,
    "Missing `reasoning_content` field in the assistant message at message index 2. For more information, please refer to https://api-docs.deepseek.com/guides/thinking_mode#tool-calls",
    ({ messages }) =>
      messages.some((each) => each.role === "assistant" && !("reasoning_content" in each)),
    ["no-reasoning-content"],
  ],
  [
    // https://github.com/bytedance/deer-flow/issues/3043
    "Kimi, of its thinking",
    400,
    "thinking is enabled but reasoning_content is missing in assistant tool call message at index 2",
    ({ messages }) =>
      messages.some((each) => each.role === "assistant" && !("reasoning_content" in each)),
    ["no-reasoning-content"],
  ],
  [
    // https://github.com/pipecat-ai/pipecat/pull/5809
    "Gemini 3, of another model's calls",
    400,
    "Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly.",
    (body) => callsOf(body).some((call) => !("extra_content" in call)),
    ["unsigned-calls"],
  ],
  [
    // https://github.com/NousResearch/hermes-agent/pull/19728
    "Gemini, of results",
    400,
    "* GenerateContentRequest.contents[2].parts[0].function_response.name: Name cannot be empty.",
    ({ messages }) => messages.some((each) => each.role === "tool" && !("name" in each)),
    ["tool-names"],
  ],
  [
    // https://github.com/laurent22/joplin/pull/16451
    "OpenAI's newest models, which think by default",
    400,
    "Function tools with reasoning_effort are not supported for gpt-5.6-luna in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.",
    (body) => body.tools !== undefined && body.reasoning_effort !== "none",
    ["reasoning-with-tools"],
  ],
  [
    // https://github.com/anomalyco/opencode/issues/15715
    "Bedrock, of texts",
    400,
    "ValidationException: messages: text content blocks must be non-empty",
    hasNothing,
    ["empty-content"],
  ],
  ["a validator of texts", 422, "Message content must not be empty", hasNothing, ["empty-content"]],
  [
    // https://docs.mistral.ai
    "a validator of roles",
    422,
    "messages.0.role: Input should be 'user', 'assistant' or 'tool'",
    hasSystem,
    ["system-role"],
  ],
  [
    // https://docs.anthropic.com
    "a model without a temperature",
    400,
    "`temperature` is deprecated for this model.",
    has("temperature"),
    ["temperature"],
  ],
  [
    // https://github.com/nguyenphutrong/quotio/issues/287
    "a gateway that names the value alone",
    400,
    'level "low" not supported, valid levels: medium, high, xhigh',
    has("reasoning_effort"),
    ["reasoning-effort"],
  ],
  [
    // https://github.com/diegosouzapw/OmniRoute/pull/10160
    "Ollama's cloud",
    400,
    'invalid reasoning value: \'low\' (must be "high", "medium", "max", or "none")',
    has("reasoning_effort"),
    ["reasoning-effort"],
  ],
  [
    // https://github.com/NousResearch/hermes-agent/issues/27344
    "Xiaomi's MiMo",
    400,
    "Param Incorrect: text is not set",
    hasNull,
    ["null-content"],
  ],
  [
    // https://docs.mistral.ai
    "Mistral's validator, of ids",
    422,
    "body.messages.2.tool_calls.0.id: String should match pattern '^[a-zA-Z0-9]{9}$'",
    (body) => idsOf(body).some((id) => !/^[a-zA-Z0-9]{9}$/.test(id)),
    ["call-ids"],
  ],
  ["a server without words", 400, "Bad Request", streams, ["streaming"]],
  ["a validator without words", 422, "Validation error", hasNull, ["null-content"]],
];

const conversation: readonly Message[] = [
  { role: "system", text: "You are Graft." },
  { role: "user", text: "Read both files." },
  {
    role: "assistant",
    text: "",
    toolCalls: [
      { callId: "c1", name: "read_file", argsText: '{"path":"a.ts"}' },
      { callId: "c2", name: "read_file", argsText: '{"path":"b.ts"}' },
    ],
  },
  { role: "tool", callId: "c1", text: "a" },
  { role: "tool", callId: "c2", text: "b" },
  {
    role: "assistant",
    text: "One more.",
    toolCalls: [{ callId: "c3", name: "read_file", argsText: '{"path":"c.ts"}' }],
  },
  { role: "tool", callId: "c3", text: "c" },
  { role: "user", text: "Sum it up." },
];
const tools = [{ name: "read_file", description: "Reads.", parameters: { type: "object" } }];
const request = { model: "m", messages: conversation, tools };

describe("a part of a request that a server refuses", () => {
  const ways = refusals.flatMap((row) => [
    { row, streamed: false },
    { row, streamed: true },
  ]);
  for (const { row, streamed } of ways) {
    const [who, status, message, refuses, learned] = row;
    const how = streamed ? "within a stream" : "by its status";
    it(`is left out from then on, as ${who} says it ${how}: ${message}`, async () => {
      const server = await startModelServer(({ body }) => {
        if (refuses(body)) {
          const error = { message, id: crypto.randomUUID(), ...(streamed && { code: status }) };
          const refusal = JSON.stringify({ error });
          return streamed ? { body: `data: ${refusal}\n\n` } : { status, body: refusal };
        }
        return body.stream === true ? { text: "Here." } : { body: WHOLE };
      });
      try {
        const store = memoryStore();
        const client = createOpenaiClient({
          baseUrl: server.url,
          apiKey: null,
          limits: GENEROUS,
          learned: learnedCapabilities(store, server.url, "m"),
          request: { temperature: 0.2, reasoningEffort: "low" },
        });
        assert.equal((await answerOf(client, request)).text, "Here.");
        const asked = server.requests.length;
        assert.deepEqual(
          new Set(listLearned(store).flatMap(({ refused }) => refused)),
          new Set(learned),
        );
        assert.equal((await answerOf(client, request)).text, "Here.");
        assert.equal((await answerOf(client, request)).text, "Here.");
        // What may have passed by itself is believed the second time.
        const believed = learned.length > 0 ? asked + 2 : 2 * asked + 1;
        assert.equal(server.requests.length, believed, "it was learned once");
        const last = server.requests.at(-1)?.body;
        assert.match(JSON.stringify(last), /You are Graft\..*Read both files\..*One more\./s);
      } finally {
        await server.close();
      }
    });
  }

  for (const [who, body, refused, learned] of [
    [
      // https://github.com/mistralai/platform-docs-public/issues/7
      "Mistral",
      { detail: [{ loc: ["body", "stream_options"], msg: "Extra inputs are not permitted" }] },
      has("stream_options"),
      "stream-options",
    ],
    [
      // https://github.com/OpenHands/OpenHands-CLI/issues/83
      "Mistral, wrapped",
      {
        object: "error",
        message: {
          detail: [{ loc: ["body", "reasoning_effort"], msg: "Extra inputs are not permitted" }],
        },
      },
      has("reasoning_effort"),
      "reasoning-effort",
    ],
    [
      // https://github.com/router-for-me/CLIProxyAPI/issues/1307
      "a gateway, in a text",
      {
        detail:
          'Invalid request: {"detail":{"error":{"message":"Validation error for `reasoning_effort`"}}}',
      },
      has("reasoning_effort"),
      "reasoning-effort",
    ],
    [
      // https://github.com/NousResearch/hermes-agent
      "a proxy before Bedrock",
      {
        errorMessage:
          "The provided request body is invalid: claude messages.2: all messages must have non-empty content except for the optional final assistant message",
        errorCode: "INVALID_REQUEST_BODY",
        statusCode: 400,
      },
      hasNothing,
      "empty-content",
    ],
  ] as const)
    for (const streamed of [false, true])
      it(`is found in a whole body ${streamed ? "within a stream" : "by its status"}: ${who}`, async () => {
        const text = JSON.stringify(body);
        const server = await startModelServer(({ body: sent }) => {
          if (!refused(sent)) return { text: "Here." };
          return streamed ? { body: `data: ${text}\n\n` } : { status: 422, body: text };
        });
        try {
          const store = memoryStore();
          const client = createOpenaiClient({
            baseUrl: server.url,
            apiKey: null,
            limits: GENEROUS,
            learned: learnedCapabilities(store, server.url, "m"),
            request: { temperature: 0.2, reasoningEffort: "low" },
          });
          assert.equal((await answerOf(client, request)).text, "Here.");
          assert.deepEqual(listLearned(store)[0]?.refused, [learned]);
        } finally {
          await server.close();
        }
      });

  it("keeps calls and results together where they are split", async () => {
    const server = await startModelServer(({ body }) =>
      hasSeveral(body)
        ? { status: 400, body: JSON.stringify({ message: "only one tool call per message" }) }
        : { text: "Here." },
    );
    try {
      const client = createOpenaiClient({ baseUrl: server.url, apiKey: null, limits: GENEROUS });
      assert.equal((await answerOf(client, request)).text, "Here.");
      const sent = server.requests.at(-1)?.body.messages ?? [];
      assert.deepEqual(
        sent.map(
          ({ role, tool_calls, tool_call_id }) => tool_calls?.[0]?.id ?? tool_call_id ?? role,
        ),
        ["system", "user", "c1", "c1", "c2", "c2", "c3", "c3", "user"],
      );
    } finally {
      await server.close();
    }
  });

  it("is learned the second time where the first refusal may have passed by itself", async () => {
    const store = memoryStore();
    let asked = 0;
    const server = await startModelServer(() =>
      asked++ % 2 === 0
        ? { status: 400, body: JSON.stringify({ error: { message: "Upstream stream broke" } }) }
        : { text: "Here." },
    );
    try {
      const learned = learnedCapabilities(store, server.url, "m");
      const options = { baseUrl: server.url, apiKey: null, limits: GENEROUS, learned };
      await answerOf(createOpenaiClient(options), request);
      assert.deepEqual([...learned.refused], []);
      await answerOf(createOpenaiClient(options), request);
      assert.deepEqual([...learned.refused], ["streaming"]);
    } finally {
      await server.close();
    }
  });

  for (const [what, answers, requests, code] of [
    [
      "is asked for once more, plainly, where it is about something else",
      [400, 400],
      2,
      "rejected",
    ],
    ["is answered where it passed by itself", [400, 200, 200], 3, undefined],
  ] as const)
    it(`that a refusal does not name ${what}`, async () => {
      const store = memoryStore();
      const server = await startModelServer((_, index) =>
        (answers[index] ?? 400) === 400
          ? { status: 400, body: JSON.stringify({ error: { message: "Bad Request" } }) }
          : { text: "Here." },
      );
      try {
        const learned = learnedCapabilities(store, server.url, "m");
        const options = { baseUrl: server.url, apiKey: null, limits: GENEROUS, learned };
        const { error } = await answerOf(createOpenaiClient(options), request);
        assert.equal(error?.code, code);
        assert.equal(server.requests.length, requests);
        assert.deepEqual(listLearned(store), []);
      } finally {
        await server.close();
      }
    });

  it("is sent again once it is forgotten, and others are still left out", async () => {
    const store = memoryStore();
    const model = { baseUrl: "http://localhost/v1", model: "m" };
    const learned = learnedCapabilities(store, model.baseUrl, model.model);
    for (const part of ["temperature", "reasoning-effort"] as const) learned.refuse(part);
    await forgetRefusals(store, model, ["reasoning-effort", "reasoning-with-tools"]);
    assert.deepEqual([...learned.refused], ["temperature"]);
  });

  it("is not learned where the request fails all the same", async () => {
    const server = await startModelServer(() => ({
      status: 400,
      body: JSON.stringify({ error: { message: "The system is misconfigured for streams." } }),
    }));
    try {
      const store = memoryStore();
      const client = createOpenaiClient({
        baseUrl: server.url,
        apiKey: null,
        limits: GENEROUS,
        learned: learnedCapabilities(store, server.url, "m"),
      });
      assert.equal((await answerOf(client, request)).error?.code, "rejected");
      assert.deepEqual(listLearned(store), []);
    } finally {
      await server.close();
    }
  });
});

/** A whole completion, as it comes where nothing is streamed. */
const WHOLE = JSON.stringify({
  object: "chat.completion",
  choices: [{ index: 0, message: { role: "assistant", content: "Here." }, finish_reason: "stop" }],
});
