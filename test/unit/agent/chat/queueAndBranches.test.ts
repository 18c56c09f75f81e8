import assert from "node:assert/strict";
import { branch, siblings } from "../../../../src/turns/branch.ts";
import type { TurnEvent } from "../../../../src/turns/turnEvent.ts";
import { pluck } from "../../../fakes/pluck.ts";
import { testTool } from "../../../fakes/testTool.ts";
import { MemoryEventLog } from "../../../fakes/turns/memoryEventLog.ts";
import { another, chat, chatsIn, open, server } from "./chatHarness.ts";

const sent = (index: number) =>
  (server.requests[index]?.body.messages ?? [])
    .slice(1)
    .map(({ role, content }) => `${role}: ${content ?? ""}`);

/** Settles with the next event that fits. */
function next(matches: (event: TurnEvent) => boolean): Promise<TurnEvent> {
  return new Promise((resolve) => {
    const listening = chat.onEvent((event) => {
      if (!matches(event)) return;
      listening.dispose();
      resolve(event);
    });
  });
}

const idle = () =>
  new Promise<void>((resolve) => {
    const listening = chat.onBusy((busy) => {
      if (busy) return;
      listening.dispose();
      resolve();
    });
  });

/** A tool that ends when the test says so. */
function heldTool(): { readonly tool: ReturnType<typeof testTool>; release(): void } {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const tool = testTool("held", async () => {
    await held;
    return { ok: true, output: "done" };
  });
  return { tool, release: () => release() };
}

describe("a message that is sent while a turn runs", () => {
  chatsIn({ "a.ts": "export const a = 1;\n" });
  const calls = { toolCalls: [{ name: "held", args: {} }] };

  it("stays marked as spoken in the queue and in the turn it reaches", async () => {
    const { tool, release } = heldTool();
    await open([calls, { text: "I see." }, { text: "Sure." }], { tools: [tool] });
    const turn = chat.send("Go");
    await next(({ type }) => type === "tool-start");
    void chat.send("In French, please", [], true);
    assert.equal(chat.queued[0]?.spoken, true);
    release();
    await turn;
    await chat.send("Thanks", [], true);
    const said = chat.events().flatMap((event) => {
      if (event.type !== "user-message" && (event.type !== "turn-start" || event.role === "agent"))
        return [];
      return [`${event.text}${event.spoken ? " (spoken)" : ""}`];
    });
    assert.deepEqual(said, ["Go", "In French, please (spoken)", "Thanks (spoken)"]);
  });

  it("reaches the model after the running tools' results, in the same turn", async () => {
    const { tool, release } = heldTool();
    await open([calls, { text: "I see." }], { tools: [tool] });
    const turn = chat.send("Go");
    await next(({ type }) => type === "tool-start");
    const changes: number[] = [];
    chat.onEvent((event) => event.type === "queue" && changes.push(event.messages.length));
    void chat.send("In French, please");
    assert.deepEqual(pluck(chat.queued, "text"), ["In French, please"]);
    release();
    assert.equal(await turn, "done");
    assert.deepEqual(sent(1), ["user: Go", "assistant: ", "tool: done", "user: In French, please"]);
    assert.deepEqual(changes, [1, 0]);
    assert.equal(chat.tree.turns.size, 2);
  });

  it("becomes the next turn when no step follows", async () => {
    let go: () => void = () => undefined;
    const resume = new Promise<void>((resolve) => (go = resolve));
    await open([{ text: "Once upon a time", stallAfter: 2, resume }, { text: "Bonjour." }]);
    const turn = chat.send("Tell me a story");
    await next(({ type }) => type === "text-delta");
    void chat.send("In French");
    void chat.send("and short");
    go();
    await turn;
    await idle();
    assert.deepEqual(sent(1), [
      "user: Tell me a story",
      "assistant: Once upon a time",
      "user: In French\n\nand short",
    ]);
    assert.equal(chat.tree.turns.size, 4);
    assert.equal(chat.busy, false);
  });

  it("waits when the user stops the turn, and can be taken back or sent", async () => {
    const { tool } = heldTool();
    await open([calls, { text: "I see." }], { tools: [tool] });
    const turn = chat.send("Go");
    await next(({ type }) => type === "tool-start");
    void chat.send("first");
    void chat.send("second");
    const [first] = chat.queued;
    chat.stop();
    assert.equal(await turn, "cancelled");
    assert.equal(server.requests.length, 1);
    assert.equal(chat.unqueue(first?.id ?? "")?.text, "first");
    assert.equal(chat.unqueue(first?.id ?? ""), null);
    await chat.sendQueued();
    assert.match(sent(1).at(-1) ?? "", /^user: second$/);
    assert.deepEqual(chat.queued, []);
  });

  it("is sent before the next message", async () => {
    await open([{ status: 401 }, { text: "Fine." }]);
    const turn = chat.send("Go");
    await server.request(0);
    void chat.send("first");
    assert.equal(await turn, "error");
    assert.equal(await chat.send("second"), "done");
    assert.equal(sent(1).at(-1), "user: Go\n\nfirst\n\nsecond");
  });
});

