import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { FailureCode, ModelError } from "../../../src/model/modelFailure.ts";
import { createOpenaiClient } from "../../../src/model/openai/openaiClient.ts";
import { answerOf, GENEROUS, HELLO } from "./collect.ts";

interface More {
  /** Part of what the server said. */
  readonly said?: string;
  readonly retryAfterMs?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * The address beside a row is where its words or its code were read; rows without one are of the
 * same kinds, by other names. Who says it and of what, the status, the whole body, and what it is read
 * as.
 */
const bodies: readonly (readonly [string, number, unknown, FailureCode, More?])[] = [
  [
    "z.ai 1210, too long",
    400,
    { error: { message: "tokens in request more than max tokens allowed", code: "1210" } },
    "context-length",
  ],
  [
    "proxy with errorMessage, too long",
    400,
    {
      errorMessage:
        "The provided request body is invalid: prompt is too long: 213462 tokens > 200000 maximum",
      errorCode: "INVALID_REQUEST_BODY",
      statusCode: 400,
    },
    "context-length",
  ],
  [
    // https://github.com/LostRuins/koboldcpp
    "KoboldCpp, too long",
    503,
    { detail: { msg: "Server is busy; please try again later.", type: "service_unavailable" } },
    "server-error",
    { said: "busy" },
  ],
  [
    "bifrost, empty message with a code, too long",
    400,
    { error: { message: "", type: "invalid_request_error", code: "context_length_exceeded" } },
    "context-length",
  ],
  [
    "Writer, too long",
    400,
    {
      tpe: "fail",
      errors: [{ description: "Prompt is too long: 40000 tokens, max 32768", key: "fail.invalid" }],
      extras: {},
    },
    "context-length",
  ],
  [
    "error list of strings, too long",
    400,
    { errors: ["The prompt has 9000 tokens; the limit is 8192"] },
    "context-length",
  ],
  [
    "error as a list, too long",
    400,
    { error: ["This prompt is too long for the model"] },
    "context-length",
  ],
  [
    "bare JSON string, too long",
    400,
    '"prompt is too long: 9000 tokens > 8192 maximum"',
    "context-length",
  ],
  [
    "object in message, too long",
    400,
    { error: { message: { error: "Prompt is too long: 9000 > 8192" }, code: 400 } },
    "context-length",
  ],
  [
    "Japanese, too long",
    400,
    { error: { message: "入力トークン数が上限を超えています (9000 > 8192)" } },
    "context-length",
  ],
  [
    "Korean, too long",
    400,
    { status: { code: "40003", message: "Text too long" } },
    "context-length",
  ],
  [
    // https://github.com/anomalyco/opencode/issues/39620
    "Bedrock throttling, no length",
    400,
    {
      message: "Throttling error: Too many tokens, please wait before trying again.",
      __type: "ThrottlingException",
    },
    "rate-limited",
  ],
  [
    // https://github.com/anomalyco/opencode/issues/21336
    "Alibaba, no length",
    400,
    {
      error: {
        message:
          "Upstream error from Alibaba: Request rate increased too quickly. To ensure system stability, please adjust your client logic to scale requests more smoothly over time.",
      },
    },
    "rate-limited",
  ],
  [
    // https://github.com/NousResearch/hermes-agent
    "OpenRouter 400, no length",
    400,
    { error: { message: "rate limit exceeded on this model" } },
    "rate-limited",
  ],
  [
    // https://github.com/NousResearch/hermes-agent/issues/20732
    "Anthropic's extra usage, no length",
    400,
    {
      type: "error",
      error: {
        type: "invalid_request_error",
        message: "You're out of extra usage. Add more at claude.ai/settings/usage and keep going.",
      },
    },
    "no-credit",
  ],
  [
    // https://github.com/continuedev/continue/issues/12643
    "Gemini free tier per minute, a limit",
    429,
    [
      {
        error: {
          code: 429,
          message:
            "You exceeded your current quota, please check your plan and billing details. For more information on this error, head to: https://ai.google.dev/gemini-api/docs/rate-limits.\n* Quota exceeded for metric: generativelanguage.googleapis.com/generate_content_free_tier_requests, limit: 15\nPlease retry in 33.5s.",
          status: "RESOURCE_EXHAUSTED",
          details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "33s" }],
        },
      },
    ],
    "rate-limited",
    { retryAfterMs: 33000 },
  ],
  [
    "OpenAI RPM, a limit",
    429,
    {
      error: {
        message:
          "Rate limit reached for gpt-4.1-mini in organization org_test on requests per min. Limit: 3 / min. Please try again in 20s.",
        type: "requests",
        code: "rate_limit_exceeded",
      },
    },
    "rate-limited",
    { retryAfterMs: 20000 },
  ],
  [
    "Groq, a limit",
    429,
    {
      error: {
        message:
          "Rate limit reached for model `x` in organization `o` on tokens per minute (TPM): Limit 6000, Used 5000, Requested 2000. Please try again in 10.5s.",
        code: "rate_limit_exceeded",
      },
    },
    "rate-limited",
    { retryAfterMs: 10500 },
  ],
  [
    "Groq, minutes, a limit",
    429,
    {
      error: {
        message:
          "Rate limit reached on tokens per day (TPD): Limit 500000, Used 499000. Please try again in 7m12.5s.",
      },
    },
    "rate-limited",
    { retryAfterMs: 432500 },
  ],
  [
    "Azure, a limit",
    429,
    {
      error: {
        message:
          "Requests to the ChatCompletions_Create Operation under Azure OpenAI API version 2024-02-01 have exceeded call rate limit of your current OpenAI S0 pricing tier. Please retry after 6 seconds.",
        code: "429",
      },
    },
    "rate-limited",
    { retryAfterMs: 6000 },
  ],
  [
    "retry-after-ms, a limit",
    429,
    { error: { message: "Too many" } },
    "rate-limited",
    { headers: { "retry-after-ms": "1500" }, retryAfterMs: 1500 },
  ],
  [
    // https://docs.bigmodel.cn/cn/api/api-code
    "Zhipu balance, a limit",
    429,
    { error: { message: "您的账户已欠费，请充值后重试。", code: "1113" } },
    "quota-spent",
  ],
  [
    // https://github.com/openclaw/openclaw/pull/33813
    "Zhipu weekly, a limit",
    429,
    {
      error: {
        message: "Weekly/Monthly Limit Exhausted. Your limit will reset at 2026-03-06 22:19:54",
        code: "1310",
      },
    },
    "quota-spent",
  ],
  [
    // https://github.com/NousResearch/hermes-agent/issues/15080
    "Anthropic credit, a limit",
    400,
    {
      type: "error",
      error: {
        type: "invalid_request_error",
        message:
          "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.",
      },
    },
    "no-credit",
  ],
  [
    "insufficient_quota with 400, a limit",
    400,
    {
      type: "error",
      error: {
        type: "insufficient_quota",
        message: "Your account has insufficient quota balance to run this request.",
      },
    },
    "no-credit",
  ],
  [
    "insufficient credits with 422, a limit",
    422,
    { error: { message: "insufficient credits" } },
    "no-credit",
  ],
  [
    "xAI credits, a limit",
    403,
    {
      code: "The caller does not have permission to execute the specified operation",
      error:
        "Your team has either used all available credits or reached its monthly spending limit. To continue making API requests, please purchase more credits or raise your spending limit.",
    },
    "no-credit",
  ],
  [
    "SiliconFlow, a limit",
    403,
    { code: 30001, message: "Sorry, your account balance is insufficient", data: null },
    "no-credit",
  ],
  [
    "Novita, a limit",
    403,
    { code: 403, reason: "NOT_ENOUGH_BALANCE", message: "not enough balance", metadata: {} },
    "no-credit",
  ],
  [
    // https://docs.fireworks.ai/guides/inference-error-codes
    "Fireworks suspended, a limit",
    412,
    {
      error: {
        message:
          "Account x is suspended, possibly due to reaching the monthly spending limit or failure to pay past invoices. Please go to https://fireworks.ai/account/billing for more information.",
        code: "PRECONDITION_FAILED",
      },
    },
    "no-credit",
  ],
  [
    // https://help.aliyun.com/en/model-studio/error-code
    "DashScope arrears, a limit",
    400,
    {
      error: {
        message: "Access denied, please make sure your account is in good standing.",
        type: "Arrearage",
        code: "Arrearage",
      },
    },
    "no-credit",
  ],
  [
    "Volcengine overdue, a limit",
    403,
    {
      error: {
        message: "The request failed because your account has an overdue balance.",
        code: "AccountOverdueError",
        type: "Forbidden",
      },
    },
    "no-credit",
  ],
  [
    "Gemini, a key or a filter",
    400,
    [
      {
        error: {
          code: 400,
          message: "API key not valid. Please pass a valid API key.",
          status: "INVALID_ARGUMENT",
          details: [
            {
              "@type": "type.googleapis.com/google.rpc.ErrorInfo",
              reason: "API_KEY_INVALID",
              domain: "googleapis.com",
            },
          ],
        },
      },
    ],
    "key-rejected",
  ],
  [
    // https://github.com/continuedev/continue/issues/10778
    "xAI, a key or a filter",
    400,
    {
      code: "Client specified an invalid argument",
      error:
        "Incorrect API key provided: xa***ey. You can obtain an API key from https://console.x.ai.",
    },
    "key-rejected",
  ],
  [
    "Gemini leaked, a key or a filter",
    403,
    {
      error: {
        message: "Your API key was reported as leaked. Please use another API key.",
        code: 403,
        status: "PERMISSION_DENIED",
      },
    },
    "key-rejected",
  ],
  [
    "Databricks, a key or a filter",
    403,
    { error_code: "403", message: "Invalid access token." },
    "key-rejected",
  ],
  [
    "Bearer realm, a key or a filter",
    401,
    { error: "invalid_token", error_description: "The access token expired" },
    "key-rejected",
    { said: "The access token expired" },
  ],
  [
    "Apigee, a key or a filter",
    401,
    { fault: { faultstring: "Invalid ApiKey", detail: { errorcode: "oauth.v2.InvalidApiKey" } } },
    "key-rejected",
    { said: "Invalid ApiKey" },
  ],
  [
    "AWS gateway, a key or a filter",
    403,
    { Message: "User: anonymous is not authorized to perform: bedrock:InvokeModel" },
    "forbidden",
    { said: "not authorized" },
  ],
  [
    // https://openrouter.ai/docs/api/reference/errors-and-debugging
    "OpenRouter moderation, a key or a filter",
    403,
    {
      error: {
        message:
          'x requires moderation on OpenInference. Your input was flagged for "violence". No credits were charged.',
        code: 403,
        metadata: {
          reasons: ["violence"],
          flagged_input: "...",
          provider_name: "OpenInference",
          model_slug: "x",
        },
      },
    },
    "content-filter",
  ],
  [
    // https://help.aliyun.com/en/model-studio/error-code
    "DashScope inspection, a key or a filter",
    400,
    {
      error: {
        message: "Input data may contain inappropriate content.",
        code: "data_inspection_failed",
      },
    },
    "content-filter",
  ],
  [
    "DeepSeek risk, a key or a filter",
    400,
    {
      error: {
        message: "Content Exists Risk",
        type: "invalid_request_error",
        code: "invalid_request_error",
      },
    },
    "content-filter",
  ],
  [
    "OpenAI invalid_prompt, a key or a filter",
    400,
    {
      error: {
        message:
          "Invalid prompt: your prompt was flagged as potentially violating our usage policy. Please try again with a different prompt.",
        code: "invalid_prompt",
      },
    },
    "content-filter",
  ],
  [
    // https://docs.bigmodel.cn/cn/api/api-code
    "Zhipu 1301, a key or a filter",
    400,
    {
      error: {
        code: "1301",
        message:
          "系统检测到输入或生成内容可能包含不安全或敏感内容，请您避免输入易产生敏感内容的提示语，感谢您的配合。",
      },
      contentFilter: [{ level: 1, role: "user" }],
    },
    "content-filter",
  ],
  [
    "Volcengine, a key or a filter",
    400,
    {
      error: {
        message: "The request failed because the input text may contain sensitive information.",
        code: "SensitiveContentDetected",
        type: "BadRequest",
      },
    },
    "content-filter",
  ],
  [
    "xAI safety, a key or a filter",
    403,
    {
      code: "The caller does not have permission",
      error: "Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_CSAM",
    },
    "content-filter",
  ],
  [
    // https://github.com/mostlygeek/llama-swap
    "llama-swap, a model",
    400,
    { error: "could not find real modelID for atlas" },
    "model-not-found",
  ],
  [
    // https://docs.bigmodel.cn/cn/api/api-code
    "Zhipu, a model",
    400,
    { error: { message: "模型不存在，请检查模型代码。", code: "1211" } },
    "model-not-found",
  ],
  [
    "Bedrock, a model",
    400,
    { message: "The provided model identifier is invalid." },
    "model-not-found",
  ],
  [
    // https://github.com/microsoft/vscode/issues/279495
    "Copilot, a model",
    400,
    {
      error: {
        message: "The requested model is not supported.",
        code: "model_not_supported",
        param: "model",
        type: "invalid_request_error",
      },
    },
    "model-not-found",
  ],
  [
    // https://github.com/NousResearch/hermes-agent
    "OpenRouter policy, a model",
    404,
    {
      error: {
        message:
          "No endpoints found matching your data policy (Free model publication). Configure: https://openrouter.ai/settings/privacy",
        code: 404,
      },
    },
    "rejected",
  ],
  [
    // https://github.com/NousResearch/hermes-agent
    "OpenRouter guardrail, a model",
    404,
    {
      error: {
        message:
          "No endpoints available matching your guardrail restrictions and data policy. Configure: https://openrouter.ai/settings/privacy",
        code: 404,
      },
    },
    "rejected",
  ],
  [
    // https://platform.minimax.io/docs/api-reference/errorcode
    "MiniMax auth, status 200",
    200,
    {
      base_resp: {
        status_code: 1004,
        status_msg:
          "login fail: Please carry the API secret key in the 'Authorization' field of the request header",
      },
    },
    "key-rejected",
  ],
  [
    // https://platform.minimax.io/docs/api-reference/errorcode
    "MiniMax rate, status 200",
    200,
    { base_resp: { status_code: 1002, status_msg: "rate limit" } },
    "rate-limited",
  ],
  [
    // https://platform.minimax.io/docs/api-reference/errorcode
    "MiniMax balance, status 200",
    200,
    { base_resp: { status_code: 1008, status_msg: "insufficient balance" } },
    "no-credit",
  ],
  [
    // https://ai.baidu.com/ai-doc/WENXINWORKSHOP/tlmyncueh
    "Baidu, status 200",
    200,
    { error_code: 17, error_msg: "Open api daily request limit reached" },
    "rate-limited",
    { said: "daily request limit" },
  ],
  [
    // https://ai.baidu.com/ai-doc/WENXINWORKSHOP/tlmyncueh
    "Baidu auth, status 200",
    200,
    { error_code: 110, error_msg: "Access token invalid or no longer valid" },
    "key-rejected",
    { said: "Access token" },
  ],
  [
    "iFlow, status 200",
    200,
    { status: "439", msg: "Your API Token has expired.", body: null },
    "key-rejected",
    { said: "expired" },
  ],
  [
    "FastAPI, status 200",
    200,
    { detail: "Not authenticated" },
    "stream-error",
    { said: "Not authenticated" },
  ],
  [
    "Cloudflare, status 200",
    200,
    {
      result: null,
      success: false,
      errors: [{ code: 7003, message: "Could not route" }],
      messages: [],
    },
    "stream-error",
    { said: "Could not route" },
  ],
  [
    "Anthropic overload in stream, status 200",
    200,
    'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n',
    "server-error",
  ],
  [
    "Anthropic rate in stream, status 200",
    200,
    'event: error\ndata: {"type":"error","error":{"type":"rate_limit_error","message":"This request would exceed your organization\'s rate limit"}}\n\n',
    "rate-limited",
  ],
  [
    "Anthropic auth in stream, status 200",
    200,
    'data: {"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}\n\n',
    "key-rejected",
  ],
  [
    // https://github.com/ChatGPTNextWeb/NextChat/issues/555
    "quota in stream, status 200",
    200,
    'data: {"error":{"message":"You exceeded your current quota","type":"insufficient_quota","code":"insufficient_quota"}}\n\ndata: [DONE]\n\n',
    "no-credit",
  ],
  [
    // https://openrouter.ai/docs/api/reference/errors-and-debugging
    "OpenRouter choice error, status 200",
    200,
    'data: {"id":"g","choices":[{"index":0,"delta":{"content":""},"finish_reason":"error","error":{"code":502,"message":"Upstream idle timeout exceeded"}}]}\n\ndata: [DONE]\n\n',
    "server-error",
    { said: "Upstream idle timeout" },
  ],
  [
    "plain text, status 200",
    200,
    "upstream connect error or disconnect/reset before headers. reset reason: connection termination",
    "unreadable",
  ],
  [
    "a bare JSON string, status 200",
    200,
    '"model is loading"',
    "stream-error",
    { said: "model is loading" },
  ],
  [
    "an error event without a field for it, status 200",
    200,
    'event: error\ndata: {"code":"ResourceExhausted","msg":"worker is busy"}\n\n',
    "rate-limited",
    { said: "worker is busy" },
  ],
  [
    "Responses error event, status 200",
    200,
    'data: {"type":"error","code":"rate_limit_exceeded","message":"Rate limit reached","param":null,"sequence_number":1}\n\n',
    "rate-limited",
  ],
  [
    // https://help.aliyun.com/en/model-studio/error-code
    "DashScope native, status 200",
    200,
    {
      code: "Throttling.RateQuota",
      message: "Requests rate limit exceeded, please try again later.",
      request_id: "r",
    },
    "rate-limited",
  ],
];

