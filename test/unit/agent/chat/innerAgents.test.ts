import assert from "node:assert/strict";
import type { InnerBudget } from "../../../../src/agent/chatOptions.ts";
import { createPendingReviewer } from "../../../../src/edits/review/pendingReviewer.ts";
import { summarizeChat } from "../../../../src/turns/chatSummary.ts";
import { innerTurns } from "../../../../src/turns/plan/innerTurns.ts";
import { outerEvents } from "../../../../src/turns/plan/outerEvents.ts";
import type { AgentTurn } from "../../../../src/turns/turn.ts";
import { applyTurnEvent, emptyTree } from "../../../../src/turns/turnReducer.ts";
import type { ModelHandler, ModelStep } from "../../../fakes/model/modelServer.ts";
import { pluck } from "../../../fakes/pluck.ts";
import { testTool } from "../../../fakes/testTool.ts";
import { chat, chatsIn, lastAnswer, open, server } from "./chatHarness.ts";

const run = (args: object): ModelStep => ({
  toolCalls: [{ id: "run", name: "run_agent", args: { task: "Look at a.ts", ...args } }],
});
const read: ModelStep = { toolCalls: [{ name: "read_file", args: { file_path: "a.ts" } }] };
const offered = (index: number) =>
  (server.requests[index]?.body.tools ?? []).map((tool) => tool.function.name);
const messages = (index: number) => server.requests[index]?.body.messages ?? [];
const outer = () => lastAnswer();
const inner = (): AgentTurn => {
  const [turn] = innerTurns(chat.tree, outer());
  assert.ok(turn);
  return turn;
};
const lastText = ({ parts }: AgentTurn) => {
  const last = parts.findLast((part) => part.type === "text");
  return last?.type === "text" ? last.text : null;
};
const result = () => outer().toolCalls.get("run");

const REVIEWER = `---
name: reviewer
description: Reviews changes.
tools: Read, Grep
model: big-model
---
You review with care.`;

