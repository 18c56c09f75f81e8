import assert from "node:assert/strict";
import fc from "fast-check";
import { Emitter } from "../../../../src/base/emitter.ts";
import { ChatBridge, type ChatSource } from "../../../../src/host/panel/chatBridge.ts";
import { MessageInbox } from "../../../../src/host/panel/messageInbox.ts";
import {
  type HostMessage,
  type PanelMessage,
  panelMessageSchema,
} from "../../../../src/protocol/messages.ts";
import type { OpenChat } from "../../../../src/review/chats/claimedChat.ts";
import { OpenChats } from "../../../../src/review/chats/openChats.ts";
import type { TurnEvent, TurnEventBody } from "../../../../src/turns/turnEvent.ts";
import { parseTurnEvent, TurnStore } from "../../../../src/turns/turnStore.ts";
import { PanelStore } from "../../../../webview/panelStore.ts";
import { hostNamed } from "../../../fakes/hostNamed.ts";
import { RecordingLogger } from "../../../fakes/recordingLogger.ts";
import { MemoryEventLogStorage } from "../../../fakes/turns/memoryEventLogStorage.ts";
import { readyStatus } from "../../../ui/panelPage.ts";

/** A chat that puts each message on record as a turn, or in its queue, unless it is refused. */
class RecordingChat implements OpenChat, ChatSource {
  readonly chatId: string;
  readonly busy = false;
  private readonly store: TurnStore;
  private readonly emitter = new Emitter<TurnEvent>();
  private ended = false;

  constructor(chatId: string, store: TurnStore) {
    this.chatId = chatId;
    this.store = store;
  }

  get tree() {
    return this.store.tree;
  }

  events = (): readonly TurnEvent[] => this.store.events;
  onEvent = (listener: (event: TurnEvent) => void) => this.emitter.on(listener);
  stored = () => this.store.stored();

  /** Settles only when what it starts is over, as a turn does: here never. */
  async send(text: string, id: string): Promise<boolean> {
    await Promise.resolve();
    if (this.ended || text.startsWith("refuse")) return false;
    this.add(text, id);
    return new Promise(() => undefined);
  }

  showBranch(): void {}

  async rename(): Promise<void> {}
  flush = () => this.store.flush();
  async dispose(): Promise<void> {
    await Promise.resolve();
    this.ended = true;
    await this.store.close();
  }

  private add(text: string, id: string): void {
    const seq = this.tree.lastSeq + 1;
    const turn: TurnEventBody = {
      type: "turn-start",
      role: "user",
      parentTurnId: this.tree.headTurnId,
      text,
      model: null,
      editFile: null,
      activeFile: null,
      messages: [id],
    };
    const waiting: TurnEventBody = { type: "queue", messages: [...this.tree.queued, { id, text }] };
    const body = text.startsWith("queue") ? waiting : turn;
    const event: TurnEvent = { seq, turnId: `turn-${seq}`, at: 0, ...body };
    this.store.append(event);
    this.emitter.fire(event);
  }
}

/** The texts of the messages that a log has. */
function textsOf(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => {
    const event = parseTurnEvent(line);
    if (event?.type === "turn-start") return [event.text ?? ""];
    return event?.type === "queue" ? event.messages.slice(-1).map(({ text }) => text) : [];
  });
}

/** Microtasks and immediates until all that was begun is over. */
async function idle(): Promise<void> {
  for (let turn = 0; turn < 12; turn++) await new Promise((done) => setImmediate(done));
}

/** What still renews its claim of a chat. */
const opened: OpenChats<RecordingChat>[] = [];

