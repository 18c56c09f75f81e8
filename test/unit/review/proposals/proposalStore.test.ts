import assert from "node:assert/strict";
import { readdir, writeFile } from "node:fs/promises";
import * as path from "node:path";
import { createNodeSmallFiles } from "../../../../src/node/storage/nodeEventLog.ts";
import type { SmallFiles, StorageFault } from "../../../../src/ports/eventLog.ts";
import {
  ProposalStore,
  type StoredOperation,
} from "../../../../src/review/storage/proposalStore.ts";
import { ADOPTED, recordName } from "../../../../src/review/storage/recordNames.ts";
import { comes } from "../../../fakes/comes.ts";
import { hostNamed } from "../../../fakes/hostNamed.ts";
import { ManualClock } from "../../../fakes/manualClock.ts";
import { RecordingLogger } from "../../../fakes/recordingLogger.ts";
import { type TempFolder, tempFolder } from "../../../fakes/workspace/tempFolder.ts";

const operation = (id: string, begunAt: number): StoredOperation => ({
  id,
  begunAt,
  file: { path: `${id}.ts`, uri: `file:///${id}.ts` },
  to: null,
  state: "1 1",
  origin: { chatId: "chat", turnId: "turn", callId: "call", agent: "opencode" },
  blockId: id,
});
const [one, two, three] = [operation("one", 1), operation("two", 2), operation("three", 3)];

