import { newId } from "../../base/ids.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { firstPart } from "../../base/text/clip.ts";
import type { EventLog, EventLogStorage } from "../../ports/eventLog.ts";
import { unfitReason } from "../../ports/eventLog.ts";
import type { ImageStore } from "../../ports/imageStore.ts";
import type { Logger } from "../../ports/logger.ts";
import type { TurnTree } from "../../turns/turn.ts";
import { discardingLog, TurnStore } from "../../turns/turnStore.ts";
import type { OpenChat } from "./claimedChat.ts";
import { listChats } from "./listChats.ts";
import type { OpenChats } from "./openChats.ts";

/** The longest title that a chat can be given, in characters. */
export const MAX_TITLE_CHARS = 200;

/** Why nothing was done with a chat. */
export type ChatProblem = "open-elsewhere" | "turn-elsewhere" | "not-found" | "empty" | "no-chats";

/** The lines of a chat's log, one event each, and their tree. */
interface ReadChat {
  readonly lines: readonly string[];
  readonly tree: TurnTree;
}

/** What can be done with the chats of the workspace. */
export type ChatSessions = ReturnType<typeof createChatSessions>;

/** Where the chats, their file changes and images are stored. */
interface SessionFiles {
  readonly chats: EventLogStorage;
  readonly journals: EventLogStorage;
  readonly images: Pick<ImageStore, "removeAll">;
}

/**
 * The chats of the workspace over their logs. A chat that is open in another window can only be
 * read.
 */
export function createChatSessions<Chat extends OpenChat>(
  chats: OpenChats<Chat>,
  { chats: storage, journals, images }: SessionFiles,
  logger: Logger,
) {
  const isOnRecord = async (chatId: string) =>
    (await storage.list()).some(({ name }) => name === chatId);

  return {
    /** False for a chat that was deleted. */
    isThere: async (chatId: string) => chats.find(chatId) !== null || isOnRecord(chatId),

    /** All stored chats, the latest first, and which of them the side bar shows. */
    async list() {
      await Promise.all(chats.all.map((chat) => chat.flush()));
      return { chats: await listChats(storage), shownId: chats.shown.chatId };
    },

    /** Shows a chat in the side bar, and there the branch through a turn. */
    async show(chatId: string, turnId?: string): Promise<Result<null, ChatProblem>> {
      if (!chats.find(chatId) && !(await isOnRecord(chatId))) return err("not-found");
      if (!(await chats.show(chatId))) return err("turn-elsewhere");
      if (turnId !== undefined) chats.find(chatId)?.showBranch(turnId);
      return ok(null);
    },

    /** Sets a chat's title; an empty one restores the first words of its first request. */
    async rename(chatId: string, title: string): Promise<Result<null, ChatProblem>> {
      const name = firstPart(title.replace(/\s+/g, " ").trim(), MAX_TITLE_CHARS);
      const open = chats.find(chatId);
      if (open) {
        await open.rename(name);
        return ok(null);
      }
      if (!(await isOnRecord(chatId))) return err("not-found");
      const renamed = await chats.withLog(chatId, (log) => appendTitle(log, name, logger));
      return renamed ? ok(null) : err("open-elsewhere");
    },

    /**
     * Deletes a chat and its record of file changes; its turn is stopped. If it was shown, a new
     * chat takes its place.
     */
    async remove(chatId: string): Promise<Result<null, ChatProblem>> {
      // Without a name an empty chat would stay.
      if (chats.shown.chatId === chatId) await chats.startNew(newId("chat"));
      await chats.close(chatId);
      const removed = await chats.withLog(chatId, async () => {
        await storage.remove(chatId);
        await journals.remove(chatId);
        await images.removeAll(chatId);
      });
      return removed ? ok(null) : err("open-elsewhere");
    },

    /** All that a chat has on record. */
    async read(chatId: string): Promise<Result<ReadChat, ChatProblem>> {
      await chats.find(chatId)?.flush();
      const read = await readChat(storage.open(chatId), logger);
      return read ? ok(read) : err(chats.find(chatId) ? "empty" : "not-found");
    },
  };
}

/** Null where nothing is on record, or nothing that can be read: opening the chat tells why. */
async function readChat(log: EventLog, logger: Logger): Promise<ReadChat | null> {
  const lines = await log.read().catch((error: unknown): readonly string[] => {
    if (unfitReason(error)) return [];
    throw error;
  });
  if (lines.length === 0) return null;
  const { tree } = await TurnStore.load({ ...discardingLog, read: async () => lines }, logger);
  return { lines, tree };
}

async function appendTitle(log: EventLog, title: string, logger: Logger): Promise<void> {
  const store = await TurnStore.load(log, logger);
  store.append({
    seq: store.tree.lastSeq + 1,
    turnId: "",
    at: Date.now(),
    type: "chat-title",
    title,
  });
  await store.flush();
}
