import assert from "node:assert/strict";
import { mock } from "node:test";
import fc from "fast-check";
import { streamLanguageModel } from "../../../src/model/languageModel/languageModelAnswer.ts";
import {
  type LanguageModelPart,
  languageModelMessages,
} from "../../../src/model/languageModel/languageModelParts.ts";
import type { ModelRequest, ModelTimeLimits } from "../../../src/model/modelClient.ts";
import type { FailureCode } from "../../../src/model/modelFailure.ts";
import { type Collected, collect, GENEROUS, HELLO } from "./collect.ts";
import { passTime, withStandingClock } from "./standingClock.ts";

const tools: ModelRequest["tools"] = [
  { name: "grep", description: "Searches.", parameters: { type: "object", properties: {} } },
];

/** What a client makes of a model that does `send`. */
async function answerOf(
  send: (signal: AbortSignal) => PromiseLike<AsyncIterable<LanguageModelPart>>,
  request: Partial<ModelRequest> = {},
  limits: Partial<ModelTimeLimits> = {},
): Promise<Collected> {
  const port = {
    baseUrl: "vscode-lm:test",
    send: (_messages: unknown, _tools: unknown, signal: AbortSignal) => send(signal),
  };
  const parts = [];
  for await (const part of streamLanguageModel(
    port,
    { ...GENEROUS, ...limits },
    { ...HELLO, ...request },
    new AbortController().signal,
  ))
    parts.push(part);
  return collect(parts);
}

async function* streamed(
  parts: readonly LanguageModelPart[],
  thrown?: unknown,
): AsyncGenerator<LanguageModelPart> {
  yield* parts;
  if (thrown !== undefined) throw thrown;
}

