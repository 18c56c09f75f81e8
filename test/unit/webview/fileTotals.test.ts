import assert from "node:assert/strict";
import fc from "fast-check";
import type { EditBlock, EditStatus } from "../../../src/turns/editBlock.ts";
import type { ShownStatus } from "../../../webview/cards/editState.ts";
import {
  acceptedCount,
  countEdit,
  fileState,
  noEdits,
  totalsOf,
} from "../../../webview/cards/fileTotals.ts";

const statuses = [
  "streaming",
  "captured",
  "pending",
  "applied",
  "partly-applied",
  "rejected",
  "refused",
  "held",
  "conflict",
] as const;

function edit(blockId: string, status: EditStatus, addedLines = 1, removedLines = 0): EditBlock {
  const place = {
    path: "a.ts",
    index: 1,
    target: "line 1",
    op: "replace",
    step: 0,
    textStart: 0,
    textEnd: 0,
  } as const;
  const undecided = status === "conflict";
  return {
    blockId,
    callId: "c",
    ...place,
    status,
    reason: null,
    warnings: [],
    undecided,
    addedLines,
    removedLines,
  };
}

describe("the totals of a file's edits", () => {
  it("are the same whether counted at once or change by change", () => {
    const change = fc.tuple(fc.nat(4), fc.constantFrom(...statuses), fc.nat(9), fc.nat(9));
    fc.assert(
      fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
        const edits = new Map<string, EditBlock>();
        let totals = noEdits;
        for (const [id, status, added, removed] of changes) {
          const after = edit(`${id}`, status, added, removed);
          totals = countEdit(totals, edits.get(after.blockId) ?? null, after);
          edits.set(after.blockId, after);
        }
        const whole = totalsOf(edits.values());
        assert.deepEqual(
          { ...totals, statuses: sorted(totals.statuses) },
          { ...whole, statuses: sorted(whole.statuses) },
        );
      }),
    );
  });

  it("leave out the lines of blocks of which nothing is proposed or accepted", () => {
    const { added, removed, blocks } = totalsOf([
      edit("1", "pending", 44, 40),
      edit("2", "rejected", 1, 9),
      edit("3", "refused", 100, 100),
    ]);
    assert.deepEqual({ added, removed, blocks }, { added: 44, removed: 40, blocks: 3 });
  });

  it("count what waits for the user, conflicts included, and what was accepted", () => {
    const totals = totalsOf(
      ["pending", "conflict", "applied", "partly-applied"].map((status, index) =>
        edit(`${index}`, statusOf(status)),
      ),
    );
    assert.equal(totals.undecided, 2);
    assert.equal(acceptedCount(totals), 2);
    assert.deepEqual(fileState(totals), { icon: "clock", word: "2 of 4 applied", tone: "wait" });
  });

  it("count no change as accepted that was undone", () => {
    const undone = { ...edit("1", "applied"), undone: true as const };
    const all = totalsOf([undone]);
    assert.equal(acceptedCount(all), 0);
    assert.equal(fileState(all).word, "undone");
    assert.equal(fileState(totalsOf([undone, edit("2", "applied")])).word, "1 of 2 applied");
  });
});

function statusOf(word: string): EditStatus {
  return statuses.find((status) => status === word) ?? "stopped";
}

function sorted(counts: ReadonlyMap<ShownStatus, number>): readonly (readonly [string, number])[] {
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
}
