import assert from "node:assert/strict";
import { mock } from "node:test";
import fc from "fast-check";
import * as z from "zod/mini";
import { toBase64 } from "../../../src/base/text/base64.ts";
import { streamLanguageModel } from "../../../src/model/languageModel/languageModelAnswer.ts";
import type { ModelClient, ModelRequest, ModelTimeLimits } from "../../../src/model/modelClient.ts";
import { createOpenaiClient } from "../../../src/model/openai/openaiClient.ts";
import type { StreamPart } from "../../../src/model/streamPart.ts";
import { writtenCall } from "../../../src/model/textCalls/textCallScanner.ts";
import { campaignRuns } from "../../fakes/campaignRuns.ts";
import { PNG_DOT } from "../../fakes/images.ts";
import { type ModelStep, startModelServer } from "../../fakes/model/modelServer.ts";
import { scriptedLanguageModel } from "../../fakes/model/scriptedLanguageModel.ts";
import { answerOf, collect, GENEROUS, HELLO, partsOf } from "./collect.ts";
import { passTime, withStandingClock } from "./standingClock.ts";

/** A provider that answers by a script, whatever its protocol, and the client for it. */
interface Provider {
  readonly requests: readonly unknown[];
  client(limits?: Partial<ModelTimeLimits>): ModelClient;
  request(
    index: number,
  ): Promise<{ readonly closed: Promise<void>; readonly closedEarly: boolean }>;
  close(): Promise<void>;
}

const providers: readonly (readonly [string, (...steps: ModelStep[]) => Promise<Provider>])[] = [
  [
    "an OpenAI-compatible server",
    async (...steps) => {
      const server = await startModelServer(steps);
      const client = (limits = {}) =>
        createOpenaiClient({
          baseUrl: server.url,
          apiKey: null,
          limits: { ...GENEROUS, ...limits },
        });
      return {
        requests: server.requests,
        client,
        request: (index) => server.request(index),
        close: () => server.close(),
      };
    },
  ],
  [
    "a language model of VS Code",
    async (...steps) => {
      const model = scriptedLanguageModel(steps);
      const client = (limits: Partial<ModelTimeLimits> = {}): ModelClient => ({
        baseUrl: model.baseUrl,
        stream: (request, signal) =>
          streamLanguageModel(model, { ...GENEROUS, ...limits }, request, signal),
      });
      return {
        requests: model.requests,
        client,
        request: (index) => model.request(index),
        close: async () => {},
      };
    },
  ],
];

const tools: ModelRequest["tools"] = [
  { name: "grep", description: "Searches.", parameters: { type: "object", properties: {} } },
];
const asking: ModelRequest = { ...HELLO, tools };
const never = new AbortController().signal;

const lastMessage = z.union([
  z.object({
    messages: z.array(z.object({ parts: z.array(z.looseObject({ type: z.string() })) })),
  }),
  z.object({ body: z.object({ messages: z.array(z.object({ content: z.string() })) }) }),
]);

/** What the last message of a request says, part by part; an image as a data URL. */
function said(request: unknown): readonly string[] {
  const sent = lastMessage.parse(request);
  if ("body" in sent) return sent.body.messages.at(-1)?.content.split(/\n(?=<)|(?<=>)\n/) ?? [];
  return (sent.messages.at(-1)?.parts ?? []).map((part) =>
    part.data instanceof Uint8Array
      ? `<data:${part.mimeType};base64,${Buffer.from(part.data).toString("base64")}>`
      : String(part.text),
  );
}

/**
 * The parts of an answer, which `collect` checks, with exactly one end and every call of a finished
 * answer ended.
 */
function checked(parts: readonly StreamPart[]) {
  const answer = collect(parts);
  const count = (...types: StreamPart["type"][]) =>
    parts.filter(({ type }) => types.includes(type)).length;
  assert.equal(count("finish", "error"), 1, "ends");
  if (answer.finish)
    assert.equal(count("tool-call-start"), count("tool-call-end"), "calls without an end");
  return answer;
}

