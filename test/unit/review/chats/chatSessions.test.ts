import assert from "node:assert/strict";
import { appendFile, readFile, rm, writeFile } from "node:fs/promises";
import * as path from "node:path";
import { createNodeEventLogStorage } from "../../../../src/node/storage/nodeEventLog.ts";
import type { EventLog } from "../../../../src/ports/eventLog.ts";
import {
  type ChatSessions,
  createChatSessions,
} from "../../../../src/review/chats/chatSessions.ts";
import type { OpenChat } from "../../../../src/review/chats/claimedChat.ts";
import { OpenChats } from "../../../../src/review/chats/openChats.ts";
import { TurnStore } from "../../../../src/turns/turnStore.ts";
import { hostNamed } from "../../../fakes/hostNamed.ts";
import { ManualClock } from "../../../fakes/manualClock.ts";
import { RecordingLogger } from "../../../fakes/recordingLogger.ts";
import { TurnScript } from "../../../fakes/turns/turnScript.ts";
import { type TempFolder, tempFolder } from "../../../fakes/workspace/tempFolder.ts";

/** A chat as far as its history goes. */
class StoredChat implements OpenChat {
  busy = false;
  readonly chatId: string;
  private readonly store: TurnStore;

  private constructor(chatId: string, store: TurnStore) {
    this.chatId = chatId;
    this.store = store;
  }

  static async open(chatId: string, log: EventLog): Promise<StoredChat> {
    return new StoredChat(chatId, await TurnStore.load(log, new RecordingLogger()));
  }

  get tree() {
    return this.store.tree;
  }

  showBranch(): void {}

  rename(title: string): Promise<void> {
    this.store.append({ seq: this.tree.lastSeq + 1, turnId: "", at: 0, type: "chat-title", title });
    return this.flush();
  }

  flush(): Promise<void> {
    return this.store.flush();
  }

  dispose(): Promise<void> {
    return this.flush();
  }
}

interface Window {
  readonly sessions: ChatSessions;
  readonly chats: OpenChats<StoredChat>;
}

