import * as z from "zod/mini";
import { SerialQueue } from "../base/serialQueue.ts";
import { parseJson } from "../base/text/parseJson.ts";
import type { EventLog } from "../ports/eventLog.ts";
import type { Logger } from "../ports/logger.ts";
import { mergeTurnEvent } from "./mergeTurnEvent.ts";
import type { TurnTree } from "./turn.ts";
import { type TurnEvent, turnEventSchema } from "./turnEvent.ts";
import { applyTurnEvent, emptyTree } from "./turnReducer.ts";

/** How long events wait to be written together, in milliseconds. */
const BATCH_MS = 250;
/** How long after a failed write somebody who waits for it has it tried again, in milliseconds. */
const RETRY_MS = 2_000;
/** Events that must survive an immediate crash: what the user said, and what tools did. */
const WRITTEN_AT_ONCE: ReadonlySet<TurnEvent["type"]> = new Set([
  "turn-start",
  "queue",
  "user-message",
  "tool-start",
  "tool-result",
  "command-ended",
  "command-outdated",
  "command-restarted",
]);

/**
 * A chat's turns in memory and in its log. Appending never waits: events are written in batches, in
 * order. A failed batch joins the next one.
 */
export class TurnStore {
  /** The turns as of the last event. */
  readonly tree: TurnTree = emptyTree();
  private readonly merged: TurnEvent[] = [];
  private unwritten: TurnEvent[] = [];
  private timer: ReturnType<typeof setTimeout> | null = null;
  private readonly writes = new SerialQueue();
  private failing = false;
  /** Those who wait until everything so far is in the log. */
  private waiting: ((stored: boolean) => void)[] = [];
  private closed = false;
  /** Unreadable lines of the history. */
  skippedLines = 0;
  private readonly log: EventLog;
  private readonly logger: Logger;

  private constructor(log: EventLog, logger: Logger) {
    this.log = log;
    this.logger = logger;
  }

  /**
   * Reads the log and closes a turn that was cut off as `interrupted`. An unreadable log stays
   * untouched, and the chat starts empty.
   */
  static async load(log: EventLog, logger: Logger): Promise<TurnStore> {
    let lines: readonly string[];
    try {
      lines = await log.read();
    } catch (reason) {
      logger.error(`The chat's history cannot be read and is not continued: ${String(reason)}`);
      return new TurnStore(unreadableLog, logger);
    }
    const store = new TurnStore(log, logger);
    // A newer version can read the skipped lines, so their numbers must not be reused.
    let skipped = 0;
    for (const line of lines)
      if (!store.restore(line)) skipped = Math.max(skipped, turnEventNumber(line));
    store.tree.lastSeq = Math.max(store.tree.lastSeq, skipped);
    if (store.skippedLines > 0)
      logger.warn(`${store.skippedLines} damaged lines of the chat's history were skipped.`);
    store.closeInterruptedTurns();
    return store;
  }

  /**
   * Every event so far, merged. A reader that has applied some of them starts over with an empty
   * tree.
   */
  get events(): readonly TurnEvent[] {
    return this.merged;
  }

  /** Applies an event and queues it for the log. */
  append(event: TurnEvent): void {
    applyTurnEvent(this.tree, event);
    mergeTurnEvent(this.merged, event);
    // Only of use while the tool runs.
    if (event.type === "tool-progress") return;
    mergeTurnEvent(this.unwritten, event);
    const atOnce = WRITTEN_AT_ONCE.has(event.type);
    if (atOnce && this.timer !== null) clearTimeout(this.timer);
    if (atOnce || this.timer === null)
      this.timer = setTimeout(() => void this.flush(), atOnce ? 0 : BATCH_MS);
  }

  /** Settles once the log was asked to write everything appended so far; never rejects. */
  flush(): Promise<void> {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    return this.writes.run(() => this.write());
  }

  /**
   * True once everything appended so far is in the log, however often that fails; false where the
   * store is closed before.
   */
  stored(): Promise<boolean> {
    return new Promise((settle) => {
      this.waiting.push(settle);
      void this.flush();
    });
  }

  /** Writes what is unwritten, once more; nothing is tried again later. */
  async close(): Promise<void> {
    this.closed = true;
    await this.flush();
  }

  private async write(): Promise<void> {
    const batch = this.unwritten;
    const waiting = this.waiting;
    this.unwritten = [];
    this.waiting = [];
    try {
      if (batch.length > 0) await this.log.append(batch.map((event) => JSON.stringify(event)));
      this.failing = false;
      for (const settle of waiting) settle(true);
    } catch (reason) {
      this.unwritten = [...batch, ...this.unwritten];
      if (this.closed) for (const settle of waiting) settle(false);
      else this.waiting = [...waiting, ...this.waiting];
      if (this.waiting.length > 0 && this.timer === null)
        this.timer = setTimeout(() => void this.flush(), RETRY_MS);
      if (!this.failing)
        this.logger.error(`The chat's history cannot be written: ${String(reason)}`);
      this.failing = true;
    }
  }

  /** Applies a line of the history; false if it is skipped. */
  private restore(line: string): boolean {
    if (line === "") return true;
    const event = parseTurnEvent(line);
    if (event === null || event.seq <= this.tree.lastSeq) {
      this.skippedLines += 1;
      return false;
    }
    applyTurnEvent(this.tree, event);
    mergeTurnEvent(this.merged, event);
    return true;
  }

  private closeInterruptedTurns(): void {
    for (const turn of this.tree.turns.values()) {
      if (turn.role !== "agent" || turn.endReason !== null) continue;
      const stamp = { seq: this.tree.lastSeq + 1, turnId: turn.id, at: Date.now() };
      this.append({ ...stamp, type: "turn-end", reason: "interrupted", error: null });
    }
  }
}

/** For a chat whose history stays as it is: nothing counts as stored. */
const unreadableLog: EventLog = {
  read: async () => [],
  append: () => Promise.reject(new Error("it could not be read")),
};

/** Keeps nothing. */
export const discardingLog: EventLog = { read: async () => [], append: async () => undefined };

/** Parses a line of a history file; null for a damaged one. */
export function parseTurnEvent(line: string): TurnEvent | null {
  const value = parseJson(line);
  // Explaining what else is wrong takes long for thousands of foreign lines.
  return numberOf(value) === 0 ? null : (z.safeParse(turnEventSchema, value).data ?? null);
}

/** The number of an event that a newer version may have written; 0 for a damaged line. */
function turnEventNumber(line: string): number {
  return numberOf(parseJson(line));
}

/** Beyond these numbers no next one can be told from the last. */
const MOST_EVENTS = 2 ** 40;

function numberOf(value: unknown): number {
  const seq = value && typeof value === "object" && "seq" in value ? value.seq : 0;
  return Number.isInteger(seq) && Number(seq) > 0 && Number(seq) < MOST_EVENTS ? Number(seq) : 0;
}
