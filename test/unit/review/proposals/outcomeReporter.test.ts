import assert from "node:assert/strict";
import type { BlockOutcome } from "../../../../src/ports/review.ts";
import { keyOf, OutcomeReporter } from "../../../../src/review/proposals/outcomeReporter.ts";

describe("what a turn is told of its blocks", () => {
  for (const [whose, chatId, ofOthers] of [
    ["the same chat", "chat-1", undefined],
    ["another chat", "chat-2", true],
    ["an agent outside", "guest-1", true],
  ] as const)
    it(`says who replaced one: ${whose}`, () => {
      const origin = { chatId: "chat-1", turnId: "turn-1", callId: "call" };
      const other = { chatId, turnId: "turn-2", callId: "call" };
      const key = keyOf(origin, "block");
      let outcome: BlockOutcome = { blockId: key, status: "pending", reason: null };
      const told: BlockOutcome[] = [];
      const reporter = new OutcomeReporter(
        [],
        () => [outcome],
        (_origin, blocks) => told.push(...blocks),
      );
      reporter.add(origin, [{ blockId: "block" }]);
      reporter.tell(origin, [{ blockId: "block" }]);
      const reason = { code: "superseded", by: keyOf(other, "block") } as const;
      outcome = { blockId: key, status: "superseded", reason };
      // The answer that replaced it is not complete yet.
      reporter.report(null);
      reporter.add(other, [{ blockId: "block" }]);
      reporter.report(null);
      const { reason: last } = told.at(-1) ?? {};
      assert.deepEqual(last, { code: "superseded", ...(ofOthers && { ofOthers }) });
    });
});
