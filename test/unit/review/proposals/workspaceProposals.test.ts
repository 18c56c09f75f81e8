import assert from "node:assert/strict";
import { mock } from "node:test";
import { campaignRuns } from "../../../fakes/campaignRuns.ts";
import { fakeFile } from "../../../fakes/editor/reviewedEditors.ts";
import {
  fileAt,
  ReviewedWindow,
  type SharedDisk,
  settle,
} from "../../../fakes/editor/reviewedWindow.ts";
import { ManualClock } from "../../../fakes/manualClock.ts";
import { seededRandom } from "../../../fakes/seededRandom.ts";
import { memorySmallFiles } from "../../../fakes/workspace/memorySmallFiles.ts";

const BEFORE = "one\ntwo\nthree\nfour\n";
const AFTER = "ONE\ntwo\nthree\nfour\n";
const LATER = "ONE\ntwo\nthree\nFOUR\n";
/** Each row is played in so many orders of events. */
const ORDERS = campaignRuns(2, 40);

/** Plays a row with a workspace of one file, in several orders of events. */
function row(
  title: string,
  play: (world: {
    readonly disk: SharedDisk;
    open(name: string, ended?: readonly string[]): Promise<ReviewedWindow>;
    on<T>(windows: readonly ReviewedWindow[], work: Promise<T>): Promise<T>;
  }) => Promise<void>,
): void {
  it(title, async () => {
    for (let seed = 1; seed <= ORDERS; seed++) {
      mock.timers.enable({ apis: ["setTimeout", "Date"] });
      const opened: ReviewedWindow[] = [];
      try {
        const files = new Map([[fileAt("a.ts").uri, fakeFile(BEFORE)]]);
        const disk = {
          ...{ files, records: memorySmallFiles() },
          ...{ clock: new ManualClock(), random: seededRandom(seed) },
        };
        await play({
          disk,
          async open(name, ended) {
            const window = new ReviewedWindow(name, disk, ended);
            opened.push(window);
            await settle(disk, [window], window.start());
            return window;
          },
          on: (windows, work) => settle(disk, windows, work),
        });
      } catch (error) {
        throw new Error(`in order ${seed}: ${String(error)}`, { cause: error });
      } finally {
        for (const window of opened) window.kill();
        mock.timers.reset();
      }
    }
  });
}

