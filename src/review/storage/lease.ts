import * as z from "zod/mini";
import { type Disposable, disposable } from "../../base/disposable.ts";
import { newId } from "../../base/ids.ts";
import { SerialQueue } from "../../base/serialQueue.ts";
import { parseJson } from "../../base/text/parseJson.ts";
import type { EventLog, EventLogStorage, SmallFile } from "../../ports/eventLog.ts";
import type { HostIdentity } from "../../ports/hostIdentity.ts";

/** Milliseconds after which a claim that was not renewed has expired. */
export const LEASE_EXPIRES_MS = 15_000;
/** Milliseconds between two renewals. */
export const LEASE_RENEWS_MS = 4_000;
/** Milliseconds between two looks for a window that asks for the lease, and for its answer. */
const LEASE_ASKS_MS = 500;
/** Milliseconds after which a window that asked takes the lease without an answer. */
const PATIENCE_MS = { user: 8_000, start: 20_000 };
/** How often a claim is tried again that another window changed meanwhile. */
const MOST_TRIES = 20;
/** Milliseconds that a window has to answer its host, where another window asks for the lease. */
const ANSWERS_MS = 5_000;

/** The clock that leases use. */
export interface LeaseClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Runs `task` every `ms` milliseconds until the result is disposed of. */
  every(ms: number, task: () => void): Disposable;
}

/** The system clock. */
export const machineClock: LeaseClock = {
  now: () => Date.now(),
  every(ms, task) {
    const timer = setInterval(task, ms);
    return disposable(() => clearInterval(timer));
  },
};

/** Says who has a lease. */
export interface Claim {
  read(): Promise<string | null>;
  /** Puts `text` in the place of `found`; false, without effect, where that is gone. */
  swap(found: string | null, text: string): Promise<boolean>;
  remove(): Promise<void>;
}

/** The files of a lease: who has it, the holder's signs of life, and who asks for it. */
export interface LeaseFiles {
  readonly claim: Claim;
  readonly beat: SmallFile;
  readonly asked: SmallFile;
}

/** How a window takes leases. */
export interface LeaseOptions {
  /** The window's host. What a host had is free at once for itself, and for all once it ended. */
  readonly host: HostIdentity;
  readonly clock?: LeaseClock;
  /** Settles when the window answers, which it never does once its browser is gone. */
  readonly alive?: () => PromiseLike<unknown>;
  /**
   * Brings over what the last holder kept, before the claim is written. With it, the claim stays
   * after a release, since it names the last holder, and one that cannot be written rejects.
   */
  readonly bringOver?: (last: LastClaim, holder: string) => Promise<void>;
}

/** The last holder of a lease, and the one before that; null for nobody. */
export interface LastClaim {
  readonly holder: string | null;
  readonly last: string | null;
}

/** `last` is the holder before. */
const claimSchema = z.object({
  host: z.string(),
  holder: z.string(),
  last: z.exactOptional(z.string()),
  takenAt: z.number(),
});
/** Apart from the claim: a host that wakes up late renews, but claims nothing. */
const beatSchema = z.object({ holder: z.string(), renewedAt: z.number() });
/** `by` whom another window asks: a `user`, or its `start`, which only wants what has no user. */
const askedSchema = z.object({
  holder: z.string(),
  by: z.enum(["user", "start"]),
  refused: z.boolean(),
});

/** The files of a log's lease. */
export function leaseFiles(storage: Pick<EventLogStorage, "claim">, name: string): LeaseFiles {
  return {
    claim: claimIn(storage.claim(name)),
    beat: storage.claim(`${name}-beat`),
    asked: storage.claim(`${name}-asked`),
  };
}

/** A claim in one file: of two windows that swap it at once, the last one has it. */
export function claimIn(file: SmallFile): Claim {
  return {
    read: () => file.read(),
    async swap(found, text) {
      if (found === null) return file.create(text);
      if ((await file.read()) !== found) return false;
      await file.write(text);
      return true;
    },
    remove: () => file.remove(),
  };
}

/** Who has a lease, or had it last; null for nobody. */
export async function holderOf({ claim }: Pick<LeaseFiles, "claim">): Promise<string | null> {
  return parseClaim(await claim.read())?.holder ?? null;
}

/**
 * A window's exclusive right to write records: a chat's log, or the workspace's proposals. It
 * expires when its window is gone, may be lost while the machine sleeps, and goes to a window that
 * asks for it. The holder's name tells its writes from those of earlier holders.
 */