/** Host and panel with a channel each way that delivers when the test says so. */
async function setUp(storage = new MemoryEventLogStorage(), saved?: unknown) {
  const values = new Map<string, unknown>();
  const chats = await OpenChats.open<RecordingChat>({
    storage,
    memory: {
      get: (key) => values.get(key),
      update: async (key, value) => void values.set(key, value),
    },
    lease: { host: hostNamed("1") },
    asking: () => undefined,
    taken: () => undefined,
    openChat: async (chatId) =>
      new RecordingChat(chatId, await TurnStore.load(storage.open(chatId), new RecordingLogger())),
  });
  opened.push(chats);
  const frames: (() => void)[] = [];
  const bridge = new ChatBridge(chats.chat, readyStatus, (task) => {
    frames.push(task);
    return { dispose: () => frames.splice(frames.indexOf(task) >>> 0, 1) };
  });
  chats.onOpening((chatId) => bridge.showNew(chatId));
  chats.onShown((chat) => bridge.show(chat));
  const inbox = new MessageInbox<RecordingChat>(
    chats,
    async ({ text, id }, chat) => ({ done: chat.send(text, id) }),
    (error) => assert.fail(String(error)),
  );
  const toPanel: HostMessage[] = [];
  const toHost: PanelMessage[] = [];
  const back: string[] = [];
  let store: PanelStore;
  const drawn: (() => void)[] = [];
  const load = () => {
    bridge.connect((message) => toPanel.push(structuredClone(message)));
    toPanel.length = 0;
    store = new PanelStore(
      {
        postMessage: (message) => toHost.push(panelMessageSchema.parse(message)),
        getState: () => saved,
        setState: (state) => {
          saved = structuredClone(state);
        },
      },
      (task) => drawn.push(task),
    );
    const nothing = () => undefined;
    store.start({
      reset: nothing,
      status: nothing,
      outgoing: nothing,
      frame: nothing,
      focusComposer: nothing,
      find: nothing,
      compose: (text) => back.push(text),
      context: nothing,
      voice: nothing,
      candidates: nothing,
    });
  };
  load();
  const toHostOne = (message: PanelMessage | undefined) => {
    if (message?.chatId) chats.seen(message.chatId);
    if (message?.type === "ready") bridge.ready();
    else if (message?.type === "send") void inbox.receive(message, bridge);
    else if (message?.type === "new-chat") void chats.startNew(message.chatId);
  };
  return {
    chats,
    storage,
    bridge,
    toPanel,
    toHost,
    back,
    load,
    saved: () => saved,
    store: () => store,
    frame() {
      for (const task of [...frames.splice(0), ...drawn.splice(0)]) task();
    },
    hostTakes: () => toHostOne(toHost.shift()),
    panelTakes() {
      const message = toPanel.shift();
      if (message) store.receive(message);
    },
    async settle() {
      for (let round = 0; round < 12; round++) {
        await idle();
        this.frame();
        while (toHost.length > 0) this.hostTakes();
        await idle();
        while (toPanel.length > 0) this.panelTakes();
        if (round > 4) bridge.ping();
      }
    },
  };
}

const STEPS = [
  "send",
  "send",
  "refuse",
  "new chat",
  "new chat in the editor",
  "host",
  "host",
  "panel",
  "panel",
  "frame",
  "wait",
] as const;
const TROUBLE = ["twice", "swap", "reload", "ping"] as const;

