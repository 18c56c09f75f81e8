import assert from "node:assert/strict";
import { createOpenaiClient } from "../../../src/model/openai/openaiClient.ts";
import { type ModelStep, startModelServer } from "../../fakes/model/modelServer.ts";
import { answerOf, GENEROUS, HELLO } from "./collect.ts";

const said = (message: string, status: number): ModelStep => ({ status, body: JSON.stringify({ error: { message } }) });

const refusals: readonly (readonly [who: string, answer: ModelStep])[] = [
  ["Ollama", said("registry.ollama.ai/library/gemma3:latest does not support tools", 400)],
  [
    "OpenRouter",
    said("No endpoints found that support tool use. To learn more about provider routing, visit: https://openrouter.ai/docs", 404),
  ],
  ["vLLM", said('"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set', 400)],
  ["llama.cpp", said("tools param requires --jinja flag", 500)],
  ["OpenAI", said("Unsupported parameter: 'tools' is not supported with this model.", 400)],
  ["a gateway", said("This model does not support function calling.", 400)],
  ["Groq", said("`tool calling` is not supported with this model", 400)],
  [
    "a validator",
    { status: 422, body: '{"detail":[{"loc":["body","tools"],"msg":"Extra inputs are not permitted: \\"tools\\" is unexpected"}]}' },
  ],
  ["an error in the stream", { body: 'data: {"error":{"code":404,"message":"No endpoints found that support tool use."}}\n\n' }],
];

const others: readonly (readonly [what: string, answer: ModelStep])[] = [
  ["a model that is not there", said('model "x" not found, try pulling it first', 404)],
  ["too many tokens", said("This model's maximum context length is 8192 tokens.", 400)],
  ["a history that is not valid", said("messages with role 'tool' must be a response to a preceding message with 'tool_calls'", 400)],
  [
    "a result that is missing",
    said("An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.", 400),
  ],
  ["a key that is missing", said("You must provide a key to use tools", 401)],
  ["a server that fails", said("CUDA out of memory", 500)],
];

describe("a request that is refused because of its tools", () => {
  const tools = [{ name: "grep", description: "Searches.", parameters: { type: "object" } }];

  async function kindOf(step: ModelStep, withTools: boolean): Promise<string | undefined> {
    const server = await startModelServer([step]);
    try {
      const client = createOpenaiClient({ baseUrl: server.url, apiKey: "key", limits: GENEROUS });
      return (await answerOf(client, withTools ? { ...HELLO, tools } : HELLO)).error?.kind;
    } finally {
      await server.close();
    }
  }

  for (const [who, step] of refusals) {
    it(`is distinguished from other failures: ${who}`, async () => {
      assert.equal(await kindOf(step, true), "tools-refused");
      assert.notEqual(await kindOf(step, false), "tools-refused");
    });
  }

  for (const [what, step] of others) {
    it(`is not meant by ${what}`, async () => assert.notEqual(await kindOf(step, true), "tools-refused"));
  }
});
