import { choice, content, done, type Quirk } from "./quirk.ts";

/** How servers say that something went wrong, after status 200. */
export const failureQuirks: readonly Quirk[] = [
  {
    what: "OpenRouter: an error beside an empty delta, after text",
    body: [
      content("one"),
      { ...choice({ content: "" }, "error"), error: { code: 502, message: "Upstream lost" } },
      done,
    ],
    text: "one",
    error: ["interrupted", "stream-error", "Upstream lost"],
  },
  {
    what: "OpenRouter: the same before any text",
    body: [
      ": OPENROUTER PROCESSING\n\n",
      { ...choice({ content: "" }, "error"), error: { code: 429, message: "Busy" } },
      done,
    ],
    error: ["rate-limit", "rate-limited", "Busy"],
  },
  {
    what: "Anthropic: an error event",
    body: [
      content("one"),
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n',
    ],
    text: "one",
    error: ["interrupted", "stream-error", "Overloaded"],
  },
  {
    what: "Groq: an error in a field of its own",
    body: [content("one"), { ...choice({}), x_groq: { id: "r", error: "over_capacity" } }, done],
    text: "one",
    error: ["interrupted", "stream-error", "over_capacity"],
  },
  {
    what: "vLLM and SGLang: an error object in place of a chunk",
    body: [
      content("one"),
      {
        error: {
          object: "error",
          message: "CUDA out of memory",
          type: "InternalServerError",
          param: null,
          code: 500,
        },
      },
      done,
    ],
    text: "one",
    error: ["interrupted", "stream-error", "CUDA out of memory"],
  },
  {
    what: "the error as the event itself",
    body: [
      { object: "error", message: "CUDA out of memory", type: "InternalServerError", code: 500 },
      done,
    ],
    error: ["server", "server-error", "CUDA out of memory"],
  },
  {
    what: "the same after text",
    body: [content("one"), { object: "error", message: "CUDA out of memory", code: 500 }, done],
    text: "one",
    error: ["interrupted", "stream-error", "CUDA out of memory"],
  },
  {
    what: "LM Studio: an error, and its message once more",
    body: [
      'event: error\ndata: {"error":{"message":"Compute error."},"message":"Compute error."}\n\n',
    ],
    error: ["server", "stream-error", "Compute error"],
  },
  {
    what: "an error as a text",
    body: ['event: error\ndata: {"error":"Model unloaded"}\n\n'],
    error: ["server", "stream-error", "Model unloaded"],
  },
  {
    what: "MiniMax: an error with status 200 and no choices",
    body: ['{"choices":null,"base_resp":{"status_code":1008,"status_msg":"insufficient balance"}}'],
    error: ["bad-request", "no-credit", "insufficient balance"],
  },
  {
    what: "Gemini: an error in a list",
    body: ['[{"error":{"code":503,"message":"The model is overloaded","status":"UNAVAILABLE"}}]'],
    error: ["server", "server-error", "The model is overloaded"],
  },
  {
    what: "an error in JSON on several lines, with status 200",
    body: [JSON.stringify({ error: { message: "Not today", code: null } }, null, 2)],
    error: ["server", "stream-error", "Not today"],
  },
  {
    what: "a web page with status 200",
    body: ["\n<!DOCTYPE html><html><body>Sign in</body></html>"],
    error: ["not-found", "web-page"],
  },
  {
    what: "a web page in the middle",
    body: [content("one"), "<html><body>502 Bad Gateway</body></html>\n"],
    text: "one",
    error: ["interrupted", "interrupted"],
  },
  {
    what: "a line that is not JSON in the middle, and the rest",
    body: [
      content("one"),
      'data: {"choices":[{"delta":{"con\n\n',
      content(" three"),
      choice({}, "stop"),
      done,
    ],
    text: "one three",
    error: ["interrupted", "invalid-json", '{"choices":[{"delta":{"con'],
  },
  {
    what: "a line that is not JSON at the beginning, and the rest",
    body: ["data: upstream timed out\n\n", content("two"), choice({}, "stop"), done],
    text: "two",
    error: ["interrupted", "invalid-json", "upstream timed out"],
  },
  {
    what: "Zhipu: a failure given as the reason",
    body: [content("one"), choice({}, "network_error"), done],
    text: "one",
    error: ["interrupted", "provider-failure", "network_error"],
  },
  {
    what: "DeepSeek: a failure given as the reason, before any text",
    body: [choice({}, "insufficient_system_resource"), done],
    error: ["server", "provider-failure", "insufficient_system_resource"],
  },
  {
    what: "Gemini: a call that it could not read",
    body: [choice({ role: "assistant" }, "function_call_filter: MALFORMED_FUNCTION_CALL"), done],
    error: ["server", "provider-failure", "function_call_filter"],
  },
  ...[
    // https://ai.google.dev/api/generate-content#FinishReason
    ...["UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS", "MISSING_THOUGHT_SIGNATURE"],
    // https://github.com/simstudioai/sim/pull/6302
    "MALFORMED_RESPONSE",
    // https://docs.cohere.com/reference/chat
    ...["ERROR", "TIMEOUT"],
    "cancelled",
  ].map(
    (reason): Quirk => ({
      what: `a failure given as the reason: ${reason}`,
      body: [content("one"), choice({}, reason), done],
      text: "one",
      error: ["interrupted", "provider-failure", reason.toLowerCase()],
    }),
  ),
  {
    // https://openrouter.ai/docs/api-reference/errors
    what: "OpenRouter: an error beside the choice, after text",
    body: [
      content("one"),
      choice({ content: "" }, "error", { error: { code: 502, message: "Upstream idle timeout" } }),
      done,
    ],
    text: "one",
    error: ["interrupted", "stream-error", "Upstream idle timeout"],
  },
  {
    what: "a text that is no stream",
    body: ["upstream connect error or disconnect/reset before headers"],
    error: ["server", "unreadable", "upstream connect error"],
  },
  {
    what: "comments and nothing else",
    body: [": ping\n\n", ": ping\n\n"],
    error: ["server", "empty"],
  },
  { what: "no byte at all", body: [], error: ["server", "empty"] },
];
