import * as z from "zod/mini";
import { type Disposable, disposable } from "../../base/disposable.ts";
import { newId } from "../../base/ids.ts";
import { SerialQueue } from "../../base/serialQueue.ts";
import { parseJson } from "../../base/text/parseJson.ts";
import type { EventLog, SmallFile } from "../../ports/eventLog.ts";

/** Milliseconds after which a claim that was not renewed has expired. */
export const LEASE_EXPIRES_MS = 15_000;
/** Milliseconds between two renewals. */
export const LEASE_RENEWS_MS = 4_000;

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

const claimSchema = z.object({ window: z.string(), holder: z.string(), renewedAt: z.number() });

/** A window's exclusive right to write a chat's log. It expires when its window is gone, and may be lost while the machine sleeps. */
export class ChatLease {
  private readonly file: SmallFile;
  private readonly window: string;
  private readonly clock: LeaseClock;
  private readonly holder = newId("holder");
  private readonly queue = new SerialQueue();
  /** Null once the lease is lost or released. */
  private renewing: Disposable | null = null;
  private lost: () => void = () => undefined;

  private constructor(file: SmallFile, window: string, clock: LeaseClock) {
    this.file = file;
    this.window = window;
    this.clock = clock;
  }

  /**
   * Takes the chat that `file` stands for; null when another live window has it. `window` survives a restart of the extension host, which
   * gets the lease at once. If the file cannot be written the lease is granted, since the log cannot be written either.
   */
  static async take(file: SmallFile, window: string, clock: LeaseClock = machineClock): Promise<ChatLease | null> {
    const lease = new ChatLease(file, window, clock);
    if (!(await lease.claim().catch(() => true))) return null;
    lease.renewing = clock.every(LEASE_RENEWS_MS, () => void lease.renew());
    return lease;
  }

  /** Calls `listener` once, when another window took the chat. */
  onLost(listener: () => void): void {
    this.lost = listener;
  }

  /** The log, which refuses writes once another window has the chat. */
  guard(log: EventLog): EventLog {
    return {
      read: () => log.read(),
      append: async (lines) => {
        if (!(await this.isHeld())) throw new Error("the chat is open in another window");
        await log.append(lines);
      },
    };
  }

  /** Releases the chat, so that any window can take it at once. */
  release(): Promise<void> {
    return this.queue.run(async () => {
      try {
        if (await this.isHeld()) await this.file.remove();
      } catch {
        // A claim that cannot be removed expires.
      } finally {
        this.end();
      }
    });
  }

  private async claim(): Promise<boolean> {
    if (await this.file.create(this.text())) return true;
    const found = parseClaim(await this.file.read());
    const isLive = found && Math.abs(this.clock.now() - found.renewedAt) < LEASE_EXPIRES_MS;
    if (isLive && found.window !== this.window) return false;
    await this.file.write(this.text());
    return true;
  }

  private text(): string {
    return JSON.stringify({ window: this.window, holder: this.holder, renewedAt: this.clock.now() });
  }

  /** Looks at the file: of two windows that claim a chat at once, the last writer has it. */
  private async isHeld(): Promise<boolean> {
    if (this.renewing === null) return false;
    // What cannot be read is being written, as by a renewal of this very lease, or on a full disk.
    const claim = parseClaim(await this.file.read().catch(() => null));
    if (claim === null || claim.holder === this.holder) return true;
    this.end();
    this.lost();
    return false;
  }

  private renew(): Promise<void> {
    return this.queue.run(async () => {
      try {
        if (await this.isHeld()) await this.file.write(this.text());
      } catch {
        // A disk that fails for a moment loses no lease; the next renewal looks again.
      }
    });
  }

  private end(): void {
    this.renewing?.dispose();
    this.renewing = null;
  }
}

function parseClaim(text: string | null): z.infer<typeof claimSchema> | null {
  return claimSchema.safeParse(parseJson(text ?? "")).data ?? null;
}