describe("the proposals of a workspace", () => {
  row("are pending until they are accepted, in an order that the editor jumbles", async (world) => {
    const window = await world.open("1");
    await world.on([window], window.propose("a.ts", AFTER, "turn"));
    assert.deepEqual(window.pending, { "a.ts": AFTER });
    assert.deepEqual([window.text("a.ts"), window.proposals.pendingPaths], [BEFORE, ["a.ts"]]);
    await world.on([window], window.accept("a.ts"));
    assert.deepEqual([window.text("a.ts"), window.proposals.pendingPaths], [AFTER, []]);
    assert.equal(window.decided.at(-1), "turn applied");
  });

  row("go on after a reload, with what the user typed in the file meanwhile", async (world) => {
    const first = await world.open("1");
    await world.on([first], first.propose("a.ts", AFTER, "turn"));
    await world.on([first], first.close());
    const file = world.disk.files.get(fileAt("a.ts").uri);
    assert.ok(file);
    Object.assign(file, { text: BEFORE.replace("three", "3"), stamp: file.stamp + 1 });
    const second = await world.open("2", ["1"]);
    await world.on([second], Promise.resolve());
    assert.deepEqual(second.pending, { "a.ts": AFTER.replace("three", "3") });
  });

  row("are pending again where a crash lost what was accepted and not saved", async (world) => {
    const first = await world.open("1");
    await world.on([first], first.propose("a.ts", AFTER, "turn"));
    await world.on([first], first.accept("a.ts"));
    await world.on([first], first.proposals.kept());
    assert.deepEqual(first.pending, {});
    first.kill();
    const second = await world.open("2", ["1"]);
    assert.deepEqual(second.pending, { "a.ts": AFTER });
    assert.ok(second.told.includes("taken-back a.ts"));
  });

  row("are done where what was accepted is saved", async (world) => {
    const first = await world.open("1");
    await world.on([first], first.propose("a.ts", AFTER, "turn"));
    await world.on([first], first.accept("a.ts"));
    assert.ok(await world.on([first], first.save("a.ts")));
    await world.on([first], first.proposals.kept());
    first.kill();
    const second = await world.open("2", ["1"]);
    assert.deepEqual([second.pending, second.told], [{}, []]);
    assert.deepEqual(await second.store.load(), []);
  });

  row("of a later turn go on from what was accepted and is not saved", async (world) => {
    const first = await world.open("1");
    await world.on([first], first.propose("a.ts", AFTER, "turn"));
    await world.on([first], first.accept("a.ts"));
    await world.on([first], first.propose("a.ts", LATER, "next"));
    assert.deepEqual(first.pending, { "a.ts": LATER });
    await world.on([first], first.proposals.kept());
    first.kill();
    // The file lost the accepted change with the window: both changes are pending, each once.
    const second = await world.open("2", ["1"]);
    assert.deepEqual(second.pending, { "a.ts": LATER });
    await world.on([second], second.accept("a.ts"));
    assert.deepEqual([second.text("a.ts"), second.pending], [LATER, {}]);
  });

  row("of several turns share one review, and each turn hears of its own", async (world) => {
    const window = await world.open("1");
    await world.on([window], window.propose("a.ts", AFTER, "turn"));
    await world.on([window], window.propose("a.ts", LATER, "next"));
    assert.equal(window.proposals.reviews.length, 1);
    await world.on([window], window.reject("a.ts"));
    assert.deepEqual([window.text("a.ts"), window.pending], [BEFORE, {}]);
    assert.deepEqual([...window.decided].sort(), ["next rejected", "turn rejected"]);
  });

  row("name for each difference the chats that wrote it, decided ones left out", async (world) => {
    const window = await world.open("1");
    const chats = () =>
      window.proposals
        .pending(fileAt("a.ts"))
        ?.hunks.map((each) => each.map(({ chatId }) => chatId).join());
    await world.on([window], window.propose("a.ts", AFTER, "turn", "first"));
    await world.on([window], window.propose("a.ts", LATER, "next", "second"));
    assert.deepEqual(chats(), ["first", "second"]);
    const [review] = window.proposals.reviews;
    const [hunk] = review?.hunks() ?? [];
    assert.ok(review && hunk);
    await world.on([window], review.decisions.reject([hunk.id]));
    assert.deepEqual(chats(), ["second"]);
  });

  row("of another chat are refused while an answer writes the file", async (world) => {
    const window = await world.open("1");
    const snapshot = {
      ...{ file: fileAt("a.ts"), exists: true, text: BEFORE, version: 1, languageId: "" },
    };
    const origin = { chatId: "chat", turnId: "turn", callId: "turn" };
    const part = window.proposals.open(snapshot, origin);
    part.update(() => ({ text: AFTER, blocks: [] }));
    const refused = await world.on([window], window.propose("a.ts", LATER, "other", "other"));
    assert.deepEqual(
      refused.blocks.map(({ reason }) => reason?.code),
      ["being-written"],
    );
    part.dispose();
    await world.on([window], Promise.resolve());
    assert.deepEqual([window.pending, window.text("a.ts")], [{}, BEFORE]);
    await world.on([window], window.propose("a.ts", LATER, "other", "other"));
    assert.deepEqual(window.pending, { "a.ts": LATER });
  });

  row("follow a file that is renamed, and are accepted there", async (world) => {
    const window = await world.open("1");
    await world.on([window], window.propose("a.ts", AFTER, "turn"));
    await world.on([window], window.rename("a.ts", "b.ts"));
    assert.deepEqual(window.pending, { "b.ts": AFTER });
    await world.on([window], window.accept("b.ts"));
    assert.deepEqual([window.text("b.ts"), window.pending], [AFTER, {}]);
  });

  row("are withdrawn with a file that is deleted, which is told", async (world) => {
    const window = await world.open("1");
    await world.on([window], window.propose("a.ts", AFTER, "turn"));
    world.disk.files.delete(fileAt("a.ts").uri);
    const review = window.proposals.of(fileAt("a.ts").uri);
    assert.ok(review);
    window.proposals.gone(review, "deleted");
    await world.on([window], window.proposals.kept());
    assert.deepEqual([window.pending, window.told], [{}, ["deleted a.ts"]]);
    assert.deepEqual([window.decided, await window.store.load()], [["turn rejected"], []]);
  });

  row("are withdrawn where another file takes the place of theirs", async (world) => {
    world.disk.files.set(fileAt("b.ts").uri, fakeFile(BEFORE));
    const window = await world.open("1");
    await world.on([window], window.propose("a.ts", AFTER, "turn"));
    await world.on([window], window.propose("b.ts", LATER, "other"));
    await world.on([window], window.rename("a.ts", "b.ts"));
    assert.deepEqual(window.pending, { "b.ts": AFTER });
    assert.deepEqual(window.decided, ["other rejected"]);
  });

  row("move to the window where the user decides, and the other shows them", async (world) => {
    const first = await world.open("1");
    await world.on([first], first.propose("a.ts", AFTER, "turn"));
    const second = await world.open("2");
    const both = [first, second];
    first.user.isInFront = false;
    assert.deepEqual([second.pending, second.proposals.pendingPaths], [{}, ["a.ts"]]);
    const refused = await world.on(both, second.propose("a.ts", LATER, "next"));
    assert.deepEqual(
      refused.blocks.map(({ reason }) => reason?.code),
      ["proposals-elsewhere"],
    );
    assert.equal(await world.on(both, second.proposals.own()), true);
    assert.deepEqual([first.pending, second.pending], [{}, { "a.ts": AFTER }]);
    await world.on(both, second.accept("a.ts"));
    assert.deepEqual([second.text("a.ts"), second.decided.at(-1)], [AFTER, "turn applied"]);
    // Until the disk has it, the record is the only one that does.
    assert.deepEqual([first.decided, first.proposals.pendingPaths], [[], ["a.ts"]]);
    assert.ok(await world.on(both, second.save("a.ts")));
    assert.deepEqual(first.proposals.pendingPaths, []);
  });

  row("that wait for another one of their file come once that is decided", async (world) => {
    const window = await world.open("1");
    await world.on([window], window.propose("a.ts", AFTER, "turn"));
    const [kept] = window.proposals.reviews.flatMap((review) => review.stored() ?? []);
    assert.ok(kept);
    await world.on([window], window.reject("a.ts"));
    await world.on([window], window.propose("a.ts", LATER, "mine"));
    assert.equal(await world.on([window], window.proposals.adopt([{ ...kept, id: "adopted" }])), 1);
    assert.deepEqual(window.pending, { "a.ts": LATER });
    await world.on([window], window.reject("a.ts"));
    assert.deepEqual(window.pending, { "a.ts": AFTER });
  });

  row("are pending again where an accepted change is taken back", async (world) => {
    const window = await world.open("1");
    await world.on([window], window.propose("a.ts", AFTER, "turn"));
    const review = window.proposals.of(fileAt("a.ts").uri);
    assert.ok(review);
    const ids = review.hunks().map(({ id }) => id);
    const accepted = await world.on([window], review.decisions.accept(ids));
    assert.ok(accepted.ok && accepted.value);
    const change = { review, ...accepted.value };
    assert.equal(await world.on([window], window.proposals.takeBack(change)), true);
    assert.deepEqual([window.text("a.ts"), window.pending], [BEFORE, { "a.ts": AFTER }]);
  });

  row("are not told of one by one while many are decided", async (world) => {
    const paths = ["a.ts", "b.ts", "c.ts"];
    for (const path of paths) world.disk.files.set(fileAt(path).uri, fakeFile(BEFORE));
    const window = await world.open("1");
    for (const path of paths) await world.on([window], window.propose(path, AFTER, path));
    const heard: number[] = [];
    window.proposals.onChange(() => void heard.push(window.proposals.reviews.length));
    await world.on(
      [window],
      window.proposals.decideMany(async () => {
        for (const path of paths) await window.reject(path);
      }),
    );
    assert.deepEqual([heard[0], window.pending], [0, {}]);
  });
});
