import * as z from "zod/mini";
import { newId } from "../../base/ids.ts";
import { SerialQueue } from "../../base/serialQueue.ts";
import { parseJson } from "../../base/text/parseJson.ts";
import type { EventLog } from "../../ports/eventLog.ts";
import type { Logger } from "../../ports/logger.ts";
import { type BlockName, blockNameSchema } from "../../turns/turnEvent.ts";
import { standingChanges } from "./restoration.ts";
import { type Retraced, retraced } from "./retraced.ts";

/** A {@link FileChange} in a file. */
export const changeSchema = z.object({
  /** Milliseconds since 1970. */
  at: z.number(),
  /** The agent turn that made it; null for one that restored files, and for undo and redo. */
  turnId: z.nullable(z.string()),
  /** The edit request it belongs to, or null. */
  callId: z.nullable(z.string()),
  /** Workspace-relative path. */
  path: z.string(),
  uri: z.string(),
  /** The file's text before and after, in the log by id; null where there was no file. */
  before: z.nullable(z.string()),
  after: z.nullable(z.string()),
  /** The path that the text moved to, where a rename took it away. */
  movedTo: z.exactOptional(z.string()),
  /** Set where it was a program that was deleted or moved away. */
  executable: z.exactOptional(z.literal(true)),
  /** The agent of another maker that proposed it, see `guestName`; absent for Graft's own. */
  agent: z.exactOptional(z.string()),
  /** The agent turn to before which it restored the file. */
  restores: z.exactOptional(z.string()),
  /** The edit blocks that it accepted; without a turn, that undo took back or redo made again. */
  blocks: z.exactOptional(z.array(blockNameSchema)),
});

/** One change of a file by Graft, or by undo or redo of such a change. */
export type FileChange = Readonly<z.infer<typeof changeSchema>>;

const lineSchema = z.discriminatedUnion("type", [
  /** A text that changes refer to by id. */
  z.object({ type: z.literal("text"), id: z.string(), text: z.string() }),
  z.extend(changeSchema, { type: z.literal("change") }),
]);

/** What undo or redo did to known changes, and to the blocks that they accepted. */
export interface RetracedChanges extends Retraced<FileChange> {
  /** Undone: nothing of them is left in the file. Redone: something of them is there again. */
  readonly blocks: readonly BlockName[];
}

type JournalLine = z.infer<typeof lineSchema>;

/**
 * The changes that Graft made to files in one chat, in order, kept across reloads. Skips damaged
 * lines. Never rejects: what cannot be written stays in memory and is written with the next change.
 */
export class ChangeJournal {
  private readonly log: EventLog;
  private readonly logger: Logger;
  private readonly queue = new SerialQueue();
  private readonly changes: FileChange[] = [];
  private readonly textIds = new Map<string, string>();
  private unwritten: JournalLine[] = [];
  private readable = true;

  constructor(log: EventLog, logger: Logger) {
    this.log = log;
    this.logger = logger;
    void this.queue.run(() => this.load());
  }

  /** Records a change; settles once the log has it. */
  record(change: FileChange): Promise<void> {
    return this.queue.run(() => this.add(change));
  }

  /**
   * Makes changes and records what `work` gives; false where that is null, since nothing changed.
   * What the editor tells of them meanwhile is known by then, so it counts as no undo.
   */
  make(work: () => Promise<readonly FileChange[] | null>): Promise<boolean> {
    return this.queue.run(async () => {
      const changes = await work();
      for (const change of changes ?? []) await this.add(change);
      return changes !== null;
    });
  }

