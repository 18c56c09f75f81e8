import assert from "node:assert/strict";
import {
  ChangeJournal,
  changesSince,
  type FileChange,
} from "../../../../src/edits/history/changeJournal.ts";
import { RecordingLogger } from "../../../fakes/recordingLogger.ts";
import { MemoryEventLog } from "../../../fakes/turns/memoryEventLog.ts";

const URI = "file:///w/a.ts";

function change(
  before: string | null,
  after: string | null,
  turnId: string | null = "turn-1",
): FileChange {
  return { at: 1, turnId, callId: "call-1", path: "a.ts", uri: URI, before, after };
}

describe("the change journal", () => {
  let log: MemoryEventLog;
  let logger: RecordingLogger;
  let journal: ChangeJournal;

  beforeEach(() => {
    log = new MemoryEventLog();
    logger = new RecordingLogger();
    journal = new ChangeJournal(log, logger);
  });

  const reopened = () => new ChangeJournal(log, logger).all();

  it("survives a reload, with created and deleted files", async () => {
    const changes = [change(null, "one\n"), change("one\n", "two\n"), change("two\n", null)];
    for (const each of changes) void journal.record(each);
    await journal.idle();
    assert.deepEqual(await reopened(), changes);
    const again = new ChangeJournal(log, logger);
    await again.record(change(null, "three\n", "turn-2"));
    assert.deepEqual(await reopened(), [...changes, change(null, "three\n", "turn-2")]);
  });

  it("finds the changes of a renamed file under both names", async () => {
    const moved = { ...change("one\n", null), movedTo: "b.ts" };
    const placed = { ...change(null, "one\n"), path: "b.ts", uri: "file:///w/b.ts" };
    const later = { ...placed, before: "one\n", after: "two\n", turnId: "turn-2" };
    const other = { ...change("x", "y"), path: "c.ts" };
    for (const each of [moved, placed, other, later]) await journal.record(each);
    const both = [
      ["a.ts", [moved]],
      ["b.ts", [placed, later]],
    ];
    for (const path of ["a.ts", "b.ts"])
      assert.deepEqual([...changesSince(await reopened(), "turn-1", path)], both);
    assert.equal(changesSince(await reopened(), "turn-1", null).size, 3);
  });

  it("takes what the editor tells while a change is made for no undo of the user's", async () => {
    const block = { turnId: "turn-1", blockId: "block" };
    await journal.record({ ...change("a", "b"), blocks: [block] });
    const restore = { ...change("b", "a", null), restores: "turn-1" };
    let told: Promise<unknown> = Promise.resolve("nothing");
    const isMade = await journal.make(async () => {
      told = journal.undone(URI, "a", 2);
      return [restore];
    });
    assert.deepEqual([isMade, await told], [true, null]);
    assert.equal(await journal.make(async () => null), false);
    assert.deepEqual((await reopened()).slice(1), [restore]);
  });

  it("stores each text once, even across a reload", async () => {
    const text = (number: number) => `${number} `.repeat(10_000);
    for (let number = 0; number < 4; number++)
      await journal.record(change(text(number), text(number + 1)));
    await new ChangeJournal(log, logger).record(change(text(4), text(0)));
    assert.equal(log.lines.filter((line) => line.length > 10_000).length, 5);
  });

  it("loses only a damaged line and the changes that need it", async () => {
    await journal.record(change("a", "b"));
    await journal.record(change("b", "c"));
    await journal.record(change("c", "d"));
    const torn = log.lines.map((line) => (line.includes('"text":"c"') ? line.slice(0, 20) : line));
    log.lines.splice(0, log.lines.length, ...torn, '{"type":"change"}', "{", '{"type":"other"}');
    assert.deepEqual(await reopened(), [change("a", "b")]);
    assert.match(logger.warnings.join(), /^Skipped 6 damaged lines/);
  });

  it("retries what could not be written", async () => {
    log.failures = 1;
    await journal.record(change("a", "b"));
    assert.equal((await journal.all()).length, 1);
    await journal.record(change("b", "c"));
    assert.deepEqual(await reopened(), [change("a", "b"), change("b", "c")]);
  });

  it("leaves an unreadable log alone and keeps later changes in memory", async () => {
    const unreadable = {
      read: () => Promise.reject(new Error("no")),
      append: () => Promise.reject(new assert.AssertionError({ message: "written" })),
    };
    const broken = new ChangeJournal(unreadable, logger);
    await broken.record(change("a", "b"));
    assert.deepEqual(await broken.all(), [change("a", "b")]);
    assert.equal(logger.errors.length, 1);
  });

  it("records undo and redo that lead to a known text", async () => {
    await journal.record(change("a", "b"));
    await journal.undone(URI, "something else", 2);
    await journal.undone("file:///w/other.ts", "a", 2);
    await journal.undone(URI, "a", 2);
    await journal.undone(URI, "a", 3);
    await journal.undone(URI, "b", 4);
    const undo = { ...change("b", "a", null), callId: null, at: 2 };
    const redo = { ...change("a", "b", null), callId: null, at: 4 };
    assert.deepEqual(await journal.all(), [change("a", "b"), undo, redo]);
  });

  describe("where accepts are undone", () => {
    const accepted = (before: string, after: string, ...ids: readonly string[]): FileChange => ({
      ...change(before, after),
      blocks: ids.map((blockId) => ({ turnId: "turn-1", blockId })),
    });

    for (const { texts, told } of [
      { texts: ["c"], told: ["-two"] },
      { texts: ["c", "b"], told: ["-two", ""] },
      { texts: ["c", "b", "a"], told: ["-two", "", "-one"] },
      { texts: ["a"], told: ["-one -two"] },
      { texts: ["a", "d"], told: ["-one -two", "+one +two"] },
      { texts: ["c", "d"], told: ["-two", "+two"] },
      { texts: ["something else"], told: [""] },
    ])
      it(`tells which blocks are gone or there again: ${texts.join(", ")}`, async () => {
        // The first block was accepted in two steps.
        await journal.record(accepted("a", "b", "one"));
        await journal.record(accepted("b", "c", "one"));
        await journal.record(accepted("c", "d", "two"));
        const heard: string[] = [];
        for (const text of texts) {
          const { blocks = [], undone } = (await journal.undone(URI, text, 2)) ?? {};
          heard.push(blocks.map(({ blockId }) => (undone ? "-" : "+") + blockId).join(" "));
        }
        assert.deepEqual(heard, told);
        const kept = (await new ChangeJournal(log, logger).all()).flatMap(({ turnId, blocks }) =>
          turnId === null && blocks ? [blocks.map(({ blockId }) => blockId).join(" ")] : [],
        );
        const named = told.filter((each) => each !== "").map((each) => each.replace(/[-+]/g, ""));
        assert.deepEqual(kept, named);
      });
  });

  describe("where a restore is undone", () => {
    const restored = (before: string, after: string): FileChange => ({
      ...change(before, after, null),
      restores: "turn-1",
    });

    /** What each of these texts of the file, which undo or redo gave it, takes back. */
    async function toldOf(...texts: readonly string[]): Promise<string[]> {
      await journal.record(change("original", "changed"));
      await journal.record(restored("changed", "original"));
      const told: string[] = [];
      for (const text of texts) {
        const found = await journal.undone(URI, text, 2);
        for (const { restores } of found?.changes ?? [])
          told.push(`${restores} ${found?.undone ? "undone" : "again"}`);
      }
      return told;
    }

    for (const [texts, told] of [
      [["changed"], ["turn-1 undone"]],
      [["changed", "changed"], ["turn-1 undone"]],
      [
        ["changed", "original", "changed"],
        ["turn-1 undone", "turn-1 again", "turn-1 undone"],
      ],
      [["original, and typed"], []],
      [["original"], []],
      [["original, and typed", "original", "changed"], ["turn-1 undone"]],
    ] as const)
      it(`tells so once, and of its redo: ${texts.join(", ")}`, async () => {
        assert.deepEqual(await toldOf(...texts), told);
      });

    it("tells so after a reload, and of no other file", async () => {
      await journal.record(restored("changed", "original"));
      const again = new ChangeJournal(log, logger);
      assert.equal(await again.undone("file:///w/b.ts", "changed", 2), null);
      const found = await again.undone(URI, "changed", 2);
      assert.deepEqual(found, {
        changes: [restored("changed", "original")],
        undone: true,
        blocks: [],
      });
    });

    it("tells of several that go at once", async () => {
      const [one, two] = [restored("c", "b"), restored("b", "a")];
      for (const each of [one, two]) await journal.record(each);
      const both = { changes: [one, two], blocks: [] };
      assert.deepEqual(await journal.undone(URI, "c", 2), { ...both, undone: true });
      assert.deepEqual(await journal.undone(URI, "a", 3), { ...both, undone: false });
    });
  });
});
