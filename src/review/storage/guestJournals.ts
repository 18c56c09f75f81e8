import { ChangeJournal } from "../../edits/history/changeJournal.ts";
import type { EventLogStorage } from "../../ports/eventLog.ts";
import type { Logger } from "../../ports/logger.ts";
import { isGuestChat } from "../../ports/outsideChat.ts";

/** The most guests whose accepted changes stay on record. */
const MOST_GUESTS = 20;

/** What guests changed in files, as the user accepted it; see `isGuestChat`. */
export interface GuestJournals {
  /** The journal that this window writes for a guest. */
  of(chatId: string): ChangeJournal;
  /** Removes those of all but the last guests. */
  removeOld(): Promise<void>;
  /** Those of the last guests as they are on the disk, the latest first. */
  latest(): Promise<readonly { readonly chatId: string; readonly journal: ChangeJournal }[]>;
}

/** The journals of guests among those of chats. */
export function guestJournals(storage: EventLogStorage, logger: Logger): GuestJournals {
  const own = new Map<string, ChangeJournal>();
  const open = (chatId: string) => new ChangeJournal(storage.open(chatId), logger);
  const names = async () => (await storage.list()).map(({ name }) => name).filter(isGuestChat);
  return {
    async removeOld() {
      for (const name of (await names()).slice(0, -MOST_GUESTS)) {
        own.delete(name);
        await storage.remove(name);
      }
    },
    of(chatId) {
      const journal = own.get(chatId) ?? open(chatId);
      own.set(chatId, journal);
      return journal;
    },
    async latest() {
      await Promise.all([...own.values()].map((journal) => journal.idle()));
      // Another window may have written more than this one knows.
      return (await names())
        .slice(-MOST_GUESTS)
        .reverse()
        .map((chatId) => ({ chatId, journal: open(chatId) }));
    },
  };
}