for (const [name, start] of providers) {
  describe(`every client keeps its contract with ${name}:`, () => {
    const ends: (() => Promise<void>)[] = [];
    afterEach(async () => {
      for (const end of ends.splice(0)) await end();
    });

    async function script(...steps: ModelStep[]): Promise<Provider> {
      const provider = await start(...steps);
      ends.push(() => provider.close());
      return provider;
    }

    async function answerTo(
      step: ModelStep,
      request = asking,
      limits: Partial<ModelTimeLimits> = {},
    ) {
      return checked(await partsOf((await script(step)).client(limits), request, never));
    }

    it("streams thinking, text and token counts, and ends once", async () => {
      const provider = await script({
        reasoning: "Hm, well.",
        text: "One two three.",
        chunkSize: 4,
      });
      const parts = await partsOf(provider.client(), HELLO, never);
      const { text, reasoning, finish, usage } = checked(parts);
      assert.deepEqual([reasoning, text, finish], ["Hm, well.", "One two three.", "stop"]);
      assert.deepEqual([usage?.inputTokens, usage?.outputTokens], [100, 20]);
      assert.ok(parts.filter(({ type }) => type === "text-delta").length > 2, "text in pieces");
    });

    it("streams text, calls and more text in their order", async () => {
      const step = {
        text: "Looking.",
        toolCalls: [
          { id: "a", name: "grep", args: { q: "x" } },
          { id: "b", name: "grep", args: { q: "y", deep: [1, { z: null }] } },
        ],
        textAfter: "So.",
      };
      const { text, calls, finish } = await answerTo(step);
      assert.deepEqual([text, finish], ["Looking.So.", "tool-calls"]);
      assert.deepEqual(
        calls.map(({ callId, name, args }) => [callId, name, JSON.parse(args)]),
        step.toolCalls.map(({ id, args }) => [id, "grep", args]),
      );
    });

    describe("images", () => {
      const image = {
        id: "a",
        name: 'a"b].png',
        width: 20,
        height: 10,
      };
      const gone = { ...image, id: "gone", name: "" };
      const messages: ModelRequest["messages"] = [
        { role: "user", text: "What is this?", images: [image, gone] },
      ];

      it("go along after their names; of one without bytes, the model is told that it cannot see it", async () => {
        const provider = await script({ text: "A dot." });
        const images = new Map([["a", PNG_DOT]]);
        const { text } = checked(
          await partsOf(provider.client(), { ...HELLO, messages, images }, never),
        );
        assert.equal(text, "A dot.");
        assert.deepEqual(said(provider.requests[0]), [
          'What is this?\n\n[The user attached the image "a\\"b].png" (20 × 10 pixels):]',
          `<data:image/png;base64,${toBase64(PNG_DOT)}>`,
          "[The user attached an image (20 × 10 pixels), which you cannot see.]",
        ]);
      });

      it("are only named in a request without their bytes, whose message is a plain text", async () => {
        const provider = await script({ text: "I cannot see." });
        await partsOf(provider.client(), { ...HELLO, messages }, never);
        const [only = "", ...more] = said(provider.requests[0]);
        assert.match(
          only,
          /^What is this\?\n\n\[.*which you cannot see\.\]\n\n\[.*which you cannot see\.\]$/,
        );
        assert.deepEqual(more, []);
      });
    });

    it("gives every call an id of its own", async () => {
      const twice = { name: "grep", args: { q: "x" } };
      const messages: ModelRequest["messages"] = [
        ...HELLO.messages,
        {
          role: "assistant",
          text: "",
          toolCalls: [{ callId: "known", name: "grep", argsText: "{}" }],
        },
        { role: "tool", callId: "known", text: "nothing" },
      ];
      const toolCalls = ["known", "a", "", ""].map((id) => ({ ...twice, id }));
      const { calls } = await answerTo({ toolCalls }, { ...asking, messages });
      assert.equal(calls.length, 4);
      assert.equal(new Set(["known", ...calls.map(({ callId }) => callId)]).size, 5);
      assert.ok(calls.every(({ args }) => args === '{"q":"x"}'));
    });

    it("passes arguments on as text that may not be JSON, and none as an empty object", async () => {
      const { calls, finish } = await answerTo({
        toolCalls: [
          { name: "grep", args: "" },
          { name: "grep", args: '{"q": ' },
        ],
      });
      assert.deepEqual([calls.map(({ args }) => args), finish], [["{}", '{"q": '], "tool-calls"]);
    });

    it("reads calls written as text with the request's nonce, and no others", async () => {
      const json = '{"name":"grep","arguments":{"q":"x"}}';
      const written = {
        text: `Looking.\n${writtenCall("0123456789ab", "grep", '{"q":"x"}')}\n`,
        chunkSize: 5,
      };
      const tagged = { text: `Looking.\n<tool_call>${json}</tool_call>`, chunkSize: 5 };
      const read = async (step: ModelStep, request: ModelRequest) => {
        const { text, calls, finish } = await answerTo(step, request);
        return [text.trim(), calls.map(({ args }) => args).join(), finish];
      };
      assert.deepEqual(await read(written, { ...HELLO, callNonce: "0123456789ab" }), [
        "Looking.",
        '{"q":"x"}',
        "tool-calls",
      ]);
      assert.deepEqual(await read(tagged, { ...HELLO, callNonce: "0123456789ab" }), [
        tagged.text,
        "",
        "stop",
      ]);
      for (const step of [tagged, written, { text: json }]) {
        assert.deepEqual(await read(step, asking), [step.text.trim(), "", "stop"]);
        assert.deepEqual(await read(step, HELLO), [step.text.trim(), "", "stop"]);
      }
    });

    it("reads thinking in tags", async () => {
      const { text, reasoning } = await answerTo({ text: "<think>Hm.</think>So.", chunkSize: 3 });
      assert.deepEqual([reasoning, text], ["Hm.", "So."]);
    });

    it("reports an answer without content", async () => {
      const { error } = await answerTo({ finish: null });
      assert.deepEqual([error?.code, error?.retryable], ["empty", true]);
    });

    it("says that an answer was cut off, and keeps it", async () => {
      const { text, finish } = await answerTo({ text: "One two", finish: "length" });
      assert.deepEqual([text, finish], ["One two", "length"]);
    });

    it("stops an answer that is too long, and cancels it", async () => {
      const provider = await script({
        text: "x".repeat(9_500_000),
        chunkSize: 500_000,
        stallAfter: 19,
      });
      const { text, error } = checked(await partsOf(provider.client(), HELLO, never));
      assert.deepEqual([error?.code, error?.begun], ["overlong", true]);
      assert.ok(text.length < 9_500_000);
      const request = await provider.request(0);
      await request.closed;
      assert.equal(request.closedEarly, true);
    });

    it("reports an answer that breaks off, and keeps what arrived", async () => {
      const { text, error } = await answerTo({ text: "One two three", chunkSize: 4, dieAfter: 3 });
      assert.deepEqual([text, error?.kind, error?.begun], ["One two ", "interrupted", true]);
    });

    it("reports a provider that fails before it answers", async () => {
      const provider = await script({ dieAfter: 0 });
      const parts = await partsOf(provider.client(), HELLO, never);
      assert.equal(parts.length, 1);
      assert.equal(checked(parts).error?.retryable, true);
    });

    describe("a time limit", () => {
      it("ends an answer that does not begin", async () => {
        const { error } = await answerTo({ text: "late", stallAfter: 1 }, HELLO, {
          firstTokenMs: 40,
        });
        assert.deepEqual(
          [error?.code, error?.limitMs, error?.begun],
          ["first-token-timeout", 40, false],
        );
      });

      it("ends an answer that stalls, keeps what arrived and cancels the request", async () => {
        const provider = await script({ text: "One two three", chunkSize: 4, stallAfter: 3 });
        const parts: StreamPart[] = [];
        await withStandingClock(async () => {
          const reading = provider.client().stream(HELLO, never)[Symbol.asyncIterator]();
          while (collect(parts).text !== "One two ") {
            const { value } = await reading.next();
            if (value) parts.push(value);
          }
          const { value } = await passTime(reading.next());
          if (value) parts.push(value);
        });
        const { error } = checked(parts);
        assert.deepEqual([error?.code, error?.begun], ["idle-timeout", true]);
        const request = await provider.request(0);
        await request.closed;
        assert.equal(request.closedEarly, true);
      });

      it("does not count the time that the reader takes", async () => {
        const provider = await script({ text: "One two three four", chunkSize: 4 });
        const parts: StreamPart[] = [];
        await withStandingClock(async () => {
          for await (const part of provider.client().stream(HELLO, never)) {
            parts.push(part);
            mock.timers.tick(GENEROUS.idleMs * 2);
          }
        });
        assert.equal(checked(parts).finish, "stop");
      });
    });

    describe("an abort", () => {
      it("that came first sends nothing", async () => {
        const provider = await script({ text: "Hi" });
        assert.equal(
          checked(await partsOf(provider.client(), HELLO, AbortSignal.abort())).error?.kind,
          "aborted",
        );
        assert.equal(provider.requests.length, 0);
      });

      it("cancels a request before its answer begins", async () => {
        const provider = await script({ stallAfter: 0 });
        const controller = new AbortController();
        const reading = partsOf(provider.client(), HELLO, controller.signal);
        const request = await provider.request(0);
        controller.abort();
        assert.equal(checked(await reading).error?.kind, "aborted");
        await request.closed;
        assert.equal(request.closedEarly, true);
      });

      it("at any part ends the answer there", async () => {
        const step = {
          reasoning: "Hm",
          text: "One two",
          toolCalls: [{ name: "grep", args: { q: "x" } }],
          textAfter: "So.",
          chunkSize: 3,
        };
        const whole = await partsOf((await script(step)).client(), asking, never);
        for (let at = 1; at < whole.length; at++) {
          const provider = await script(step);
          const controller = new AbortController();
          const parts: StreamPart[] = [];
          for await (const part of provider.client().stream(asking, controller.signal)) {
            parts.push(part);
            if (parts.length === at) controller.abort();
          }
          const end = checked(parts);
          // The answer may have been complete by then.
          assert.ok(
            end.error?.kind === "aborted" || parts.length === whole.length,
            `after part ${at}`,
          );
          await (await provider.request(0)).closed;
        }
      });

      it("is what a reader does who stops reading", async () => {
        const provider = await script({ text: "One two three", chunkSize: 4, stallAfter: 3 });
        for await (const part of provider.client().stream(HELLO, never))
          if (part.type === "text-delta") break;
        const request = await provider.request(0);
        await request.closed;
        assert.equal(request.closedEarly, true);
      });
    });

    it("holds for any answer", async () => {
      const words = fc.constantFrom(
        "Hi. ",
        "<call 0123456789ab grep>",
        '{"q":1}',
        "</call 0123456789ab>",
        "```\n",
        "<think>",
        "\n",
        "é",
      );
      const text = fc.array(words, { maxLength: 5 }).map((each) => each.join(""));
      const call = fc.record({
        id: fc.constantFrom("", "a", "b"),
        name: fc.constantFrom("grep", "", "other"),
        args: fc.constantFrom<unknown>({}, { q: 1 }, "", "{", '{"q":1}', "[1]", "null"),
      });
      const step = fc.record({
        reasoning: text,
        text,
        toolCalls: fc.array(call, { maxLength: 4 }),
        textAfter: text,
        chunkSize: fc.integer({ min: 1, max: 20 }),
        finish: fc.constantFrom("stop", "length", "tool_calls", null),
        dieAfter: fc.oneof(
          { weight: 3, arbitrary: fc.constant(1_000) },
          { weight: 1, arbitrary: fc.integer({ min: 0, max: 12 }) },
        ),
      });
      await fc.assert(
        fc.asyncProperty(step, fc.boolean(), async (any, inText) => {
          const provider = await start(any);
          try {
            checked(
              await partsOf(
                provider.client(),
                inText ? { ...HELLO, callNonce: "0123456789ab" } : asking,
                never,
              ),
            );
          } finally {
            await provider.close();
          }
        }),
        { numRuns: campaignRuns(60, 150) },
      );
    });

    it("names the provider in its failures", async () => {
      const provider = await script({ finish: null });
      const client = provider.client();
      assert.equal((await answerOf(client)).error?.baseUrl, client.baseUrl);
    });
  });
}
