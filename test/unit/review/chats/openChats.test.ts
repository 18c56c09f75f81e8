import assert from "node:assert/strict";
import type { ChatSources, OpenChat } from "../../../../src/review/chats/claimedChat.ts";
import { OpenChats } from "../../../../src/review/chats/openChats.ts";
import { hostNamed } from "../../../fakes/hostNamed.ts";
import { ManualClock } from "../../../fakes/manualClock.ts";
import { MemoryEventLogStorage } from "../../../fakes/turns/memoryEventLogStorage.ts";

class ListedChat implements OpenChat {
  readonly tree = { turns: new Map<string, unknown>() };
  busy = false;
  ended = false;
  readonly chatId: string;

  constructor(chatId: string) {
    this.chatId = chatId;
  }

  showBranch(): void {}

  async rename(): Promise<void> {}

  async flush(): Promise<void> {}

  async dispose(): Promise<void> {
    this.ended = true;
  }
}

function sources(
  storage = new MemoryEventLogStorage(),
  values = new Map<string, unknown>(),
  window = "window-1",
  clock = new ManualClock(),
  taken: string[] = [],
): ChatSources<ListedChat> {
  const memory = {
    get: (key: string) => values.get(key),
    update: async (key: string, value: readonly string[]) => void values.set(key, value),
  };
  return {
    storage,
    memory,
    lease: { host: hostNamed(window), clock },
    asking: () => undefined,
    taken: (chatId) => void taken.push(chatId),
    async openChat(chatId, log) {
      const chat = new ListedChat(chatId);
      for (const line of await log.read()) chat.tree.turns.set(line, line);
      return chat;
    },
  };
}

async function recorded(...names: string[]): Promise<MemoryEventLogStorage> {
  const storage = new MemoryEventLogStorage();
  for (const name of names) await storage.open(name).append(["a turn"]);
  return storage;
}

