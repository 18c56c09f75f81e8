import type { EventLog } from "../../../src/ports/eventLog.ts";

/** A log in memory. `failures` appends fail first; `appends` counts the ones that did not. */
export class MemoryEventLog implements EventLog {
  readonly lines: string[];
  appends = 0;
  failures = 0;

  constructor(lines: readonly string[] = []) {
    this.lines = [...lines];
  }

  async read(): Promise<readonly string[]> {
    return [...this.lines];
  }

  async append(lines: readonly string[]): Promise<void> {
    if (this.failures > 0) {
      this.failures -= 1;
      throw new Error("the disk is full");
    }
    this.appends += 1;
    this.lines.push(...lines);
  }
}
