import { thrownText } from "../../base/text/sentence.ts";
import type { EventLog, EventLogStorage, StorageFault } from "../../ports/eventLog.ts";
import { unfitReason } from "../../ports/eventLog.ts";
import { watchedFile } from "./watchedFiles.ts";

/**
 * Logs that say what goes wrong with them. Where one is opened with lines that Graft never wrote,
 * or is no file of Graft's, what lies there is kept aside and the log goes on with the rest. Only
 * for who may write them.
 */
export function watchedLogs(
  storage: EventLogStorage,
  what: StorageFault["what"],
  tell: (fault: StorageFault) => void,
): EventLogStorage {
  return {
    list: () => storage.list(),
    open: (name) => watchedLog(storage.open(name), what, tell),
    claim: (name) => watchedFile(storage.claim(name), name, what, tell),
    remove: (name) => storage.remove(name),
    index: watchedFile(storage.index, "index", what, tell),
  };
}

function watchedLog(
  log: EventLog,
  what: StorageFault["what"],
  tell: (fault: StorageFault) => void,
): EventLog {
  const { place = "" } = log;
  const repaired = async (
    lines: readonly string[],
    detail: string,
    code: StorageFault["code"] = "damaged",
  ) => {
    const aside = await log.setAside?.(lines);
    tell({ code, what, place: aside ?? place, detail });
    return lines;
  };
  return {
    place,
    async read() {
      try {
        const lines = await log.read();
        const own = lines.filter(isOwn);
        return own.length === lines.length
          ? lines
          : await repaired(own, `${lines.length - own.length}`);
      } catch (error) {
        const detail = thrownText(error);
        const unfit = unfitReason(error);
        try {
          if (unfit && log.setAside) return await repaired([], detail, unfit);
        } catch {
          // It stays where it is.
        }
        tell({ code: "unreadable", what, place, detail });
        throw error;
      }
    },
    async append(lines) {
      try {
        await log.append(lines);
      } catch (error) {
        tell({ code: "unwritable", what, place, detail: thrownText(error) });
        throw error;
      }
    },
  };
}

/** True for a line that was written by Graft, also where a crash tore it. */
function isOwn(line: string): boolean {
  return line.startsWith('{"');
}
