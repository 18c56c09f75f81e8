import * as z from "zod/mini";
import { SerialQueue } from "../../base/serialQueue.ts";
import { parseJson } from "../../base/text/parseJson.ts";
import { thrownText } from "../../base/text/sentence.ts";
import { reviewRecordSchema } from "../../edits/review/reviewRecord.ts";
import { MAX_SMALL_BYTES, type SmallFiles, type StorageFault } from "../../ports/eventLog.ts";
import type { Logger } from "../../ports/logger.ts";
import {
  holderOf,
  type LastClaim,
  Lease,
  type LeaseFiles,
  type LeaseOptions,
  parseBeat,
} from "./lease.ts";
import { numberedClaim } from "./numberedClaim.ts";
import { ADOPTED, isStrayClaim, recordId, recordName, recordOwner } from "./recordNames.ts";
import { RetriedProposals } from "./unkeptProposals.ts";
import { watchedFiles } from "./watchedFiles.ts";

/** How many records are read at once: a process has few files open. */
const READ_AT_ONCE = 32;

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
export type StoredChange = StoredProposal | StoredOperation;

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
  /** The holder before the last one, where what the last one left is all that counts. */
  private outdated: string | null = null;
  /** True once another window had them, until this one takes them again. */
  private isElsewhere = false;
  private lost: () => void = () => undefined;
  private asked: () => Promise<boolean> = async () => false;
  /** What is still to be written, by id. */
  private readonly unwritten = new Map<string, () => StoredChange | null>();
  private readonly queue = new SerialQueue();
  /** What could not be written, which is tried again. */
  readonly unkept: RetriedProposals;
  /** What was read last of the records of other windows, by name. */
  private looked = new Map<
    string,
    { readonly version: string; readonly kept: StoredChange | null }
  >();

  /** Calls `tell` with what cannot be read or written. */
  constructor(
    files: SmallFiles,
    logger: Logger,
    tell: (fault: StorageFault) => void,
    lease: Omit<LeaseOptions, "bringOver">,
  ) {
    this.files = watchedFiles(files, "proposal", tell);
    this.logger = logger;
    this.tell = tell;
    this.leaseFiles = {
      claim: numberedClaim(this.files),
      beat: this.files.open("beat.json"),
      asked: this.files.open("asked.json"),
    };
    this.leaseOptions = { ...lease, bringOver: (last, holder) => this.bringOver(last, holder) };
    this.unkept = new RetriedProposals(() => this.queue.run(() => this.write()), lease.clock);
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
  async load(): Promise<readonly StoredChange[]> {
    const kept = await this.queue.run(async () => {
      await this.take((files, options) => Lease.take(files, options));
      if (this.isElsewhere) return [];
      const { kept } = await this.read(this.lease?.holder ?? (await this.lastHolder()), true);
      return kept;
    });
    return kept.sort((a, b) => a.begunAt - b.begunAt);
  }

  /**
   * Takes the proposals from the window that has them; false where it refuses, `failed` where that
   * could not be, which is told. See {@link Lease.takeOver}.
   */
  takeOver(by: "user" | "start"): Promise<boolean | "failed"> {
    return this.queue.run(async () => {
      let isTried = true;
      if (this.isElsewhere || this.lease === null)
        isTried = await this.take((files, options) => Lease.takeOver(files, options, by));
      return this.isElsewhere && !isTried ? "failed" : !this.isElsewhere;
    });
  }

  /** What is kept now, whichever window has it, oldest first; null for another look later. */
  async look(): Promise<readonly StoredChange[] | null> {
    try {
      const { kept } = await this.read(await this.lastHolder(), false);
      return kept.sort((a, b) => a.begunAt - b.begunAt);
    } catch {
      return null;
    }
  }

  /**
   * Writes what `proposal` gives when its turn comes, and all that is asked for meanwhile as one;
   * null removes it. Settles when it is written, or could not be.
   */
  keep(id: string, proposal: () => StoredChange | null): Promise<void> {
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
      this.unkept.set(null);
    });
  }

  /** False where it failed, which is told. */
  private async take(
    take: (files: LeaseFiles, options: LeaseOptions) => Promise<Lease | null>,
  ): Promise<boolean> {
    if (this.lease) return true;
    try {
      const lease = await take(this.leaseFiles, this.leaseOptions);
      this.isElsewhere = lease === null;
      if (lease) await this.begin(lease);
      return true;
    } catch (error) {
      // What is pending is shown where no window has it, and each change tries again.
      const isFree = Lease.isFree(this.leaseFiles, this.leaseOptions);
      this.isElsewhere = !(await isFree.catch(() => !this.isElsewhere));
      this.failed(error);
      return false;
    }
  }

  private async begin(lease: Lease): Promise<void> {
    this.lease = lease;
    lease.onAsked(() => this.asked());
    lease.onLost(() => {
      if (this.lease !== lease) return;
      this.lease = null;
      this.giveUp();
    });
    // Those of the last holder stay: another window may be bringing them over now.
    const all = await this.files.list();
    const known = new Set(all);
    const isReplaced = (name: string) => {
      const id = recordId(name);
      return id !== null && known.has(recordName(lease.holder, id));
    };
    const names = all.filter((name) => {
      const owner = recordOwner(name);
      if (owner === ADOPTED) return isReplaced(name);
      return owner !== null && owner === this.outdated;
    });
    for (const name of names) await this.files.open(name).remove();
    for (const name of all.filter(isStrayClaim)) await this.setAside(name, "not-a-file", "");
  }

  /** Another window has the proposals: what this one shows counts for nothing. */
  private giveUp(): void {
    this.isElsewhere = true;
    this.unwritten.clear();
    this.looked.clear();
    this.unkept.set(null);
    this.lost();
  }

  /** Makes the records of the last holder those of the next, before that one's claim counts. */
  private async bringOver(
    { holder: last, last: outdated }: LastClaim,
    holder: string,
  ): Promise<void> {
    const { kept, isKnown, left } = await this.read(last, true);
    // A record that cannot be read now would be removed with those of its holder.
    if (left.length > 0) throw new Error(`cannot read ${left.join(", ")}`);
    this.outdated = isKnown ? outdated : null;
    for (const each of kept)
      await this.files.open(recordName(holder, each.id)).write(JSON.stringify(each));
  }

  private async lastHolder(): Promise<string | null> {
    return holderOf(this.leaseFiles).catch(() => null);
  }

  /**
   * A holder's records, then those that were adopted, of each id the first. Where nobody knows the
   * holder, since the claim is lost or nothing else names it, all records count. `isOurs` sets
   * damaged ones aside; `left` are those that it cannot read.
   */
  private async read(
    holder: string | null,
    isOurs: boolean,
  ): Promise<{ kept: StoredChange[]; isKnown: boolean; left: readonly string[] }> {
    let names: readonly string[] = [];
    try {
      names = await this.files.list();
    } catch (error) {
      if (!isOurs) throw error;
      const { place } = this.files;
      this.tell({ code: "unreadable", what: "proposal", place, detail: thrownText(error) });
    }
    const records = names.filter((name) => recordOwner(name) !== null);
    const isKnown = holder !== null && (await this.isKnown(holder, records));
    const counts = (name: string, owner: string | null) =>
      isKnown ? recordOwner(name) === owner : true;
    const counted = [
      ...new Set(
        [holder, ADOPTED].flatMap((owner) => records.filter((name) => counts(name, owner))),
      ),
    ];
    const byId = new Map<string, StoredChange>();
    const left: string[] = [];
    for (let at = 0; at < counted.length; at += READ_AT_ONCE) {
      const some = counted.slice(at, at + READ_AT_ONCE);
      const found = await Promise.all(
        some.map((name) => (isOurs ? this.readOwn(name) : this.readOther(name))),
      );
      for (const [index, kept] of found.entries()) {
        if (kept === "left") left.push(some[index] ?? "");
        else if (kept && !byId.has(kept.id)) byId.set(kept.id, kept);
      }
    }
    return { kept: [...byId.values()], isKnown, left };
  }

  /** A holder leaves records, or a sign of life. */
  private async isKnown(holder: string, records: readonly string[]): Promise<boolean> {
    if (records.some((name) => recordOwner(name) === holder)) return true;
    const beat = await this.leaseFiles.beat.read().catch(() => null);
    return parseBeat(beat)?.holder === holder;
  }

  /** Null for a record that is gone or set aside. */
  private async readOwn(name: string): Promise<StoredChange | null | "left"> {
    let text: string | null;
    try {
      text = await this.files.open(name).read();
    } catch (error) {
      this.logger.warn(`The proposal ${name} cannot be read: ${String(error)}`);
      const place = `${this.files.place}/${name}`;
      this.tell({ code: "unreadable", what: "proposal", place, detail: thrownText(error) });
      return "left";
    }
    // Another window may have removed it.
    if (text === null) return null;
    try {
      return parseKept(text, name);
    } catch (error) {
      this.logger.warn(`The proposal ${name} is damaged: ${String(error)}`);
      return (await this.setAside(name, "damaged", thrownText(error))) ? null : "left";
    }
  }

  /** True once the file has another name. */
  private async setAside(
    name: string,
    code: StorageFault["code"],
    detail: string,
  ): Promise<boolean> {
    const aside = await Promise.resolve(this.files.open(name).setAside?.()).catch(() => undefined);
    this.tell({ code, what: "proposal", place: aside ?? `${this.files.place}/${name}`, detail });
    return aside !== undefined;
  }

  /** Reads a record again only where it changed. */
  private async readOther(name: string): Promise<StoredChange | null> {
    const version = await this.files.version(name);
    const known = this.looked.get(name);
    if (known?.version === version) return known.kept;
    let kept: StoredChange | null = null;
    try {
      kept = parseKept((await this.files.open(name).read()) ?? "", name);
    } catch {
      // The window that has it tells of the damage.
    }
    this.looked.set(name, { version, kept });
    return kept;
  }

  /** Writes all that is unwritten; what fails is tried again soon, and with the next change. */
  private async write(): Promise<void> {
    if (this.unwritten.size === 0) return this.unkept.set(null);
    const wasElsewhere = this.isElsewhere;
    await this.take((files, options) => Lease.take(files, options));
    if (this.isElsewhere) return wasElsewhere ? this.unwritten.clear() : this.giveUp();
    const { lease } = this;
    // What is written after a loss has the name of this holder, and counts for nothing.
    if (!lease || !(await lease.isHeld())) return;
    for (const [id, latest] of [...this.unwritten]) {
      try {
        const proposal = latest();
        const file = this.files.open(recordName(lease.holder, id));
        if (this.unwritten.get(id) === latest) this.unwritten.delete(id);
        if (proposal) await file.write(recordText(proposal));
        else await file.remove();
      } catch (error) {
        if (!this.unwritten.has(id)) this.unwritten.set(id, latest);
        return this.failed(error);
      }
    }
    this.unkept.set(null);
  }

  private failed(error: unknown): void {
    const detail = thrownText(error);
    this.tell({ code: "unwritable", what: "proposal", place: this.files.place, detail });
    if (this.unwritten.size > 0) this.unkept.set({ ids: new Set(this.unwritten.keys()), detail });
  }
}

/** The record in the file of that name, which says its id too. */
function parseKept(text: string, name: string): StoredChange {
  const kept = z.union([operationSchema, textSchema]).parse(parseJson(text));
  if (kept.id !== recordId(name)) throw new Error(`it is the record of ${kept.id}`);
  return kept;
}

/** What is larger would not be read again. */
function recordText(proposal: StoredChange): string {
  const text = JSON.stringify(proposal);
  if (text.length > MAX_SMALL_BYTES / 3) {
    const bytes = new TextEncoder().encode(text).length;
    if (bytes > MAX_SMALL_BYTES) throw new Error(`${proposal.file.path} takes ${bytes} bytes`);
  }
  return text;
}
