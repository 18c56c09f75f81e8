import assert from "node:assert/strict";
import { setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import type { Tool, ToolResult } from "../../../../src/tools/tool.ts";
import type { TurnEvent } from "../../../../src/turns/turnEvent.ts";
import { listeningTool } from "../../../fakes/listeningTool.ts";
import { type ModelStep, stepChunks } from "../../../fakes/model/modelServer.ts";
import { pluck } from "../../../fakes/pluck.ts";
import { testTool } from "../../../fakes/testTool.ts";
import { type LoopHarness, loopHarness } from "./loopHarness.ts";

const done = (output: string): ToolResult => ({ ok: true, output });
const echo = async (text: string) => done(text);
const fileTool = (name: string, execute: Parameters<typeof testTool>[1], effect: Tool["effect"] = "read") =>
  testTool(name, execute, effect, 5_000, "file");
const call = (name: string, text: string) => ({ name, args: { text } });
const reads = (...texts: readonly string[]) => texts.map((text) => call("read", text));

/** A promise and what settles it. */
function gate(): { readonly opened: Promise<void>; open(): void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}

/** An answer that says something behind its calls, and does not end before `resume`. */
function unfinished(toolCalls: ModelStep["toolCalls"], resume: Promise<unknown>, more: ModelStep = {}): ModelStep {
  const step: ModelStep = { toolCalls: toolCalls ?? [], textAfter: "Then I shall see.", chunkSize: 100, ...more };
  return { ...step, resume, stallAfter: stepChunks({ ...step, finish: null }, 0).length - 1 };
}

const isSaid = (event: TurnEvent) => event.type === "text-delta" && event.text === "Then I shall see.";

describe("reads of an answer that still streams", () => {
  let harness: LoopHarness;

  afterEach(async () => {
    await harness.close();
    const results = harness.events.flatMap((event) => (event.type === "tool-result" ? [event.callId] : []));
    assert.deepEqual([...results].sort(), [...harness.turn.toolCalls.keys()].sort(), "every call has one result");
    const phases = harness.events.map(({ type }) => type).filter((type) => type.startsWith("tool-processing"));
    for (const [index, type] of phases.entries())
      assert.equal(type, index % 2 === 0 ? "tool-processing-start" : "tool-processing-complete");
    assert.equal(harness.turn.processing, null);
  });

  const started = () =>
    [...harness.turn.toolCalls.values()].filter(({ startedAt }) => startedAt !== null).map(({ name, argsText }) => `${name} ${argsText}`);
  const named = (...calls: readonly ReturnType<typeof call>[]) => calls.map(({ name, args }) => `${name} ${JSON.stringify(args)}`);
  const statuses = () => [...harness.turn.toolCalls.values()].map(({ status }) => status);
  const told = (request: number) =>
    (harness.server.requests[request]?.body.messages ?? []).filter(({ role }) => role === "tool").map(({ content }) => content);

  it("run and are shown while it streams, and are sent in call order", async () => {
    const texts = ["a", "b", "c", "d", "e"];
    const rest = gate();
    harness = await loopHarness([unfinished(reads(...texts), rest.opened), { text: "Done." }]);
    const gates = new Map(texts.map((text) => [text, gate()]));
    const read = fileTool("read", async (text) => {
      await gates.get(text)?.opened;
      return done(text);
    });
    const ended = harness.run([read]);
    await harness.event(isSaid);
    await nextTurn();
    assert.deepEqual(started(), named(...reads(...texts)));
    for (const text of texts.toReversed()) {
      gates.get(text)?.open();
      await harness.event((event) => event.type === "tool-result" && event.output === text);
    }
    assert.deepEqual([harness.turn.processing, harness.turn.endReason], [null, null]);
    rest.open();
    assert.equal(await ended, "done");
    assert.deepEqual(told(1), texts);
    assert.ok(!harness.events.some(({ type }) => type === "tool-processing-start"));
    assert.deepEqual(
      harness.turn.parts.map((part) => ("text" in part ? part.text : part.type)),
      [...texts.map(() => "tool-call"), "Then I shall see.", "Done."],
    );
  });

  it("that still run at its end finish together with those that begin then", async () => {
    const slow = gate();
    harness = await loopHarness([{ toolCalls: reads("slow", "last"), chunkSize: 100 }, { text: "Done." }]);
    const read = fileTool("read", async (text) => {
      if (text === "slow") await slow.opened;
      return done(text);
    });
    const ended = harness.run([read]);
    const phase = await harness.event(({ type }) => type === "tool-processing-start");
    assert.ok(phase.type === "tool-processing-start" && phase.callIds.length === 2);
    await harness.event((event) => event.type === "tool-result" && event.output === "last");
    slow.open();
    assert.equal(await ended, "done");
    assert.deepEqual(told(1), ["slow", "last"]);
  });

  const texts = Array.from({ length: 10 }, (_, index) => `${index}`);
  const cases: readonly {
    readonly name: string;
    readonly before?: readonly ModelStep[];
    readonly calls: readonly ReturnType<typeof call>[];
    /** Those that begin early. */
    readonly early: readonly ReturnType<typeof call>[];
  }[] = [
    { name: "before a write begin, behind it they do not", calls: [...reads("a"), call("write", "b"), ...reads("c")], early: reads("a") },
    { name: "behind a write alone do not begin", calls: [call("write", "b"), ...reads("c", "d")], early: [] },
    { name: "behind a call of a tool that there is not do not begin", calls: [call("nothing", "b"), ...reads("c")], early: [] },
    {
      name: "that change what the user sees do not begin, and hold up no others",
      calls: [call("open", "a"), ...reads("b")],
      early: reads("b"),
    },
    {
      name: "that were called before in the turn do not begin",
      before: [{ toolCalls: reads("a") }],
      calls: reads("a", "b", "b"),
      early: reads("b"),
    },
    {
      name: "begin before a call that changes something without asking, which does not, and behind it not",
      calls: [...reads("a"), call("end", "b"), ...reads("c")],
      early: reads("a"),
    },
    { name: "do not begin while an edit is open", before: [{ toolCalls: [call("listen", "a")] }], calls: reads("b", "c"), early: [] },
    { name: "begin eight at a time", calls: reads(...texts), early: reads(...texts.slice(0, 8)) },
  ];
  for (const { name, before = [], calls, early } of cases) {
    it(name, async () => {
      const rest = gate();
      harness = await loopHarness([...before, unfinished(calls, rest.opened), { text: "Done." }]);
      const read = fileTool("read", async (text, { turnId }) => {
        if (turnId && harness.turn.step === before.length) await rest.opened;
        return done(text);
      });
      const { tool: listen } = listeningTool(async () => ({ report: null, ended: harness.turn.step > 0 }));
      const end = { ...fileTool("end", echo, "execute"), unasked: true };
      const ended = harness.run([read, fileTool("write", echo, "write"), end, testTool("open", echo), listen]);
      await harness.event(isSaid);
      await nextTurn();
      const begun = [...harness.turn.toolCalls.values()].slice(before.length).filter(({ startedAt }) => startedAt !== null);
      assert.deepEqual(
        begun.map(({ name: tool, argsText }) => `${tool} ${argsText}`),
        named(...early),
      );
      rest.open();
      assert.equal(await ended, "done");
      const results = told(before.length + 1).slice(before.length);
      assert.equal(results.length, calls.length);
      for (const [index, { args }] of calls.entries()) assert.match(results[index] ?? "", new RegExp(`${args.text}|no tool named`));
    });
  }

  it("leave nothing running when the user stops", async () => {
    harness = await loopHarness([unfinished(reads("quick", "slow"), new Promise(() => undefined))]);
    const stopped: string[] = [];
    const read = fileTool("read", (text, { signal }) => {
      if (text === "quick") return echo(text);
      return new Promise((resolve) => signal.addEventListener("abort", () => resolve(done(String(stopped.push(text))))));
    });
    const ended = harness.run([read]);
    await harness.event(({ type }) => type === "tool-result");
    await harness.event(isSaid);
    harness.stop.abort();
    assert.equal(await ended, "cancelled");
    assert.deepEqual(stopped, ["slow"]);
    assert.deepEqual(statuses(), ["success", "cancelled"]);
  });

  it("keep their results when the answer reaches its length limit", async () => {
    const slow = gate();
    const cut = { finish: "length", textAfter: "", toolCalls: [...reads("quick", "slow"), { name: "read", args: '{"text":"ne' }] };
    harness = await loopHarness([{ ...cut, chunkSize: 100 }, { text: "Done." }]);
    const read = fileTool("read", async (text) => {
      if (text === "slow") await slow.opened;
      return done(text);
    });
    const ended = harness.run([read]);
    await harness.event((event) => event.type === "tool-result" && event.status === "error");
    slow.open();
    assert.equal(await ended, "done");
    assert.deepEqual(told(1).slice(0, 2), ["quick", "slow"]);
    assert.match(told(1)[2] ?? "", /was not run because the answer was cut off/);
  });

  it("keep their results when the connection breaks, and running ones are stopped", async () => {
    const step = { toolCalls: reads("quick", "slow", "never"), chunkSize: 100 };
    const rest = gate();
    const chunks = stepChunks(step, 0).length - 3;
    harness = await loopHarness([{ ...step, stallAfter: chunks, resume: rest.opened, dieAfter: chunks + 1 }]);
    const read = fileTool("read", (text, { signal }) => {
      if (text === "quick") return echo(text);
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    });
    const ended = harness.run([read]);
    await harness.event(({ type }) => type === "tool-result");
    rest.open();
    assert.equal(await ended, "error");
    assert.equal(harness.turn.error?.kind, "interrupted");
    assert.deepEqual(statuses(), ["success", "cancelled", "error"]);
    assert.equal(harness.server.requests.length, 1, "an answer that began is not asked for again");
  });

  it("count among the steps of the turn", async () => {
    harness = await loopHarness([{ toolCalls: reads("a", "b") }, { text: "Summed up." }]);
    assert.equal(await harness.run([fileTool("read", echo)], 1), "step-limit");
    assert.match(JSON.stringify(harness.server.requests[1]?.body), /You have used all the steps/);
  });

  it("count as repeated calls", async () => {
    const same = [{ toolCalls: reads("a"), textAfter: "Again." }];
    harness = await loopHarness([...same, ...same, ...same, { text: "Done." }]);
    const asked: string[] = [];
    harness.answers = (question) => {
      asked.push(question);
      return { answered: true, values: ["no"] };
    };
    assert.equal(await harness.run([fileTool("read", echo)]), "cancelled");
    assert.equal(asked.length, 1);
  });

  it("see the same files however the stream is divided: earlier calls have run, later ones have not", async () => {
    const made = fc.record({ name: fc.constantFrom("read", "read", "read", "write"), text: fc.constantFrom("a", "b", "c") });
    const answer = fc.record({
      calls: fc.array(made, { maxLength: 6 }),
      textAfter: fc.constantFrom("", "So."),
      chunkSize: fc.integer({ min: 1, max: 40 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(answer, { minLength: 1, maxLength: 3 }), async (answers) => {
        const steps = answers.map(({ calls, ...more }) => ({ toolCalls: calls.map(({ name, text }) => call(name, text)), ...more }));
        harness = await loopHarness([...steps, { text: "Done." }]);
        const written = new Map<string, number>();
        const now = (text: string) => `${text} ${written.get(text) ?? 0}`;
        const write = (text: string) => written.set(text, (written.get(text) ?? 0) + 1);
        const tools = [
          fileTool("read", async (text) => {
            await nextTurn();
            return done(now(text));
          }),
          fileTool("write", async (text) => done(`${write(text) && now(text)}`), "write"),
        ];
        await harness.run(tools);
        written.clear();
        // The turn ends with the first answer that calls nothing.
        const end = answers.findIndex(({ calls }) => calls.length === 0);
        const wanted = answers.slice(0, end < 0 ? answers.length : end).flatMap(({ calls }) =>
          calls.map(({ name, text }) => {
            if (name === "write") write(text);
            return now(text);
          }),
        );
        assert.deepEqual(pluck([...harness.turn.toolCalls.values()], "output"), wanted);
        await harness.close();
      }),
      { numRuns: 40 },
    );
  });
});