describe("messages of the user", () => {
  afterEach(async () => {
    for (const chats of opened.splice(0)) await chats.dispose();
  });

  it("keeps what comes while the window ends for the next host, which knows what is on record", async () => {
    const first = await setUp();
    await first.settle();
    first.store().send("one");
    await idle();
    first.hostTakes();
    await first.settle();
    first.store().send("two");
    const ending = first.chats.dispose();
    await first.settle();
    await ending;
    assert.deepEqual(first.back, [], "nothing comes back from a host that ends");
    const next = await setUp(first.storage, first.saved());
    await next.settle();
    assert.deepEqual(next.back, ["two"]);
  });

  it("reach the chat that they name, once, or come back, however late, often and reordered the host answers", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...STEPS, ...TROUBLE), { maxLength: 40 }),
        async (steps) => {
          const world = await setUp();
          await world.settle();
          const meant = new Map<string, string>();
          let number = 0;
          for (const step of steps) {
            // A panel that knows no chat yet sends nothing.
            if (step === "send" || step === "refuse") {
              if (world.store().status === null) continue;
              const text = `${step} ${number++}`;
              world.store().send(text);
              const message = world.store().outgoing.find((each) => each.text === text);
              assert.ok(message, "it shows at once");
              meant.set(text, message.chatId);
            } else if (step === "new chat") {
              world.store().newChat();
              assert.equal(world.store().tree.turns.size, 0, "it shows at once");
            } else if (step === "new chat in the editor") void world.chats.startNew();
            else if (step === "host") world.hostTakes();
            else if (step === "panel") world.panelTakes();
            else if (step === "frame") world.frame();
            else if (step === "wait") await idle();
            else if (step === "ping") world.bridge.ping();
            else if (step === "reload") world.load();
            else if (step === "twice" && world.toPanel[0])
              world.toPanel.splice(1, 0, structuredClone(world.toPanel[0]));
            else if (step === "swap" && world.toPanel.length > 1)
              world.toPanel.push(...world.toPanel.splice(0, 1));
          }
          await world.settle();
          assert.deepEqual(world.store().outgoing, []);
          assert.deepEqual(
            world.store().tree,
            world.chats.chat.tree,
            "the panel shows what is on record",
          );
          const logs = new Map<string, readonly string[]>();
          for (const { name } of await world.storage.list())
            logs.set(name, await world.storage.open(name).read());
          // What arrives after the editor's New Chat, written before that was seen, goes into the
          // new one.
          const isSure = !steps.includes("new chat in the editor");
          for (const [text, chat] of meant) {
            const places = [...logs].flatMap(([name, lines]) =>
              textsOf(lines).flatMap((each) => (each === text ? [name] : [])),
            );
            const returned = world.back.filter((each) => each === text).length;
            assert.equal(
              places.length + returned,
              1,
              `${text} is in ${places.join()} and came back ${returned} times`,
            );
            if (places.length > 0 && isSure) assert.deepEqual(places, [chat]);
          }
        },
      ),
      { numRuns: 100 },
    );
  });

  it("go into the new chat when New Chat was run just before them", async () => {
    const world = await setUp();
    await world.settle();
    world.store().send("first");
    await world.settle();
    const old = world.chats.chat;
    void world.chats.startNew();
    world.store().send("second");
    await world.settle();
    assert.notEqual(world.chats.chat, old);
    const texts = (chat: RecordingChat) =>
      [...chat.tree.turns.values()].map((turn) => turn.role === "user" && turn.text);
    assert.deepEqual([texts(old), texts(world.chats.chat)], [["first"], ["second"]]);
    world.store().newChat();
    world.store().send("third");
    assert.equal(world.store().outgoing.length, 1, "it shows at once");
    await world.settle();
    assert.deepEqual(texts(world.chats.chat), ["third"]);
  });

  for (const { at, isStored } of [
    { at: "before the host has it", isStored: false },
    { at: "once it is stored, before the panel knows", isStored: true },
  ])
    it(`sent by a session whose host dies ${at} ${isStored ? "are on record" : "come back unsent"}`, async () => {
      const world = await setUp();
      await world.settle();
      const chat = world.chats.chat;
      world.store().send("mine");
      const [sent] = world.store().outgoing;
      assert.ok(sent);
      if (isStored) {
        void chat.send("mine", sent.id);
        await idle();
        await chat.flush();
      }
      // The next host knows only what is on record, and the next page what the panel saved.
      const next = await setUp(world.storage, world.saved());
      await next.settle();
      const logs = await Promise.all(
        (await next.storage.list()).map(({ name }) => next.storage.open(name).read()),
      );
      assert.deepEqual(textsOf(logs.flat()), isStored ? ["mine"] : []);
      assert.deepEqual(next.back, isStored ? [] : ["mine"]);
      assert.deepEqual(next.store().savedState.outbox, []);
    });

  for (const text of ["mine", "queue this"])
    it(`stays with the panel while its write fails, and is not lost if the host dies: ${text}`, async () => {
      const world = await setUp();
      await world.settle();
      const log = world.storage.open(world.chats.chat.chatId);
      log.failures = Number.POSITIVE_INFINITY;
      world.store().send(text);
      const [sent] = world.store().outgoing;
      assert.ok(sent);
      await world.settle();
      assert.ok(world.store().tree.messages.has(sent.id), "the host has it in memory");
      assert.ok(world.store().isSending(sent.id));
      // The next host knows only what is on record, and the next page what the panel saved.
      const next = await setUp(world.storage, world.saved());
      await next.settle();
      assert.deepEqual(textsOf(log.lines), []);
      assert.deepEqual(next.back, [text]);
    });

  it("counts as sent once a later write brings it to the disk", async () => {
    const world = await setUp();
    await world.settle();
    const log = world.storage.open(world.chats.chat.chatId);
    log.failures = Number.POSITIVE_INFINITY;
    world.store().send("queue this");
    await world.settle();
    const [sent] = world.store().savedState.outbox;
    assert.ok(sent);
    log.failures = 0;
    await world.chats.chat.flush();
    await world.settle();
    assert.equal(world.store().isSending(sent.id), false);
    assert.deepEqual(textsOf(log.lines), ["queue this"]);
  });

  it("is sent by no host that its panel has not seen", async () => {
    const world = await setUp();
    await world.settle();
    const next = await setUp(world.storage);
    world.store().send("mine");
    // The page stays, and what it posts reaches the host after a restart.
    next.toHost.splice(0, next.toHost.length, ...world.toHost.splice(0));
    next.hostTakes();
    await idle();
    const chats = [...world.storage.logs.values()];
    assert.deepEqual(
      chats.flatMap(({ lines }) => textsOf(lines)),
      [],
    );
    assert.deepEqual(
      world.store().savedState.outbox.map(({ text }) => text),
      ["mine"],
    );
  });
});
