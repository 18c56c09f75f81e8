import type { EventLogStorage, LogEntry, SmallFile } from "../../../src/ports/eventLog.ts";
import { MemoryEventLog } from "./memoryEventLog.ts";

/** Logs in memory; one is on record from its first append on. */
export class MemoryEventLogStorage implements EventLogStorage {
  readonly logs = new Map<string, MemoryEventLog>();
  /** The claim files' texts by the log's name. */
  readonly claims = new Map<string, string>();

  readonly index = this.claim("index");

  async list(): Promise<readonly LogEntry[]> {
    return [...this.logs].flatMap(([name, { lines }]) =>
      lines.length > 0 ? [{ name, changedAt: 0, version: String(lines.length) }] : [],
    );
  }

  async remove(name: string): Promise<void> {
    this.logs.delete(name);
  }

  open(name: string): MemoryEventLog {
    const log = this.logs.get(name) ?? new MemoryEventLog();
    this.logs.set(name, log);
    return log;
  }

  claim(name: string): SmallFile {
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
