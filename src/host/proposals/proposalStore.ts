import * as z from "zod/mini";
import { SerialQueue } from "../../base/serialQueue.ts";
import { thrownText } from "../../base/text/sentence.ts";
import { reviewRecordSchema } from "../../edits/review/reviewRecord.ts";
import type { SmallFiles, StorageFault } from "../../ports/eventLog.ts";
import type { Logger } from "../../ports/logger.ts";

const fileSchema = z.object({ path: z.string(), uri: z.string() });
const originSchema = z.object({ chatId: z.string(), turnId: z.string(), callId: z.string() });
const entryFields = {
  /** Its own name. */
  id: z.string(),
  /** When it began, in milliseconds since 1970. */
  begunAt: z.number(),
  file: fileSchema,
};

const operationSchema = z.object({
  ...entryFields,
  to: z.nullable(fileSchema),
  /** The file's size and time when the operation was proposed. */
  state: z.string(),
  origin: originSchema,
  blockId: z.string(),
});

const textSchema = z.object({
  ...entryFields,
  exists: z.boolean(),
  blocks: z.readonly(z.array(z.object({ origin: originSchema, blockId: z.string() }))),
  review: reviewRecordSchema,
});

/** A proposal as it is kept over a restart. */
export type StoredProposal = z.infer<typeof textSchema>;

/** A file operation as it is kept over a restart. */
export type StoredOperation = z.infer<typeof operationSchema>;

/** Keeps the pending proposals of a workspace, each in a file of its own. */
export class ProposalStore {
  private readonly files: SmallFiles;
  private readonly logger: Logger;
  private readonly tell: (fault: StorageFault) => void;
  /** What is still to be written, by id. */
  private readonly unwritten = new Map<string, () => StoredProposal | StoredOperation | null>();
  private readonly queue = new SerialQueue();

  /** Calls `tell` with what cannot be read or written. */
  constructor(files: SmallFiles, logger: Logger, tell: (fault: StorageFault) => void = () => undefined) {
    this.files = files;
    this.logger = logger;
    this.tell = tell;
  }

  /** All proposals that were kept, oldest first; damaged ones are set aside. */
  async load(): Promise<readonly (StoredProposal | StoredOperation)[]> {
    const names = await this.files.list().catch((error: unknown): readonly string[] => {
      this.tell({ code: "unreadable", what: "proposal", place: this.files.place, detail: thrownText(error) });
      return [];
    });
    const stored: (StoredProposal | StoredOperation)[] = [];
    for (const name of names) {
      // Earlier versions left a proposal under the other name where a crash cut its renaming.
      const isLeft = name.endsWith(".new") && !names.includes(name.replace(/new$/, "json"));
      if (!name.endsWith(".json") && !isLeft) continue;
      try {
        const text = await this.files.open(name).read();
        stored.push(z.union([operationSchema, textSchema]).parse(JSON.parse(text ?? "")));
      } catch (error) {
        this.logger.warn(`The proposal ${name} cannot be read: ${String(error)}`);
        const aside = await Promise.resolve(this.files.open(name).setAside?.()).catch(() => undefined);
        this.tell({ code: "damaged", what: "proposal", place: aside ?? `${this.files.place}/${name}`, detail: thrownText(error) });
      }
    }
    return stored.sort((a, b) => a.begunAt - b.begunAt);
  }

  /**
   * Writes what `proposal` gives when its turn comes, and all that is asked for meanwhile as one; null removes it. Settles when it is
   * written, or could not be.
   */
  keep(id: string, proposal: () => StoredProposal | StoredOperation | null): Promise<void> {
    this.unwritten.set(id, proposal);
    return this.queue.run(() => this.write(id));
  }

  /** Settles when everything is written. */
  idle(): Promise<void> {
    return this.queue.idle();
  }

  private async write(id: string): Promise<void> {
    const latest = this.unwritten.get(id);
    if (!latest) return;
    this.unwritten.delete(id);
    const file = this.files.open(`${id}.json`);
    try {
      const proposal = latest();
      if (proposal) return await file.write(JSON.stringify(proposal));
      await file.remove();
      await this.files.open(`${id}.new`).remove();
    } catch (error) {
      this.logger.error(`A proposal cannot be kept over a restart: ${String(error)}`);
      this.tell({ code: "unwritable", what: "proposal", place: this.files.place, detail: thrownText(error) });
    }
  }
}
