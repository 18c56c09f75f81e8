import * as z from "zod/mini";
import type { Chat } from "../../agent/chat/chat.ts";
import { decisionEvents } from "../../agent/chat/decisionEvents.ts";
import { type Disposable, disposable } from "../../base/disposable.ts";
import { newId } from "../../base/ids.ts";
import { parseJson } from "../../base/text/parseJson.ts";
import { ChangeJournal, changeSchema, type FileChange } from "../../edits/history/changeJournal.ts";
import type { EventLog, EventLogStorage, SmallFiles } from "../../ports/eventLog.ts";
import type { Logger } from "../../ports/logger.ts";
import { blockOutcomeSchema, type ReviewEvents } from "../../ports/review.ts";
import { TurnStore } from "../../turns/turnStore.ts";
import { type LeaseClock, machineClock } from "../storage/lease.ts";
import type { CurrentChat } from "./currentChat.ts";

/** Milliseconds between two looks for decisions of other windows. */
const LOOKS_MS = 1_000;

const decisionSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("decided"),
    turnId: z.string(),
    path: z.string(),
    blocks: z.readonly(z.array(blockOutcomeSchema)),
    userDiff: z.nullable(z.string()),
  }),
  z.object({ type: z.literal("change"), change: changeSchema }),
]);

/** What became of a chat's proposal, as one window tells another. */
type Decision = z.infer<typeof decisionSchema>;

/** What {@link recordReviews} needs. */
export interface ReviewRecordSources {
  /** Settles once the first chat is open. */
  readonly opened: Promise<CurrentChat<Chat>>;
  readonly journals: EventLogStorage;
  /** Where decisions wait for the window that has their chat. */
  readonly decisions: SmallFiles;
  readonly logger: Logger;
  readonly clock?: LeaseClock;
}

/**
 * Records what becomes of proposals in the chats that they are from, shown or not. The window that
 * has a chat open records what others decide.
 */
export function recordReviews({
  opened,
  journals,
  decisions,
  logger,
  clock = machineClock,
}: ReviewRecordSources): ReviewEvents & Disposable {
  let count = 0;
  let isLooking = false;

  const inShown = (chat: Chat, decision: Decision): void => {
    if (decision.type === "change") void chat.journal.record(decision.change);
    else {
      const { turnId, path, blocks, userDiff } = decision;
      chat.decided({ chatId: chat.chatId, turnId, callId: "" }, path, blocks, userDiff);
    }
  };

  const inClosed = async (chatId: string, log: EventLog, decision: Decision): Promise<void> => {
    if (decision.type === "change")
      return new ChangeJournal(journals.open(chatId), logger).record(decision.change);
    const { turnId, path, blocks, userDiff } = decision;
    const store = await TurnStore.load(log, logger);
    const turn = store.tree.turns.get(turnId);
    if (turn?.role !== "agent") return;
    for (const event of decisionEvents(turn, path, blocks, userDiff)) {
      store.append({ seq: store.tree.lastSeq + 1, turnId, at: Date.now(), ...event });
    }
    await store.flush();
  };

  const record = (chatId: string, decision: Decision) => {
    const recorded = opened.then(async (chats) => {
      if (chats.chat.chatId === chatId) return inShown(chats.chat, decision);
      if (await chats.withLog(chatId, (log) => inClosed(chatId, log, decision))) return;
      if (chats.chat.chatId === chatId) return inShown(chats.chat, decision);
      const order = `${Date.now()}-${String(++count).padStart(6, "0")}`;
      const name = `${chatId}.${order}-${newId("decision")}.json`;
      await decisions.open(name).write(JSON.stringify(decision));
    });
    recorded.catch((error: unknown) =>
      logger.error(`Recording a decision failed: ${String(error)}`),
    );
  };

  /** Records what other windows decided on the proposals of the shown chat. */
  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    try {
      const { chat } = await opened;
      const names = (await decisions.list()).filter((name) => name.startsWith(`${chat.chatId}.`));
      for (const name of [...names].sort()) {
        const file = decisions.open(name);
        const decision = decisionSchema.safeParse(parseJson((await file.read()) ?? "")).data;
        if ((await opened).chat !== chat) return;
        if (decision) inShown(chat, decision);
        await file.remove();
      }
    } catch (error) {
      logger.error(`Reading the decisions of another window failed: ${String(error)}`);
    } finally {
      isLooking = false;
    }
  }
  const looks = clock.every(LOOKS_MS, () => void look());

  const recordChange = (chatId: string, change: FileChange) =>
    record(chatId, { type: "change", change });
  return {
    decided: ({ chatId, turnId }, path, blocks, userDiff) =>
      record(chatId, { type: "decided", turnId, path, blocks, userDiff }),
    applied: ({ chatId, turnId, callId }, { file, ...texts }) =>
      recordChange(chatId, {
        at: Date.now(),
        turnId,
        callId,
        path: file.path,
        uri: file.uri,
        ...texts,
      }),
    takenBack: ({ chatId }, { file, before, after }) =>
      recordChange(chatId, {
        at: Date.now(),
        turnId: null,
        callId: null,
        path: file.path,
        uri: file.uri,
        before: after,
        after: before,
      }),
    ...disposable(() => looks.dispose()),
  };
}
