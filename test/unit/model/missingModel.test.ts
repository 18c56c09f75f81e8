import assert from "node:assert/strict";
import { createOpenaiClient } from "../../../src/model/openai/openaiClient.ts";
import { startModelServer } from "../../fakes/model/modelServer.ts";
import { answerOf, GENEROUS, HELLO } from "./collect.ts";

/** As servers word it, and what they answer with. */
const missing: readonly (readonly [string, number, unknown])[] = [
  [
    // https://docs.ollama.com/api/errors
    "Ollama",
    404,
    { error: { message: 'model "atlas-large" not found, try pulling it first' } },
  ],
  [
    // https://platform.openai.com/docs/guides/error-codes
    "OpenAI",
    404,
    {
      error: {
        message: "The model `atlas-large` does not exist or you do not have access to it.",
        code: "model_not_found",
      },
    },
  ],
  [
    "OpenAI, for a project",
    403,
    {
      error: {
        message: "Project `p` does not have access to model `atlas-large`",
        code: "model_not_found",
      },
    },
  ],
  [
    // https://docs.litellm.ai
    "LiteLLM",
    400,
    { error: { message: "Invalid model name passed in model=atlas-large. Call `/v1/models`." } },
  ],
  ["OpenRouter", 400, { error: { message: "atlas-large is not a valid model ID", code: 400 } }],
  [
    "OpenRouter, without a provider",
    404,
    { error: { message: "No endpoints found for atlas-large.", code: 404 } },
  ],
  [
    // https://console.groq.com/docs/deprecations
    "Groq",
    400,
    {
      error: {
        message: "The model `atlas-large` has been decommissioned and is no longer supported.",
        code: "model_decommissioned",
      },
    },
  ],
  [
    "LM Studio",
    400,
    { error: { message: 'Model "atlas-large" not found. No models loaded.', param: "model" } },
  ],
  [
    // https://docs.mistral.ai
    "Mistral",
    400,
    { object: "error", message: "Invalid model: atlas-large", type: "invalid_model", code: "1500" },
  ],
  ["DeepSeek", 400, { error: { message: "Model Not Exist", type: "invalid_request_error" } }],
  [
    // https://learn.microsoft.com/azure/ai-services/openai
    "Azure",
    404,
    {
      error: {
        code: "DeploymentNotFound",
        message: "The API deployment for this resource does not exist.",
      },
    },
  ],
  ["a service that retired it", 410, { error: { message: "The model has been deprecated" } }],
];

const others: readonly (readonly [string, number, unknown])[] = [
  ["a parameter", 400, { error: { message: "`temperature` is deprecated for this model." } }],
  ["a tool", 404, { error: { message: "No endpoints found that support tool use." } }],
  ["a path", 404, { error: { message: "404 page not found" } }],
  ["a file", 400, { error: { message: "The file was not found" } }],
  ["a value", 400, { error: { message: "Invalid model parameters" } }],
];

async function codeOf(status: number, body: unknown) {
  const server = await startModelServer(() => ({ status, body: JSON.stringify(body) }));
  try {
    const client = createOpenaiClient({ baseUrl: server.url, apiKey: "sk-1", limits: GENEROUS });
    const { error } = await answerOf(client, HELLO);
    return { code: error?.code, asked: server.requests.length };
  } finally {
    await server.close();
  }
}

describe("a model that a server does not have", () => {
  for (const [server, status, body] of missing)
    it(`is named as gone, and asked for once, as ${server} words it`, async () =>
      assert.deepEqual(await codeOf(status, body), { code: "model-not-found", asked: 1 }));

  for (const [what, status, body] of others)
    it(`is not confused with ${what}`, async () =>
      assert.notEqual((await codeOf(status, body)).code, "model-not-found"));
});
