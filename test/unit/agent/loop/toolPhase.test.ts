import assert from "node:assert/strict";
import { setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import type { ToolResult } from "../../../../src/tools/tool.ts";
import type { TurnEvent } from "../../../../src/turns/turnEvent.ts";
import type { ModelStep } from "../../../fakes/model/modelServer.ts";
import { pluck } from "../../../fakes/pluck.ts";
import { testTool } from "../../../fakes/testTool.ts";
import { type LoopHarness, loopHarness } from "./loopHarness.ts";

const done = (output: string): ToolResult => ({ ok: true, output });
const call = (text: string, name = "read"): ModelStep => ({
  toolCalls: [{ name, args: { text } }],
});

describe("the tool phase of a step", () => {
  let harness: LoopHarness;
  afterEach(() => harness.close());

  const types = () => harness.events.map(({ type }) => type);
  const phases = () => types().filter((type) => type.startsWith("tool-processing"));

  it("begins and ends around the calls, if there are any", async () => {
    const read = testTool("read", async (text) => {
      assert.deepEqual(harness.turn.processing?.callIds.length, 2);
      return done(text);
    });
    const calls = ["a", "b"].map((text) => ({ name: "read", args: { text } }));
    harness = await loopHarness([{ toolCalls: calls }, { text: "Done." }]);
    await harness.run([read]);
    assert.deepEqual(
      types().filter((type) => type.startsWith("tool-") && type !== "tool-call-delta"),
      [
        ...[
          "tool-call-start",
          "tool-call",
          "tool-call-start",
          "tool-call",
          "tool-processing-start",
        ],
        ...["tool-start", "tool-start", "tool-result", "tool-result", "tool-processing-complete"],
      ],
    );
    assert.equal(harness.turn.processing, null);
  });

  it("ends when a tool fails and when the user stops it", async () => {
    harness = await loopHarness([call("a"), call("b", "slow")]);
    const fails = testTool("read", () => Promise.reject(new Error("no disk")));
    const slow = testTool("slow", () => new Promise(() => undefined));
    const ended = harness.run([fails, slow]);
    await harness.event((event) => event.type === "tool-start" && harness.turn.step === 1);
    harness.stop.abort();
    assert.equal(await ended, "cancelled");
    assert.deepEqual(phases(), [
      "tool-processing-start",
      "tool-processing-complete",
      "tool-processing-start",
      "tool-processing-complete",
    ]);
    assert.equal(harness.turn.processing, null);
  });

  it("shows each result as soon as it is there, and sends them in call order", async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const read = testTool("read", async (text) => {
      if (text === "first") await held;
      return done(text);
    });
    const calls = ["first", "second"].map((text) => ({ name: "read", args: { text } }));
    harness = await loopHarness([{ toolCalls: calls }, { text: "Done." }]);
    const ended = harness.run([read]);
    const shown = await harness.event(({ type }) => type === "tool-result");
    assert.ok(shown.type === "tool-result" && shown.output === "second");
    release();
    await ended;
    const results = (harness.server.requests[1]?.body.messages ?? []).filter(
      ({ role }) => role === "tool",
    );
    assert.deepEqual(pluck(results, "content"), ["first", "second"]);
  });
});

