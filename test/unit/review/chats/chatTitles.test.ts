import assert from "node:assert/strict";
import type { Chat } from "../../../../src/agent/chat/chat.ts";
import { watchChatTitles } from "../../../../src/review/chats/chatTitles.ts";
import { comes } from "../../../fakes/comes.ts";
import { MemoryEventLogStorage } from "../../../fakes/turns/memoryEventLogStorage.ts";
import { TurnScript } from "../../../fakes/turns/turnScript.ts";

const none = { each: () => ({ dispose() {} }), find: (): Chat | null => null };

async function recorded(name: string, title: string): Promise<MemoryEventLogStorage> {
  const storage = new MemoryEventLogStorage();
  const { events } = new TurnScript().ask(title).text("Yes.").end();
  await storage.open(name).append(events.map((event) => JSON.stringify(event)));
  return storage;
}

describe("the titles of chats", () => {
  it("are read from the record of a closed one, once, and told", async () => {
    const storage = await recorded("chat-a", "Double a");
    let reads = 0;
    const list = storage.list.bind(storage);
    storage.list = () => {
      reads++;
      return list();
    };
    const titles = watchChatTitles(Promise.resolve(none), storage);
    let isTold = false;
    titles.onChange(() => {
      isTold = titles.of("chat-a") !== "";
    });
    assert.equal(titles.of("chat-a"), "");
    await comes("the title", () => isTold);
    assert.equal(titles.of("chat-a"), "Double a");
    assert.equal(titles.of("chat-a"), "Double a");
    assert.equal(reads, 1);
    titles.dispose();
  });

  it("are none for a chat that is not on record, or while no chat is open", async () => {
    const never = new Promise<typeof none>(() => undefined);
    const titles = watchChatTitles(never, await recorded("chat-a", "Double a"));
    assert.equal(titles.of("chat-b"), "");
    await comes("the other's title", () => titles.of("chat-a") === "Double a");
    assert.equal(titles.of("chat-b"), "");
    titles.dispose();
  });
});
