import assert from "node:assert/strict";
import { planText } from "../../../../src/turns/plan/planText.ts";
import { todosOf } from "../../../../src/turns/plan/todosOf.ts";
import { testTool } from "../../../fakes/testTool.ts";
import { MemoryEventLog } from "../../../fakes/turns/memoryEventLog.ts";
import { another, chat, chatsIn, lastAnswer, open, server } from "./chatHarness.ts";

const offered = (index: number) =>
  (server.requests[index]?.body.tools ?? []).map((tool) => tool.function.name);
const result = (name: string) =>
  [...lastAnswer().toolCalls.values()].find((call) => call.name === name);
const texts = (index: number) => JSON.stringify(server.requests[index]?.body.messages ?? []);
const todos = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ text: `Step ${at}`, status: "pending" }));

/** A server's tool that says of itself that it only reads. */
const serverTool = testTool(
  "mcp__files__read",
  async () => ({ ok: true, output: "read" }),
  ...(["read", 5_000, "mcp"] as const),
);

describe("a chat in Ask or Plan mode", () => {
  chatsIn({ "a.ts": "export const a = 1;\n" });

  for (const mode of ["ask", "plan"]) {
    it(`offers no tool that changes anything in ${mode}`, async () => {
      await open([{ text: "It is 1." }], { tools: [serverTool] });
      chat.setMode(mode);
      await chat.send("What is a?");
      assert.ok(offered(0).includes("read_file"));
      for (const name of ["edit_mode", "patch_source_file", "mcp__files__read"])
        assert.ok(!offered(0).includes(name), name);
      assert.equal(lastAnswer().mode, mode);
    });
  }

  const calls = [
    { name: "edit_mode", args: { file_path: "a.ts" } },
    {
      name: "patch_source_file",
      args: { file_path: "a.ts", edits: [{ search: "1", replace: "2" }] },
    },
    { name: "mcp__files__read", args: {} },
    { name: "act", args: {} },
  ];
  for (const call of calls) {
    it(`refuses ${call.name} that the model calls all the same, and goes on`, async () => {
      let ran = 0;
      const run = async () => {
        ran += 1;
        return { ok: true as const, output: "done" };
      };
      const acting = testTool("act", run, "execute");
      await open([{ toolCalls: [call] }, { text: "I cannot." }], { tools: [serverTool, acting] });
      chat.setMode("ask");
      assert.equal(await chat.send("Change a"), "done");
      assert.equal(result(call.name)?.error?.category, "permission");
      assert.equal(ran, 0);
      assert.equal(lastAnswer().edits.size, 0);
    });
  }

  it("shows fences with an address as code, and tells the model nothing of edit mode", async () => {
    await open([{ text: "```ts:1:1 a.ts\nexport const a = 2;\n```" }]);
    chat.setMode("ask");
    await chat.send("How would a look with 2?");
    assert.equal(server.requests.length, 1);
    assert.equal(lastAnswer().edits.size, 0);
  });

  it("ends with a plan in Plan mode only", async () => {
    await open([
      { text: "I look.", toolCalls: [{ name: "read_file", args: { file_path: "a.ts" } }] },
      { text: "# Plan\n\n1. Change `a`.\n" },
      { text: "# Plan again" },
    ]);
    chat.setMode("plan");
    await chat.send("Plan it");
    assert.equal(planText(lastAnswer()), "# Plan\n\n1. Change `a`.");
    chat.setMode("ask");
    await chat.send("Say it again");
    assert.equal(planText(lastAnswer()), null);
  });

  it("is in the mode that was chosen, also after a reload, and in the default one before", async () => {
    const log = new MemoryEventLog();
    await open([], { log, defaultMode: "ask" });
    assert.equal(chat.mode, "ask");
    chat.setMode("plan");
    await chat.dispose();
    await another({ log, defaultMode: "ask" });
    assert.equal(chat.mode, "plan");
  });

  it("edits where the user names the file to edit", async () => {
    await open([{ text: "```ts:1:1\nexport const a = 2;\n```" }, { text: "Done." }]);
    chat.setMode("ask");
    await chat.startEditMode("a.ts", "Make it 2");
    assert.equal(lastAnswer().mode, "edit");
    assert.equal(lastAnswer().edits.size, 1);
  });

  it("answers a message that was queued in another mode after the turn, in its own", async () => {
    const ids: string[] = [];
    const held = testTool("held", async () => {
      chat.setMode("ask");
      void chat.send("Why?");
      return { ok: true, output: "done" };
    });
    await open(
      [{ toolCalls: [{ name: "held", args: {} }] }, { text: "Changed." }, { text: "Because." }],
      { tools: [held] },
    );
    const ended = new Promise<void>((resolve) => {
      chat.onEvent((event) => {
        if (event.type !== "turn-end") return;
        ids.push(event.turnId);
        if (ids.length === 2) resolve();
      });
    });
    await chat.send("Change a");
    await ended;
    assert.ok(!texts(1).includes("Why?"));
    assert.ok(texts(2).includes("Why?"));
    assert.ok(!offered(2).includes("edit_mode"));
    assert.deepEqual(
      ids.map((id) => {
        const turn = chat.tree.turns.get(id);
        return turn?.role === "agent" ? turn.mode : null;
      }),
      ["edit", "ask"],
    );
  });
});

describe("the model's to-dos", () => {
  chatsIn({ "a.ts": "export const a = 1;\n" });
  const write = (items: unknown) => ({
    toolCalls: [{ name: "write_todos", args: { todos: items } }],
  });
  const list = () => todosOf([...chat.tree.turns.values()]);

  const cases = [
    { it: "50 items", items: todos(50), length: 50, ok: true },
    { it: "no items, which removes the list", items: [], length: 0, ok: true },
    { it: "51 items", items: todos(51), length: 0, ok: false },
    {
      it: "a text of 201 characters",
      items: [{ text: "x".repeat(201), status: "done" }],
      length: 0,
      ok: false,
    },
    { it: "an unknown status", items: [{ text: "a", status: "later" }], length: 0, ok: false },
    { it: "no list", items: "all", length: 0, ok: false },
  ];
  for (const { it: what, items, length, ok } of cases) {
    it(`${ok ? "take" : "refuse"} ${what}`, async () => {
      await open([write(items), { text: "Yes." }]);
      await chat.send("Go");
      assert.equal(list().length, length);
      assert.equal(result("write_todos")?.error?.category ?? null, ok ? null : "validation");
    });
  }

  it("are told once more after a summary took them out of the model's sight", async () => {
    await open([
      write([
        { text: "Find a", status: "done" },
        { text: "Change a", status: "in_progress" },
      ]),
      { text: "I am at it." },
      { text: "The user wants a changed." },
      { text: "I go on." },
    ]);
    await chat.send("Go");
    await chat.compact();
    await chat.send("Go on");
    assert.equal(texts(3).split("[in_progress] Change a").length, 2);
    assert.equal(list().length, 2);
  });
});

describe("tools in a mode", () => {
  chatsIn();
  it("are all back in Edit mode", async () => {
    await open([{ text: "Yes." }, { text: "Yes." }]);
    chat.setMode("ask");
    await chat.send("Hi");
    chat.setMode("edit");
    await chat.send("Hi");
    assert.deepEqual(
      offered(1).filter((name) => !offered(0).includes(name)),
      ["edit_mode", "patch_source_file", "run_agent"],
    );
  });
});
