import * as z from "zod/mini";
import { SerialQueue } from "../../base/serialQueue.ts";
import { thrownText } from "../../base/text/sentence.ts";
import { reviewRecordSchema } from "../../edits/review/reviewRecord.ts";
import type { SmallFiles, StorageFault } from "../../ports/eventLog.ts";
import type { Logger } from "../../ports/logger.ts";
import { holderOf, Lease, type LeaseFiles, type LeaseOptions } from "./lease.ts";
import { numberedClaim } from "./numberedClaim.ts";
import { ADOPTED, recordName, recordOwner } from "./recordNames.ts";

const fileSchema = z.object({ path: z.string(), uri: z.string() });
const originSchema = z.object({
  chatId: z.string(),
  turnId: z.string(),
  callId: z.string(),
  agent: z.exactOptional(z.string()),
});
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
  /** Set where the file stays: whether it can be executed afterwards. */
  executable: z.exactOptional(z.boolean()),
  /** The file's size and time when the operation was proposed; "" where it was still proposed. */
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

/** A proposal or an operation as it is kept over a restart. */
export type KeptProposal = StoredProposal | StoredOperation;

/**
 * Keeps the pending proposals of a workspace, each in a file of its own. One window at a time has
 * them and writes them; others can look. Each holder of the lease has its own records, which begin
 * with those of the last one: what an earlier holder writes late counts for nothing.
 */
export class ProposalStore {
  private readonly files: SmallFiles;
  private readonly logger: Logger;
  private readonly tell: (fault: StorageFault) => void;
  private readonly leaseFiles: LeaseFiles;
  private readonly leaseOptions: LeaseOptions;
  private lease: Lease | null = null;
  /** True once another window had them, until this one takes them again. */
  private isElsewhere = false;
  private lost: () => void = () => undefined;
  private asked: () => Promise<boolean> = async () => false;
  /** What is still to be written, by id. */
  private readonly unwritten = new Map<string, () => KeptProposal | null>();
  private readonly queue = new SerialQueue();
  /** What was read last of the records of other windows, by name. */
  private looked = new Map<
    string,
    { readonly version: string; readonly kept: KeptProposal | null }
  >();

  /** Calls `tell` with what cannot be read or written. */
  constructor(
    files: SmallFiles,
    logger: Logger,
    tell: (fault: StorageFault) => void,
    lease: Omit<LeaseOptions, "bringOver">,
  ) {
    this.files = files;
    this.logger = logger;
    this.tell = tell;
    this.leaseFiles = {
      claim: numberedClaim(files),
      beat: files.open("beat.json"),
      asked: files.open("asked.json"),
    };
    this.leaseOptions = { ...lease, bringOver: (last, holder) => this.bringOver(last, holder) };
  }

  /** False while another window has the proposals. */
  get isOurs(): boolean {
    return !this.isElsewhere;
  }

  /** Calls `listener` when another window got the proposals. */
  onLost(listener: () => void): void {
    this.lost = listener;
  }

  /** See {@link Lease.onAsked}. */
  onAsked(listener: () => Promise<boolean>): void {
    this.asked = listener;
  }

  /**
   * Takes the proposals unless another live window has them, and gives all that were kept, oldest
   * first; damaged ones are set aside. Where they are elsewhere, there are none.
   */
  async load(): Promise<readonly KeptProposal[]> {
    const kept = await this.queue.run(async () => {
      await this.take((files, options) => Lease.take(files, options));
      if (this.isElsewhere) return [];
      return this.read(this.lease?.holder ?? (await this.lastHolder()), true);
    });
    return kept.sort((a, b) => a.begunAt - b.begunAt);
  }

  /** Takes the proposals from the window that has them; false where it refuses. See {@link Lease.takeOver}. */
  takeOver(by: "user" | "start"): Promise<boolean> {
    return this.queue.run(async () => {
      if (this.isElsewhere || this.lease === null)
        await this.take((files, options) => Lease.takeOver(files, options, by));
      return !this.isElsewhere;
    });
  }

  /** What is kept now, whichever window has it, oldest first; null for another look later. */
  async look(): Promise<readonly KeptProposal[] | null> {
    try {
      const kept = await this.read(await this.lastHolder(), false);
      return kept.sort((a, b) => a.begunAt - b.begunAt);
    } catch {
      return null;
    }
  }

  /**
   * Writes what `proposal` gives when its turn comes, and all that is asked for meanwhile as one;
   * null removes it. Settles when it is written, or could not be.
   */
  keep(id: string, proposal: () => KeptProposal | null): Promise<void> {
    this.unwritten.set(id, proposal);
    return this.queue.run(() => this.write());
  }

  /** Settles when everything is written. */
  idle(): Promise<void> {
    return this.queue.idle();
  }

  /** Writes what is unwritten, and lets any window have the proposals at once. */
  release(): Promise<void> {
    return this.queue.run(async () => {
      await this.lease?.release();
      this.lease = null;
      this.isElsewhere = true;
    });
  }

