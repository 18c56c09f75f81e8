import assert from "node:assert/strict";
import type { ModelStep } from "../../../fakes/model/modelServer.ts";
import { MemoryEventLog } from "../../../fakes/turns/memoryEventLog.ts";
import { another, chatsIn, open, server } from "../chat/chatHarness.ts";

/** An answer of raw deltas, the last one with the finish reason. */
function answer(...deltas: readonly object[]): ModelStep {
  const chunks = deltas.map((delta, at) => {
    const finish_reason = at === deltas.length - 1 ? "tool_calls" : null;
    return `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  });
  return { body: `${chunks.join("")}data: [DONE]\n\n` };
}

const list = { name: "list_directory", arguments: "{}" };
const piece = (fields: object) => ({
  reasoning_details: [
    { type: "reasoning.text", index: 0, format: "anthropic-claude-v1", ...fields },
  ],
});
const encrypted = { type: "reasoning.encrypted", index: 1, id: "rs_1", data: "gAAA" };
const signed = { google: { thought_signature: "c2lnbmVk" } };

describe("what a provider wants back with its answer", () => {
  chatsIn({ "a.ts": "export const a = 1;\n" });

  const assistant = (request: number) =>
    server.requests[request]?.body.messages.find(({ role }) => role === "assistant");

  it("is sent back in one piece: OpenRouter's reasoning_details", async () => {
    const chat = await open([
      answer(piece({ text: "Let me " }), piece({ text: "look." }), piece({ signature: "EqoB" }), {
        reasoning_details: [encrypted],
        tool_calls: [{ index: 0, id: "c1", function: list }],
      }),
      { text: "One file." },
    ]);
    assert.equal(await chat.send("What is here?"), "done");
    assert.deepEqual(assistant(1)?.reasoning_details, [
      {
        type: "reasoning.text",
        index: 0,
        format: "anthropic-claude-v1",
        text: "Let me look.",
        signature: "EqoB",
      },
      encrypted,
    ]);
    assert.equal(assistant(1)?.tool_calls?.[0]?.id, "c1");
  });

  it("is sent back with each call: Gemini's thought signatures", async () => {
    const chat = await open([
      answer({
        tool_calls: [
          { index: 0, id: "c1", function: list, extra_content: signed },
          { index: 1, id: "c2", function: list },
        ],
      }),
      { text: "One file." },
    ]);
    assert.equal(await chat.send("What is here?"), "done");
    assert.deepEqual(
      assistant(1)?.tool_calls?.map(({ extra_content }) => extra_content),
      [signed, undefined],
    );
  });

  it("is the thinking itself when it came as reasoning_content, with calls only", async () => {
    const call = { name: "list_directory", args: {} };
    const chat = await open([
      { reasoning: "Let me look.", toolCalls: [call] },
      { reasoning: "Aha.", text: "One file." },
      { text: "Yes." },
    ]);
    await chat.send("What is here?");
    await chat.send("Sure?");
    const [first, second] = (server.requests[2]?.body.messages ?? []).filter(
      ({ role }) => role === "assistant",
    );
    assert.equal(first?.reasoning_content, "Let me look.");
    assert.deepEqual([second?.content, second?.reasoning_content], ["One file.", undefined]);
  });

  it("survives a reload, and is sent to no other model or endpoint", async () => {
    const log = new MemoryEventLog();
    const call = answer({
      tool_calls: [{ index: 0, id: "c1", function: list, extra_content: signed }],
    });
    const chat = await open([call, { text: "One file." }, { text: "Yes." }, { text: "Yes." }], {
      log,
    });
    await chat.send("What is here?");
    await chat.dispose();
    const again = await another({ log });
    assert.deepEqual(again.tree, chat.tree);
    await again.send("Sure?");
    assert.deepEqual(assistant(2)?.tool_calls?.[0]?.extra_content, signed);
    await again.dispose();
    const otherModel = await another({ log, model: "other-model" });
    await otherModel.send("Sure?");
    assert.equal(assistant(3)?.tool_calls?.[0]?.extra_content, undefined);
    await otherModel.dispose();
    await server.close();
    const elsewhere = await open([{ text: "Yes." }], { log });
    await elsewhere.send("Sure?");
    assert.equal(assistant(0)?.tool_calls?.[0]?.extra_content, undefined);
  });

  it("is omitted when the endpoint refuses it or it is too large", async () => {
    const refusal = {
      status: 400,
      body: '{"error":{"message":"Unknown name \\"extra_content\\""}}',
    };
    const call = { index: 0, id: "c1", function: list };
    const chat = await open([
      answer({ tool_calls: [{ ...call, extra_content: signed }] }),
      refusal,
      answer({
        tool_calls: [{ ...call, id: "c2" }],
        reasoning_details: [{ ...encrypted, data: "x".repeat(300_000) }],
      }),
      { text: "One file." },
    ]);
    assert.equal(await chat.send("What is here?"), "done");
    assert.equal(server.requests.length, 4);
    assert.ok(
      !JSON.stringify(server.requests.slice(2).map(({ body }) => body)).includes("signature"),
    );
    assert.ok(JSON.stringify(chat.events()).length < 100_000);
  });
});
