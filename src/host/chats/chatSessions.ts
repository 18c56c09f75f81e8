import { err, ok, type Result } from "../../base/result.ts";
import type { EventLog, EventLogStorage } from "../../ports/eventLog.ts";
import type { Logger } from "../../ports/logger.ts";
import type { TurnTree } from "../../turns/turn.ts";
import { TurnStore } from "../../turns/turnStore.ts";
import type { CurrentChat, OpenChat } from "../currentChat.ts";
import { type ListedChat, listChats } from "./listChats.ts";

/** The longest title that a chat can be given, in characters. */
export const MAX_TITLE_CHARS = 200;

/** A chat's history in the two forms it can be exported from. */
export interface ChatHistory {
  /** The lines of its log, one event each. */
  readonly lines: readonly string[];
  readonly tree: TurnTree;
}

/** What can be done with the chats of the workspace; the errors are sentences for the user. */
export interface ChatSessions {
  /** All that are on record, the latest first, which of them this window shows, and whether a turn runs in that one. */
  list(): Promise<{ readonly chats: readonly ListedChat[]; readonly shownId: string; readonly busy: boolean }>;
  /** Shows a chat, which ends the one that is shown and stops its turn. */
  show(chatId: string): Promise<Result<null, string>>;
  /** Gives a chat a title; an empty one gives it back the first words of its first request. */
  rename(chatId: string, title: string): Promise<Result<null, string>>;
  /** Removes a chat for good, with what is on record of its changes to files. A new one takes its place where it is shown. */
  remove(chatId: string): Promise<Result<null, string>>;
  read(chatId: string): Promise<Result<ChatHistory, string>>;
}

/** Where the chats are, and what they did to files. */
interface SessionSources<Chat extends OpenChat> {
  readonly chats: CurrentChat<Chat>;
  readonly storage: EventLogStorage;
  readonly journals: EventLogStorage;
  readonly logger: Logger;
}

const ELSEWHERE = "This chat is open in another window. Close that window, or start a new chat in it, and try again.";
const MISSING = "This chat is not on record any more.";

/** The chats of the workspace over their logs. A chat that another window has open can be looked at, and neither opened, renamed nor removed. */
export function createChatSessions<Chat extends OpenChat>({ chats, storage, journals, logger }: SessionSources<Chat>): ChatSessions {
  const isShown = (chatId: string) => chats.chat.chatId === chatId;
  const isOnRecord = async (chatId: string) => (await storage.list()).some(({ name }) => name === chatId);

  return {
    async list() {
      await chats.chat.flush();
      return { chats: await listChats(storage), shownId: chats.chat.chatId, busy: chats.chat.busy };
    },

    async show(chatId) {
      if (isShown(chatId)) return ok(null);
      if (!(await isOnRecord(chatId))) return err(MISSING);
      return (await chats.show(chatId)) ? ok(null) : err(ELSEWHERE);
    },

    async rename(chatId, title) {
      const name = title.replace(/\s+/g, " ").trim().slice(0, MAX_TITLE_CHARS);
      if (isShown(chatId)) {
        await chats.chat.rename(name);
        return ok(null);
      }
      if (!(await isOnRecord(chatId))) return err(MISSING);
      const renamed = await chats.withLog(chatId, (log) => appendTitle(log, name, logger));
      return renamed ? ok(null) : err(ELSEWHERE);
    },

    async remove(chatId) {
      if (isShown(chatId)) await chats.startNew();
      const removed = await chats.withLog(chatId, async () => {
        await storage.remove(chatId);
        await journals.remove(chatId);
      });
      return removed ? ok(null) : err(ELSEWHERE);
    },

    async read(chatId) {
      if (isShown(chatId)) await chats.chat.flush();
      const lines = await storage.open(chatId).read();
      if (lines.length === 0) return err(isShown(chatId) ? "There is nothing in this chat yet." : MISSING);
      const { tree } = await TurnStore.load({ read: async () => lines, append: async () => undefined }, logger);
      return ok({ lines, tree });
    },
  };
}

async function appendTitle(log: EventLog, title: string, logger: Logger): Promise<void> {
  const store = await TurnStore.load(log, logger);
  store.append({ seq: store.tree.lastSeq + 1, turnId: "", at: Date.now(), type: "chat-title", title });
  await store.flush();
}