  private async take(
    take: (files: LeaseFiles, options: LeaseOptions) => Promise<Lease | null>,
  ): Promise<void> {
    if (this.lease) return;
    try {
      const lease = await take(this.leaseFiles, this.leaseOptions);
      this.isElsewhere = lease === null;
      if (lease) await this.begin(lease);
    } catch (error) {
      // What is pending is shown, and each change tries again.
      this.failed(error);
    }
  }

  private async begin(lease: Lease): Promise<void> {
    this.lease = lease;
    lease.onAsked(() => this.asked());
    lease.onLost(() => {
      if (this.lease !== lease) return;
      this.lease = null;
      this.isElsewhere = true;
      this.unwritten.clear();
      this.looked.clear();
      this.lost();
    });
    // Those of the last holder stay: another window may be bringing them over now.
    const names = (await this.files.list()).filter((name) => {
      const owner = recordOwner(name);
      return owner === ADOPTED || (owner !== null && owner === lease.outdated);
    });
    await Promise.all(names.map((name) => this.files.open(name).remove()));
  }

  /** Makes the records of the last holder those of the next, before that one's claim counts. */
  private async bringOver(last: string | null, holder: string): Promise<void> {
    const kept = await this.read(last, true);
    await Promise.all(
      kept.map((each) => this.files.open(recordName(holder, each.id)).write(JSON.stringify(each))),
    );
  }

  private async lastHolder(): Promise<string | null> {
    return holderOf(this.leaseFiles).catch(() => null);
  }

  /**
   * A holder's records, then those that were adopted, of each id the first. Where the claim is
   * lost, so that nobody knows the holder, all records count. `isOurs` sets damaged ones aside.
   */
  private async read(holder: string | null, isOurs: boolean): Promise<KeptProposal[]> {
    let names: readonly string[] = [];
    try {
      names = await this.files.list();
    } catch (error) {
      if (!isOurs) throw error;
      const { place } = this.files;
      this.tell({ code: "unreadable", what: "proposal", place, detail: thrownText(error) });
    }
    const byId = new Map<string, KeptProposal>();
    const counts = (name: string, owner: string | null) =>
      holder === null ? recordOwner(name) !== null : recordOwner(name) === owner;
    const counted = [holder, ADOPTED].flatMap((owner) =>
      names.filter((name) => counts(name, owner)),
    );
    const all = await Promise.all(
      [...new Set(counted)].map((name) => (isOurs ? this.readOwn(name) : this.readOther(name))),
    );
    for (const kept of all) if (kept && !byId.has(kept.id)) byId.set(kept.id, kept);
    return [...byId.values()];
  }

  private async readOwn(name: string): Promise<KeptProposal | null> {
    try {
      const text = await this.files.open(name).read();
      // Another window may have removed it.
      return text === null ? null : parseKept(text);
    } catch (error) {
      this.logger.warn(`The proposal ${name} cannot be read: ${String(error)}`);
      const aside = await Promise.resolve(this.files.open(name).setAside?.()).catch(
        () => undefined,
      );
      this.tell({
        code: "damaged",
        what: "proposal",
        place: aside ?? `${this.files.place}/${name}`,
        detail: thrownText(error),
      });
      return null;
    }
  }

  /** Reads a record again only where it changed. */
  private async readOther(name: string): Promise<KeptProposal | null> {
    const version = await this.files.version(name);
    const known = this.looked.get(name);
    if (known?.version === version) return known.kept;
    let kept: KeptProposal | null = null;
    try {
      kept = parseKept((await this.files.open(name).read()) ?? "");
    } catch {
      // The window that has it tells of the damage.
    }
    this.looked.set(name, { version, kept });
    return kept;
  }

  /** Writes all that is unwritten; what fails is tried again with the next change. */
  private async write(): Promise<void> {
    if (this.unwritten.size === 0) return;
    await this.take((files, options) => Lease.take(files, options));
    if (this.isElsewhere) return this.unwritten.clear();
    const { lease } = this;
    // What is written after a loss has the name of this holder, and counts for nothing.
    if (!lease || !(await lease.isHeld())) return;
    for (const [id, latest] of [...this.unwritten]) {
      try {
        const proposal = latest();
        const file = this.files.open(recordName(lease.holder, id));
        if (this.unwritten.get(id) === latest) this.unwritten.delete(id);
        if (proposal) await file.write(JSON.stringify(proposal));
        else await file.remove();
      } catch (error) {
        if (!this.unwritten.has(id)) this.unwritten.set(id, latest);
        return this.failed(error);
      }
    }
  }

  private failed(error: unknown): void {
    this.logger.error(`A proposal cannot be kept over a restart: ${String(error)}`);
    const { place } = this.files;
    this.tell({ code: "unwritable", what: "proposal", place, detail: thrownText(error) });
  }
}

function parseKept(text: string): KeptProposal {
  return z.union([operationSchema, textSchema]).parse(JSON.parse(text));
}
