import assert from "node:assert/strict";
import type { ToolResult } from "../../../../src/tools/tool.ts";
import { listeningTool } from "../../../fakes/listeningTool.ts";
import type { RecordedRequest } from "../../../fakes/model/modelServer.ts";
import { pluck } from "../../../fakes/pluck.ts";
import { testTool } from "../../../fakes/testTool.ts";
import { type LoopHarness, loopHarness } from "./loopHarness.ts";

const done = (output: string): ToolResult => ({ ok: true, output });
const sent = (request: RecordedRequest | undefined) =>
  (request?.body.messages ?? []).map(({ role, content }) => `${role}: ${content ?? ""}`);

describe("agent loop", () => {
  let harness: LoopHarness;
  afterEach(() => harness.close());

  it("streams an answer without calls and ends", async () => {
    harness = await loopHarness([{ reasoning: "Easy.", text: "Hello **you**." }]);
    assert.equal(await harness.run([]), "done");
    assert.deepEqual(harness.turn.parts, [
      { type: "reasoning", step: 0, text: "Easy." },
      { type: "text", step: 0, text: "Hello **you**." },
    ]);
    assert.deepEqual([harness.turn.inputTokens, harness.turn.outputTokens], [100, 20]);
    assert.equal(harness.server.requests.length, 1);
  });

  it("runs the reads of a message together and returns results in call order, with the whole history", async () => {
    const meet = new Map<string, () => void>();
    const met = (name: string) => new Promise<void>((resolve) => meet.set(name, resolve));
    const both = { a: met("a"), b: met("b") };
    const read = testTool("read", async (text) => {
      meet.get(text)?.();
      await (text === "a" ? both.b : both.a);
      return done(`contents of ${text}`);
    });
    const calls = [
      { name: "read", args: { text: "a" } },
      { name: "read", args: { text: "b" } },
    ];
    harness = await loopHarness([
      { text: "Looking.", toolCalls: calls },
      { text: "Both are there." },
    ]);
    assert.equal(await harness.run([read]), "done");
    assert.deepEqual(sent(harness.server.requests[1]), [
      "user: Please.",
      "assistant: Looking.",
      "tool: contents of a",
      "tool: contents of b",
    ]);
    assert.equal(harness.server.requests[1]?.body.messages[1]?.tool_calls?.length, 2);
  });

  it("says whose tool is called where it is not Graft's", async () => {
    const names = ["mcp__docs__find", "extension__lint", "read"];
    harness = await loopHarness([
      { toolCalls: names.map((name) => ({ name, args: { text: "x" } })) },
      { text: "Done." },
    ]);
    const origins = [
      { tool: "find", server: "the docs" },
      { tool: "lint", server: null },
    ];
    const tools = names.map((name, at) => {
      const origin = origins[at];
      return { ...testTool(name, async () => done("it")), ...(origin && { origin }) };
    });
    await harness.run(tools);
    const called = [...harness.turn.toolCalls.values()].map(({ origin }) => origin);
    assert.deepEqual(called, [...origins, null]);
  });

  it("runs writes alone and in order, so that a read after a write sees it", async () => {
    let value = "old";
    const order: string[] = [];
    const write = testTool(
      "write",
      async (text) => {
        await new Promise(setImmediate);
        value = text;
        order.push(`wrote ${text}`);
        return done("written");
      },
      "write",
    );
    const read = testTool("read", async () => {
      order.push(`read ${value}`);
      return done(value);
    });
    const calls = [
      { name: "read", args: {} },
      { name: "write", args: { text: "new" } },
      { name: "write", args: { text: "newer" } },
      { name: "read", args: {} },
    ];
    harness = await loopHarness([{ toolCalls: calls }, { text: "Fine." }]);
    await harness.run([read, write]);
    assert.deepEqual(order, ["read old", "wrote new", "wrote newer", "read newer"]);
  });

  it("answers calls that cannot run, and continues", async () => {
    const calls = [
      { name: "fly", args: {} },
      { name: "read", args: '{"text":' },
    ];
    harness = await loopHarness([{ toolCalls: calls }, { text: "Sorry." }]);
    assert.equal(await harness.run([testTool("read", async () => done(""))]), "done");
    const [, , unknown, invalid] = sent(harness.server.requests[1]);
    assert.match(unknown ?? "", /^tool: Error \(not-found\): There is no tool named "fly"/);
    assert.match(invalid ?? "", /^tool: Error \(validation\): The arguments are not valid JSON/);
    assert.deepEqual(
      JSON.parse(
        harness.server.requests[1]?.body.messages[1]?.tool_calls?.[1]?.function.arguments ?? "",
      ),
      {
        invalid_arguments: '{"text":',
      },
    );
  });

  it("separates calls whose ids a provider repeats in every message", async () => {
    const call = { id: "call_0", name: "read", args: {} };
    harness = await loopHarness([{ toolCalls: [call] }, { toolCalls: [call] }, { text: "Done." }]);
    let count = 0;
    await harness.run([testTool("read", async () => done(`result ${++count}`))]);
    assert.equal(harness.turn.toolCalls.size, 2);
    assert.deepEqual(sent(harness.server.requests[2]).slice(1), [
      "assistant: ",
      "tool: result 1",
      "assistant: ",
      "tool: result 2",
    ]);
  });

  it("feeds the text to an active request, waits for its report before the tools run, and tells the model", async () => {
    const { tool, heard } = listeningTool(async ({ text }) => {
      const captured = text.includes("edit");
      return { report: captured ? "File 'a' has been updated." : null, ended: captured };
    });
    const order: string[] = [];
    const read = testTool("read", async () => {
      order.push(`read after ${heard.messages.length} messages`);
      return done("text of a");
    });
    harness = await loopHarness([
      { text: "Let me see.", toolCalls: [{ name: "listen", args: {} }] },
      { text: "Here is the edit.", toolCalls: [{ name: "read", args: {} }] },
      { text: "All done." },
    ]);
    assert.equal(await harness.run([tool, read]), "done");
    assert.deepEqual(heard.messages, ["Here is the edit."]);
    assert.deepEqual(heard.ends, [{ reason: "tool-calls", moreCalls: true }]);
    assert.deepEqual(order, ["read after 1 messages"]);
    assert.deepEqual(sent(harness.server.requests[2]).slice(-3), [
      "assistant: Here is the edit.",
      "tool: text of a",
      "user: File 'a' has been updated.",
    ]);
    assert.equal(heard.disposed, 0);
  });

  it("disposes of a request that is still active when the turn ends", async () => {
    const { tool, heard } = listeningTool(async () => ({ report: null, ended: false }));
    harness = await loopHarness([
      { toolCalls: [{ name: "listen", args: {} }] },
      { text: "Never mind." },
    ]);
    assert.equal(await harness.run([tool]), "done");
    assert.equal(heard.disposed, 1);
  });

  it("tells a request that the answer was cut off, and asks the model to continue", async () => {
    const reports = ["block for a was not closed; write it again", null];
    const { tool, heard } = listeningTool(async (_heard, { reason }) => {
      return reason === "length"
        ? { report: reports.shift() ?? null, ended: false }
        : { report: null, ended: true };
    });
    harness = await loopHarness([
      { toolCalls: [{ name: "listen", args: {} }] },
      { text: "Half an ed", finish: "length" },
      { text: "More", finish: "length" },
      { text: "The rest." },
    ]);
    assert.equal(await harness.run([tool]), "done");
    assert.deepEqual(pluck(heard.ends, "reason"), ["length", "length", "stop"]);
    assert.equal(
      sent(harness.server.requests[2]).at(-1),
      "user: block for a was not closed; write it again",
    );
    assert.match(sent(harness.server.requests[3]).at(-1) ?? "", /^user: Your answer was cut off/);
  });

  it("answers the calls of a cut-off answer without running them", async () => {
    let ran = 0;
    const read = testTool("read", async () => done(`${++ran}`));
    harness = await loopHarness([
      { toolCalls: [{ name: "read", args: {} }], finish: "length" },
      { text: "Then not." },
    ]);
    assert.equal(await harness.run([read]), "done");
    assert.equal(ran, 0);
    assert.match(
      sent(harness.server.requests[1]).at(-1) ?? "",
      /^tool: Error \(execution\): read was not run because the answer was cut off/,
    );
  });

  it("ends with length when the answer was cut off outside an edit", async () => {
    harness = await loopHarness([{ text: "Once upon a", finish: "length" }]);
    assert.equal(await harness.run([]), "length");
  });

  it("asks for a summary without tools when the steps are used up", async () => {
    const call = { toolCalls: [{ name: "read", args: {} }] };
    harness = await loopHarness([call, call, { text: "That is as far as I got." }]);
    assert.equal(await harness.run([testTool("read", async () => done("more"))], 2), "step-limit");
    const last = harness.server.requests[2];
    assert.equal(last?.body.tools, undefined);
    assert.ok(
      last?.body.messages.every(
        ({ role, tool_calls }) => role !== "tool" && tool_calls === undefined,
      ),
    );
    assert.match(sent(last).at(-1) ?? "", /You have used all the steps/);
    assert.equal(harness.turn.parts.at(-1)?.type, "text");
  });

  const emptyNotices = () =>
    harness.turn.parts.flatMap((part) =>
      part.type === "notice" && part.code === "empty-response" ? [[part.thought, part.again]] : [],
    );

  it("asks once more after an empty answer, or one that only thought, and says so", async () => {
    harness = await loopHarness([{ reasoning: "Hm.", text: "" }, { text: "Here." }]);
    assert.equal(await harness.run([]), "done");
    assert.deepEqual(emptyNotices(), [[true, true]]);
    assert.match(sent(harness.server.requests[1]).at(-1) ?? "", /Your last answer was empty/);
  });

  it("fails where the second answer is empty too, and asks no third time", async () => {
    harness = await loopHarness([{ text: "" }, { reasoning: "Hm.", text: " \n" }, { text: "No." }]);
    assert.equal(await harness.run([]), "error");
    assert.equal(harness.turn.error?.code, "empty");
    assert.deepEqual(emptyNotices(), [
      [undefined, true],
      [true, undefined],
    ]);
    assert.equal(harness.server.requests.length, 2);
  });

  for (const text of ["I read it now.", ""]) {
    const lost = { text, finish: "tool_calls" };
    const what = text === "" ? "an empty answer" : "text";

    it(`asks once more where the calls of ${what} were lost, and says so`, async () => {
      harness = await loopHarness([lost, { text: "Here." }]);
      assert.equal(await harness.run([testTool("read", async () => done("a"))]), "done");
      const notices = harness.turn.parts.filter(({ type }) => type === "notice");
      assert.deepEqual(
        notices.map((part) => "code" in part && part.code),
        ["lost-call"],
      );
      assert.match(sent(harness.server.requests[1]).at(-1) ?? "", /no call arrived/);
    });

    it(`fails where those of ${what} are lost again`, async () => {
      harness = await loopHarness([lost, lost, { text: "No." }]);
      assert.equal(await harness.run([testTool("read", async () => done("a"))]), "error");
      assert.equal(harness.turn.error?.code, "lost-call");
      assert.equal(harness.server.requests.length, 2);
    });
  }

  it("believes text where no tools were offered, whatever the reason says", async () => {
    harness = await loopHarness([{ text: "Here.", finish: "tool_calls" }]);
    assert.equal(await harness.run(null), "done");
  });

  it("ends well where only the last words of a turn are missing", async () => {
    const read = testTool("read", async () => ({ ok: true, output: "a" }));
    const call = { name: "read", args: {} };
    harness = await loopHarness([
      { text: "I look.", toolCalls: [call] },
      { text: "" },
      { text: "" },
    ]);
    assert.equal(await harness.run([read]), "done");
    assert.equal(emptyNotices().length, 2);
  });

  it("keeps the text so far when the connection dies, and tells the active requests", async () => {
    const { tool, heard } = listeningTool(async () => ({
      report: "block for a was not closed; nothing is proposed for it",
      ended: true,
    }));
    harness = await loopHarness([
      { toolCalls: [{ name: "listen", args: {} }] },
      { text: "Half an edit, and then", chunkSize: 4, dieAfter: 4 },
    ]);
    assert.equal(await harness.run([tool]), "error");
    assert.equal(harness.turn.error?.kind, "interrupted");
    assert.deepEqual(heard.ends, [{ reason: "error", moreCalls: false }]);
    assert.deepEqual(heard.messages, ["Half an edit"]);
    assert.ok(harness.turn.parts.some((part) => part.type === "edit-report"));
  });

  it("ends with the reason when the server rejects the request", async () => {
    harness = await loopHarness([{ status: 401 }]);
    assert.equal(await harness.run([]), "error");
    assert.equal(harness.turn.error?.kind, "auth");
  });

  it("survives a tool and a request that crash", async () => {
    const { tool } = listeningTool(() => Promise.reject(new Error("no diff")));
    const broken = testTool("broken", () => Promise.reject(new Error("no disk")));
    const calls = [
      { name: "listen", args: {} },
      { name: "broken", args: {} },
    ];
    harness = await loopHarness([{ toolCalls: calls }, { text: "An edit." }, { text: "I see." }]);
    assert.equal(await harness.run([tool, broken]), "done");
    assert.match(sent(harness.server.requests[1]).at(-1) ?? "", /broken failed: no disk/);
    assert.match(sent(harness.server.requests[2]).at(-1) ?? "", /failed inside Graft \(no diff\)/);
  });
});