describe("branches of a chat", () => {
  chatsIn({ "a.ts": "export const a = 1;\n" });
  const shown = () =>
    branch(chat.tree, chat.tree.headTurnId).map((turn) =>
      turn.role === "user" ? turn.text : "answer",
    );

  it("grow when a request is edited, can be switched, and are independent", async () => {
    const log = new MemoryEventLog();
    await open([{ text: "A1." }, { text: "A2." }, { text: "B1." }, { text: "A3." }], { log });
    await chat.send("a one");
    await chat.send("a two");
    const leafOfA = chat.tree.headTurnId;
    const first = branch(chat.tree, leafOfA)[0];
    assert.ok(first);
    assert.equal(await chat.resend(first.id, "b one"), "done");
    assert.deepEqual(sent(2), ["user: b one"]);
    assert.deepEqual(shown(), ["b one", "answer"]);
    const [a, b] = siblings(chat.tree, first);
    assert.equal(a, first.id);
    chat.showBranch(a ?? "");
    assert.deepEqual(shown(), ["a one", "answer", "a two", "answer"]);
    assert.equal(chat.tree.headTurnId, leafOfA);
    await chat.dispose();
    const again = await another({ log });
    assert.equal(again.tree.headTurnId, leafOfA, "is still shown after a reload");
    assert.equal(await chat.send("a three"), "done");
    assert.ok(!JSON.stringify(sent(3)).includes("b one"));
    chat.showBranch(b ?? "");
    assert.deepEqual(shown(), ["b one", "answer"]);
    chat.showBranch(a ?? "");
    assert.deepEqual(shown().slice(-2), ["a three", "answer"]);
  });

  it("remember at each fork the branch shown last", async () => {
    await open([{ text: "1" }, { text: "2" }, { text: "3" }]);
    await chat.send("a");
    const answer = chat.tree.headTurnId ?? "";
    await chat.retry(answer);
    chat.showBranch(answer);
    const asked = branch(chat.tree, answer)[0];
    assert.ok(asked);
    await chat.resend(asked.id, "b");
    chat.showBranch(asked.id);
    assert.equal(chat.tree.headTurnId, answer);
  });

  it("can be switched while a turn and its queue continue", async () => {
    let go: () => void = () => undefined;
    const resume = new Promise<void>((resolve) => (go = resolve));
    await open([
      { text: "1" },
      { text: "Once upon a time", stallAfter: 2, resume },
      { text: "Bonjour." },
      { text: "4" },
    ]);
    await chat.send("a");
    const answer = chat.tree.headTurnId ?? "";
    const running = chat.retry(answer);
    await next(({ type }) => type === "text-delta");
    chat.showBranch(answer);
    assert.equal(chat.tree.headTurnId, answer);
    void chat.send("In French");
    go();
    assert.equal(await running, "done");
    await idle();
    assert.deepEqual(sent(2), ["user: a", "assistant: Once upon a time", "user: In French"]);
    chat.showBranch(answer);
    await chat.send("b");
    assert.deepEqual(sent(3), ["user: a", "assistant: 1", "user: b"]);
  });

  it("stay unchanged for an unknown turn", async () => {
    await open([{ text: "1" }]);
    await chat.send("a");
    const head = chat.tree.headTurnId;
    chat.showBranch("turn-unknown");
    assert.equal(await chat.resend("turn-unknown", "x"), "error");
    assert.equal(chat.tree.headTurnId, head);
  });
});

describe("a chat that is opened again", () => {
  chatsIn({ "a.ts": "export const a = 1;\n" });

  it("keeps its queue, sends nothing until asked, and sends it once", async () => {
    const log = new MemoryEventLog();
    await open([{ text: "Once upon a time", stallAfter: 2 }, { text: "Bonjour." }], { log });
    void chat.send("Tell me a story");
    await next(({ type }) => type === "text-delta");
    void chat.send("In French");
    void chat.send("and short");
    await chat.dispose();
    await another({ log });
    assert.deepEqual(pluck(chat.queued, "text"), ["In French", "and short"]);
    assert.equal(chat.unqueue(chat.queued[1]?.id ?? "")?.text, "and short");
    assert.equal(server.requests.length, 1);
    await chat.sendQueued();
    assert.equal(sent(1).at(-1), "user: In French");
    await chat.dispose();
    await another({ log });
    assert.deepEqual(chat.queued, []);
  });

  it("keeps every message either queued or sent, wherever its log ends", async () => {
    const log = new MemoryEventLog();
    const { tool, release } = heldTool();
    await open([{ toolCalls: [{ name: "held", args: {} }] }, { text: "I see." }], {
      log,
      tools: [tool],
    });
    const turn = chat.send("Go");
    await next(({ type }) => type === "tool-start");
    void chat.send("In French");
    release();
    await turn;
    await chat.flush();
    const lines = await log.read();
    const queuedAt = lines.findIndex((line) => line.includes("In French"));
    for (let end = queuedAt + 1; end <= lines.length; end++) {
      const cut = new MemoryEventLog();
      await cut.append(lines.slice(0, end));
      const again = await another({ log: cut });
      const said = [...again.tree.turns.values()].flatMap((each) =>
        each.role === "agent" ? each.parts : [],
      );
      const isOnRecord = said.some(
        (part) => part.type === "user-message" && part.text === "In French",
      );
      assert.ok(isOnRecord || again.queued.length === 1, `after ${end} lines`);
      await again.dispose();
    }
  });
});