describe("a language model of VS Code", () => {
  it("gets instructions as a user's message, a message's results together, and no empty messages", () => {
    const call = (callId: string, argsText: string) => ({ callId, name: "grep", argsText });
    const converted = languageModelMessages([
      { role: "system", text: "Be brief." },
      { role: "user", text: "Look" },
      {
        role: "assistant",
        text: "Looking.",
        toolCalls: [call("a", '{"q":"x"}'), call("b", "[1]")],
        reasoning: "Hm.",
      },
      { role: "tool", callId: "a", text: "found" },
      { role: "tool", callId: "b", text: "" },
      { role: "user", text: "And?" },
      { role: "assistant", text: "", toolCalls: [] },
      { role: "assistant", text: "", toolCalls: [call("c", "{")] },
      { role: "tool", callId: "c", text: "failed" },
    ]);
    assert.deepEqual(converted, [
      { role: "user", parts: [{ type: "text", text: "Be brief." }] },
      { role: "user", parts: [{ type: "text", text: "Look" }] },
      {
        role: "assistant",
        parts: [
          { type: "text", text: "Looking." },
          { type: "tool-call", callId: "a", name: "grep", input: { q: "x" } },
          { type: "tool-call", callId: "b", name: "grep", input: {} },
        ],
      },
      {
        role: "user",
        parts: [
          { type: "tool-result", callId: "a", text: "found" },
          { type: "tool-result", callId: "b", text: "" },
        ],
      },
      { role: "user", parts: [{ type: "text", text: "And?" }] },
      { role: "assistant", parts: [{ type: "tool-call", callId: "c", name: "grep", input: {} }] },
      { role: "user", parts: [{ type: "tool-result", callId: "c", text: "failed" }] },
    ]);
  });

  it("gets its thinking back with what it added, and no other model does", async () => {
    const signed = {
      type: "thinking",
      text: "",
      id: "t1",
      metadata: { signature: "abc", nested: [1] },
    } as const;
    const parts = [];
    const port = {
      baseUrl: "vscode-lm:test",
      send: async () =>
        streamed([{ type: "thinking", text: "Hm." }, signed, { type: "text", text: "So." }]),
    };
    for await (const part of streamLanguageModel(
      port,
      GENEROUS,
      HELLO,
      new AbortController().signal,
    ))
      parts.push(part);
    const data = parts.flatMap((part) => (part.type === "provider-data" ? [part.data] : []))[0];
    assert.ok(data);
    const message = { role: "assistant", text: "So.", toolCalls: [], providerData: data } as const;
    assert.deepEqual(languageModelMessages([message], data.source), [
      {
        role: "assistant",
        parts: [
          { type: "thinking", value: "", id: "t1", metadata: signed.metadata },
          { type: "text", text: "So." },
        ],
      },
    ]);
    assert.equal(
      languageModelMessages([message], "vscode-lm:other test-model")[0]?.parts.length,
      1,
    );
    assert.equal(data.source, "vscode-lm:test test-model");
  });

  it("may give two calls one id", async () => {
    const call = { type: "tool-call", callId: "a", name: "grep", input: { q: "x" } } as const;
    const { calls } = await answerOf(async () => streamed([call, call]), { tools });
    assert.equal(new Set(calls.map(({ callId }) => callId)).size, 2);
  });

  it("may send parts of any kind and content", async () => {
    const value = fc.oneof(fc.anything(), fc.string(), fc.uint8Array(), fc.json());
    const part = fc.oneof(
      fc.record({ type: fc.constant("text" as const), text: value }),
      fc.record({
        type: fc.constant("thinking" as const),
        text: value,
        id: value,
        metadata: value,
      }),
      fc.record({
        type: fc.constant("tool-call" as const),
        callId: value,
        name: value,
        input: value,
      }),
      fc.record({
        type: fc.constant("data" as const),
        mimeType: fc.oneof(value, fc.constant("usage")),
        data: value,
      }),
      fc.constant({ type: "unknown" as const }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 6 }), async (parts) => {
        const { finish, error } = await answerOf(async () => streamed(parts), { tools });
        assert.ok(finish !== null || error?.code === "empty");
      }),
    );
  });

  it("is kept alive by parts without content", async () => {
    const slow = async function* (): AsyncGenerator<LanguageModelPart> {
      yield { type: "text", text: "One" };
      for (let beat = 0; beat < 12; beat++) {
        mock.timers.tick(60);
        yield { type: "unknown" };
      }
      yield { type: "text", text: " two" };
    };
    const answer = await withStandingClock(() => answerOf(async () => slow(), {}, { idleMs: 80 }));
    assert.deepEqual([answer.text, answer.finish], ["One two", "stop"]);
  });

  it("has the time to its first token for the user's consent, and no more", async () => {
    await withStandingClock(async () => {
      const consenting = async () => {
        mock.timers.tick(20);
        return streamed([{ type: "text", text: "Hi" }]);
      };
      assert.equal((await answerOf(consenting, {}, { connectMs: 1 })).text, "Hi");
      const deaf = answerOf(() => new Promise(() => {}), {}, { firstTokenMs: 20 });
      const { error } = await passTime(deaf);
      assert.deepEqual([error?.code, error?.limitMs], ["first-token-timeout", 20]);
    });
  });

  describe("fails with", () => {
    const failing = (message: string, facts: object = {}) =>
      Object.assign(new Error(message), facts);
    const lmError = (code: string, message = "", cause?: unknown) =>
      failing(message, { name: "LanguageModelError", code, cause });
    const cases: readonly [string, unknown, FailureCode, boolean][] = [
      [
        "no consent",
        lmError("NoPermissions", "Language model 'a/b' cannot be used by 'graft'."),
        "lm-not-permitted",
        false,
      ],
      [
        "an unknown model",
        lmError("NotFound", "Language model 'a/b' is unknown."),
        "lm-model-gone",
        false,
      ],
      [
        "a provider that went away",
        failing("Chat provider for model a/b is not registered."),
        "lm-model-gone",
        false,
      ],
      [
        "a block",
        lmError("Blocked", "temporarily blocked due to making too many requests"),
        "lm-blocked",
        false,
      ],
      [
        "a spent quota",
        failing("You have exceeded your premium request allowance.", { name: "ChatQuotaExceeded" }),
        "lm-quota-spent",
        false,
      ],
      [
        "a rate limit",
        failing("Sorry, slow down.", { name: "ChatRateLimited" }),
        "lm-rate-limited",
        true,
      ],
      [
        "another provider's rate limit",
        failing("Request failed with status 429"),
        "lm-rate-limited",
        true,
      ],
      [
        "the off-topic filter",
        lmError(
          "Unknown",
          "Language model errored, check cause",
          failing("filtered as off_topic by intent classifier: message …"),
        ),
        "lm-off-topic",
        false,
      ],
      ["a content filter", failing("Response got filtered."), "content-filter", false],
      ["a refusal", failing("Model declined to respond."), "content-filter", false],
      [
        "a request that is too long",
        failing("Message exceeds token limit."),
        "context-length",
        false,
      ],
      [
        "a long prompt",
        failing("prompt token count of 200 exceeds the limit of 100"),
        "context-length",
        false,
      ],
      ["a provider's own error", failing("GPU lost"), "stream-error", true],
      ["a text", "GPU lost", "stream-error", true],
      ["nothing", undefined, "stream-error", true],
      ["anything", { toString: null }, "stream-error", true],
    ];
    for (const [what, thrown, code, retryable] of cases) {
      it(`${what}, before and during its answer`, async () => {
        const { error } = await answerOf(() => Promise.reject(thrown));
        assert.deepEqual([error?.code, error?.retryable, error?.begun], [code, retryable, false]);
        const begun = await answerOf(async () =>
          streamed([{ type: "text", text: "One" }], thrown ?? null),
        );
        assert.deepEqual([begun.text, begun.error?.code, begun.error?.begun], ["One", code, true]);
      });
    }

    it("what VS Code throws at once", async () => {
      const { error } = await answerOf(() => {
        throw lmError("NotFound");
      });
      assert.equal(error?.code, "lm-model-gone");
    });

    it("the words of the deepest cause, on one line", async () => {
      const { error } = await answerOf(() =>
        Promise.reject(lmError("Unknown", "check cause", failing("GPU\n  lost"))),
      );
      assert.equal(error?.said, "GPU lost");
    });

    it("an interruption where the request is canceled by someone else", async () => {
      const { error } = await answerOf(async () =>
        streamed([{ type: "text", text: "One" }], failing("Canceled", { name: "Canceled" })),
      );
      assert.equal(error?.code, "interrupted");
    });
  });
});
