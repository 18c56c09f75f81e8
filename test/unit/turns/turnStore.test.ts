import assert from "node:assert/strict";
import { mock } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { EditBlock } from "../../../src/turns/editBlock.ts";
import type { TurnEvent } from "../../../src/turns/turnEvent.ts";
import { TurnStore } from "../../../src/turns/turnStore.ts";
import { RecordingLogger } from "../../fakes/recordingLogger.ts";
import { MemoryEventLog } from "../../fakes/turns/memoryEventLog.ts";

const events: readonly TurnEvent[] = [
  {
    ...{
      type: "turn-start",
      role: "user",
      parentTurnId: null,
      text: "hi",
      model: null,
      editFile: null,
      activeFile: null,
    },
    ...{ seq: 1, turnId: "u", at: 1 },
  },
  {
    ...{
      type: "turn-start",
      role: "agent",
      parentTurnId: "u",
      text: null,
      model: "m",
      editFile: null,
      activeFile: null,
    },
    ...{ seq: 2, turnId: "a", at: 2 },
  },
  { type: "text-delta", text: "Hel", seq: 3, turnId: "a", at: 3 },
  { type: "text-delta", text: "lo", seq: 4, turnId: "a", at: 4 },
  { type: "turn-end", reason: "done", error: null, seq: 5, turnId: "a", at: 5 },
];

async function storeWith(log: MemoryEventLog, appended: readonly TurnEvent[]): Promise<TurnStore> {
  const store = await TurnStore.load(log, new RecordingLogger());
  for (const event of appended) store.append(event);
  await store.flush();
  return store;
}

describe("turn store", () => {
  afterEach(() => mock.timers.reset());

  it("writes a burst of events as one append, deltas merged, and reads the same chat back", async () => {
    const log = new MemoryEventLog();
    const store = await storeWith(log, events);
    assert.equal(log.appends, 1);
    assert.equal(log.lines.length, 4);
    const again = await storeWith(log, []);
    assert.deepEqual(again.tree, store.tree);
    assert.deepEqual(again.events, store.events);
  });

  it("writes user messages and tool results at once, and batches the rest", async () => {
    mock.timers.enable({ apis: ["setTimeout"] });
    const log = new MemoryEventLog();
    const store = await TurnStore.load(log, new RecordingLogger());
    const written = async (...added: readonly TurnEvent[]) => {
      for (const event of added) store.append(event);
      mock.timers.tick(1);
      await setImmediate();
      return log.lines.length;
    };
    const [user, agent, hel] = events;
    assert.ok(user && agent && hel);
    assert.equal(await written(user, agent), 2);
    assert.equal(log.appends, 1);
    assert.equal(await written(hel), 2);
    const result = {
      type: "tool-result",
      callId: "c",
      status: "success",
      output: "",
      error: null,
      durationMs: 1,
    } as const;
    assert.equal(await written({ ...result, seq: 4, turnId: "a", at: 4 }), 4);
    await store.flush();
    assert.equal(log.lines.length, 4);
  });

  it("closes a turn that a crash cut off as interrupted", async () => {
    const log = new MemoryEventLog();
    await storeWith(log, events.slice(0, 4));
    const store = await storeWith(log, []);
    const turn = store.tree.turns.get("a");
    assert.ok(turn?.role === "agent");
    assert.equal(turn.endReason, "interrupted");
    assert.deepEqual(turn.parts, [{ type: "text", step: 0, text: "Hello" }]);
    const lines = log.lines.length;
    await storeWith(log, []);
    assert.equal(log.lines.length, lines);
  });

  it("keeps changes that wait for the user", async () => {
    const log = new MemoryEventLog();
    const edit: EditBlock = {
      blockId: "call-1-1",
      callId: "call-1",
      path: "src/a.ts",
      index: 1,
      target: "lines 1-1",
      op: "replace",
      status: "pending",
      reason: null,
      warnings: [{ code: "elision", line: "// ..." }],
      addedLines: 1,
      removedLines: 1,
      step: 0,
      textStart: 0,
      textEnd: 0,
    };
    const ended: TurnEvent = {
      seq: 10,
      turnId: "a",
      at: 0,
      type: "turn-end",
      reason: "done",
      error: null,
    };
    await storeWith(log, [
      ...events.slice(0, 4),
      ended,
      { seq: 11, turnId: "a", at: 0, type: "edit-update", edit },
    ]);
    const store = await storeWith(log, []);
    const turn = store.tree.turns.get("a");
    assert.deepEqual(turn?.role === "agent" ? turn.edits.get("call-1-1") : null, edit);
  });

  it("skips damaged lines, counts them and keeps the rest", async () => {
    const log = new MemoryEventLog();
    await storeWith(log, events);
    log.lines.splice(1, 0, '{"seq":2,"turnId":"a","type":"unheard-of"}', "{torn");
    const logger = new RecordingLogger();
    const store = await TurnStore.load(log, logger);
    assert.equal(store.skippedLines, 2);
    assert.equal(store.tree.lastSeq, 5);
    assert.match(logger.warnings.join(), /2 damaged lines/);
  });

  it("retries a failed write in order and logs it once", async () => {
    const log = new MemoryEventLog();
    const logger = new RecordingLogger();
    const store = await TurnStore.load(log, logger);
    log.failures = 2;
    for (const event of events) {
      store.append(event);
      await store.flush();
    }
    assert.equal(logger.errors.length, 1);
    assert.deepEqual((await storeWith(log, [])).tree, store.tree);
  });

  it("counts as stored what the log has, however often that failed, and nothing at its end", async () => {
    const log = new MemoryEventLog();
    const [user, agent] = events;
    assert.ok(user && agent);
    const store = await storeWith(log, [user]);
    assert.equal(await store.stored(), true);
    log.failures = 2;
    store.append(agent);
    let outcome: boolean | null = null;
    const stored = store.stored().then((isStored) => {
      outcome = isStored;
    });
    await store.flush();
    assert.equal(outcome, null);
    await store.flush();
    await stored;
    assert.deepEqual([outcome, log.lines.length], [true, 2]);
    log.failures = Number.POSITIVE_INFINITY;
    store.append({ type: "text-delta", text: "Hel", seq: 3, turnId: "a", at: 3 });
    const never = store.stored();
    await store.close();
    assert.equal(await never, false);
  });

  it("leaves an unreadable history untouched", async () => {
    const log = new MemoryEventLog(["kept"]);
    log.read = () => Promise.reject(new Error("no access"));
    const logger = new RecordingLogger();
    const store = await TurnStore.load(log, logger);
    for (const event of events) store.append(event);
    const stored = store.stored();
    await store.close();
    assert.equal(await stored, false);
    assert.equal(store.tree.turns.size, 2);
    assert.deepEqual(log.lines, ["kept"]);
    assert.match(logger.errors.join(), /cannot be read/);
  });
});