describe("the proposals of a workspace in several windows", () => {
  let folder: TempFolder;
  let clock: ManualClock;
  let faults: StorageFault[];

  beforeEach(async () => {
    folder = await tempFolder();
    clock = new ManualClock();
    faults = [];
  });

  afterEach(() => folder.remove());

  const windowOf = (window: string, files: SmallFiles = createNodeSmallFiles(folder.root)) =>
    new ProposalStore(files, new RecordingLogger(), (fault) => void faults.push(fault), {
      host: hostNamed(window),
      clock,
    });
  const takeOver = (store: ProposalStore) => clock.until(store.takeOver("user"));

  it("are in one of them, and the other sees each change", async () => {
    const [first, second] = [windowOf("1"), windowOf("2")];
    await first.load();
    await first.keep("one", () => one);
    assert.deepEqual(await second.load(), []);
    assert.equal(second.isOurs, false);
    assert.deepEqual(await second.look(), [one]);
    await first.keep("two", () => two);
    assert.deepEqual(await second.look(), [one, two]);
    await first.keep("one", () => ({ ...one, state: "2 2" }));
    assert.deepEqual(await second.look(), [{ ...one, state: "2 2" }, two]);
    await first.keep("one", () => null);
    assert.deepEqual(await second.look(), [two]);
  });

  it("are never written by a window that has not got them", async () => {
    const [first, second] = [windowOf("1"), windowOf("2")];
    await first.load();
    await first.keep("one", () => one);
    await second.load();
    await second.keep("one", () => null);
    await second.keep("two", () => two);
    assert.deepEqual(await second.look(), [one]);
  });

  it("move to the window that takes them over, with what was still unwritten", async () => {
    const [first, second] = [windowOf("1"), windowOf("2")];
    await first.load();
    await first.keep("one", () => one);
    await second.load();
    const lost = new Promise<void>((resolve) => first.onLost(resolve));
    first.onAsked(async () => {
      await first.keep("two", () => two);
      return true;
    });
    assert.equal(await takeOver(second), true);
    await lost;
    assert.deepEqual([first.isOurs, second.isOurs], [false, true]);
    assert.deepEqual(await second.load(), [one, two]);
    assert.deepEqual(await first.look(), [one, two]);
    second.onAsked(async () => true);
    assert.equal(await takeOver(first), true);
    assert.deepEqual(await first.load(), [one, two]);
  });

  it("stay in a window that is busy", async () => {
    const [first, second] = [windowOf("1"), windowOf("2")];
    await first.load();
    await first.keep("one", () => one);
    await second.load();
    first.onAsked(async () => false);
    assert.equal(await takeOver(second), false);
    await first.keep("two", () => two);
    assert.deepEqual(await second.look(), [one, two]);
  });

  it("are safe from a host that wakes up and writes late", async () => {
    const disk = createNodeSmallFiles(folder.root);
    let wake = () => {};
    const sleeping = new Promise<void>((resolve) => {
      wake = resolve;
    });
    let sleeps = false;
    let isAsleep = false;
    // The host stops between its look at the lease and its write.
    const slow: SmallFiles = {
      place: disk.place,
      list: () => disk.list(),
      version: (name) => disk.version(name),
      open(name) {
        const file = disk.open(name);
        return {
          read: () => file.read(),
          create: (text) => file.create(text),
          remove: () => file.remove(),
          async write(text) {
            if (sleeps) {
              isAsleep = true;
              await sleeping;
            }
            await file.write(text);
          },
        };
      },
    };
    const [first, second] = [windowOf("1", slow), windowOf("2")];
    await first.load();
    await first.keep("one", () => one);
    await first.keep("two", () => two);
    sleeps = true;
    const late = first.keep("one", () => ({ ...one, state: "late" }));
    clock.stopTimers();
    await comes("the late write", () => isAsleep);
    clock.advance(60_000);
    assert.deepEqual(await second.load(), [one, two]);
    await second.keep("two", () => null);
    await second.keep("three", () => three);
    wake();
    await late;
    await first.keep("two", () => ({ ...two, state: "later" }));
    assert.equal(first.isOurs, false);
    assert.deepEqual(await first.look(), [one, three]);
    await second.release();
    assert.deepEqual(await windowOf("3").load(), [one, three]);
  });

  it("go to one of two windows that find them free at once", async () => {
    const gone = windowOf("0");
    await gone.load();
    await gone.keep("one", () => one);
    clock.stopTimers();
    clock.advance(60_000);
    const windows = [windowOf("1"), windowOf("2"), windowOf("3")];
    await Promise.all(windows.map((store) => store.load()));
    await Promise.all(
      windows.map((store, index) => store.keep("two", () => operation("two", index))),
    );
    const [found] = windows.filter(({ isOurs }) => isOurs);
    assert.equal(windows.filter(({ isOurs }) => isOurs).length, 1);
    assert.deepEqual((await found?.look())?.map(({ id }) => id).sort(), ["one", "two"]);
  });

  it("are there at once for the same window's next host", async () => {
    const first = windowOf("1");
    await first.load();
    await first.keep("one", () => one);
    assert.deepEqual(await windowOf("1").load(), [one]);
  });

  it("are complete after each of many restarts, and leave no old records", async () => {
    for (let round = 0; round < 5; round++) {
      const store = windowOf(String(round));
      const known = (await store.load()).map(({ id }) => id);
      assert.equal(known.length, round);
      await store.keep(`n${round}`, () => operation(`n${round}`, round));
      await store.release();
    }
    const records = (await readdir(folder.root)).filter((name) => /\.n\d\.json$/.test(name));
    // Those of the last holder, and of the one before.
    assert.equal(records.length, 5 + 4);
  });

  it("survive a crash in the middle of a takeover", async () => {
    const first = windowOf("1");
    await first.load();
    await first.keep("one", () => one);
    await first.keep("two", () => two);
    await first.release();
    const disk = createNodeSmallFiles(folder.root);
    let writes = 0;
    const dying: SmallFiles = {
      ...disk,
      open(name) {
        const file = disk.open(name);
        const write = (text: string) =>
          ++writes > 1 ? new Promise<void>(() => undefined) : file.write(text);
        return { ...file, write, create: () => new Promise<boolean>(() => undefined) };
      },
    };
    void windowOf("2", dying).load();
    await comes("the second write", () => writes === 2);
    const third = windowOf("3");
    assert.deepEqual(await third.load(), [one, two]);
    await third.keep("one", () => null);
    await third.release();
    assert.deepEqual(await windowOf("4").load(), [two]);
  });

  it("that were adopted are there once, and gone when decided", async () => {
    const file = path.join(folder.root, recordName(ADOPTED, "one"));
    await writeFile(file, JSON.stringify(one));
    const first = windowOf("1");
    assert.deepEqual(await first.load(), [one]);
    await first.keep("one", () => null);
    await first.release();
    assert.deepEqual(await windowOf("2").load(), []);
  });

  it("are shown, and written once that is possible, where the disk is full", async () => {
    const first = windowOf("1");
    await first.load();
    await first.keep("one", () => one);
    await first.release();
    const disk = createNodeSmallFiles(folder.root);
    let isFull = true;
    const full: SmallFiles = {
      ...disk,
      open(name) {
        const file = disk.open(name);
        const unlessFull = (work: () => Promise<void>) =>
          isFull ? Promise.reject(new Error("ENOSPC")) : work();
        return {
          ...file,
          create: (text) => (isFull ? Promise.reject(new Error("ENOSPC")) : file.create(text)),
          write: (text) => unlessFull(() => file.write(text)),
          remove: () => unlessFull(() => file.remove()),
        };
      },
    };
    const second = windowOf("2", full);
    assert.deepEqual(await second.load(), [one]);
    await second.keep("one", () => null);
    await second.keep("two", () => two);
    assert.ok(faults.length > 0 && faults.every(({ code }) => code === "unwritable"));
    assert.deepEqual(second.unkept.now, { ids: new Set(["one", "two"]), detail: "ENOSPC" });
    let told = 0;
    second.unkept.onChange(() => told++);
    isFull = false;
    await second.keep("three", () => three);
    assert.deepEqual([second.unkept.now, told], [null, 1]);
    await second.release();
    assert.deepEqual(await windowOf("3").load(), [two, three]);
  });

  it("that could not be written are tried again without another change", async () => {
    let isFull = true;
    const disk = createNodeSmallFiles(folder.root);
    const store = windowOf("1", {
      ...disk,
      open(name) {
        const file = disk.open(name);
        const write = (text: string) =>
          isFull && name.includes("two") ? Promise.reject(new Error("EACCES")) : file.write(text);
        return { ...file, write };
      },
    });
    await store.load();
    await Promise.all([store.keep("one", () => one), store.keep("two", () => two)]);
    assert.deepEqual(store.unkept.now, { ids: new Set(["two"]), detail: "EACCES" });
    isFull = false;
    for (let step = 0; step < 6; step++) await clock.step();
    assert.deepEqual([store.unkept.now, await store.look()], [null, [one, two]]);
    await store.release();
  });

  it("are this window's on a full disk, also where the window before them did not end in time", async () => {
    const first = windowOf("1");
    await first.load();
    await first.keep("one", () => one);
    const disk = createNodeSmallFiles(folder.root);
    const isFull = () => Promise.reject(new Error("ENOSPC"));
    const full: SmallFiles = {
      ...disk,
      open: (name) => ({ ...disk.open(name), create: isFull, write: isFull, remove: isFull }),
    };
    const second = windowOf("2", full);
    assert.deepEqual(await second.load(), [], "the first may still live");
    assert.equal(second.isOurs, false);
    clock.stopTimers();
    assert.equal(await clock.until(second.takeOver("start")), true);
    assert.deepEqual([second.isOurs, await second.load()], [true, [one]]);
    assert.deepEqual([...new Set(faults.map(({ code }) => code))], ["unwritable"]);
    assert.deepEqual(await windowOf("3").look(), [one]);
  });

  it("are never taken on a full disk from a window that lives", async () => {
    const first = windowOf("1");
    await first.load();
    await first.keep("one", () => one);
    const disk = createNodeSmallFiles(folder.root);
    const isFull = () => Promise.reject(new Error("ENOSPC"));
    const second = windowOf("2", {
      ...disk,
      open: (name) => ({ ...disk.open(name), create: isFull, write: isFull, remove: isFull }),
    });
    await second.load();
    // No clock moves: the user hears at once.
    assert.equal(await second.takeOver("user"), "failed");
    assert.deepEqual([...new Set(faults.map(({ code }) => code))], ["unwritable"]);
    assert.deepEqual([first.isOurs, second.isOurs], [true, false]);
  });

  it("that could not be written are given up once another window has them, and not in silence", async () => {
    const disk = createNodeSmallFiles(folder.root);
    let isFull = true;
    const unlessFull = <T>(work: () => Promise<T>) =>
      isFull ? Promise.reject(new Error("ENOSPC")) : work();
    const first = windowOf("1", {
      ...disk,
      open(name) {
        const file = disk.open(name);
        return {
          ...file,
          create: (text) => unlessFull(() => file.create(text)),
          write: (text) => unlessFull(() => file.write(text)),
          remove: () => unlessFull(() => file.remove()),
        };
      },
    });
    let losses = 0;
    first.onLost(() => {
      losses += 1;
    });
    await first.load();
    await first.keep("one", () => one);
    assert.deepEqual([first.isOurs, losses], [true, 0]);
    await windowOf("2").load();
    isFull = false;
    await first.keep("two", () => two);
    assert.deepEqual([first.isOurs, losses], [false, 1]);
    await first.keep("three", () => three);
    assert.equal(losses, 1);
  });
});
