import * as z from "zod/mini";
import { type Disposable, disposable } from "../../base/disposable.ts";
import { newId } from "../../base/ids.ts";
import { SerialQueue } from "../../base/serialQueue.ts";
import type { EventLog, SmallFile } from "../../ports/eventLog.ts";

/** Milliseconds after which a claim that was not renewed has expired. */
export const LEASE_EXPIRES_MS = 15_000;
/** Milliseconds between two renewals. */
export const LEASE_RENEWS_MS = 4_000;
/** Milliseconds after which a simultaneous claim by another window is visible. */
const SETTLE_MS = 200;

/** The clock that leases use. */
export interface LeaseClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Settles after `ms` milliseconds. */
  wait(ms: number): Promise<void>;
  /** Runs `task` every `ms` milliseconds until the result is disposed of. */
  every(ms: number, task: () => void): Disposable;
}

/** The system clock. */
export const machineClock: LeaseClock = {
  now: () => Date.now(),
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  every(ms, task) {
    const timer = setInterval(task, ms);
    return disposable(() => clearInterval(timer));
  },
};

const claimSchema = z.object({ window: z.string(), holder: z.string(), renewedAt: z.number() });

/** A window's exclusive right to write a chat's log. It expires when its window is gone, and may be lost while the machine sleeps. */
export class ChatLease implements Disposable {
  private readonly file: SmallFile;
  private readonly window: string;
  private readonly clock: LeaseClock;
  private readonly holder = newId("holder");
  private readonly queue = new SerialQueue();
  private renewing: Disposable | null = null;
  private renewedAt = 0;
  private isHeld = true;
  private lost: () => void = () => undefined;
  private settled: Promise<void> = Promise.resolve();

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
    try {
      if (!(await lease.claim())) return null;
    } catch {
      lease.renewedAt = clock.now();
    }
    lease.renewing = clock.every(LEASE_RENEWS_MS, () => void lease.renew());
    // Of two windows that claim it at once the last writer has it, which the other one sees by then.
    lease.settled = clock.wait(SETTLE_MS).then(() => lease.renew());
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
        if (!(await this.confirm())) throw new Error("the chat is open in another window");
        await log.append(lines);
      },
    };
  }

  /** Releases the chat, so that any window can take it at once. */
  async release(): Promise<void> {
    this.dispose();
    await this.queue.run(async () => {
      if (this.isHeld && (await this.holds())) await this.file.remove();
      this.isHeld = false;
    });
  }

  /** Stops renewing. */
  dispose(): void {
    this.renewing?.dispose();
    this.renewing = null;
  }

  private async claim(): Promise<boolean> {
    if (await this.file.create(this.text())) return true;
    const found = parseClaim(await this.file.read());
    if (found && found.window !== this.window && this.isLive(found.renewedAt)) return false;
    await this.file.write(this.text());
    return true;
  }

  private isLive(renewedAt: number): boolean {
    return Math.abs(this.clock.now() - renewedAt) < LEASE_EXPIRES_MS;
  }

  private text(): string {
    this.renewedAt = this.clock.now();
    return JSON.stringify({ window: this.window, holder: this.holder, renewedAt: this.renewedAt });
  }

  private async holds(): Promise<boolean> {
    return parseClaim(await this.file.read())?.holder === this.holder;
  }

  private async confirm(): Promise<boolean> {
    await this.settled;
    if (this.isHeld && this.clock.now() - this.renewedAt >= 2 * LEASE_RENEWS_MS) await this.renew();
    return this.isHeld;
  }

  private renew(): Promise<void> {
    return this.queue.run(async () => {
      if (!this.isHeld) return;
      try {
        const text = await this.file.read();
        if (text !== null && parseClaim(text)?.holder !== this.holder) this.lose();
        else await this.file.write(this.text());
      } catch {
        // A disk that fails for a moment loses no lease; the next renewal looks again.
      }
    });
  }

  private lose(): void {
    this.isHeld = false;
    this.dispose();
    this.lost();
  }
}

function parseClaim(text: string | null): z.infer<typeof claimSchema> | null {
  try {
    const parsed = z.safeParse(claimSchema, JSON.parse(text ?? "null"));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
