import assert from "node:assert/strict";
import { parseEndpoint } from "../../../src/model/endpoint.ts";
import { responseFailure, streamedFailure } from "../../../src/model/openai/errorResponse.ts";

const parsed = parseEndpoint({ baseUrl: "http://localhost:1234/v1", apiKey: null }, "a-model");
assert.ok(parsed.ok);
const endpoint = parsed.value;
const codeOf = (status: number, body: unknown) => {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return responseFailure({ status, retryAfter: null, location: null, body: text }, endpoint).code;
};

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
  ["a proxy", 413, "<html>Request Entity Too Large</html>"],
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
  ["a server's failure", 500, { error: { message: "Internal server error" } }],
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

  for (const [what, status, body] of other) {
    it(`is not confused with ${what}`, () =>
      assert.notEqual(codeOf(status, body), "context-length"));
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
