import assert from "node:assert/strict";
import type { Chat } from "../../../../src/agent/chat/chat.ts";
import { Emitter } from "../../../../src/base/emitter.ts";
import { isTold, watchNotices } from "../../../../src/review/chats/chatNotices.ts";
import { comes } from "../../../fakes/comes.ts";
import { chat, chatsIn, open as serve } from "../../agent/chat/chatHarness.ts";

/** All that was begun is on record. */
async function quiet(): Promise<void> {
  await chat.flush();
  await new Promise((done) => setImmediate(done));
}

describe("what a chat tells a user who looks elsewhere", () => {
  chatsIn();

  async function told(
    act: (chat: Chat, asking: Emitter<{ turnId: string }[]>) => Promise<unknown>,
  ) {
    const asking = new Emitter<{ turnId: string }[]>();
    const notices: string[] = [];
    const chats = {
      each: (listen: (chat: Chat) => { dispose(): void }) => listen(chat),
      ofTurn: (turnId: string) => (chat.tree.turns.has(turnId) ? chat : null),
    };
    const watch = watchNotices(chats, [{ onChange: asking.on.bind(asking) }], (_, notice) =>
      notices.push(notice),
    );
    await act(chat, asking);
    await quiet();
    watch.dispose();
    return notices;
  }

  it("is that it is done, once for all that was queued", async () => {
    await serve([{ text: "One." }, { text: "Two." }]);
    const notices = await told(async (chat) => {
      const first = chat.send("First");
      void chat.send("Second");
      await first;
      await comes("the end of the second turn", () => !chat.busy);
    });
    assert.deepEqual(notices, ["done"]);
  });

  it("is that it failed, but not that the user stopped it", async () => {
    await serve([{ status: 401 }, { text: "Never", stallAfter: 0 }]);
    const notices = await told(async (chat) => {
      await chat.send("First");
      await quiet();
      const second = chat.send("Second");
      chat.stop();
      await second;
    });
    assert.deepEqual(notices, ["failed"]);
  });

  it("is that it asks, once for each question, and nothing of another chat", async () => {
    await serve([{ text: "One." }]);
    const notices = await told(async (chat, asking) => {
      await chat.send("First");
      await quiet();
      const own = { turnId: chat.tree.headTurnId ?? "" };
      asking.fire([own]);
      asking.fire([own, { turnId: "turn-of-a-guest" }]);
      asking.fire([]);
    });
    assert.deepEqual(notices, ["done", "asks"]);
  });
});

describe("a notice", () => {
  for (const [told, notices] of [
    ["waiting", ["failed", "asks"]],
    ["all", ["done", "failed", "asks"]],
    ["never", []],
  ] as const)
    it(`is told with the setting ${told} of: ${notices.join(", ")}`, () => {
      const all = ["done", "failed", "asks"] as const;
      assert.deepEqual(
        all.filter((notice) => isTold(notice, told)),
        notices,
      );
    });
});