describe("what a server says in place of an answer", () => {
  let server: Server;
  let url: string;
  let served: { status: number; body: string; headers: Readonly<Record<string, string>> };

  before(async () => {
    server = createServer((request, response) => {
      request.resume().on("end", () => {
        const { status, body, headers } = served;
        response.writeHead(status, headers).end(body);
      });
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    assert.ok(address !== null && typeof address === "object");
    url = `http://127.0.0.1:${address.port}/v1`;
  });
  after(() => {
    server.close();
    server.closeAllConnections();
  });

  async function failureOf(
    status: number,
    body: unknown,
    headers: Readonly<Record<string, string>> = {},
    text = "Hello",
  ): Promise<ModelError | null> {
    served = { status, body: typeof body === "string" ? body : JSON.stringify(body), headers };
    const client = createOpenaiClient({ baseUrl: url, apiKey: "sk-1", limits: GENEROUS });
    return (await answerOf(client, { ...HELLO, messages: [{ role: "user", text }] })).error;
  }

  for (const [what, status, body, code, { said = "", retryAfterMs, headers } = {}] of bodies)
    it(`is told by its codes and words: ${what}`, async () => {
      for (const text of ["Hello", "abcd ".repeat(20_000)]) {
        const error = await failureOf(status, body, headers, text);
        assert.equal(error?.code, code);
        assert.ok(error.said?.includes(said) && error.said !== "", error.said);
        assert.equal(error.retryAfterMs, retryAfterMs);
      }
    });
});
