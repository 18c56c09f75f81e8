import type { ClaimFile, EventLogStorage } from "../../src/ports/eventLog.ts";
import { MemoryEventLog } from "./memoryEventLog.ts";

/** Logs in memory; one is on record from its first append on. */
export class MemoryEventLogStorage implements EventLogStorage {
  readonly logs = new Map<string, MemoryEventLog>();
  /** The claim files' texts by the log's name. */
  readonly claims = new Map<string, string>();

  async names(): Promise<readonly string[]> {
    return [...this.logs].filter(([, log]) => log.lines.length > 0).map(([name]) => name);
  }

  open(name: string): MemoryEventLog {
    const log = this.logs.get(name) ?? new MemoryEventLog();
    this.logs.set(name, log);
    return log;
  }

  claim(name: string): ClaimFile {
    const { claims } = this;
    return {
      read: async () => claims.get(name) ?? null,
      async create(text) {
        if (claims.has(name)) return false;
        claims.set(name, text);
        return true;
      },
      write: async (text) => void claims.set(name, text),
      remove: async () => void claims.delete(name),
    };
  }
}
