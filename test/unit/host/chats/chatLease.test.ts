import assert from "node:assert/strict";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import * as path from "node:path";
import { ChatLease, LEASE_EXPIRES_MS, LEASE_RENEWS_MS } from "../../../../src/host/chats/chatLease.ts";
import { createNodeEventLogStorage } from "../../../../src/node/storage/nodeEventLog.ts";
import type { SmallFile } from "../../../../src/ports/eventLog.ts";
import { ManualClock } from "../../../fakes/manualClock.ts";
import { type TempFolder, tempFolder } from "../../../fakes/workspace/tempFolder.ts";

/** The functions of a file, which may be methods. */
function claimOf(file: SmallFile): SmallFile {
  return { read: () => file.read(), create: (text) => file.create(text), write: (text) => file.write(text), remove: () => file.remove() };
}

describe("a chat's lease", () => {
  let folder: TempFolder;
  let clock: ManualClock;

  beforeEach(async () => {
    folder = await tempFolder();
    clock = new ManualClock();
  });

  const leases: ChatLease[] = [];

  afterEach(async () => {
    for (const lease of leases.splice(0)) await lease.release();
    await folder.remove();
  });

  // Each window has its own adapter over the same folder.
  const storage = () => createNodeEventLogStorage(folder.root);

  async function take(window: string): Promise<ChatLease | null> {
    const lease = await ChatLease.take(storage().claim("chat-1"), window, clock);
    if (lease) leases.push(lease);
    return lease;
  }

  async function taken(window: string): Promise<ChatLease> {
    const lease = await take(window);
    assert.ok(lease);
    return lease;
  }

  it("belongs to one window at a time, and is not listed as a log", async () => {
    await taken("1");
    assert.equal(await take("2"), null);
    assert.deepEqual(await storage().list(), []);
  });

  it("goes to one of many windows that claim it at once", async () => {
    const asked = await Promise.all(Array.from({ length: 20 }, (_, window) => take(String(window))));
    assert.equal(asked.filter((lease) => lease !== null).length, 1);
  });

  it("is free once released, and leaves no file", async () => {
    await (await taken("1")).release();
    await new Promise(setImmediate);
    assert.deepEqual(await readdir(folder.root), []);
    await taken("2");
  });

  it("is not lost where its file is read while it is being written", async () => {
    const disk = storage().claim("chat-1");
    let torn = false;
    const lease = await ChatLease.take({ ...claimOf(disk), read: async () => (torn ? "" : disk.read()) }, "1", clock);
    assert.ok(lease);
    leases.push(lease);
    lease.onLost(() => assert.fail("lost"));
    torn = true;
    await lease.guard(storage().open("chat-1")).append(["x"]);
    torn = false;
    assert.equal(await take("2"), null);
  });

  it("holds while renewed, and expires when its window is gone", async () => {
    const lease = await taken("1");
    for (let ms = 0; ms < 3 * LEASE_EXPIRES_MS; ms += LEASE_RENEWS_MS) {
      clock.advance(LEASE_RENEWS_MS);
      await lease.guard(storage().open("chat-1")).append([String(ms)]);
      assert.equal(await take("2"), null);
    }
    clock.stopTimers();
    clock.advance(LEASE_EXPIRES_MS + LEASE_RENEWS_MS);
    await taken("2");
  });

  for (const { what, spoil } of [
    { what: "emptied by a full disk", spoil: (file: string) => writeFile(file, "") },
    { what: "made a folder", spoil: (file: string) => rm(file).then(() => mkdir(file)) },
  ]) {
    it(`is not lost where its file is ${what}`, async () => {
      const lease = await taken("1");
      let lost = false;
      lease.onLost(() => {
        lost = true;
      });
      await spoil(path.join(folder.root, "chat-1.claim"));
      clock.advance(LEASE_RENEWS_MS);
      const log = lease.guard(storage().open("chat-1"));
      await log.append(["a line"]);
      assert.deepEqual(await log.read(), ["a line"]);
      assert.equal(lost, false);
    });
  }

  it("blocks writes to the log after another window took it, and does not release that one's lease", async () => {
    const log = storage().open("chat-1");
    const first = await taken("1");
    const guarded = first.guard(log);
    await guarded.append(["first"]);
    const lost = new Promise<void>((resolve) => first.onLost(resolve));
    clock.pauseTimers();
    clock.advance(60_000);
    const second = await taken("2");
    await assert.rejects(guarded.append(["too late"]), /open in another window/);
    await lost;
    await second.guard(log).append(["second"]);
    await first.release();
    assert.equal(await take("3"), null);
    assert.deepEqual(await guarded.read(), ["first", "second"]);
  });

  it("goes to one of two windows that find it expired at once", async () => {
    const gone = await taken("0");
    await gone.guard(storage().open("chat-1")).append([]);
    clock.stopTimers();
    clock.advance(60_000);
    const asked = await Promise.all([take("1"), take("2"), take("3")]);
    clock.advance(2 * LEASE_RENEWS_MS);
    const log = storage().open("chat-1");
    await Promise.allSettled(asked.map((lease) => lease?.guard(log).append(["x"])));
    assert.deepEqual(await log.read(), ["x"]);
  });

  for (const damaged of ["", "{", '{"window":1}', "null"]) {
    it(`is free when its file is damaged (${JSON.stringify(damaged)})`, async () => {
      await folder.write("chat-1.claim", damaged);
      await taken("1");
      assert.equal(await take("2"), null);
    });
  }

  it("is granted when no claim can be written", async () => {
    const file = { read: async () => null, remove: async () => undefined, write: () => Promise.reject(new Error("read-only")) };
    const lease = await ChatLease.take({ ...file, create: () => Promise.reject(new Error("read-only")) }, "1", clock);
    assert.ok(lease);
    await lease.release();
  });
});