describe("the calls of a message", () => {
  it("see the same files however the stream is divided: earlier calls have run, later ones have not", async () => {
    const made = fc.record({
      name: fc.constantFrom("read", "read", "read", "write"),
      text: fc.constantFrom("a", "b", "c"),
    });
    const answer = fc.record({
      calls: fc.array(made, { maxLength: 6 }),
      textAfter: fc.constantFrom("", "So."),
      chunkSize: fc.integer({ min: 1, max: 40 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(answer, { minLength: 1, maxLength: 3 }), async (answers) => {
        // An empty answer would be asked for once more.
        const steps = answers.map(({ calls, textAfter, ...rest }) => ({
          toolCalls: calls.map(({ name, text }) => ({ name, args: { text } })),
          textAfter: calls.length === 0 ? "So." : textAfter,
          ...rest,
        }));
        const harness = await loopHarness([...steps, { text: "Done." }]);
        const written = new Map<string, number>();
        const now = (text: string) => `${text} ${written.get(text) ?? 0}`;
        const write = (text: string) => written.set(text, (written.get(text) ?? 0) + 1);
        const tools = [
          testTool("read", async (text) => {
            await nextTurn();
            return done(now(text));
          }),
          testTool("write", async (text) => done(`${write(text) && now(text)}`), "write"),
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

describe("many reads in one message", () => {
  it("run eight at a time, and are all answered in order", async () => {
    let running = 0;
    let most = 0;
    const read = testTool("read", async (text) => {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running -= 1;
      return done(text);
    });
    const names = Array.from({ length: 20 }, (_, index) => `${index}`);
    const harness = await loopHarness([
      { toolCalls: names.map((text) => ({ name: "read", args: { text } })) },
      { text: "Done." },
    ]);
    assert.equal(await harness.run([read]), "done");
    assert.equal(most, 8);
    const results = (harness.server.requests[1]?.body.messages ?? []).filter(
      ({ role }) => role === "tool",
    );
    assert.deepEqual(pluck(results, "content"), names);
    await harness.close();
  });
});

describe("a model that repeats itself", () => {
  let harness: LoopHarness;
  afterEach(() => harness.close());

  const read = (output: () => string) => testTool("read", async () => done(output()));
  const isQuestion = ({ type }: TurnEvent) => type === "question";

  it("leads to a question at the third identical call, and continues after a yes", async () => {
    harness = await loopHarness([call("a"), call("a"), call("a"), call("a"), { text: "At last." }]);
    const asked: string[] = [];
    harness.answers = (question) => {
      asked.push(question);
      return { answered: true, values: ["yes"] };
    };
    assert.equal(await harness.run([read(() => "same")]), "done");
    assert.deepEqual(asked, [
      "The model called read 3 times in a row with the same result. Let it continue?",
    ]);
    assert.equal(harness.server.requests.length, 5);
  });

  it("is stopped by a no, with a result for every call", async () => {
    const twice = {
      toolCalls: [
        { name: "read", args: {} },
        { name: "write", args: {} },
      ],
    };
    harness = await loopHarness([
      { toolCalls: [{ name: "read", args: {} }] },
      { toolCalls: [{ name: "read", args: {} }] },
      twice,
    ]);
    harness.answers = () => ({ answered: true, values: ["no"] });
    let written = 0;
    const write = testTool("write", async () => done(`${++written}`), "write");
    assert.equal(await harness.run([read(() => "same"), write]), "cancelled");
    assert.equal(written, 0);
    assert.deepEqual(pluck([...harness.turn.toolCalls.values()], "status"), [
      "success",
      "success",
      "success",
      "cancelled",
    ]);
    assert.equal(harness.turn.processing, null);
  });

  it("is not questioned while anything changes, or when non-interactive", async () => {
    let count = 0;
    harness = await loopHarness([call("a"), call("a"), call("a"), { text: "Done." }]);
    assert.equal(await harness.run([read(() => `${++count}`)]), "done");
    assert.equal(harness.events.some(isQuestion), false);
    await harness.close();
    harness = await loopHarness([call("a"), call("a"), call("b"), call("a"), { text: "Done." }]);
    assert.equal(await harness.run([read(() => "same")]), "done");
    assert.equal(harness.events.some(isQuestion), false);
  });

  it("can be stopped during the question", async () => {
    harness = await loopHarness([call("a"), call("a"), call("a")]);
    harness.answers = () =>
      new Promise((resolve) =>
        harness.stop.signal.addEventListener("abort", () =>
          resolve({ answered: false, why: "stopped" }),
        ),
      );
    const ended = harness.run([read(() => "same")]);
    await harness.event(isQuestion);
    harness.stop.abort();
    assert.equal(await ended, "cancelled");
  });
});

describe("a turn that costs more than the user's limit", () => {
  let harness: LoopHarness;
  afterEach(() => harness.close());

  const read = testTool("read", async (text) => done(text));
  const steps = ["a", "b", "c", "d", "e"].map((text) => call(text));
  /** Each answer takes 100 tokens in and 20 out. */
  const price = { input: 1_000, output: 5_000, cachedInput: null };

  it("asks at each multiple of it, and goes on after a yes", async () => {
    harness = await loopHarness([...steps, { text: "Done." }]);
    Object.assign(harness, { price, maxCost: 0.5 });
    const asked: string[] = [];
    harness.answers = (question) => {
      asked.push(question);
      return { answered: true, values: ["yes"] };
    };
    assert.equal(await harness.run([read]), "done");
    assert.deepEqual(asked, [
      "This turn has cost $0.60, more than your limit of $0.50. Let it continue?",
    ]);
    assert.equal(harness.turn.cost?.toFixed(2), "1.20");
  });

  it("ends after a no, with a result for every call", async () => {
    harness = await loopHarness([...steps, { text: "Done." }]);
    Object.assign(harness, { price, maxCost: 0.3 });
    harness.answers = () => ({ answered: true, values: ["no"] });
    assert.equal(await harness.run([read]), "cancelled");
    assert.equal(harness.server.requests.length, 2);
  });

  it("is not asked about where no cost is known", async () => {
    harness = await loopHarness([...steps, { text: "Done." }]);
    harness.maxCost = 0.01;
    assert.equal(await harness.run([read]), "done");
    assert.equal(
      harness.events.some(({ type }) => type === "question"),
      false,
    );
  });
});
