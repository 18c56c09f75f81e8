import assert from "node:assert/strict";
import type { Approval } from "../../../../src/ports/approval.ts";
import { branch } from "../../../../src/turns/branch.ts";
import { conversation } from "../../../../src/turns/conversation.ts";
import type { TurnEvent } from "../../../../src/turns/turnEvent.ts";
import { allowAll } from "../../../fakes/allowAll.ts";
import { listeningTool } from "../../../fakes/listeningTool.ts";
import type { ModelStep } from "../../../fakes/model/modelServer.ts";
import { testTool } from "../../../fakes/testTool.ts";
import { type LoopHarness, loopHarness } from "./loopHarness.ts";

interface Point {
  readonly name: string;
  readonly steps: readonly ModelStep[];
  /** Settles when the turn is at the point to be stopped at. */
  reached(harness: LoopHarness): Promise<unknown>;
  readonly approval?: Approval;
}

const listen = { toolCalls: [{ name: "listen", args: {} }] };
const is =
  (type: TurnEvent["type"]) =>
  (event: TurnEvent): boolean =>
    event.type === type;

const points: readonly Point[] = [
  {
    name: "before the server answers",
    steps: [{ text: "never", stallAfter: 0 }],
    reached: ({ server }) => server.request(0),
  },
  {
    name: "before the first token",
    steps: [{ text: "never", stallAfter: 1 }],
    reached: ({ server }) => server.request(0),
  },
  {
    name: "in the reasoning",
    steps: [{ reasoning: "Let me think.", stallAfter: 2 }],
    reached: ({ event }) => event(is("reasoning-delta")),
  },
  {
    name: "in the text",
    steps: [{ text: "Once upon a time, there", stallAfter: 2 }],
    reached: ({ event }) => event(is("text-delta")),
  },
  {
    name: "in the arguments of a call",
    steps: [
      {
        toolCalls: [{ name: "slow", args: { text: "a long argument" } }],
        chunkSize: 4,
        stallAfter: 4,
      },
    ],
    reached: ({ event }) => event(is("tool-call-delta")),
  },
  {
    name: "while the user is asked",
    steps: [listen],
    reached: ({ event }) => event(is("approval-request")),
    approval: { request: () => new Promise(() => undefined) },
  },
  {
    name: "while tools run",
    steps: [
      {
        toolCalls: [
          { name: "slow", args: {} },
          { name: "slow", args: {} },
          { name: "listen", args: {} },
        ],
      },
    ],
    reached: ({ event }) => event(is("tool-start")),
  },
  {
    name: "in the second request",
    steps: [listen, { text: "never", stallAfter: 0 }],
    reached: ({ server }) => server.request(1),
  },
  {
    name: "in the text of an active request",
    steps: [listen, { text: "Half an edit, which", stallAfter: 2 }],
    reached: ({ event }) => event(is("text-delta")),
  },
  {
    name: "while the user reviews",
    steps: [listen, { text: "A whole edit." }],
    reached: ({ event }) => event(is("notice")),
  },
];

describe("stopping a turn", () => {
  for (const { name, steps, reached, approval = allowAll } of points) {
    it(`${name} leaves nothing running and a valid history`, async () => {
      const harness = await loopHarness(steps);
      const slow = testTool(
        "slow",
        (_text, { signal }) =>
          new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
      );
      const { tool, heard } = listeningTool(async (_heard, { reason }, signal) => {
        if (reason !== "cancelled") {
          harness.hub.emit("agent", { type: "notice", level: "info", code: "compacted" });
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
        }
        return { report: null, ended: true };
      });
      const ended = harness.run([slow, tool], 5, approval);
      await reached(harness);
      harness.stop.abort();
      assert.equal(await ended, "cancelled");
      assert.equal(harness.hub.activeRequests, 0);
      assert.equal(harness.server.requests.length, steps.length);
      for (const [index, { stallAfter }] of steps.entries()) {
        const request = await harness.server.request(index);
        await request.closed;
        assert.equal(request.closedEarly, stallAfter !== undefined);
      }
      if (steps.length > 1) assert.ok(heard.ends.length === 1 || heard.disposed === 1);
      const messages = conversation(branch(harness.store.tree, "agent"), true);
      const calls = messages.flatMap((message) =>
        message.role === "assistant" ? message.toolCalls.map(({ callId }) => callId) : [],
      );
      const answers = messages.flatMap((message) =>
        message.role === "tool" ? [message.callId] : [],
      );
      assert.deepEqual(answers, calls);
      await harness.close();
    });
  }

  it("before it began sends no request", async () => {
    const harness = await loopHarness([]);
    harness.stop.abort();
    assert.equal(await harness.run([]), "cancelled");
    assert.equal(harness.server.requests.length, 0);
    await harness.close();
  });
});
