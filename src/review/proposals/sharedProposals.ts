import { type Disposable, DisposableStack } from "../../base/disposable.ts";
import { Emitter } from "../../base/emitter.ts";
import type { Hunk } from "../../edits/review/reviewPlan.ts";
import { ReviewState } from "../../edits/review/reviewState.ts";
import type { BlockOutcome, BlockSource } from "../../ports/review.ts";
import type { FileRef } from "../../ports/workspace.ts";
import { type LeaseClock, machineClock } from "../storage/lease.ts";
import type { ProposalStore, StoredChange, StoredOperation } from "../storage/proposalStore.ts";

/** Milliseconds between two looks at what another window has. */
const LOOKS_MS = 1_000;

/** A file's review as the panel shows it, here or in another window. */
export interface PendingReview {
  /** The name of its record. */
  readonly id?: string;
  readonly path: string;
  readonly file?: { readonly protected?: true };
  readonly streaming: boolean;
  readonly reviewedBlocks: readonly BlockSource[];
  hunks(): readonly Pick<Hunk, "real" | "proposed" | "conflict" | "warnings" | "blockIds">[];
  outcomes(): readonly Pick<BlockOutcome, "status" | "reason">[];
}

/** Where proposals are decided while they are this window's. */
export interface ProposalsWindow {
  /** True while an answer writes a proposal, or an accept is on its way. */
  readonly isBusy: boolean;
  /** Brings back what is kept. */
  load(): Promise<void>;
  /** Closes what is pending without deciding it. */
  letGo(): void;
}

/** What {@link SharedProposals} needs. */
export interface SharedProposalsDeps {
  readonly store: Pick<
    ProposalStore,
    "isOurs" | "takeOver" | "look" | "onLost" | "onAsked" | "idle"
  >;
  readonly clock?: LeaseClock;
  /** Settles when the window answers. */
  alive(): PromiseLike<unknown>;
  /** The user is in this window. */
  isInFront(): boolean;
  /** The window that has the proposals does not give them away now. */
  refused(): void;
}

/**
 * The workspace's proposals among its windows: they are where the user acted last. The others show
 * what is pending, and have it with the next decision or request.
 */
export class SharedProposals implements Disposable {
  private readonly deps: SharedProposalsDeps;
  private readonly owned = new DisposableStack();
  private readonly changes = new Emitter<void>();
  private window: ProposalsWindow | null = null;
  private isLooking = false;
  private taking: Promise<boolean | "failed"> | null = null;
  private kept: readonly StoredChange[] = [];
  private readonly states = new WeakMap<StoredChange, PendingReview>();
  /** Called when what another window has may have changed. */
  readonly onChange = this.changes.on.bind(this.changes);

  constructor(deps: SharedProposalsDeps) {
    this.deps = deps;
    deps.store.onLost(() => {
      this.window?.letGo();
      void this.look();
    });
    deps.store.onAsked(async () => {
      // A keystroke just now may be part of it.
      await deps.store.idle();
      return !(this.taking || this.window?.isBusy);
    });
  }

  /** True where decisions are made in this window. */
  get isOurs(): boolean {
    return this.deps.store.isOurs;
  }

  /** The texts that are pending in another window. */
  get texts(): readonly PendingReview[] {
    return this.kept.flatMap((kept) => {
      if ("to" in kept) return [];
      const known = this.states.get(kept);
      if (known) return [known];
      const { blocks, review } = kept;
      const file: FileRef = kept.file;
      const state = ReviewState.from(review);
      const shown: PendingReview = {
        ...{ path: file.path, file, streaming: false, reviewedBlocks: blocks },
        hunks: () => state.hunks(),
        outcomes: () => state.outcomes(),
      };
      this.states.set(kept, shown);
      return [shown];
    });
  }

  /** The file operations that are pending in another window. */
  get operations(): readonly StoredOperation[] {
    return this.kept.filter((kept) => "to" in kept);
  }

  /** Every path that another window has something pending on. */
  get paths(): readonly string[] {
    return this.kept.flatMap((kept) => [
      kept.file.path,
      ...("to" in kept && kept.to ? [kept.to.path] : []),
    ]);
  }

  /** Brings back what is pending; where another window has it, shows that, and what becomes of it. */
  async start(window: ProposalsWindow): Promise<void> {
    this.window = window;
    await window.load();
    const { clock = machineClock } = this.deps;
    this.owned.add(clock.every(LOOKS_MS, () => void this.watch()));
    if (this.isOurs) return;
    await this.look();
    // A window that is gone keeps nothing.
    void this.deps.alive().then(() => this.takeProposals("start"));
  }

  /** Makes this window the one that decides; false where that cannot be now, which is told. */
  async own(): Promise<boolean> {
    if (this.isOurs && !this.taking) return true;
    const taken = await this.takeProposals("user");
    // The store tells of a failure.
    if (taken === false) this.deps.refused();
    return taken === true;
  }

  dispose(): void {
    this.owned.dispose();
  }

  private async takeProposals(by: "user" | "start"): Promise<boolean | "failed"> {
    // Who only asked at the start may have been refused.
    if (this.taking && (await this.taking) === true) return true;
    this.taking = this.bring(by);
    try {
      return await this.taking;
    } finally {
      this.taking = null;
    }
  }

  private async bring(by: "user" | "start"): Promise<boolean | "failed"> {
    const taken = await this.deps.store.takeOver(by);
    if (taken !== true) return taken;
    await this.window?.load();
    this.kept = [];
    this.changes.fire();
    return true;
  }

  /** Shows what the other window decides, and takes what no window still has. */
  private async watch(): Promise<void> {
    if (this.isOurs || this.isLooking) return;
    this.isLooking = true;
    try {
      // The host of a browser that is gone takes nothing.
      await this.deps.alive();
      // A window that is reloaded gets them back, as long as the user stays there.
      if (this.taking === null && this.deps.isInFront()) await this.window?.load();
      await this.look();
    } finally {
      this.isLooking = false;
    }
  }

  private async look(): Promise<void> {
    const kept = this.isOurs ? [] : await this.deps.store.look();
    if (kept === null || (kept.length === 0 && this.kept.length === 0)) return;
    this.kept = this.isOurs ? [] : kept;
    this.changes.fire();
  }
}
