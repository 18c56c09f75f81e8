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

  it("sends no control characters of a model to the terminal", () => {
    const text = shown(
      { type: "text-delta", text: "\u001b[2J\u202eevil" },
      { type: "edit-update", edit: { ...EDIT, path: "\u001b]0;x\u0007", status: "refused" } },
      { type: "turn-end", reason: "done", error: null },
    );
    assert.deepEqual(text.match(/[^\P{C}\n]/gu), null);
  });
});
