import type { EventLogStorage } from "../../src/ports/eventLog.ts";
import { MemoryEventLog } from "./memoryEventLog.ts";

/** Logs in memory; one is on record from its first append on. */
export class MemoryEventLogStorage implements EventLogStorage {
  readonly logs = new Map<string, MemoryEventLog>();

  async names(): Promise<readonly string[]> {
    return [...this.logs].filter(([, log]) => log.lines.length > 0).map(([name]) => name);
  }

  open(name: string): MemoryEventLog {
    const log = this.logs.get(name) ?? new MemoryEventLog();
    this.logs.set(name, log);
    return log;
  }
}