describe("the chat that is shown", () => {
  it("is a new one in a new workspace", async () => {
    const { chat } = await OpenChats.open(sources());
    assert.match(chat.chatId, /^chat-[a-z0-9-]+$/);
    assert.equal(chat.tree.turns.size, 0);
  });

  it("is the newest stored one when the workspace remembers none", async () => {
    const { chat } = await OpenChats.open(sources(await recorded("chat-a", "chat-b")));
    assert.equal(chat.chatId, "chat-b");
    assert.equal(chat.tree.turns.size, 1);
  });

  it("is the last shown one after a reload, even if empty", async () => {
    const storage = await recorded("chat-a");
    const values = new Map<string, unknown>();
    const before = await OpenChats.open(sources(storage, values));
    await before.startNew();
    const after = await OpenChats.open(sources(storage, values));
    assert.equal(after.chat.chatId, before.chat.chatId);
    assert.equal(after.chat.tree.turns.size, 0);
  });

  for (const remembered of ["../../etc/passwd", 7, "", { a: 1 }]) {
    it(`ignores damaged workspace state (${JSON.stringify(remembered)})`, async () => {
      const { chat } = await OpenChats.open(
        sources(await recorded("chat-a"), new Map([["graft.lastChat", remembered]])),
      );
      assert.equal(chat.chatId, "chat-a");
    });
  }

  it("closes when a new one starts, unless it is empty", async () => {
    const current = await OpenChats.open(sources(await recorded("chat-a")));
    const first = current.chat;
    const second = await current.startNew();
    assert.ok(first.ended);
    assert.equal(await current.startNew(), second);
    assert.ok(!second.ended);
  });

  it("goes on behind another one while its turn runs, and until its end was seen", async () => {
    const chats = await OpenChats.open(sources(await recorded("chat-a", "chat-b")));
    const first = chats.shown;
    first.busy = true;
    await chats.show("chat-a");
    assert.equal(chats.shown.chatId, "chat-a");
    assert.ok(!first.ended);
    first.busy = false;
    await chats.startNew();
    assert.ok(!first.ended, "nobody has seen it");
    assert.equal(chats.isVisible(first.chatId), false);
    await chats.show(first.chatId);
    assert.equal(chats.shown, first);
    await chats.show("chat-a");
    assert.ok(first.ended);
    assert.equal(chats.find(first.chatId), null);
  });

  it("leaves those behind it open over a reload, until they are seen", async () => {
    const storage = await recorded("chat-a", "chat-b", "chat-c");
    const values = new Map<string, unknown>();
    const before = await OpenChats.open(sources(storage, values));
    before.shown.busy = true;
    await before.show("chat-a");
    await before.dispose();
    const after = await OpenChats.open(sources(storage, values));
    const idle = after.withChat("chat-a", async () => undefined);
    await idle;
    assert.deepEqual(
      after.all.map(({ chatId }) => [chatId, after.isVisible(chatId)]),
      [
        ["chat-a", true],
        ["chat-c", false],
      ],
    );
    await after.show("chat-c");
    await after.dispose();
    const last = await OpenChats.open(sources(storage, values));
    await last.withChat("chat-c", async () => undefined);
    assert.deepEqual(
      last.all.map(({ chatId }) => chatId),
      ["chat-c"],
    );
  });

  it("brings nothing back that is no longer on record", async () => {
    const storage = await recorded("chat-a", "chat-b");
    const values = new Map<string, unknown>([["graft.unseenChats", ["chat-gone", "../x", 7]]]);
    const here = await OpenChats.open(sources(storage, values));
    await here.withChat("chat-b", async () => undefined);
    assert.deepEqual(
      here.all.map(({ chatId }) => chatId),
      ["chat-b"],
    );
    assert.deepEqual(values.get("graft.unseenChats"), []);
  });

  it("stays while a message goes to another one, which is opened for it alone", async () => {
    const chats = await OpenChats.open(sources(await recorded("chat-a", "chat-b")));
    let asked: ListedChat | undefined;
    await chats.withChat("chat-a", async (chat) => {
      asked = chat;
      chat.busy = true;
    });
    assert.equal(chats.shown.chatId, "chat-b");
    assert.equal(chats.find("chat-a"), asked);
    await chats.withChat("chat-c", async () => undefined);
    assert.equal(chats.find("chat-c"), null, "nothing runs there");
  });

  it("stays in the side bar while a tab shows another one, in which the user works", async () => {
    const chats = await OpenChats.open(sources(await recorded("chat-a", "chat-b")));
    const worked: string[] = [];
    chats.onFront(({ chatId }) => worked.push(chatId));
    const tab = await chats.hold("chat-a", () => assert.fail("nobody takes it"));
    const twice = await chats.hold("chat-a", () => undefined);
    tab?.toFront(true);
    assert.deepEqual([chats.chat.chatId, chats.shown.chatId], ["chat-a", "chat-b"]);
    tab?.toFront(false);
    tab?.toFront(true);
    tab?.dispose();
    tab?.dispose();
    tab?.toFront(true);
    assert.equal(chats.chat.chatId, "chat-b", "a tab that is gone is not in front");
    assert.deepEqual(worked, ["chat-a", "chat-b", "chat-a", "chat-b"]);
    await chats.show("chat-b");
    assert.equal(chats.find("chat-a")?.ended, false, "the other tab has it");
    twice?.dispose();
    await chats.show("chat-b");
    assert.equal(chats.find("chat-a"), null);
  });

  it("is closed with its tabs where it is deleted", async () => {
    const chats = await OpenChats.open(sources(await recorded("chat-a", "chat-b")));
    let lost = 0;
    const tab = await chats.hold("chat-a", () => {
      lost++;
      tab?.dispose();
    });
    await chats.close("chat-a");
    assert.equal(lost, 1);
    assert.ok(tab?.chat.ended);
    await chats.close("chat-b");
    assert.equal(chats.shown.ended, false, "the side bar shows it");
  });

  it("is heard as long as it is open", async () => {
    const chats = await OpenChats.open(sources(await recorded("chat-a", "chat-b")));
    const heard: string[] = [];
    const ears = chats.each(({ chatId }) => {
      heard.push(`+${chatId}`);
      return { dispose: () => heard.push(`-${chatId}`) };
    });
    await chats.show("chat-a");
    assert.deepEqual(heard, ["+chat-b", "+chat-a", "-chat-b"]);
    ears.dispose();
    assert.deepEqual(heard.slice(3), ["-chat-a"]);
  });

  describe("in two windows of one workspace", () => {
    let storage: MemoryEventLogStorage;
    let clock: ManualClock;
    let values: Map<string, unknown>;
    let taken: string[];

    beforeEach(async () => {
      storage = await recorded("chat-a");
      clock = new ManualClock();
      taken = [];
      values = new Map([["graft.lastChat", ["chat-a"]]]);
    });

    const open = (window: string) =>
      clock.until(OpenChats.open(sources(storage, values, window, clock, taken)));

    it("is a new one in the second window, which can have the first one's chat unless a turn runs there", async () => {
      const first = await open("1");
      const second = await open("2");
      assert.equal(first.chat.chatId, "chat-a");
      assert.notEqual(second.chat.chatId, "chat-a");
      assert.deepEqual(taken, ["chat-a"]);
      first.chat.busy = true;
      assert.equal(await clock.until(second.show("chat-a")), false);
      assert.equal(first.chat.chatId, "chat-a");
      first.chat.busy = false;
      const left = new Promise<string>((resolve) => {
        first.onShown(({ chatId }) => resolve(chatId));
      });
      assert.equal(await clock.until(second.show("chat-a")), true);
      assert.equal(second.chat.chatId, "chat-a");
      assert.notEqual(await left, "chat-a");
      assert.deepEqual(taken, ["chat-a", "chat-a"]);
    });

    it("is not closed by a second window that begins while it is done and not seen", async () => {
      const first = await open("1");
      const done = first.chat;
      done.busy = true;
      await clock.until(first.startNew("chat-b"));
      done.busy = false;
      const second = await open("2");
      await clock.until(second.withChat(second.shown.chatId, async () => undefined));
      assert.equal(first.find("chat-a"), done);
      assert.equal(second.find("chat-a"), null);
    });

    it("is a new one in the second window, which can open the first one's chat once that window closes", async () => {
      const first = await open("1");
      const second = await open("2");
      await first.dispose();
      const shown: string[] = [];
      second.onShown((chat) => shown.push(chat.chatId));
      assert.equal(await second.show("chat-a"), true);
      assert.deepEqual(shown, ["chat-a"]);
    });

    it("is released by starting a new chat in the first window", async () => {
      const first = await open("1");
      const second = await open("2");
      await first.startNew();
      assert.equal(await second.show("chat-a"), true);
      assert.equal(second.chat.chatId, "chat-a");
    });

    it("is the first window's chat again after both closed", async () => {
      const first = await open("1");
      const second = await open("2");
      await first.dispose();
      await second.dispose();
      assert.equal((await open("3")).chat.chatId, "chat-a");
    });

    it("stays the same in each window across reloads", async () => {
      let first = await open("1");
      let second = await open("2");
      second.chat.tree.turns.set("a turn", {});
      const own = second.chat.chatId;
      for (let round = 0; round < 3; round++) {
        await first.dispose();
        first = await open(`1-${round}`);
        await second.dispose();
        second = await open(`2-${round}`);
        assert.deepEqual([first.chat.chatId, second.chat.chatId], ["chat-a", own]);
      }
    });

    it("is available at once after the extension host restarts", async () => {
      await open("1");
      assert.equal((await open("1")).chat.chatId, "chat-a");
    });

    it("is shown at once in the next window where its last host is known to have ended", async () => {
      await open("1");
      const ended = sources(storage, values, "2", clock, taken);
      const lease = { host: hostNamed("2", new Set(["1"])), clock };
      const { chat } = await OpenChats.open({ ...ended, lease });
      assert.equal(chat.chatId, "chat-a");
      assert.deepEqual(taken, []);
    });

    it("goes with its last events to a window that starts while this one closes", async () => {
      const first = await open("1");
      let close: () => void = () => undefined;
      first.chat.dispose = () =>
        new Promise((resolve) => {
          close = resolve;
        });
      first.chat.busy = true;
      const closing = first.dispose();
      const second = open("2");
      for (let step = 0; step < 10; step++) await clock.step();
      close();
      await closing;
      assert.equal((await second).chat.chatId, "chat-a");
      assert.deepEqual(taken, []);
    });

    it("is shown in a new window once its crashed one is silent for 15 seconds", async () => {
      await open("1");
      const crashedAt = clock.now();
      clock.stopTimers();
      assert.equal((await open("2")).chat.chatId, "chat-a");
      assert.ok(clock.now() - crashedAt >= 15_000);
      assert.deepEqual(taken, []);
    });

    it("is replaced by a new one in a window that slept while another took it", async () => {
      const first = await open("1");
      clock.pauseTimers();
      clock.advance(60_000);
      const second = await open("2");
      assert.equal(second.chat.chatId, "chat-a");
      const old = first.chat;
      const replaced = new Promise<ListedChat>((resolve) => first.onShown(resolve));
      clock.resumeTimers();
      clock.advance(5_000);
      const next = await replaced;
      assert.notEqual(next.chatId, "chat-a");
      assert.deepEqual(taken, ["chat-a"]);
      await first.startNew();
      assert.ok(old.ended);
      assert.ok(!second.chat.ended);
    });
  });
});