export class Lease {
  /** The name of this holder, unique for each time that a lease is taken. */
  readonly holder = newId("holder");
  private readonly files: LeaseFiles;
  private readonly options: LeaseOptions;
  private readonly clock: LeaseClock;
  private readonly queue = new SerialQueue();
  /** Null once the lease is lost or released. */
  private timers: readonly Disposable[] | null = null;
  /** The claim in whose place the own one could not be written; undefined once that is there. */
  private unwritten: string | null | undefined;
  private lost: () => void = () => undefined;
  private asked: () => Promise<boolean> = async () => false;
  private isAnswering = false;

  private constructor(files: LeaseFiles, options: LeaseOptions) {
    this.files = files;
    this.options = options;
    this.clock = options.clock ?? machineClock;
  }

  /**
   * Takes a lease; null when another live window has it. If the claim cannot be written the lease
   * is granted, since the log cannot be written either.
   */
  static async take(files: LeaseFiles, options: LeaseOptions): Promise<Lease | null> {
    const lease = new Lease(files, options);
    return (await lease.claim(false)) ? lease.begin() : null;
  }

  /**
   * Takes a lease from the window that has it, which first writes what is unwritten; null when that
   * window refuses, as it does while it is busy. One that does not answer loses it. At a `start`, a
   * window with a user keeps it. A window that cannot be asked for a user, as on a full disk, keeps
   * it; with `bringOver` that rejects.
   */
  static async takeOver(
    files: LeaseFiles,
    options: LeaseOptions,
    by: "user" | "start" = "user",
  ): Promise<Lease | null> {
    const lease = new Lease(files, options);
    if (await lease.claim(false)) return lease.begin();
    const { asked } = files;
    let isAsked = true;
    try {
      await asked.write(JSON.stringify({ holder: lease.holder, by, refused: false }));
    } catch (error) {
      // A host that ends makes it free; a user hears at once why they cannot have it.
      if (by === "user" && options.bringOver) throw error;
      if (by === "user") return null;
      isAsked = false;
    }
    const answer = await lease.lookFor(PATIENCE_MS[by], async () => {
      if (await lease.claim(false)) return "free";
      const { holder, refused } = parseAsked(await asked.read()) ?? {};
      return holder === lease.holder && refused ? "refused" : null;
    });
    await asked.remove().catch(() => undefined);
    if (answer === "refused") return null;
    // What nobody could ask for is only taken where it is free.
    if (answer === null && !(await lease.claim(isAsked))) return null;
    return lease.begin();
  }

  /** True unless another window that may live has the lease. */
  static async isFree(files: LeaseFiles, options: LeaseOptions): Promise<boolean> {
    return new Lease(files, options).isFreeOf(parseClaim(await files.claim.read()));
  }

  /** Calls `listener` once, when another window got the lease. */
  onLost(listener: () => void): void {
    this.lost = listener;
  }

  /**
   * Asks `listener`, which writes what is unwritten, whether another window may have the lease. By
   * default it may not. From a window that is gone, it gets the lease whatever the answer.
   */
  onAsked(listener: () => Promise<boolean>): void {
    this.asked = listener;
  }

  /** The log, which refuses writes once another window has the lease. */
  guard(log: EventLog): EventLog {
    return {
      read: () => log.read(),
      append: async (lines) => {
        if (!(await this.isHeld())) throw new Error("the chat is open in another window");
        await log.append(lines);
      },
    };
  }

  /** Looks at the claim: of two windows that claim at once, the last writer has the lease. */
  async isHeld(): Promise<boolean> {
    if (this.timers === null) return false;
    // What cannot be read is being written, as by a renewal of this very lease, or on a full disk.
    const text = await this.files.claim.read().catch(() => null);
    const claim = parseClaim(text);
    // A full disk has the claim of a window that is gone.
    if (claim === null || claim.holder === this.holder || text === this.unwritten)
      return this.timers !== null;
    this.end();
    this.lost();
    return false;
  }

  /** Releases the lease, so that any window can take it at once. */
  release(): Promise<void> {
    return this.queue.run(async () => {
      try {
        if (await this.isHeld()) await this.free();
      } catch {
        // A claim that cannot be removed expires.
      } finally {
        this.end();
      }
    });
  }

