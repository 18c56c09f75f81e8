import assert from "node:assert/strict";
import { createNodeSmallFiles } from "../../../../src/node/storage/nodeEventLog.ts";
import { SharedProposals } from "../../../../src/review/proposals/sharedProposals.ts";
import {
  ProposalStore,
  type StoredOperation,
} from "../../../../src/review/storage/proposalStore.ts";
import { hostNamed } from "../../../fakes/hostNamed.ts";
import { ManualClock } from "../../../fakes/manualClock.ts";
import { RecordingLogger } from "../../../fakes/recordingLogger.ts";
import { type TempFolder, tempFolder } from "../../../fakes/workspace/tempFolder.ts";

const one: StoredOperation = {
  id: "one",
  begunAt: 1,
  file: { path: "one.ts", uri: "file:///one.ts" },
  to: null,
  state: "1 1",
  origin: { chatId: "chat", turnId: "turn", callId: "call" },
  blockId: "one",
};

describe("the proposals among the windows of a workspace", () => {
  let folder: TempFolder;
  let clock: ManualClock;

  beforeEach(async () => {
    folder = await tempFolder();
    clock = new ManualClock();
  });

  afterEach(() => folder.remove());

  /** A window that has started; `there` is what it decides on itself. */
  async function openWindow(name: string, ended: readonly string[] = []) {
    const lease = { host: hostNamed(name, new Set(ended)), clock };
    const user = { isGone: false, isInFront: true };
    const alive = () => (user.isGone ? new Promise<never>(() => undefined) : Promise.resolve());
    const store = new ProposalStore(
      createNodeSmallFiles(folder.root),
      new RecordingLogger(),
      ({ code }) => assert.fail(code),
      { ...lease, alive },
    );
    const refusals: string[] = [];
    const shared = new SharedProposals({
      ...{ store, clock, alive },
      isInFront: () => user.isInFront,
      refused: () => void refusals.push(name),
    });
    const there = { isBusy: false, ids: [] as string[] };
    await shared.start({
      get isBusy() {
        return there.isBusy;
      },
      async load() {
        const kept = await store.load();
        if (store.isOurs) there.ids = kept.map(({ id }) => id);
      },
      letGo() {
        there.ids = [];
      },
    });
    return { store, shared, user, there, refusals };
  }

  /** Moves the clock on until `check` is true. */
  async function comes(check: () => boolean, limitMs = 60_000): Promise<void> {
    for (const until = clock.now() + limitMs; !check(); await clock.step())
      assert.ok(clock.now() < until, "it never comes");
  }

  /** Lets the windows look and answer for a while. */
  async function passes(ms: number): Promise<void> {
    const until = clock.now() + ms;
    await comes(() => clock.now() >= until, ms + 60_000);
  }

  async function withOne(name: string) {
    const window = await openWindow(name);
    await window.store.keep("one", () => one);
    window.there.ids = ["one"];
    return window;
  }

  it("are shown in a second window, and stay where their user is", async () => {
    const first = await withOne("1");
    const second = await openWindow("2");
    assert.deepEqual(second.shared.paths, ["one.ts"]);
    await passes(30_000);
    assert.deepEqual([first.there.ids, second.there.ids], [["one"], []]);
    assert.deepEqual(second.refusals, []);
  });

  it("go to a window that starts after a browser died, and its host never takes them back", async () => {
    const first = await withOne("1");
    first.user.isGone = true;
    const second = await openWindow("2");
    await comes(() => second.there.ids.length > 0 && first.there.ids.length === 0);
    assert.deepEqual(second.there.ids, ["one"]);
    await second.store.release();
    await passes(10_000);
    assert.equal(first.shared.isOurs, false);
  });

  it("are there as the next window starts where the last host has ended", async () => {
    await withOne("1");
    const second = await openWindow("2", ["1"]);
    assert.deepEqual(second.there.ids, ["one"]);
  });

  it("of a window that closes go to the one in front, not to one behind", async () => {
    const first = await withOne("1");
    const behind = await openWindow("2");
    behind.user.isInFront = false;
    // What it asked for as it started is refused.
    await passes(3_000);
    first.shared.dispose();
    await first.store.release();
    await passes(5_000);
    assert.equal(behind.shared.isOurs, false);
    assert.deepEqual(behind.shared.paths, ["one.ts"]);
    behind.user.isInFront = true;
    await comes(() => behind.there.ids.length > 0);
  });

  it("move with a decision, unless the other window is busy, which is told", async () => {
    const first = await withOne("1");
    const second = await openWindow("2");
    first.there.isBusy = true;
    assert.equal(await clock.until(second.shared.own()), false);
    assert.deepEqual(second.refusals, ["2"]);
    first.there.isBusy = false;
    assert.equal(await clock.until(second.shared.own()), true);
    assert.deepEqual(second.there.ids, ["one"]);
    await comes(() => first.there.ids.length === 0);
    await comes(() => first.shared.paths.length > 0);
  });
});
