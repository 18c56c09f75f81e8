import assert from "node:assert/strict";
import { restoredEvents, savedEvents } from "../../../../src/agent/chat/decisionEvents.ts";
import { ChangeJournal } from "../../../../src/edits/history/changeJournal.ts";
import { recordMissedUndo, recordUndo } from "../../../../src/review/restore/recordUndo.ts";
import { applyTurnEvent, emptyTree } from "../../../../src/turns/turnReducer.ts";
import { RecordingLogger } from "../../../fakes/recordingLogger.ts";
import { MemoryEventLog } from "../../../fakes/turns/memoryEventLog.ts";
import { TurnScript } from "../../../fakes/turns/turnScript.ts";
import { memoryWorkspace } from "../../../fakes/workspace/memoryWorkspace.ts";

const NAME = "a.ts";
const signal = new AbortController().signal;
const onDisk = async () => false;

/** A chat that was closed after an accepted edit made `before` to `after`. */
function closedChat(before: string | null, after: string | null, isUnsaved = false) {
  const tree = emptyTree();
  const script = new TurnScript().ask("Change it.");
  const turnId = script.events.at(-1)?.turnId ?? "";
  const place = { op: "replace", step: 0, textStart: 0, textEnd: 0 } as const;
  script.add({
    type: "edit-update",
    edit: {
      ...{ blockId: "b", callId: "c", path: NAME, index: 1, target: "lines 1-1", ...place },
      ...{ status: "applied", reason: null, warnings: [], addedLines: 1, removedLines: 1 },
      ...(isUnsaved && { isUnsaved: true }),
    },
  });
  for (const event of script.events) applyTurnEvent(tree, event);
  const journal = new ChangeJournal(new MemoryEventLog(), new RecordingLogger());
  const blocks = [{ turnId, blockId: "b" }];
  const change = { at: 1, turnId, callId: "c", path: NAME, uri: `memory:///${NAME}`, blocks };
  void journal.record({ ...change, before, after });
  const apply = (events: ReturnType<typeof savedEvents>) => {
    for (const [id, event] of events)
      applyTurnEvent(tree, { seq: tree.lastSeq + 1, turnId: id, at: 0, ...event });
  };
  const filesRestored: Parameters<typeof recordMissedUndo>[0]["filesRestored"] = (
    of,
    files,
    undone = false,
    named = [],
  ) => apply(restoredEvents(tree, of, null, { files, undone, blocks: named }));
  const fileSaved = (path: string) => apply(savedEvents(tree, path));
  const edit = () => {
    const turn = tree.turns.get(turnId);
    return turn?.role === "agent" ? turn.edits.get("b") : undefined;
  };
  return { chat: { journal, tree, filesRestored, fileSaved }, edit };
}

describe("a chat that is opened again", () => {
  const cases: readonly (readonly [
    what: string,
    change: Parameters<typeof closedChat>,
    now: string | null,
    undone: true | undefined,
  ])[] = [
    ["says undone where the file has its earlier text", ["old\n", "new\n"], "old\n", true],
    ["says applied where the file has the text", ["old\n", "new\n"], "new\n", undefined],
    ["says applied where nothing proves that it was undone", ["old\n", "new\n"], "x\n", undefined],
    ["says undone where a new file is gone", [null, "new\n"], null, true],
    ["says undone where a deleted file is back", ["old\n", null], "old\n", true],
    ["leaves what may not be saved to the review", ["old\n", "new\n", true], "old\n", undefined],
  ];
  for (const [what, change, now, undone] of cases)
    it(what, async () => {
      const { chat, edit } = closedChat(...change);
      const files = new Map(now === null ? [] : [[NAME, now]]);
      await recordMissedUndo(chat, memoryWorkspace(files), onDisk, signal);
      assert.deepEqual([edit()?.status, edit()?.undone], ["applied", undone]);
      // Once: a second look finds nothing new.
      const count = chat.tree.lastSeq;
      await recordMissedUndo(chat, memoryWorkspace(files), onDisk, signal);
      assert.equal(chat.tree.lastSeq, count);
    });

  it("says applied again where it was made again meanwhile", async () => {
    const { chat, edit } = closedChat("old\n", "new\n");
    await recordMissedUndo(chat, memoryWorkspace(new Map([[NAME, "old\n"]])), onDisk, signal);
    await recordMissedUndo(chat, memoryWorkspace(new Map([[NAME, "new\n"]])), onDisk, signal);
    assert.deepEqual([edit()?.status, edit()?.undone], ["applied", undefined]);
  });
});

describe("an undo in the editor", () => {
  it("is said to be on the disk once it is, and so is its redo", async () => {
    const { chat, edit } = closedChat("old\n", "new\n");
    const uri = `memory:///${NAME}`;
    const inEditor = async () => true;
    await recordUndo(chat, uri, "old\n", inEditor);
    assert.deepEqual([edit()?.undone, edit()?.isUndoUnsaved], [true, true]);
    chat.fileSaved("other.ts");
    assert.equal(edit()?.isUndoUnsaved, true);
    chat.fileSaved(NAME);
    assert.deepEqual([edit()?.undone, edit()?.isUndoUnsaved], [true, undefined]);
    await recordUndo(chat, uri, "new\n", inEditor);
    assert.deepEqual([edit()?.undone, edit()?.isUndoUnsaved], [undefined, true]);
    await recordUndo(chat, uri, "old\n", onDisk);
    assert.deepEqual([edit()?.undone, edit()?.isUndoUnsaved], [true, undefined]);
  });

  it("is not called unsaved where it was saved while the chat was closed", async () => {
    const { chat, edit } = closedChat("old\n", "new\n");
    await recordUndo(chat, `memory:///${NAME}`, "old\n", async () => true);
    const files = memoryWorkspace(new Map([[NAME, "old\n"]]));
    await recordMissedUndo(chat, files, async () => true, signal);
    assert.equal(edit()?.isUndoUnsaved, true);
    await recordMissedUndo(chat, files, onDisk, signal);
    assert.deepEqual([edit()?.undone, edit()?.isUndoUnsaved], [true, undefined]);
  });
});