  /** True once the claim is written; `forced` takes it from a live window too. */
  private async claim(forced: boolean): Promise<boolean> {
    const { claim, beat } = this.files;
    const { bringOver, host } = this.options;
    let text: string | null = null;
    try {
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        text = await claim.read();
        const found = parseClaim(text);
        if (!forced && !(await this.isFreeOf(found))) return false;
        const last = found?.holder;
        await bringOver?.({ holder: last ?? null, last: found?.last ?? null }, this.holder);
        const own = {
          host: host.name,
          holder: this.holder,
          ...(last && { last }),
          takenAt: this.clock.now(),
        };
        if (!(await claim.swap(text, JSON.stringify(own)))) continue;
        // That there was this holder, although it may leave no records.
        if (bringOver) await beat.write(this.sign()).catch(() => undefined);
        this.unwritten = undefined;
        return true;
      }
      throw new Error("other windows claim it again and again");
    } catch (error) {
      if (bringOver) throw error;
      this.unwritten = text;
      return true;
    }
  }

  private async isFreeOf(found: z.infer<typeof claimSchema> | null): Promise<boolean> {
    const { host } = this.options;
    if (found === null || found.host === host.name) return true;
    const sign = parseBeat(await this.files.beat.read());
    const seenAt = sign?.holder === found.holder ? sign.renewedAt : found.takenAt;
    const isLive = Math.abs(this.clock.now() - seenAt) < LEASE_EXPIRES_MS;
    return !isLive || host.hasEnded(found.host);
  }

  private begin(): Lease {
    // Whoever asked the last holder asks again.
    void this.files.asked.remove().catch(() => undefined);
    this.timers = [
      this.clock.every(LEASE_RENEWS_MS, () => void this.renew()),
      this.clock.every(LEASE_ASKS_MS, () => void this.answer()),
    ];
    return this;
  }

  private sign(renewedAt = this.clock.now()): string {
    return JSON.stringify({ holder: this.holder, renewedAt });
  }

  private async free(): Promise<void> {
    const { claim, beat } = this.files;
    if ((await holderOf(this.files)) !== this.holder) return;
    if (this.options.bringOver) return beat.write(this.sign(0));
    await beat.remove();
    await claim.remove();
  }

  private renew(): Promise<void> {
    return this.queue.run(async () => {
      try {
        if (!(await this.isHeld())) return;
        // A disk that was full has room again.
        if (this.unwritten !== undefined && !(await this.claim(false))) return void this.isHeld();
        await this.files.beat.write(this.sign());
      } catch {
        // A disk that fails for a moment loses no lease; the next renewal looks again.
      }
    });
  }

  /** Lets a window have the lease that asks for it. */
  private async answer(): Promise<void> {
    if (this.isAnswering) return;
    this.isAnswering = true;
    try {
      const asked = parseAsked(await this.files.asked.read());
      if (!asked || asked.refused || this.timers === null) return;
      const isGone = !(await this.windowAnswers());
      const mayGo = await this.asked();
      if (!isGone && (asked.by === "start" || !mayGo))
        return await this.files.asked.write(JSON.stringify({ ...asked, refused: true }));
      if (!(await this.isHeld())) return;
      this.end();
      // A renewal under way would claim it again.
      await this.queue.run(() => this.free());
      this.lost();
    } catch {
      // The other window takes the lease without an answer.
    } finally {
      this.isAnswering = false;
    }
  }

  /** False where the window does not answer in time. */
  private windowAnswers(): Promise<boolean> {
    const { alive } = this.options;
    if (!alive) return Promise.resolve(true);
    return new Promise((resolve) => {
      const silent = this.clock.every(ANSWERS_MS, () => answered(false));
      const answered = (isAlive: boolean) => {
        silent.dispose();
        resolve(isAlive);
      };
      void alive().then(
        () => answered(true),
        () => answered(true),
      );
    });
  }

  private end(): void {
    for (const timer of this.timers ?? []) timer.dispose();
    this.timers = null;
  }

  /** What `look` finds within that time; null for nothing. */
  private lookFor<T>(patienceMs: number, look: () => Promise<T | null>): Promise<T | null> {
    const until = this.clock.now() + patienceMs;
    return new Promise((resolve) => {
      let isLooking = false;
      const timer = this.clock.every(LEASE_ASKS_MS / 2, async () => {
        if (isLooking) return;
        isLooking = true;
        const found = await look().catch(() => null);
        isLooking = false;
        if (found === null && this.clock.now() < until) return;
        timer.dispose();
        resolve(found);
      });
    });
  }
}

/** What a claim's text says; null for any other text. */
export function parseClaim(text: string | null): z.infer<typeof claimSchema> | null {
  return claimSchema.safeParse(parseJson(text ?? "")).data ?? null;
}

/** What a holder's sign of life says; null for any other text. */
export function parseBeat(text: string | null): z.infer<typeof beatSchema> | null {
  return beatSchema.safeParse(parseJson(text ?? "")).data ?? null;
}

function parseAsked(text: string | null): z.infer<typeof askedSchema> | null {
  return askedSchema.safeParse(parseJson(text ?? "")).data ?? null;
}