  /**
   * Records that undo or redo gave a file this text, if the journal knows the text. Gives the
   * restores and accepts of the file that this took back or made again.
   */
  undone(uri: string, text: string | null, at: number): Promise<RetracedChanges | null> {
    return this.queue.run(async () => {
      const known = this.changes.filter((change) => change.uri === uri);
      const last = known.at(-1);
      if (
        !last ||
        last.after === text ||
        !known.some(({ before, after }) => before === text || after === text)
      )
        return null;
      const own = known.filter(
        ({ restores, blocks, turnId }) => restores !== undefined || (blocks && turnId !== null),
      );
      const found = retraced(own, last.after, text);
      const there = found?.undone ? blocksOf(standingChanges(known, text)) : [];
      const blocks = blocksOf(found?.changes ?? []).filter((block) => !hasBlock(there, block));
      await this.add({
        ...{ at, turnId: null, callId: null, path: last.path, uri },
        ...{ before: last.after, after: text },
        ...(blocks.length > 0 && { blocks }),
      });
      return found && { ...found, blocks };
    });
  }

  /** Every change so far, in order. */
  all(): Promise<readonly FileChange[]> {
    return this.queue.run(async () => [...this.changes]);
  }

  /** Settles once the log has every change recorded so far. */
  idle(): Promise<void> {
    return this.queue.idle();
  }

  private async load(): Promise<void> {
    let lines: readonly string[];
    try {
      lines = await this.log.read();
    } catch (reason) {
      this.readable = false;
      this.logger.error(
        `Cannot read the change journal, so it is not continued: ${String(reason)}`,
      );
      return;
    }
    const texts = new Map<string, string>();
    let skipped = 0;
    for (const line of lines) {
      const parsed = z.safeParse(lineSchema, parseJson(line)).data;
      const textOf = (id: string | null) => (id === null ? null : texts.get(id));
      if (parsed?.type === "text") {
        texts.set(parsed.id, parsed.text);
        this.textIds.set(parsed.text, parsed.id);
      } else if (parsed) {
        const { type, ...change } = parsed;
        const [before, after] = [textOf(change.before), textOf(change.after)];
        if (before === undefined || after === undefined) skipped += 1;
        else this.changes.push({ ...change, before, after });
      } else skipped += 1;
    }
    if (skipped > 0) this.logger.warn(`Skipped ${skipped} damaged lines of the change journal.`);
  }

  private async add(change: FileChange): Promise<void> {
    const { before, after, ...rest } = change;
    this.changes.push(change);
    if (!this.readable) return;
    const line = {
      type: "change" as const,
      ...rest,
      before: this.keep(before),
      after: this.keep(after),
    };
    this.unwritten.push(line);
    const batch = this.unwritten;
    this.unwritten = [];
    try {
      await this.log.append(batch.map((line) => JSON.stringify(line)));
    } catch (reason) {
      this.unwritten = [...batch, ...this.unwritten];
      this.logger.error(`Cannot write the change journal: ${String(reason)}`);
    }
  }

  /** The id of a text in the log, which gets the text if it is new. */
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

function blocksOf(changes: readonly FileChange[]): BlockName[] {
  const found: BlockName[] = [];
  for (const block of changes.flatMap(({ turnId, blocks = [] }) => (turnId === null ? [] : blocks)))
    if (!hasBlock(found, block)) found.push(block);
  return found;
}

function hasBlock(blocks: readonly BlockName[], { turnId, blockId }: BlockName): boolean {
  return blocks.some((each) => each.turnId === turnId && each.blockId === blockId);
}

/**
 * The changes from an agent turn's first one on, later turns included, by file. Unless null, only
 * those of `path`, and of the file it was renamed from or to.
 */
export function changesSince(
  changes: readonly FileChange[],
  turnId: string,
  path: string | null,
): ReadonlyMap<string, readonly FileChange[]> {
  const byPath = new Map<string, FileChange[]>();
  const first = changes.findIndex((change) => change.turnId === turnId);
  const later = first < 0 ? [] : changes.slice(first);
  const moves = later.filter((change) => change.path === path || change.movedTo === path);
  const paths = new Set([path, ...moves.flatMap((change) => [change.path, change.movedTo])]);
  for (const change of later) {
    if (path !== null && !paths.has(change.path)) continue;
    const known = byPath.get(change.path);
    if (known) known.push(change);
    else byPath.set(change.path, [change]);
  }
  return byPath;
}