describe("an agent that a turn starts", () => {
  chatsIn({
    "a.ts": "export const a = 1;\n",
    ".github/agents/reviewer.agent.md": REVIEWER,
    ".claude/agents/broken.md": "---\nname: broken\nYou.",
  });

  it("starts afresh, and its last message is the result of the call", async () => {
    await open([run({}), read, { text: "a is 1." }, { text: "It says so." }]);
    assert.equal(await chat.send("A secret wish"), "done");
    assert.equal(result()?.output, "a is 1.");
    const told = JSON.stringify(messages(1));
    assert.ok(told.includes("Look at a.ts") && !told.includes("A secret wish"));
    assert.ok(!JSON.stringify(messages(3)).includes("export const a"));
    assert.equal(inner().endReason, "done");
    assert.equal(inner().toolCalls.size, 1);
    assert.equal(outer().inputTokens, 400);
  });

  it("is on no branch, and stands in its call after a reload", async () => {
    await open([run({}), { text: "Done." }, { text: "Yes." }]);
    await chat.send("Go");
    const rebuilt = emptyTree();
    for (const event of chat.events()) applyTurnEvent(rebuilt, event);
    assert.deepEqual(rebuilt, chat.tree);
    assert.equal(chat.tree.headTurnId, outer().id);
    assert.equal([...chat.tree.children.values()].flat().length, 2);
    assert.equal(inner().parts.length > 0, true);
    const lines = chat.events().map((event) => JSON.stringify(event));
    assert.deepEqual(summarizeChat(lines), { title: "Go", requests: 1 });
  });

  it("starts no other agents, also where the model calls the tool", async () => {
    await open([run({}), run({}), { text: "I did it myself." }, { text: "Fine." }]);
    await chat.send("Go");
    assert.ok(!offered(1).includes("run_agent"));
    assert.equal(inner().toolCalls.get("run")?.error?.category, "permission");
    assert.equal(result()?.output, "I did it myself.");
  });

  it("is told its file's words and gets the tools that it names, by other programs' names", async () => {
    await open([run({ agent: "reviewer" }), { text: "Good." }, { text: "Fine." }]);
    await chat.send("Go");
    assert.match(messages(1)[0]?.content ?? "", /You review with care\./);
    assert.ok(offered(1).includes("read_file") && offered(1).includes("search_in_files"));
    assert.ok(!offered(1).includes("edit_mode"));
  });

  const models = [
    { it: "answers with the model of its file", has: true, model: "big-model", notices: 0 },
    { it: "says that another model answers", has: false, model: "test-model", notices: 1 },
  ];
  for (const { it: what, has, model, notices } of models) {
    it(`${what} where the connection is ${has ? "" : "not "}known to have it`, async () => {
      await open([run({ agent: "reviewer" }), { text: "Good." }, { text: "Fine." }], {
        otherModels: has ? ["big-model"] : [],
      });
      await chat.send("Go");
      assert.equal(server.requests[1]?.body.model, model);
      assert.equal(server.requests[2]?.body.model, "test-model");
      const told = inner().parts.filter((part) => part.type === "notice");
      assert.equal(told.length, notices);
    });
  }

  const unknown = [
    { it: "a name that no file has", agent: "tester", said: /reviewer/ },
    {
      it: "a file with broken front matter",
      agent: "broken",
      said: /\.claude\/agents\/broken\.md/,
    },
  ];
  for (const { it: what, agent, said } of unknown) {
    it(`is refused for ${what}, with what there is`, async () => {
      await open([run({ agent }), { text: "Then not." }]);
      await chat.send("Go");
      assert.equal(result()?.error?.category, "not-found");
      assert.match(result()?.output ?? "", said);
      assert.equal(server.requests.length, 2);
    });
  }

  it("proposes its edits to the same review, and the turn hears of the user's decision", async () => {
    const edit: ModelStep = {
      toolCalls: [
        {
          name: "patch_source_file",
          args: { file_path: "a.ts", edits: [{ search: "a = 1", replace: "a = 2" }] },
        },
      ],
    };
    const reviewer = createPendingReviewer();
    await open([run({}), edit, { text: "Proposed." }, { text: "Yes." }, { text: "I see." }], {
      reviewer,
    });
    await chat.send("Go");
    const [block] = inner().edits.values();
    assert.equal(block?.status, "pending");
    assert.equal(outer().edits.size, 0);
    chat.decided(
      { chatId: "chat-1", turnId: inner().id, callId: block?.callId ?? "" },
      "a.ts",
      [{ blockId: block?.blockId ?? "", status: "rejected", reason: null }],
      null,
    );
    const before = server.requests.length;
    await chat.send("And?");
    assert.match(JSON.stringify(messages(before)), /rejected/);
  });

  it("writes edit blocks that do not reach the turn's files in edit mode, nor the other way round", async () => {
    const open1 = { toolCalls: [{ name: "edit_mode", args: { file_path: "a.ts" } }] };
    await open([
      { toolCalls: [...open1.toolCalls, ...(run({}).toolCalls ?? [])] },
      { text: "```ts:1:1\nexport const a = 3;\n```" },
      { text: "That was an example." },
      { text: "```ts:1:1\nexport const a = 2;\n```" },
      { text: "Done." },
    ]);
    await chat.send("Go");
    assert.deepEqual(pluck([...outer().edits.values()], "path"), ["a.ts"]);
    assert.equal(innerTurns(chat.tree, outer())[0]?.edits.size, 0);
  });

  it("that never ends is ended at its limit of steps, with a report", async () => {
    await open(
      (request) =>
        JSON.stringify(request.body.messages).includes("You have used all the steps")
          ? { text: "I read on and on." }
          : request.body.tools?.some((tool) => tool.function.name === "run_agent")
            ? request.body.messages.some(({ role }) => role === "tool")
              ? { text: "Enough." }
              : run({})
            : read,
      { maxSteps: () => 4, question: { ask: async () => ({ answered: true, values: ["yes"] }) } },
    );
    assert.equal(await chat.send("Go"), "done");
    assert.match(result()?.output ?? "", /I read on and on\.\n\n\[/);
    assert.equal(result()?.status, "success");
    assert.equal(inner().endReason, "step-limit");
  });

  it("that takes too many tokens is ended, and the turn goes on", async () => {
    await open([run({}), { ...read, promptTokens: 1_000_001 }, { text: "Without it." }]);
    assert.equal(await chat.send("Go"), "done");
    assert.equal(result()?.error?.category, "timeout");
    assert.equal(inner().endReason, "cancelled");
    assert.equal(outer().endReason, "done");
  });

  it("is ended at limits of its own, with what it said, and the turn goes on", async () => {
    const held = testTool("held", async (_, { signal }) => {
      if (!signal.aborted)
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
      return { ok: true, output: "late" };
    });
    const answer: ModelHandler = ({ body: { tools = [], messages: sent } }) => {
      if (!tools.some((tool) => tool.function.name === "run_agent"))
        return { text: "I wait.", toolCalls: [{ name: "held", args: {} }] };
      return sent.some(({ role }) => role === "tool") ? { text: "Without it." } : run({});
    };
    const plenty = { steps: 25, tokens: 1_000_000, ms: 600_000 };
    const endWith = async (innerBudget: InnerBudget) => {
      await open(answer, { innerBudget, tools: [held] });
      assert.equal(await chat.send("Go"), "done");
      assert.equal(inner().endReason, "cancelled");
      assert.equal(result()?.error?.category, "timeout");
      assert.equal(lastText(outer()), "Without it.");
    };
    await endWith({ ...plenty, ms: 1 });
    await endWith({ ...plenty, tokens: 1 });
  });

  it("has at most the steps of its own limit, and at most those of the turn", async () => {
    const looks = (innerBudget: InnerBudget, maxSteps: number) =>
      open(
        ({ body: { tools = [], messages: sent } }) => {
          if (JSON.stringify(sent).includes("You have used all the steps"))
            return { text: "I read on and on." };
          if (!tools.some((tool) => tool.function.name === "run_agent")) return read;
          return sent.some(({ role }) => role === "tool") ? { text: "Enough." } : run({});
        },
        {
          innerBudget,
          maxSteps: () => maxSteps,
          question: { ask: async () => ({ answered: true, values: ["yes"] }) },
        },
      );
    for (const [steps, maxSteps] of [
      [2, 10],
      [10, 2],
    ] as const) {
      await looks({ steps, tokens: 1_000_000, ms: 600_000 }, maxSteps);
      assert.equal(await chat.send("Go"), "done");
      assert.equal(inner().endReason, "step-limit");
      assert.equal(inner().toolCalls.size, 2);
    }
  });

  it("is cancelled with the turn", async () => {
    const held = testTool("held", async (_, { signal }) => {
      chat.stop();
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      return { ok: true, output: "late" };
    });
    await open([run({}), { toolCalls: [{ name: "held", args: {} }] }], { tools: [held] });
    assert.equal(await chat.send("Go"), "cancelled");
    assert.equal(inner().endReason, "cancelled");
    assert.equal(result()?.status, "cancelled");
  });

  it("is not heard by who shows the turn's own words", async () => {
    await open([run({}), { text: "Inside." }, { text: "Outside." }]);
    let heard = "";
    const listen = outerEvents((event) => {
      if (event.type === "text-delta") heard += event.text;
    });
    chat.onEvent(listen);
    await chat.send("Go");
    assert.equal(heard, "Outside.");
  });

  it("cannot be started in Ask mode", async () => {
    await open([run({}), { text: "I look myself." }]);
    chat.setMode("ask");
    await chat.send("Go");
    assert.equal(result()?.error?.category, "permission");
  });
});

describe("an agent of the workspace as the mode", () => {
  chatsIn({
    "a.ts": "export const a = 1;\n",
    ".github/agents/reviewer.agent.md": REVIEWER,
    ".claude/agents/broken.md": "---\nname: broken\nYou.",
  });

  it("answers with its words and its tools, and refuses others", async () => {
    await open([
      { toolCalls: [{ name: "edit_mode", args: { file_path: "a.ts" } }] },
      { text: "No." },
    ]);
    chat.setMode(".github/agents/reviewer.agent.md");
    assert.equal(await chat.send("Review"), "done");
    assert.match(messages(0)[0]?.content ?? "", /You review with care\./);
    assert.ok(!offered(0).includes("edit_mode"));
    assert.equal([...outer().toolCalls.values()][0]?.error?.category, "permission");
  });

  const gone = [
    { path: ".github/agents/gone.md", problem: "not-found" },
    { path: ".claude/agents/broken.md", problem: "broken" },
    { path: "a.ts", problem: "not-found" },
  ];
  for (const { path, problem } of gone) {
    it(`is refused as ${problem} for ${path}, and nothing is sent`, async () => {
      await open([]);
      chat.setMode(path);
      assert.equal(await chat.send("Review"), "error");
      const { error } = outer();
      assert.equal(error?.code === "agent-file" && error.problem, problem);
      assert.equal(server.requests.length, 0);
    });
  }
});
