import * as z from "zod/mini";
import type { Chat } from "../../agent/chat/chat.ts";
import { decidedEvents } from "../../agent/chat/decisionEvents.ts";
import { type Disposable, disposable } from "../../base/disposable.ts";
import { newId } from "../../base/ids.ts";
import { parseJson } from "../../base/text/parseJson.ts";
import { ChangeJournal, changeSchema } from "../../edits/history/changeJournal.ts";
import type { EventLog, EventLogStorage, SmallFiles } from "../../ports/eventLog.ts";
import type { Logger } from "../../ports/logger.ts";
import { isGuestChat, isImportedChat } from "../../ports/outsideChat.ts";
import {
  type AppliedChange,
  blockOutcomeSchema,
  type ReviewEvents,
  type ReviewOrigin,
} from "../../ports/review.ts";
import { TurnStore } from "../../turns/turnStore.ts";
import type { GuestJournals } from "../storage/guestJournals.ts";
import { type LeaseClock, machineClock } from "../storage/lease.ts";
import type { OpenChats } from "./openChats.ts";

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

/**
 * Records what becomes of proposals in the chats that they are from, open or not. The window that
 * has a chat open records what others decide, which waits for it in `decisions`. `opened` settles
 * once the first chat is open.
 */
export function recordReviews(
  opened: Promise<OpenChats<Chat>>,
  journals: EventLogStorage,
  guests: Pick<GuestJournals, "of">,
  decisions: SmallFiles,
  logger: Logger,
  clock: LeaseClock = machineClock,
): ReviewEvents & Disposable {
  let count = 0;
  const put = async (chatId: string, decision: Decision): Promise<void> => {
    if (isImportedChat(chatId)) return;
    const chats = await opened;
    const open = chats.find(chatId);
    if (open) return inOpen(open, decision);
    const inClosed = (log: EventLog) => recordClosed(chatId, log, journals, decision, logger);
    // A guest has no chat: it is told.
    if (isGuestChat(chatId)) {
      if (decision.type === "change") return guests.of(chatId).record(decision.change);
    } else if (await chats.withLog(chatId, inClosed)) return;
    const openedMeanwhile = chats.find(chatId);
    if (openedMeanwhile) return inOpen(openedMeanwhile, decision);
    const order = `${Date.now()}-${String(++count).padStart(6, "0")}`;
    const name = `${chatId}.${order}-${newId("decision")}.json`;
    await decisions.open(name).write(JSON.stringify(decision));
  };
  const record = (chatId: string, decision: Decision): void => {
    put(chatId, decision).catch((error: unknown) =>
      logger.error(`Recording a decision failed: ${String(error)}`),
    );
  };
  const recordChange = (
    { chatId, agent }: ReviewOrigin,
    { file: { path, uri }, ...texts }: AppliedChange,
    turnId: string | null,
    callId: string | null,
  ) => {
    const named = agent === undefined ? {} : { agent };
    const change = { at: Date.now(), turnId, callId, path, uri, ...texts, ...named };
    record(chatId, { type: "change", change });
  };
  let isLooking = false;
  const looks = clock.every(LOOKS_MS, async () => {
    if (isLooking) return;
    isLooking = true;
    await recordOthers(opened, decisions).catch((error: unknown) =>
      logger.error(`Reading the decisions of another window failed: ${String(error)}`),
    );
    isLooking = false;
  });
  return {
    decided: ({ chatId, turnId }, path, blocks, userDiff) =>
      record(chatId, { type: "decided", turnId, path, blocks, userDiff }),
    applied: (origin, change) => recordChange(origin, change, origin.turnId, origin.callId),
    takenBack: (origin, { file, before, after }) =>
      recordChange(origin, { file, before: after, after: before }, null, null),
    ...disposable(() => looks.dispose()),
  };
}

function inOpen(chat: Chat, decision: Decision): void {
  if (decision.type === "change") void chat.journal.record(decision.change);
  else {
    const { turnId, path, blocks, userDiff } = decision;
    chat.decided({ chatId: chat.chatId, turnId, callId: "" }, path, blocks, userDiff);
  }
}

async function recordClosed(
  chatId: string,
  log: EventLog,
  journals: EventLogStorage,
  decision: Decision,
  logger: Logger,
): Promise<void> {
  if (decision.type === "change")
    return new ChangeJournal(journals.open(chatId), logger).record(decision.change);
  const { turnId, path, blocks, userDiff } = decision;
  const store = await TurnStore.load(log, logger);
  for (const [of, event] of decidedEvents(store.tree, turnId, path, blocks, userDiff))
    store.append({ seq: store.tree.lastSeq + 1, turnId: of, at: Date.now(), ...event });
  await store.flush();
}

/** Records what other windows decided on the proposals of the open chats. */
async function recordOthers(
  opened: Promise<OpenChats<Chat>>,
  decisions: SmallFiles,
): Promise<void> {
  const chats = await opened;
  for (const name of [...(await decisions.list())].sort()) {
    const chatId = name.slice(0, name.indexOf("."));
    if (!chats.find(chatId)) continue;
    const file = decisions.open(name);
    const text = await file.read();
    const decision = decisionSchema.safeParse(parseJson(text ?? "")).data;
    const chat = chats.find(chatId);
    if (!chat) continue;
    if (decision) inOpen(chat, decision);
    if (text === null || decision || !file.setAside) await file.remove();
    else await file.setAside();
  }
}