describe("the chats of a workspace", () => {
  let folder: TempFolder;
  const file = (name: string) => path.join(folder.root, "chats", name);
  const storage = () => createNodeEventLogStorage(path.join(folder.root, "chats"));
  const journals = () => createNodeEventLogStorage(path.join(folder.root, "changes"));

  const images = {
    removed: [] as string[],
    removeAll: async (chatId: string) => void images.removed.push(chatId),
  };

  beforeEach(async () => {
    images.removed = [];
    folder = await tempFolder();
  });

  afterEach(() => folder.remove());

  async function record(chatId: string, ...requests: readonly string[]): Promise<void> {
    const script = new TurnScript();
    for (const request of requests) script.ask(request).text(`Answer to ${request}`).end();
    await storage()
      .open(chatId)
      .append(script.events.map((event) => JSON.stringify(event)));
  }

  const clock = new ManualClock();

  async function openWindow(window: string): Promise<Window> {
    const values = new Map<string, unknown>();
    const opening = OpenChats.open({
      storage: storage(),
      memory: {
        get: (key) => values.get(key),
        update: async (key, value) => void values.set(key, value),
      },
      lease: { host: hostNamed(window), clock },
      openChat: StoredChat.open,
      asking: () => undefined,
      taken: () => undefined,
    });
    const chats = await clock.until(opening);
    return {
      chats,
      sessions: createChatSessions(
        chats,
        { chats: storage(), journals: journals(), images },
        new RecordingLogger(),
      ),
    };
  }

  const listed = async ({ sessions }: Window) =>
    (await sessions.list()).chats
      .map(({ chatId, title, requests }) => `${chatId}: ${title} (${requests})`)
      .sort();

  it("are listed latest first, with the first words of their first request and their number of requests", async () => {
    await record("chat-a", "Fix\nthe parser", "And its tests");
    await record("chat-b", "x".repeat(100));
    const window = await openWindow("one");
    assert.deepEqual(await listed(window), [
      "chat-a: Fix the parser (2)",
      `chat-b: ${"x".repeat(60)}… (1)`,
    ]);
    const { chats, shownId } = await window.sessions.list();
    assert.ok((chats[0]?.changedAt ?? 0) >= (chats[1]?.changedAt ?? 0));
    assert.equal(shownId, window.chats.chat.chatId);
  });

  for (const [damage, act] of [
    ["missing", () => rm(file("index.json"))],
    ["no JSON", () => writeFile(file("index.json"), "{ torn")],
    ["of another form", () => writeFile(file("index.json"), '{"chat-a":{"title":7}}')],
  ] as const) {
    it(`are listed when the index is ${damage}, which is rebuilt`, async () => {
      await record("chat-a", "Fix the parser");
      const window = await openWindow("one");
      const before = await listed(window);
      await act();
      assert.deepEqual(await listed(window), before);
      assert.match(await readFile(file("index.json"), "utf8"), /Fix the parser/);
    });
  }

  it("are read again only after they change", async () => {
    await record("chat-a", "Fix the parser");
    const window = await openWindow("one");
    await listed(window);
    const index = await readFile(file("index.json"), "utf8");
    await writeFile(file("index.json"), index.replace("Fix the parser", "From the index"));
    assert.deepEqual(await listed(window), ["chat-a: From the index (1)"]);
    await record("chat-a", "More");
    assert.deepEqual(await listed(window), ["chat-a: Fix the parser (2)"]);
  });

  it("lose a torn last line only", async () => {
    await record("chat-a", "First", "Second");
    await appendFile(file("chat-a.jsonl"), '{"type":"turn-start","role":"us');
    const window = await openWindow("one");
    assert.deepEqual(await listed(window), ["chat-a: First (2)"]);
    await window.chats.chat.rename("Whole");
    const read = await window.sessions.read("chat-a");
    assert.ok(read.ok);
    assert.equal(read.value.tree.turns.size, 4);
    assert.equal(read.value.tree.title, "Whole");
  });

  it("keep a given name, shown or not, and get the old one back", async () => {
    await record("chat-a", "First");
    await record("chat-b", "Other");
    const window = await openWindow("one");
    for (const [chatId, title] of [
      ["chat-a", "  My\nchat "],
      ["chat-b", "Its friend"],
    ] as const)
      assert.deepEqual(await window.sessions.rename(chatId, title), { ok: true, value: null });
    await rm(file("index.json"), { force: true });
    assert.deepEqual(await listed(window), ["chat-a: My chat (1)", "chat-b: Its friend (1)"]);
    await window.sessions.rename("chat-a", "");
    assert.deepEqual(await listed(window), ["chat-a: First (1)", "chat-b: Its friend (1)"]);
  });

  it("can be opened, which releases the one before", async () => {
    await record("chat-a", "First");
    await record("chat-b", "Second");
    const window = await openWindow("one");
    for (const chatId of ["chat-a", "chat-b", "chat-a"]) {
      assert.ok((await window.sessions.show(chatId)).ok);
      assert.equal(window.chats.chat.chatId, chatId);
      assert.equal(window.chats.chat.tree.turns.size, 2);
    }
    const other = await openWindow("two");
    assert.ok((await other.sessions.show("chat-b")).ok);
  });

  it("can be deleted with their changes, and a new one replaces the shown one", async () => {
    await record("chat-a", "First");
    await record("chat-b", "Second");
    for (const chatId of ["chat-a", "chat-b"]) await journals().open(chatId).append(["a change"]);
    const window = await openWindow("one");
    await window.sessions.show("chat-a");
    for (const chatId of ["chat-a", "chat-b"]) assert.ok((await window.sessions.remove(chatId)).ok);
    assert.deepEqual(images.removed, ["chat-a", "chat-b"]);
    assert.deepEqual(await listed(window), []);
    assert.deepEqual(await journals().list(), []);
    assert.equal(window.chats.chat.tree.turns.size, 0);
    await assert.rejects(readFile(file("chat-a.claim")), /ENOENT/);
  });

  it("can be deleted while shown and empty", async () => {
    const window = await openWindow("one");
    const { chatId } = window.chats.chat;
    await window.sessions.rename(chatId, "Nothing yet");
    assert.deepEqual(await listed(window), [`${chatId}: Nothing yet (0)`]);
    assert.ok((await window.sessions.remove(chatId)).ok);
    assert.deepEqual(await listed(window), []);
    assert.notEqual(window.chats.chat.chatId, chatId);
  });

  it("are read-only while another window has them open", async () => {
    await record("chat-a", "First");
    const holder = await openWindow("one");
    const other = await openWindow("two");
    assert.equal(holder.chats.chat.chatId, "chat-a");
    for (const action of [
      () => other.sessions.rename("chat-a", "Mine"),
      () => other.sessions.remove("chat-a"),
    ]) {
      const done = await action();
      assert.equal(done.ok ? "" : done.error, "open-elsewhere");
    }
    assert.ok((await other.sessions.read("chat-a")).ok);
    assert.deepEqual(await listed(other), ["chat-a: First (1)"]);
  });

  it("stay with another window while a turn runs there", async () => {
    await record("chat-a", "First");
    const holder = await openWindow("one");
    const other = await openWindow("two");
    holder.chats.chat.busy = true;
    const kept = await clock.until(other.sessions.show("chat-a"));
    assert.equal(kept.ok ? "" : kept.error, "turn-elsewhere");
    holder.chats.chat.busy = false;
    assert.ok((await clock.until(other.sessions.show("chat-a"))).ok);
  });

  it("are reported when they no longer exist, and not created again", async () => {
    const window = await openWindow("one");
    for (const done of [
      await window.sessions.show("chat-gone"),
      await window.sessions.rename("chat-gone", "x"),
      await window.sessions.read("chat-gone"),
    ])
      assert.equal(done.ok ? "" : done.error, "not-found");
    assert.deepEqual(await storage().list(), []);
  });
});
