import assert from "node:assert/strict";
import { type ChatSources, CurrentChat, type OpenChat } from "../../../src/host/currentChat.ts";
import { MemoryEventLogStorage } from "../../fakes/memoryEventLogStorage.ts";

class ListedChat implements OpenChat {
  readonly tree = { turns: new Map<string, unknown>() };
  busy = false;
  ended = false;
  readonly chatId: string;

  constructor(chatId: string) {
    this.chatId = chatId;
  }

  async dispose(): Promise<void> {
    this.ended = true;
  }
}

function sources(storage = new MemoryEventLogStorage(), values = new Map<string, unknown>()): ChatSources<ListedChat> {
  const memory = {
    get: (key: string) => values.get(key),
    update: async (key: string, value: string) => void values.set(key, value),
  };
  return {
    storage,
    memory,
    async open(chatId, log) {
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
    const { chat } = await CurrentChat.open(sources());
    assert.match(chat.chatId, /^chat-[a-z0-9-]+$/);
    assert.equal(chat.tree.turns.size, 0);
  });

  it("is the newest on record when the workspace remembers none", async () => {
    const { chat } = await CurrentChat.open(sources(await recorded("chat-a", "chat-b")));
    assert.equal(chat.chatId, "chat-b");
    assert.equal(chat.tree.turns.size, 1);
  });

  it("is again the one that was shown last, also when that was empty", async () => {
    const storage = await recorded("chat-a");
    const values = new Map<string, unknown>();
    const before = await CurrentChat.open(sources(storage, values));
    await before.startNew();
    const after = await CurrentChat.open(sources(storage, values));
    assert.equal(after.chat.chatId, before.chat.chatId);
    assert.equal(after.chat.tree.turns.size, 0);
  });

  for (const remembered of ["../../etc/passwd", 7, "", { a: 1 }]) {
    it(`does not follow a damaged memory (${JSON.stringify(remembered)})`, async () => {
      const { chat } = await CurrentChat.open(sources(await recorded("chat-a"), new Map([["graft.lastChat", remembered]])));
      assert.equal(chat.chatId, "chat-a");
    });
  }

  it("ends when a new one is started, and an empty one stays", async () => {
    const current = await CurrentChat.open(sources(await recorded("chat-a")));
    const first = current.chat;
    const second = await current.startNew();
    assert.ok(first.ended);
    assert.equal(await current.startNew(), second);
    assert.ok(!second.ended);
  });
});
