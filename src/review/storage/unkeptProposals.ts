import type { Disposable } from "../../base/disposable.ts";
import { Emitter } from "../../base/emitter.ts";
import { type LeaseClock, machineClock } from "./lease.ts";

/** Milliseconds between two tries to write what could not be written. */
const RETRY_MS = 2_000;

/** Proposals that could not be written so far, by id. `detail` is what the system said. */
export interface UnkeptProposals {
  readonly ids: ReadonlySet<string>;
  readonly detail: string;
}

/** What could not be written; calls `write` every two seconds until nothing is left. */
export class RetriedProposals {
  private readonly clock: LeaseClock;
  private readonly write: () => Promise<void>;
  private retry: Disposable | null = null;
  private isTrying = false;
  private unkept: UnkeptProposals | null = null;
  private readonly changes = new Emitter<void>();
  /** Called when {@link now} may have changed. */
  readonly onChange = this.changes.on.bind(this.changes);

  constructor(write: () => Promise<void>, clock: LeaseClock = machineClock) {
    this.clock = clock;
    this.write = write;
  }

  /** Null where all is written. */
  get now(): UnkeptProposals | null {
    return this.unkept;
  }

  set(unkept: UnkeptProposals | null): void {
    if (unkept === null && this.unkept === null) return;
    this.unkept = unkept;
    if (unkept) this.retry ??= this.clock.every(RETRY_MS, () => void this.tryAgain());
    else {
      this.retry?.dispose();
      this.retry = null;
    }
    this.changes.fire();
  }

  private async tryAgain(): Promise<void> {
    if (this.isTrying) return;
    this.isTrying = true;
    await this.write().finally(() => {
      this.isTrying = false;
    });
  }
}
