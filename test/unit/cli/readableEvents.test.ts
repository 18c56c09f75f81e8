import assert from "node:assert/strict";
import { readableEvents } from "../../../src/cli/readableEvents.ts";
import type { EditBlock } from "../../../src/turns/editBlock.ts";
import type { TurnEvent, TurnEventBody } from "../../../src/turns/turnEvent.ts";

const EDIT: EditBlock = {
  ...{ blockId: "b1", callId: "c1", path: "a.ts", index: 1, target: "lines 1-2", op: "replace" },
  ...{ status: "streaming", reason: null, warnings: [], addedLines: 0, removedLines: 0 },
  ...{ step: 0, textStart: 0, textEnd: null },
};

describe("the readable output of a turn", () => {
  function shown(...bodies: readonly TurnEventBody[]): string {
    let text = "";
    const show = readableEvents((part) => {
      text += part;
    });
    for (const [at, body] of bodies.entries()) {
      const event: TurnEvent = { seq: at + 1, turnId: "t", at: 0, ...body };
      show(event);
    }
    return text;
  }

  it("is the answer as it streams, with a line for each call and each settled edit", () => {
    const text = shown(
      { type: "text-delta", text: "I look " },
      { type: "text-delta", text: "first." },
      {
        type: "tool-call",
        callId: "c",
        name: "read_file",
        argsText: "",
        input: { file_path: "a" },
      },
      { type: "text-delta", text: "Done." },
      { type: "edit-update", edit: EDIT },
      { type: "edit-update", edit: { ...EDIT, status: "applied" } },
      { type: "edit-update", edit: { ...EDIT, status: "applied" } },
      { type: "turn-end", reason: "done", error: null },
    );
    assert.equal(
      text,
      'I look first.\n> read_file {"file_path":"a"}\nDone.\n= a.ts (lines 1-2): applied\n',
    );
  });

  for (const [what, usages, line] of [
    [
      "as the server says it",
      [
        { inputTokens: 12_000, outputTokens: 300, cachedInputTokens: 8_000, cost: 0.02 },
        { inputTokens: 345, outputTokens: 78, reasoningTokens: 40, cost: 0.001 },
      ],
      "# 12,345 tokens in (8,000 cached), 378 out (40 reasoning), $0.02\n",
    ],
    [
      "with what is estimated marked",
      [{ inputTokens: 10, outputTokens: 2, cost: 1.5, estimated: "cost" }],
      "# 10 tokens in, 2 out, ≈$1.50\n",
    ],
    [
      "without a price",
      [{ inputTokens: 10, outputTokens: 2, estimated: "tokens" }],
      "# ≈10 tokens in, ≈2 out\n",
    ],
  ] as const)
    it(`ends with what the turn took, ${what}`, () => {
      const text = shown(
        { type: "text-delta", text: "Done." },
        ...usages.map((usage) => ({ type: "usage" as const, usage })),
        { type: "turn-end", reason: "done", error: null },
      );
      assert.equal(text, `Done.\n${line}`);
    });

  it("sends no control characters of a model to the terminal", () => {
    const text = shown(
      { type: "text-delta", text: "\u001b[2J\u202eevil" },
      { type: "edit-update", edit: { ...EDIT, path: "\u001b]0;x\u0007", status: "refused" } },
      { type: "turn-end", reason: "done", error: null },
    );
    assert.deepEqual(text.match(/[^\P{C}\n]/gu), null);
  });
});
