import type { Chat } from "../../agent/chat/chat.ts";
import { decisionEvents } from "../../agent/chat/decisionEvents.ts";
import { ChangeJournal, type FileChange } from "../../edits/history/changeJournal.ts";
import type { EventLog, EventLogStorage } from "../../ports/eventLog.ts";
import type { Logger } from "../../ports/logger.ts";
import type { ReviewEvents } from "../../ports/review.ts";
import { TurnStore } from "../../turns/turnStore.ts";
import type { CurrentChat } from "./currentChat.ts";

/**
 * Records what becomes of proposals in the chats that they are from, shown or not, once the first chat is open. A chat that another
 * window has open is left alone.
 */
export function recordReviews(opened: Promise<CurrentChat<Chat>>, journals: EventLogStorage, logger: Logger): ReviewEvents {
  /** Records in the shown chat at once, in another one through its log. */
  const record = (chatId: string, inShown: (chat: Chat) => void, inClosed: (log: EventLog) => Promise<void>) => {
    const recorded = opened.then(async (chats) => {
      if (chats.chat.chatId === chatId) return inShown(chats.chat);
      const done = await chats.withLog(chatId, inClosed);
      if (!done) logger.warn(`A decision is not on record in ${chatId}, which another window has open.`);
    });
    recorded.catch((error: unknown) => logger.error(`Recording a decision failed: ${String(error)}`));
  };
  const recordChange = (chatId: string, change: FileChange) =>
    record(
      chatId,
      (chat) => void chat.journal.record(change),
      () => new ChangeJournal(journals.open(chatId), logger).record(change),
    );
  return {
    decided(origin, path, blocks, userDiff) {
      const inClosed = async (log: EventLog) => {
        const { turnId } = origin;
        const store = await TurnStore.load(log, logger);
        const turn = store.tree.turns.get(turnId);
        if (turn?.role !== "agent") return;
        for (const event of decisionEvents(turn, path, blocks, userDiff)) {
          store.append({ seq: store.tree.lastSeq + 1, turnId, at: Date.now(), ...event });
        }
        await store.flush();
      };
      record(origin.chatId, (chat) => chat.decided(origin, path, blocks, userDiff), inClosed);
    },
    applied: ({ chatId, turnId, callId }, { file, ...texts }) =>
      recordChange(chatId, { at: Date.now(), turnId, callId, ...file, ...texts }),
    takenBack: ({ chatId }, { file, before, after }) =>
      recordChange(chatId, { at: Date.now(), turnId: null, callId: null, ...file, before: after, after: before }),
  };
}
