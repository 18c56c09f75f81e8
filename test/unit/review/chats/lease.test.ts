import assert from "node:assert/strict";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import * as path from "node:path";
import { createNodeEventLogStorage } from "../../../../src/node/storage/nodeEventLog.ts";
import type { SmallFile } from "../../../../src/ports/eventLog.ts";
import {
  claimIn,
  LEASE_EXPIRES_MS,
  LEASE_RENEWS_MS,
  Lease,
  leaseFiles,
} from "../../../../src/review/storage/lease.ts";
import { comes } from "../../../fakes/comes.ts";
import { hostNamed } from "../../../fakes/hostNamed.ts";
import { ManualClock } from "../../../fakes/manualClock.ts";
import { type TempFolder, tempFolder } from "../../../fakes/workspace/tempFolder.ts";

/** The functions of a file, which may be methods. */
function claimOf(file: SmallFile): SmallFile {
  return {
    read: () => file.read(),
    create: (text) => file.create(text),
    write: (text) => file.write(text),
    remove: () => file.remove(),
  };
}

describe("a chat's lease", () => {
  let folder: TempFolder;
  let clock: ManualClock;

  beforeEach(async () => {
    folder = await tempFolder();
    clock = new ManualClock();
  });

  const leases: Lease[] = [];

  afterEach(async () => {
    for (const lease of leases.splice(0)) await lease.release();
    await folder.remove();
  });

  // Each window has its own adapter over the same folder.
  const storage = () => createNodeEventLogStorage(folder.root);

  async function take(window: string): Promise<Lease | null> {
    const lease = await Lease.take(leaseFiles(storage(), "chat-1"), {
      host: hostNamed(window),
      clock,
    });
    if (lease) leases.push(lease);
    return lease;
  }

  async function taken(window: string): Promise<Lease> {
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
    const asked = await Promise.all(
      Array.from({ length: 20 }, (_, window) => take(String(window))),
    );
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
    const lease = await Lease.take(
      {
        ...leaseFiles(storage(), "chat-1"),
        claim: claimIn({ ...claimOf(disk), read: async () => (torn ? "" : disk.read()) }),
      },
      { host: hostNamed("1"), clock },
    );
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
      const beat = storage().claim("chat-1-beat");
      const isRenewed = async () => Boolean((await beat.read())?.includes(String(clock.now())));
      await comes("the renewal", isRenewed);
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

  it("is not lost to a window that is gone where the disk is full, and is claimed once it has room", async () => {
    await taken("1");
    clock.stopTimers();
    clock.advance(LEASE_EXPIRES_MS + 1);
    let isFull = true;
    const files = leaseFiles(storage(), "chat-1");
    const disk = storage().claim("chat-1");
    const lease = await Lease.take(
      {
        ...files,
        claim: claimIn({
          ...claimOf(disk),
          write: (text) => (isFull ? Promise.reject(new Error("ENOSPC")) : disk.write(text)),
        }),
      },
      { host: hostNamed("2"), clock },
    );
    assert.ok(lease);
    leases.push(lease);
    lease.onLost(() => assert.fail("lost"));
    clock.advance(LEASE_RENEWS_MS);
    assert.equal(await lease.isHeld(), true);
    isFull = false;
    const isClaimed = async () => {
      clock.advance(LEASE_RENEWS_MS);
      return Boolean((await disk.read())?.includes(lease.holder));
    };
    await comes("the claim", isClaimed);
    assert.equal(await take("3"), null);
  });

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

  describe("that another window asks for", () => {
    const takeOver = (window: string, by: "user" | "start" = "user") =>
      clock.until(
        Lease.takeOver(leaseFiles(storage(), "chat-1"), { host: hostNamed(window), clock }, by),
      );

    it("goes there once everything is written", async () => {
      const log = storage().open("chat-1");
      const first = await taken("1");
      const lost = new Promise<void>((resolve) => first.onLost(resolve));
      first.onAsked(async () => {
        await first.guard(log).append(["unwritten"]);
        return true;
      });
      const second = await takeOver("2");
      assert.ok(second);
      leases.push(second);
      await lost;
      assert.deepEqual(await log.read(), ["unwritten"]);
      await assert.rejects(first.guard(log).append(["too late"]));
      await second.guard(log).append(["second"]);
      assert.ok(!(await readdir(folder.root)).includes("chat-1-asked.claim"));
    });

    it("stays where it is refused", async () => {
      const first = await taken("1");
      first.onLost(() => assert.fail("lost"));
      assert.equal(await takeOver("2"), null);
      assert.ok(await first.isHeld());
    });

    it("stays with a window that has a user, where another one only starts", async () => {
      const first = await taken("1");
      first.onAsked(async () => true);
      assert.equal(await takeOver("2", "start"), null);
      assert.ok(await first.isHeld());
    });

    it("is taken from a host that does not answer, which finds out before it writes", async () => {
      const log = storage().open("chat-1");
      const first = await taken("1");
      await first.guard(log).append(["first"]);
      clock.stopTimers();
      const asking = Lease.takeOver(leaseFiles(storage(), "chat-1"), {
        host: hostNamed("2"),
        clock,
      });
      const second = await clock.until(asking);
      assert.ok(second);
      leases.push(second);
      await assert.rejects(first.guard(log).append(["too late"]));
      assert.deepEqual(await log.read(), ["first"]);
    });
  });

  it("of a host that has ended is free at once", async () => {
    await taken("1");
    assert.equal(await take("2"), null);
    const host = hostNamed("3", new Set(["1"]));
    const next = await Lease.take(leaseFiles(storage(), "chat-1"), { host, clock });
    assert.ok(next);
    leases.push(next);
  });

  it("of a host whose browser is gone goes to a window that starts, with what was unwritten", async () => {
    const never = () => new Promise<never>(() => undefined);
    const files = leaseFiles(storage(), "chat-1");
    const log = storage().open("chat-1");
    const gone = await Lease.take(files, { host: hostNamed("1"), clock, alive: never });
    assert.ok(gone);
    gone.onAsked(async () => {
      await gone.guard(log).append(["unwritten"]);
      return false;
    });
    const began = clock.now();
    const host = hostNamed("2");
    const second = await clock.until(Lease.takeOver(files, { host, clock }, "start"));
    assert.ok(second);
    leases.push(second);
    assert.equal(await gone.isHeld(), false);
    assert.deepEqual(await log.read(), ["unwritten"]);
    // It was told to wait, and not left waiting until the claim expires.
    assert.ok(clock.now() - began < LEASE_EXPIRES_MS);
  });

  it("is granted when no claim can be written", async () => {
    const file = {
      read: async () => null,
      remove: async () => undefined,
      write: () => Promise.reject(new Error("read-only")),
    };
    const lease = await Lease.take(
      {
        ...leaseFiles(storage(), "chat-1"),
        claim: claimIn({ ...file, create: () => Promise.reject(new Error("read-only")) }),
      },
      { host: hostNamed("1"), clock },
    );
    assert.ok(lease);
    await lease.release();
  });
});
