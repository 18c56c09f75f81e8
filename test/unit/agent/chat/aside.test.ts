import assert from "node:assert/strict";
import type { TurnPart } from "../../../../src/turns/turn.ts";
import { comes } from "../../../fakes/comes.ts";
import { testTool } from "../../../fakes/testTool.ts";
import { chat, chatsIn, lastAnswer, open, server } from "./chatHarness.ts";

const asides = (): readonly (TurnPart & { type: "aside" })[] =>
  lastAnswer().parts.filter((part) => part.type === "aside");
const texts = (index: number) => JSON.stringify(server.requests[index]?.body.messages ?? []);

describe("a side question", () => {
  chatsIn({ "a.ts": "export const a = 1;\n" });

  it("is asked over the conversation without tools, and no later request has it", async () => {
    await open([{ text: "It is 1." }, { text: "Because of history." }, { text: "Still 1." }]);
    await chat.send("What is a?");
    assert.deepEqual(await chat.aside("Why is it 1?"), { ok: true, value: null });
    assert.deepEqual(
      asides().map(({ question, text }) => [question, text]),
      [["Why is it 1?", "Because of history."]],
    );
    assert.ok(texts(1).includes("It is 1.") && texts(1).includes("Why is it 1?"));
    assert.equal(server.requests[1]?.body.tools, undefined);
    await chat.send("And now?");
    assert.ok(!texts(2).includes("Why is it 1?") && !texts(2).includes("history"));
  });

  it("is answered while a turn runs, which goes on untouched", async () => {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const held = testTool("held", async () => {
      assert.equal((await chat.aside("What are you doing?")).ok, true);
      await released;
      return { ok: true, output: "done" };
    });
    await open(
      [{ toolCalls: [{ name: "held", args: {} }] }, { text: "I wait." }, { text: "Ready." }],
      { tools: [held] },
    );
    const turn = chat.send("Go");
    release();
    assert.equal(await turn, "done");
    assert.equal(asides()[0]?.text, "I wait.");
    assert.equal(lastAnswer().endReason, "done");
    assert.ok(!texts(2).includes("I wait."));
  });

  it("is refused in an empty chat, and by a server that fails, and leaves nothing", async () => {
    await open([{ text: "Yes." }, { status: 401 }]);
    const empty = await chat.aside("Why?");
    assert.equal(empty.ok ? null : empty.error, "no-turn");
    await chat.send("Hi");
    const failed = await chat.aside("Why?");
    assert.equal(failed.ok || typeof failed.error === "string", false);
    assert.deepEqual(asides(), []);
  });

  it("is ended by Stop", async () => {
    await open([{ text: "Yes." }, { text: "Never.", stallAfter: 1 }]);
    await chat.send("Hi");
    const states: boolean[] = [];
    chat.asides.onChange(() => states.push(chat.asides.isAsking));
    const asked = chat.aside("Why?");
    await comes("the request", () => server.requests.length === 2);
    chat.stop();
    assert.equal((await asked).ok, false);
    assert.deepEqual(asides(), []);
    assert.deepEqual(states, [true, false]);
  });

  it("counts its tokens in the chat", async () => {
    await open([{ text: "It is 1." }, { text: "History." }]);
    await chat.send("What is a?");
    const used = () => [lastAnswer().inputTokens, lastAnswer().outputTokens];
    const before = used();
    assert.ok(before.every((tokens) => tokens > 0));
    await chat.aside("Why is it 1?");
    assert.deepEqual(
      used(),
      before.map((tokens) => 2 * tokens),
    );
  });
});
