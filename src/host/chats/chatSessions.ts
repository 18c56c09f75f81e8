import { newId } from "../../base/ids.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { EventLog, EventLogStorage } from "../../ports/eventLog.ts";
import type { ImageStore } from "../../ports/imageStore.ts";
import type { Logger } from "../../ports/logger.ts";
import type { TurnTree } from "../../turns/turn.ts";
import { discardingLog, TurnStore } from "../../turns/turnStore.ts";
import type { CurrentChat, OpenChat } from "./currentChat.ts";
import { listChats } from "./listChats.ts";

/** The longest title that a chat can be given, in characters. */
export const MAX_TITLE_CHARS = 200;

/** Why nothing was done with a chat. */
export type ChatProblem = "open-elsewhere" | "not-found" | "empty" | "no-chats";

/** What can be done with the chats of the workspace. */
export type ChatSessions = ReturnType<typeof createChatSessions>;

/** Where the chats and their file changes are stored. */
interface SessionSources<Chat extends OpenChat> {
  readonly chats: CurrentChat<Chat>;
  readonly storage: EventLogStorage;
  readonly journals: EventLogStorage;
  readonly images: Pick<ImageStore, "removeAll">;
  readonly logger: Logger;
}

/**
 * The chats of the workspace over their logs. A chat that is open in another window can only be
 * read.
 */
export function createChatSessions<Chat extends OpenChat>({
  chats,
  storage,
  journals,
  images,
  logger,
}: SessionSources<Chat>) {
  const isShown = (chatId: string) => chats.chat.chatId === chatId;
  const isOnRecord = async (chatId: string) =>
    (await storage.list()).some(({ name }) => name === chatId);

  return {
    /**
     * All stored chats, the latest first, which of them this window shows, and whether a turn runs
     * in that one.
     */
    async list() {
      await chats.chat.flush();
      return { chats: await listChats(storage), shownId: chats.chat.chatId, busy: chats.chat.busy };
    },

    /** Shows a chat. The shown one is closed and its turn stopped. */
    async show(chatId: string): Promise<Result<null, ChatProblem>> {
      if (isShown(chatId)) return ok(null);
      if (!(await isOnRecord(chatId))) return err("not-found");
      return (await chats.show(chatId)) ? ok(null) : err("open-elsewhere");
    },

    /** Sets a chat's title; an empty one restores the first words of its first request. */
    async rename(chatId: string, title: string): Promise<Result<null, ChatProblem>> {
      const name = title.replace(/\s+/g, " ").trim().slice(0, MAX_TITLE_CHARS);
      if (isShown(chatId)) {
        await chats.chat.rename(name);
        return ok(null);
      }
      if (!(await isOnRecord(chatId))) return err("not-found");
      const renamed = await chats.withLog(chatId, (log) => appendTitle(log, name, logger));
      return renamed ? ok(null) : err("open-elsewhere");
    },

    /**
     * Deletes a chat and its record of file changes. If it was shown, a new chat takes its place.
     */
    async remove(chatId: string): Promise<Result<null, ChatProblem>> {
      // Without a name an empty chat would stay.
      if (isShown(chatId)) await chats.startNew(newId("chat"));
      const removed = await chats.withLog(chatId, async () => {
        await storage.remove(chatId);
        await journals.remove(chatId);
        await images.removeAll(chatId);
      });
      return removed ? ok(null) : err("open-elsewhere");
    },

    /** The lines of a chat's log, one event each, and their tree. */
    async read(
      chatId: string,
    ): Promise<
      Result<{ readonly lines: readonly string[]; readonly tree: TurnTree }, ChatProblem>
    > {
      if (isShown(chatId)) await chats.chat.flush();
      const lines = await storage.open(chatId).read();
      if (lines.length === 0) return err(isShown(chatId) ? "empty" : "not-found");
      const { tree } = await TurnStore.load({ ...discardingLog, read: async () => lines }, logger);
      return ok({ lines, tree });
    },
  };
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
