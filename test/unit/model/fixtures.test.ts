import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { createOpenaiClient } from "../../../src/model/openai/openaiClient.ts";
import type { FinishReason } from "../../../src/model/streamPart.ts";
import { type BodyServer, startBodyServer } from "../../fakes/model/bodyServer.ts";
import { answerOf, GENEROUS } from "./collect.ts";

const folder = resolve(import.meta.dirname, "../../fixtures/sse");

interface Expected {
  readonly what: string;
  readonly file: string;
  readonly text?: string;
  readonly reasoning?: string;
  /** `id name arguments`; the id is `*` where the provider sent none. */
  readonly calls?: readonly string[];
  readonly finish: FinishReason;
  readonly outputTokens?: number;
}

const cases: readonly Expected[] = [
  {
    what: "CRLF line ends and a comment",
    file: "crlf.sse",
    text: "Grüße aus 東京 🗼",
    finish: "stop",
  },
  { what: "`data:` without a space", file: "no-space.sse", text: "no  space", finish: "stop" },
  {
    what: "Ollama: parallel calls that share index 0",
    file: "ollama.sse",
    text: "Reading it.",
    reasoning: "The user wants a file.",
    calls: ['call_ab12cd34 read_file {"path":"a.ts"}', 'call_ef56ab78 read_file {"path":"b.ts"}'],
    finish: "tool-calls",
    outputTokens: 34,
  },
  {
    what: "LM Studio: `stop` although there is a call",
    file: "lm-studio.sse",
    text: "Let me look.",
    calls: ['365174485 list_directory {"path": "src"}'],
    finish: "tool-calls",
  },
  {
    what: "`<think>` in the content, cut across chunks",
    file: "think.sse",
    text: "Use `<think>` for that.",
    reasoning: "Two files, a < b and </this> is no end.",
    finish: "stop",
  },
  {
    what: "Gemini-compatible: no index, empty ids",
    file: "gemini.sse",
    calls: ['* read_file {"path":"a.ts"}', '* read_file {"path":"b.ts"}'],
    finish: "tool-calls",
    outputTokens: 6,
  },
  {
    what: "every call at index 0 with an empty id",
    file: "all-index-0.sse",
    calls: ['* read_file {"path":"a.ts"}', '* read_file {"path":"b.ts"}'],
    finish: "tool-calls",
  },
  {
    what: "arguments as an object",
    file: "arguments-object.sse",
    calls: ['c1 read_file {"path":"a.ts","lines":[1,2]}'],
    finish: "tool-calls",
  },
  {
    what: "vLLM: calls interleaved by index",
    file: "vllm.sse",
    calls: ['chatcmpl-tool-1 grep {"q":"x"}', 'chatcmpl-tool-2 glob {"g":"*"}'],
    finish: "tool-calls",
    outputTokens: 8,
  },
  {
    what: "SGLang: null names and ids",
    file: "sglang.sse",
    text: "Ok.",
    reasoning: "Hm.",
    calls: ['call_1 grep {"q": "x"}'],
    finish: "tool-calls",
  },
  {
    what: "the name with every piece, no id, no index",
    file: "name-repeated.sse",
    calls: ['* grep {"q":"x"}', "* glob {}"],
    finish: "tool-calls",
  },
  {
    what: "a whole completion instead of a stream",
    file: "whole-completion.json",
    text: "All at once.",
    calls: ['c1 grep {"q":"x"}'],
    finish: "tool-calls",
    outputTokens: 2,
  },
];

describe("answers of local servers and other providers", () => {
  let server: BodyServer;
  before(async () => {
    server = await startBodyServer();
  });
  after(() => server.close());

  for (const { what, file, text = "", reasoning = "", calls = [], finish, outputTokens } of cases) {
    it(`reads ${what}`, async () => {
      const bytes = readFileSync(resolve(folder, file));
      for (const cuts of [[], [1, 1], [7, 3, 50]]) {
        server.next = { bytes, cuts, end: "complete" };
        const answer = await answerOf(
          createOpenaiClient({ baseUrl: server.url, apiKey: null, limits: GENEROUS }),
        );
        assert.equal(answer.error, null);
        assert.deepEqual(
          { text: answer.text, reasoning: answer.reasoning, finish: answer.finish },
          { text, reasoning, finish },
        );
        const read = answer.calls.map(
          ({ callId, name, args }, i) =>
            `${calls[i]?.startsWith("* ") ? "*" : callId} ${name} ${args}`,
        );
        assert.deepEqual(read, calls);
        assert.equal(
          new Set(answer.calls.map(({ callId }) => callId)).size,
          calls.length,
          "call ids are unique",
        );
        if (outputTokens !== undefined) assert.equal(answer.usage?.outputTokens, outputTokens);
      }
    });
  }
});
