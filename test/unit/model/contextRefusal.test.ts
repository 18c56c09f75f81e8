import assert from "node:assert/strict";
import { parseEndpoint } from "../../../src/model/endpoint.ts";
import { responseFailure, streamedFailure } from "../../../src/model/openai/errorResponse.ts";

const parsed = parseEndpoint({ baseUrl: "http://localhost:1234/v1", apiKey: null }, "a-model");
assert.ok(parsed.ok);
const endpoint = parsed.value;
const failureOf = (status: number, body: unknown, tokens: number | null = null) => {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const answer = { status, retryAfter: null, location: null, body: text };
  return responseFailure(answer, endpoint, tokens === null ? null : { tokens });
};
const codeOf = (...given: Parameters<typeof failureOf>) => failureOf(...given).code;

/** As servers word it, by their documentation and their issue trackers. */
const tooLong: readonly (readonly [string, number, unknown])[] = [
  [
    "OpenAI",
    400,
    {
      error: {
        message:
          "This model's maximum context length is 128000 tokens. However, your messages resulted in 150000 tokens. Please reduce the length of the messages.",
        code: "context_length_exceeded",
      },
    },
  ],
  [
    "Anthropic",
    400,
    {
      error: {
        type: "invalid_request_error",
        message: "prompt is too long: 212345 tokens > 200000 maximum",
      },
    },
  ],
  [
    "Gemini",
    400,
    {
      error: {
        message:
          "The input token count (1300000) exceeds the maximum number of tokens allowed (1048576).",
      },
    },
  ],
  [
    "llama.cpp",
    400,
    {
      error: {
        code: 400,
        message:
          "the request exceeds the available context size. try increasing the context size or enable context shift",
        type: "exceed_context_size_error",
      },
    },
  ],
  [
    "vLLM",
    400,
    {
      message:
        "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens",
    },
  ],
  [
    "LM Studio",
    400,
    {
      error:
        "Trying to keep the first 9000 tokens when context overflows. However, the model is loaded with context length of only 4096",
    },
  ],
  [
    "Mistral",
    400,
    {
      message:
        "Prompt contains 40000 tokens, too large for model with 32768 maximum context length",
    },
  ],
  [
    // lmstudio-ai/lmstudio-bug-tracker
    "LM Studio, older",
    400,
    {
      error:
        "Trying to keep the first 24854 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.",
    },
  ],
  [
    // https://docs.x.ai
    "xAI",
    400,
    {
      code: "Client specified an invalid argument",
      error: "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    },
  ],
  [
    // vllm-project/vllm
    "vLLM, of a prompt",
    400,
    {
      message:
        "The decoder prompt (length 24854) is longer than the maximum model length of 8192. Make sure that `max_model_len` is no smaller than the number of text tokens.",
    },
  ],
  [
    // https://docs.together.ai
    "Together",
    422,
    {
      error: {
        message:
          "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193. Given: 24854 `inputs` tokens and 2048 `max_new_tokens`",
      },
    },
  ],
  [
    // https://github.com/QwenLM/Qwen3/issues/1321
    "SGLang",
    400,
    {
      object: "error",
      message: "The input (61709 tokens) is longer than the model's context length (40960 tokens).",
      type: "BadRequestError",
      param: null,
      code: 400,
    },
  ],
  [
    // https://github.com/sgl-project/sglang/issues/4048
    "SGLang, by its memory",
    400,
    {
      message:
        "Input length (160062 tokens) exceeds the maximum allowed length (59862 tokens). Use a shorter input or enable --allow-auto-truncate.",
    },
  ],
  [
    // https://github.com/anomalyco/opencode/pull/25230
    "SGLang, with the answer",
    400,
    {
      message:
        "Requested token count exceeds the model's maximum context length of 202752 tokens. You requested a total of 202941 tokens: 170941 tokens from the input messages and 32000 tokens for the completion.",
    },
  ],
  [
    // https://github.com/agno-agi/agno/issues/2465
    "Volcengine",
    400,
    {
      error: {
        code: "InvalidParameter",
        message: "Input length 69053 exceeds the maximum length 65536. Request id: 0217424634",
        param: "",
        type: "BadRequest",
      },
    },
  ],
  [
    // https://github.com/fw-ai/cookbook/issues/134
    "Fireworks, through LiteLLM",
    400,
    {
      error: {
        message:
          'litellm.BadRequestError: Fireworks_aiException - {"error":{"object":"error","type":"invalid_request_error","message":"The prompt is too long: 40177, model maximum context length: 32767"}}',
      },
    },
  ],
  [
    // https://github.com/cline/cline/issues/5140
    "Cerebras",
    400,
    {
      message:
        "Please reduce the length of the messages or completion. Current length is 42328 while limit is 40000",
      code: "context_length_exceeded",
    },
  ],
  [
    // https://github.com/OpenHands/OpenHands/issues/1902
    "Groq",
    400,
    {
      error: {
        message: "Please reduce the length of the messages or completion.",
        type: "invalid_request_error",
        param: "messages",
        code: "context_length_exceeded",
      },
    },
  ],
  [
    // https://github.com/aws-samples/bedrock-chat/issues/95
    "Bedrock",
    400,
    { message: "Input is too long for requested model." },
  ],
  [
    // https://github.com/continuedev/continue/issues/9592
    "Bedrock, through a gateway that failed",
    502,
    {
      error: {
        message: "The model returned the following errors: Input is too long for requested model.",
      },
    },
  ],
  [
    // https://github.com/continuedev/continue/issues/6080
    "Anthropic, with the answer",
    400,
    {
      type: "error",
      error: {
        type: "invalid_request_error",
        message:
          "input length and `max_tokens` exceed context limit: 199759 + 8192 > 200000, decrease input length or `max_tokens` and try again",
      },
    },
  ],
  [
    // https://github.com/cohere-ai/sandbox-topically/issues/4
    "Cohere",
    400,
    {
      message:
        "too many tokens: total number of tokens (prompt and prediction) cannot exceed 2048 - received 6354. Try using a shorter prompt or a smaller max_tokens value.",
    },
  ],
  [
    // https://github.com/huggingface/text-generation-inference
    "TGI",
    422,
    {
      error: "Input validation error: `inputs` must have less than 4096 tokens. Given: 5123",
      error_type: "validation",
    },
  ],
  [
    // https://github.com/huggingface/chat-ui/issues/1149
    "TGI, with the answer",
    424,
    {
      error:
        "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8192. Given: 6204 `inputs` tokens and 2047 `max_new_tokens`",
      error_type: "validation",
    },
  ],
  [
    // https://docs.litellm.ai/docs/exception_mapping
    "LiteLLM, by the name of its error alone",
    400,
    { error: { message: "litellm.ContextWindowExceededError: upstream refused", code: "400" } },
  ],
  [
    // https://openrouter.ai/docs/api-reference/errors
    "OpenRouter, of a provider",
    400,
    {
      error: {
        message: "Provider returned error",
        code: 400,
        metadata: {
          provider_name: "Some",
          raw: '{"error":{"message":"Requested 69053 tokens, the limit of this deployment is 32768"}}',
        },
      },
    },
  ],
  [
    // https://platform.moonshot.ai/docs
    "Moonshot",
    400,
    {
      error: {
        message:
          "Invalid request: Your request exceeded model token limit: 131072 (requested: 140211)",
        type: "invalid_request_error",
      },
    },
  ],
  [
    // https://developers.cloudflare.com/workers-ai
    "Cloudflare",
    400,
    {
      errors: [
        {
          code: 5021,
          message:
            "AiError: The estimated number of input and maximum output tokens (9221) exceeded this model context window limit (7968).",
        },
      ],
    },
  ],
  [
    // https://platform.openai.com/docs/guides/error-codes
    "OpenAI, of one message",
    400,
    {
      error: {
        message:
          "Invalid 'messages[1].content': string too long. Expected a string with maximum length 1048576, but got a string with length 1540820 instead.",
        param: "messages[1].content",
        code: "string_above_max_length",
      },
    },
  ],
  [
    // https://www.alibabacloud.com/help/en/model-studio/error-code
    "DashScope",
    400,
    {
      error: {
        code: "invalid_parameter_error",
        message:
          "<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 30720]",
      },
    },
  ],
  [
    // https://docs.perplexity.ai
    "Perplexity",
    400,
    { error: { message: "Prompt tokens limit exceeded: 141213 > 127072", code: 400 } },
  ],
  [
    // https://github.com/cline/cline/issues/2115
    "GitHub Models",
    400,
    {
      error: {
        code: "tokens_limit_reached",
        message: "Request body too large for gpt-4o model. Max size: 8000 tokens.",
      },
    },
  ],
  [
    // https://github.com/vllm-project/vllm/pull/36789
    "vLLM, without room for the answer",
    400,
    {
      error: {
        message: "max_tokens must be at least 1, got -7584. (parameter=max_tokens, value=-7584)",
        type: "BadRequestError",
      },
    },
  ],
  [
    // https://github.com/vllm-project/vllm/pull/36789
    "vLLM, newer",
    400,
    {
      error: {
        message: "Input length (11680) exceeds model's maximum context length (4096).",
        type: "BadRequestError",
      },
    },
  ],
  [
    // https://github.com/vllm-project/vllm/issues/13370
    "vLLM's scheduler",
    400,
    { message: "Input prompt (2501 tokens) is too long and exceeds limit of 2048" },
  ],
  [
    // https://github.com/triton-inference-server/tensorrtllm_backend/issues/565
    "TensorRT-LLM",
    500,
    {
      error:
        "Encountered an error when fetching new request: Prompt length (200) exceeds maximum input length (1)",
    },
  ],
  [
    // https://github.com/NVIDIA/TensorRT-LLM
    "TensorRT-LLM, without room for the answer",
    400,
    {
      message:
        "default_max_tokens (-97) should be greater than 0, default_max_tokens (-97) = max_seq_len (4096) - splited_prompt_len (4193) - query_token_len (0)",
    },
  ],
  [
    // https://github.com/MiniMax-AI/MiniMax-M2/issues/119
    "MiniMax",
    400,
    { error: { message: "invalid params, context window exceeds limit (2013)" } },
  ],
  [
    // https://docs.bigmodel.cn/cn/api/api-code
    "Zhipu",
    400,
    { error: { code: "1261", message: "Prompt 超长" } },
  ],
  [
    // https://docs.bigmodel.cn/cn/api/api-code
    "Zhipu, in English",
    400,
    { error: { code: "1261", message: "Prompt exceeds max length" } },
  ],
  [
    // https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/2339
    "LM Studio's MLX",
    400,
    { error: "Context size has been exceeded." },
  ],
  [
    // https://github.com/anomalyco/opencode/issues/11141
    "LM Studio's llama.cpp",
    400,
    { error: "Cannot truncate prompt with n_keep (15028) >= n_ctx (7424)" },
  ],
  [
    // https://github.com/tinyhumansai/openhuman/issues/3550
    "LM Studio, 0.4",
    400,
    {
      error:
        "The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 10247 >= n_ctx: 4096). Try to load the model with a larger context length, or provide a shorter prompt.",
    },
  ],
  [
    // https://github.com/nomic-ai/gpt4all/issues/664
    "GPT4All",
    400,
    {
      error: {
        message: "ERROR: The prompt size exceeds the context window size and cannot be processed.",
      },
    },
  ],
  [
    // https://github.com/jjang-ai/vmlx/issues/253
    "vMLX",
    400,
    {
      error: {
        message:
          "prompt_too_long: tokenized VLM text prompt has 20767 tokens, max prompt/context tokens is 16384",
      },
    },
  ],
  [
    // https://github.com/replicate/cog-vllm/pull/39
    "Replicate",
    400,
    { detail: "E1002: PromptTooLong" },
  ],
  [
    // https://github.com/InternLM/lmdeploy
    "LMDeploy",
    400,
    { message: "internal error happened, status code ResponseType.INPUT_LENGTH_ERROR" },
  ],
  [
    // https://github.com/ggml-org/llama.cpp
    "llama.cpp's cache",
    500,
    {
      error: {
        code: 500,
        message: "failed to find free space in the KV cache, retrying with smaller batch size",
        type: "server_error",
      },
    },
  ],
  [
    // https://github.com/turboderp-org/exllamav2
    "ExLlamaV2",
    500,
    { detail: "Request length 24900 is greater than max_seq_len 4096." },
  ],
  [
    // https://github.com/james-6-23/codex2api/issues/415
    "OpenAI's newer models",
    400,
    {
      error: {
        message:
          "Your input exceeds the context window of this model. Please adjust your input and try again.",
      },
    },
  ],
  [
    // https://docs.aws.amazon.com/nova
    "Bedrock's Nova",
    400,
    {
      message:
        "Input Tokens Exceeded: Number of input tokens exceeds maximum length. Please update the input to try again.",
    },
  ],
  [
    // https://docs.anthropic.com/en/api/errors
    "Anthropic, of the whole request",
    400,
    {
      type: "error",
      error: { type: "request_too_large", message: "Request exceeds the maximum size" },
    },
  ],
  [
    // https://www.xfyun.cn/doc/spark
    "Spark",
    400,
    { code: 10907, msg: "token数量超过上限" },
  ],
  ["a gateway in Chinese", 400, { message: "输入内容过长，请缩短后重试" }],
  ["a proxy with its own words", 400, { message: "Prompt does not fit into the context" }],
  ["a proxy, of messages", 422, { detail: "Your messages are too long" }],
  ["a proxy, of a limit", 400, { error: "Token limit exceeded" }],
  [
    "a proxy, of room",
    400,
    { error: { message: "There is not enough room left for this prompt" } },
  ],
  ["a proxy", 413, "<html>Request Entity Too Large</html>"],
];

/** Wordings that nobody listed: the numbers prove it, for a request of 24,854 tokens by estimate. */
const byNumbers: readonly (readonly [string, unknown, number | null])[] = [
  ["both numbers", { message: "Prompt size 23911 > 16384." }, 16384],
  [
    "with separators",
    { detail: "You asked for 26,004 units; this deployment serves 8,192." },
    8192,
  ],
  ["another language", { error: "输入长度 25120 超过上限 16000" }, 16000],
  [
    "with the answer",
    { error: "25000 (prompt) + 4000 (generation) does not fit into 16384" },
    16384,
  ],
  ["our number alone", { message: "Cannot process 25001 prompt tokens" }, null],
  [
    "the limit alone",
    { message: "Only 4096 tokens of history are supported, shorten the input" },
    4096,
  ],
  ["a rate by request", { message: "Request too large: Limit 6000, Requested 24870" }, 6000],
  // https://cloud.baidu.com/doc/WENXINWORKSHOP
  ["Baidu's", { error_code: 336007, error_msg: "the max input characters is 11200" }, 11_200],
  [
    // https://github.com/NousResearch/hermes-agent/pull/14743: its number is no window.
    "MiniMax's code",
    { message: "invalid params, context window exceeds limit (2013)" },
    null,
  ],
  [
    "Cohere's, by how much",
    { message: "too many tokens: size limit exceeded by 3000 tokens. The limit is 22000 tokens." },
    null,
  ],
  ["a length and its limit", { message: "expected maxLength: 2048, actual: 4321" }, 2048],
  ["ExLlamaV2's", { detail: "Request length 24900 is greater than max_seq_len 4096." }, 4096],
];

const other: readonly (readonly [string, number, unknown])[] = [
  [
    "another mistake in the request",
    400,
    { error: { message: "Invalid value for 'temperature'." } },
  ],
  [
    "a limit of the rate",
    429,
    { error: { message: "Request too large: limit 30000 tokens per minute." } },
  ],
  ["a wrong key", 401, { error: { message: "The context of this key is unknown." } }],
  [
    "a number that is out of its range",
    400,
    { detail: [{ msg: "Input should be less than or equal to 2" }] },
  ],
  ["a status in its own words", 400, { error: { message: "Error 400 at 2026-11-27T00:12:44Z" } }],
  ["too many requests at once", 400, { error: { message: "Too many requests in flight: 12" } }],
  ["a server's failure", 500, { error: { message: "Internal server error" } }],
  [
    // https://github.com/vercel/ai/issues/5171
    "an id that is too long",
    400,
    {
      error: {
        message:
          "Invalid 'messages[2].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 43 instead.",
        param: "messages[2].tool_calls[0].id",
        code: "string_above_max_length",
      },
    },
  ],
  [
    "too many tools",
    400,
    {
      error: {
        message:
          "Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 150 instead.",
        code: "array_above_max_length",
      },
    },
  ],
  [
    // https://github.com/deepseek-ai/DeepSeek-V3/issues/69
    "DeepSeek's range of the answer's limit",
    400,
    { error: { message: "Invalid max_tokens value, the valid range of max_tokens is [1, 8192]" } },
  ],
  [
    "an image that is too large",
    400,
    {
      error: {
        message:
          "messages.1.content.0.image.source.base64: image exceeds 5 MB maximum: 5316852 bytes > 5242880 bytes",
      },
    },
  ],
  [
    "a limit of the rate that has status 429",
    429,
    {
      error: {
        message:
          "Request too large for model `m` on tokens per minute (TPM): Limit 6000, Requested 24870",
        code: "rate_limit_exceeded",
      },
    },
  ],
  [
    "a limit of the rate that has status 400, with numbers",
    400,
    {
      message:
        "Rate limit reached on tokens per min (TPM): Limit 30000, Used 20000, Requested 24870",
    },
  ],
  [
    "a rate of input",
    500,
    { message: "This would exceed your rate limit of 20,000 input tokens per minute" },
  ],
  [
    "an answer's limit out of range",
    400,
    {
      message:
        "Invalid 'max_tokens': integer above maximum value. Expected a value <= 2048, but got 32000 instead.",
    },
  ],
  [
    // https://pkg.go.dev/context
    "a time limit of a server in Go",
    500,
    { error: 'Post "http://127.0.0.1:11434": context deadline exceeded' },
  ],
  [
    // https://platform.openai.com/docs/guides/function-calling
    "a tool's description",
    400,
    {
      error: {
        message:
          "Invalid 'tools[0].function.description': string too long. Expected a string with maximum length 1024, but got a string with length 1500 instead.",
      },
    },
  ],
  [
    // https://docs.aws.amazon.com/bedrock
    "Bedrock's limit of the answer",
    400,
    {
      message:
        "The maximum tokens you requested exceeds the model limit of 4096. Try again with a maximum tokens value that is lower than 4096",
    },
  ],
  [
    "an image by its pixels",
    400,
    { error: { message: "Input image is too large: 8000 x 8000 pixels, the maximum is 4096" } },
  ],
  [
    // https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking
    "a budget for thinking",
    400,
    { message: "thinking.budget_tokens: Input should be greater than or equal to 1024" },
  ],
  ["a number of tools", 400, { message: "The request has too many tools: 150 > 128" }],
  ["a sign-in that is over", 400, { message: "Token expired: exceeded its lifetime" }],
  ["its own numbers", 400, { message: "Error code 24000: invalid input parameter" }],
  ["retries", 400, { message: "Max request retries exceeded" }],
  [
    "an output limit that was asked for",
    400,
    { error: { message: "max_tokens is too large: 99999." } },
  ],
];

describe("a request that is too long for the model", () => {
  for (const [server, status, body] of tooLong) {
    it(`is recognized as ${server} words it`, () =>
      assert.equal(codeOf(status, body), "context-length"));
  }

  for (const [what, body, limit] of byNumbers) {
    it(`is recognized by numbers: ${what}`, () => {
      const { code, limit: said = null } = failureOf(400, body, 24_854);
      assert.deepEqual([code, said], ["context-length", limit]);
      assert.notEqual(codeOf(401, body, 24_854), "context-length");
    });
  }

  it("says the limit, where the server does", () => {
    const limits = tooLong.map(([server, status, body]) => [
      server,
      failureOf(status, body, 24_854).limit ?? null,
    ]);
    assert.deepEqual(
      limits.filter(([server]) =>
        ["xAI", "vLLM, of a prompt", "Together"].includes(String(server)),
      ),
      [
        ["xAI", null],
        ["vLLM, of a prompt", 8192],
        ["Together", 8193],
      ],
    );
  });

  for (const [what, status, body] of other) {
    it(`is not confused with ${what}`, () => {
      assert.notEqual(codeOf(status, body), "context-length");
      assert.notEqual(codeOf(status, body, 3_000), "context-length");
      assert.notEqual(codeOf(status, body, 24_854), "context-length");
    });
  }

  it("is recognized in the stream", () => {
    const streamed = (error: unknown) => streamedFailure(error, false, endpoint).code;
    assert.equal(
      streamed({ code: "context_length_exceeded", message: "Too long." }),
      "context-length",
    );
    assert.equal(streamed({ message: "Too many tokens per minute." }), "stream-error");
  });
});
