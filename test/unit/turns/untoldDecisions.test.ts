import assert from "node:assert/strict";
import type { EditBlock, EditStatus } from "../../../src/turns/editBlock.ts";
import type { TurnEventBody } from "../../../src/turns/turnEvent.ts";
import { applyTurnEvent, emptyTree } from "../../../src/turns/turnReducer.ts";
import { untoldDecisions } from "../../../src/turns/untoldDecisions.ts";

const START = {
  type: "turn-start",
  parentTurnId: null,
  text: null,
  editFile: null,
  activeFile: null,
} as const;

function edit(
  blockId: string,
  status: EditStatus,
  callId = "call",
  reason: EditBlock["reason"] = null,
): TurnEventBody {
  const place = { path: "a.ts", index: 1, target: "lines 1-2", op: "replace" as const };
  const rest = {
    reason,
    warnings: [],
    addedLines: 0,
    removedLines: 0,
    step: 0,
    textStart: 0,
    textEnd: null,
  };
  return { type: "edit-update", edit: { blockId, callId, status, ...place, ...rest } };
}

/** What is untold after these events of one agent turn, as `block status`. */
function untoldAfter(...events: readonly TurnEventBody[]): readonly string[] {
  const tree = emptyTree();
  [{ ...START, role: "agent" as const, model: "m" }, ...events].forEach((event, index) => {
    applyTurnEvent(tree, { seq: index + 1, turnId: "turn", at: 0, ...event });
  });
  return untoldDecisions([...tree.turns.values()]).map(
    ({ turnId, edit: { blockId, status } }) => `${turnId} ${blockId} ${status}`,
  );
}

const REPORT: TurnEventBody = { type: "edit-report", text: "Proposed." };
const RESULT = {
  type: "tool-result",
  callId: "call",
  status: "success",
  output: "",
  error: null,
  durationMs: 1,
} as const;
const END: TurnEventBody = { type: "turn-end", reason: "done", error: null };
const TOLD: TurnEventBody = {
  type: "decisions",
  text: "Accepted.",
  told: [{ turnId: "turn", blockId: "b", status: "applied" }],
};

describe("what the model does not know yet of its edits", () => {
  it("is nothing where a report told it", () => {
    assert.deepEqual(untoldAfter(edit("b", "pending"), REPORT, END), []);
  });

  it("is a decision after the report, also after the turn's end, once", () => {
    assert.deepEqual(untoldAfter(edit("b", "pending"), REPORT, END, edit("b", "applied")), [
      "turn b applied",
    ]);
    assert.deepEqual(
      untoldAfter(edit("b", "pending"), REPORT, edit("b", "applied"), TOLD, END),
      [],
    );
  });

  for (const [who, reason, untold] of [
    ["another chat", { code: "superseded", ofOthers: true }, ["turn b superseded"]],
    ["its own model", { code: "superseded" }, []],
  ] as const)
    it(`is what replaced it, unless it knows: ${who}`, () => {
      const replaced = edit("b", "superseded", "call", reason);
      assert.deepEqual(untoldAfter(edit("b", "pending"), REPORT, END, replaced), untold);
    });

  it("is what became of what others put in its place, each time once", () => {
    const replaced = (became?: "rejected") =>
      edit("b", "superseded", "call", {
        code: "superseded",
        ofOthers: true,
        ...(became && { became }),
      });
    const tell = (became?: "rejected"): TurnEventBody => {
      const name = { turnId: "turn", blockId: "b" };
      const told = [{ ...name, status: "superseded" as const, ...(became && { became }) }];
      return { type: "decisions", text: "Replaced.", told };
    };
    const known = [edit("b", "pending"), REPORT, replaced(), tell()];
    assert.deepEqual(untoldAfter(...known, END), []);
    assert.deepEqual(untoldAfter(...known, replaced("rejected"), END), ["turn b superseded"]);
    const again = [...known, replaced("rejected"), tell("rejected")];
    assert.deepEqual(untoldAfter(...again, END), []);
    assert.deepEqual(untoldAfter(...again, replaced(), END), ["turn b superseded"]);
  });

  it("is a decision that was taken back", () => {
    assert.deepEqual(
      untoldAfter(
        edit("b", "pending"),
        REPORT,
        edit("b", "applied"),
        TOLD,
        END,
        edit("b", "pending"),
      ),
      ["turn b pending"],
    );
  });

  it("is what a tool proposed, after its result", () => {
    const call: TurnEventBody = {
      type: "tool-call-start",
      callId: "call",
      name: "patch_source_file",
    };
    assert.deepEqual(untoldAfter(call, edit("b", "pending"), RESULT, END, edit("b", "rejected")), [
      "turn b rejected",
    ]);
    assert.deepEqual(untoldAfter(call, edit("b", "pending"), RESULT, END), []);
  });

  it("is what was pending when the turn was stopped before a report", () => {
    assert.deepEqual(untoldAfter(edit("b", "pending"), edit("c", "refused"), END), [
      "turn b pending",
    ]);
  });
});
