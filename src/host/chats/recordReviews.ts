import type { Chat } from "../../agent/chat/chat.ts";
import { decisionEvents } from "../../agent/chat/decisionEvents.ts";
import { ChangeJournal } from "../../edits/history/changeJournal.ts";
import type { EventLogStorage } from "../../ports/eventLog.ts";
import type { Logger } from "../../ports/logger.ts";
import type { ReviewEvents } from "../../ports/review.ts";
import { TurnStore } from "../../turns/turnStore.ts";
import type { CurrentChat } from "./currentChat.ts";

/** Records what becomes of proposals in the chats that they are from, shown or not. A chat that another window has open is left alone. */
export function recordReviews(chats: () => CurrentChat<Chat>, journals: EventLogStorage, logger: Logger): ReviewEvents {
  const inClosed = async (chatId: string, record: Parameters<CurrentChat<Chat>["withLog"]>[1]) => {
    const done = await chats().withLog(chatId, record);
    if (!done) logger.warn(`A decision is not on record in ${chatId}, which another window has open.`);
  };
  const failed = (error: unknown) => logger.error(`Recording a decision failed: ${String(error)}`);
  return {
    decided(origin, path, blocks, userDiff) {
      const { chatId, turnId } = origin;
      if (chats().chat.chatId === chatId) return chats().chat.decided(origin, path, blocks, userDiff);
      inClosed(chatId, async (log) => {
        const store = await TurnStore.load(log, logger);
        const turn = store.tree.turns.get(turnId);
        if (turn?.role !== "agent") return;
        for (const event of decisionEvents(turn, path, blocks, userDiff)) {
          store.append({ seq: store.tree.lastSeq + 1, turnId, at: Date.now(), ...event });
        }
        await store.flush();
      }).catch(failed);
    },
    applied(origin, change) {
      const { chatId, turnId, callId } = origin;
      if (chats().chat.chatId === chatId) return chats().chat.applied(origin, change);
      const { file, before, after } = change;
      inClosed(chatId, async () => {
        const journal = new ChangeJournal(journals.open(chatId), logger);
        await journal.record({ at: Date.now(), turnId, callId, path: file.path, uri: file.uri, before, after });
        await journal.idle();
      }).catch(failed);
    },
  };
}
