import assert from "node:assert/strict";
import { fileModes } from "../../../../src/edits/history/fileModes.ts";
import { restoredBlocks } from "../../../../src/review/restore/restoreModes.ts";
import type { EditBlock } from "../../../../src/turns/editBlock.ts";
import type { TurnEvent } from "../../../../src/turns/turnEvent.ts";
import { applyTurnEvent, emptyTree } from "../../../../src/turns/turnReducer.ts";
import { TurnScript } from "../../../fakes/turns/turnScript.ts";

/** Two turns that changed a script's text and modes. */
function chat() {
  const script = new TurnScript().ask("Go");
  const edit = (blockId: string, more: Partial<EditBlock>) =>
    script.edit({
      ...{ blockId, path: "run.sh", status: "applied", textStart: 0, textEnd: 0 },
      ...more,
    });
  edit("text", {});
  edit("on", { op: "make-executable" });
  edit("rejected", { op: "make-executable", path: "other.sh", status: "rejected" });
  script.end().ask("On");
  edit("off", { op: "make-plain" });
  edit("plain", { op: "make-plain", path: "b.sh" });
  const events = script.end().events;
  const tree = emptyTree();
  for (const event of events) applyTurnEvent(tree, event);
  const restored: TurnEvent = {
    ...{ type: "files-restored", request: "", files: [{ path: "run.sh", deleted: false }] },
    ...{ seq: tree.lastSeq + 1, turnId: "turn-2", at: 0 },
  };
  return { tree, restored };
}

describe("the modes of a turn's files", () => {
  for (const [turnId, path, before] of [
    ["turn-2", null, { "run.sh": false, "b.sh": true }],
    ["turn-2", "run.sh", { "run.sh": false }],
    ["turn-4", null, { "run.sh": true, "b.sh": true }],
    ["turn-2", "other.sh", {}],
    ["gone", null, {}],
  ] as const)
    it(`are those before its first accepted change: ${turnId}, ${path}`, () => {
      const { tree } = chat();
      assert.deepEqual(Object.fromEntries(fileModes(tree, turnId, path, "before")), before);
      assert.deepEqual(Object.fromEntries(fileModes(tree, turnId, path, "after")), {});
    });

  it("are those of its last change where that is redone", () => {
    const { tree, restored } = chat();
    applyTurnEvent(tree, restored);
    assert.deepEqual(Object.fromEntries(fileModes(tree, "turn-2", null, "before")), {
      "b.sh": true,
    });
    assert.deepEqual(Object.fromEntries(fileModes(tree, "turn-2", "run.sh", "after")), {
      "run.sh": false,
    });
  });

  it("count as restored only where they are", () => {
    const { tree } = chat();
    const names = (kept: readonly string[]) =>
      restoredBlocks(tree, "turn-2", ["run.sh"], kept).map(({ blockId }) => blockId);
    assert.deepEqual([names([]), names(["run.sh"])], [[], ["text"]]);
  });
});
