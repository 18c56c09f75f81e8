import * as z from "zod/mini";
import type { Disposable } from "../base/disposable.ts";
import { Emitter } from "../base/emitter.ts";
import { newId } from "../base/ids.ts";
import { SerialQueue } from "../base/serialQueue.ts";
import type { EventLog } from "../ports/eventLog.ts";
import type { Logger } from "../ports/logger.ts";
import type { Reviewer } from "../ports/review.ts";

/** One change that Graft made to a file, or undo took back or made again. */
export interface FileChange {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The agent turn that made it; null for one that restored files, and for undo and redo. */
  readonly turnId: string | null;
  /** The edit request it belongs to, or null. */
  readonly callId: string | null;
  /** Workspace-relative path. */
  readonly path: string;
  readonly uri: string;
  /** The file's text before and after; null where there was no file. */
  readonly before: string | null;
  readonly after: string | null;
}

const lineSchema = z.discriminatedUnion("type", [
  /** A text that changes refer to, kept once. */
  z.object({ type: z.literal("text"), id: z.string(), text: z.string() }),
  z.object({
    type: z.literal("change"),
    at: z.number(),
    turnId: z.nullable(z.string()),
    callId: z.nullable(z.string()),
    path: z.string(),
    uri: z.string(),
    before: z.nullable(z.string()),
    after: z.nullable(z.string()),
  }),
]);

type JournalLine = z.infer<typeof lineSchema>;

/**
 * What Graft did to the user's files in one chat, in order, on record beyond a reload. It is read from its log when it is made; a line
 * that is damaged is skipped. Nothing here rejects: what cannot be written is kept in memory and written with the next change.
 */
export class ChangeJournal {
  private readonly log: EventLog;
  private readonly logger: Logger;
  private readonly queue = new SerialQueue();
  private readonly recorded = new Emitter<FileChange>();
  private readonly changes: FileChange[] = [];
  private readonly textIds = new Map<string, string>();
  private unwritten: JournalLine[] = [];
  private readable = true;

  constructor(log: EventLog, logger: Logger) {
    this.log = log;
    this.logger = logger;
    void this.queue.run(() => this.load());
  }

  /** Calls `listener` with every later change, at once. */
  onRecorded(listener: (change: FileChange) => void): Disposable {
    return this.recorded.on(listener);
  }

  /** Puts a change on record; settles when it has been handed to the log. */
  record(change: FileChange): Promise<void> {
    this.recorded.fire(change);
    return this.queue.run(() => this.add(change));
  }

  /** Undo or redo gave a file this text: where that is one Graft knows, it is on record like a change, so that what is edited afterwards counts from there. */
  undone(uri: string, text: string, at: number): Promise<void> {
    return this.queue.run(async () => {
      const known = this.changes.filter((change) => change.uri === uri);
      const last = known.at(-1);
      if (!last || last.after === text || !known.some(({ before, after }) => before === text || after === text)) return;
      await this.add({ at, turnId: null, callId: null, path: last.path, uri, before: last.after, after: text });
    });
  }

  /** Every change so far, in order. */
  all(): Promise<readonly FileChange[]> {
    return this.queue.run(async () => [...this.changes]);
  }

  /** Settles when what was recorded so far has been handed to the log. */
  idle(): Promise<void> {
    return this.queue.idle();
  }

  private async load(): Promise<void> {
    let lines: readonly string[];
    try {
      lines = await this.log.read();
    } catch (reason) {
      this.readable = false;
      this.logger.error(`The record of changes cannot be read and is not continued: ${String(reason)}`);
      return;
    }
    const texts = new Map<string, string>();
    let skipped = 0;
    for (const line of lines) {
      const parsed = parseLine(line);
      const textOf = (id: string | null) => (id === null ? null : texts.get(id));
      if (parsed?.type === "text") {
        texts.set(parsed.id, parsed.text);
        this.textIds.set(parsed.text, parsed.id);
      } else if (parsed) {
        const [before, after] = [textOf(parsed.before), textOf(parsed.after)];
        const { at, turnId, callId, path, uri } = parsed;
        if (before === undefined || after === undefined) skipped += 1;
        else this.changes.push({ at, turnId, callId, path, uri, before, after });
      } else skipped += 1;
    }
    if (skipped > 0) this.logger.warn(`${skipped} damaged lines of the record of changes were skipped.`);
  }

  private async add(change: FileChange): Promise<void> {
    const { before, after, ...rest } = change;
    this.changes.push(change);
    if (!this.readable) return;
    const line = { type: "change" as const, ...rest, before: this.keep(before), after: this.keep(after) };
    this.unwritten.push(line);
    const batch = this.unwritten;
    this.unwritten = [];
    try {
      await this.log.append(batch.map((line) => JSON.stringify(line)));
    } catch (reason) {
      this.unwritten = [...batch, ...this.unwritten];
      this.logger.error(`The record of changes cannot be written: ${String(reason)}`);
    }
  }

  /** The name of a text in the log, where it is put if it is not there. */
  private keep(text: string | null): string | null {
    if (text === null) return null;
    const known = this.textIds.get(text);
    if (known !== undefined) return known;
    const id = newId("text");
    this.textIds.set(text, id);
    this.unwritten.push({ type: "text", id, text });
    return id;
  }
}

/** A reviewer whose applied changes go on record, under the turn that runs when a review is opened. */
export function journalReviews(reviewer: Reviewer, journal: ChangeJournal, runningTurn: () => string | null): Reviewer {
  return {
    open: (snapshot, callId, applied) => {
      const turnId = runningTurn();
      return reviewer.open(snapshot, callId, (change) => {
        const { file, before, after } = change;
        void journal.record({ at: Date.now(), turnId, callId, path: file.path, uri: file.uri, before, after });
        applied?.(change);
      });
    },
  };
}

/** The changes from an agent turn's first one on, later turns included, by file; of one file when `path` names it. Empty for a turn that changed nothing. */
export function changesSince(
  changes: readonly FileChange[],
  turnId: string,
  path: string | null,
): ReadonlyMap<string, readonly FileChange[]> {
  const byPath = new Map<string, FileChange[]>();
  const first = changes.findIndex((change) => change.turnId === turnId);
  for (const change of first < 0 ? [] : changes.slice(first)) {
    if (path !== null && change.path !== path) continue;
    const known = byPath.get(change.path);
    if (known) known.push(change);
    else byPath.set(change.path, [change]);
  }
  return byPath;
}

function parseLine(line: string): JournalLine | null {
  try {
    const parsed = lineSchema.safeParse(JSON.parse(line));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
