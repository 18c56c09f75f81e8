import { newId } from "../../../src/base/ids.ts";
import { ReviewState } from "../../../src/edits/review/reviewState.ts";
import type {
  PendingProposal,
  Proposal,
  Review,
  ReviewEvents,
  Reviewer,
  ReviewOrigin,
} from "../../../src/ports/review.ts";
import type { FileRef, FileSnapshot } from "../../../src/ports/workspace.ts";
import { chatsOf, keyOf, OutcomeReporter } from "../../../src/review/proposals/outcomeReporter.ts";
import { refusedReview } from "../../../src/review/proposals/refusedReview.ts";
import type { ProposalStore, StoredProposal } from "../../../src/review/storage/proposalStore.ts";

/** The proposal of one file. */
interface Reviewed {
  readonly begun: Omit<StoredProposal, "review" | "blocks">;
  readonly model: ReviewState;
  readonly reporter: OutcomeReporter;
  /** What writes to it now, and its blocks that are complete. */
  writing: { readonly origin: ReviewOrigin; complete: Proposal | null } | null;
}

/**
 * A reviewer without an editor: real states of reviews over a real store, and `files` that every
 * accept is saved to at once.
 */
export class StoredReviewer implements Reviewer {
  private readonly store: ProposalStore;
  private readonly files: Map<string, string>;
  private readonly events: ReviewEvents;
  private readonly reviews = new Map<string, Reviewed>();

  constructor(store: ProposalStore, files: Map<string, string>, events: ReviewEvents) {
    this.store = store;
    this.files = files;
    this.events = events;
  }

  /** Brings back what is on record. */
  async load(): Promise<void> {
    for (const kept of await this.store.load()) {
      if ("to" in kept) continue;
      const { review, blocks, ...begun } = kept;
      const model = ReviewState.from(review);
      const now = this.files.get(begun.file.path) ?? "";
      model.reopened(now);
      model.saved(now);
      const reviewed = this.add(begun, model, blocks);
      reviewed.reporter.report(null);
      await this.keep(reviewed);
    }
  }

  open({ file, text }: FileSnapshot, origin: ReviewOrigin): Review {
    const known = this.reviews.get(file.path);
    if (known?.writing && known.writing.origin.chatId !== origin.chatId)
      return refusedReview("being-written");
    const begun = { id: newId("review"), begunAt: Date.now(), file, exists: true };
    const reviewed = known ?? this.add(begun, new ReviewState(text), []);
    const writing: NonNullable<Reviewed["writing"]> = { origin, complete: null };
    reviewed.writing = writing;
    reviewed.model.beginMessage(text);
    return {
      update() {},
      keep: async (complete) => {
        if (reviewed.writing !== writing) return;
        writing.complete = complete;
        await this.keep(reviewed);
      },
      propose: async (proposal) => {
        if (reviewed.writing === writing) {
          reviewed.model.propose(named(proposal, origin));
          reviewed.writing = null;
          reviewed.reporter.add(origin, proposal.blocks);
          this.reviewed(reviewed);
          await this.keep(reviewed);
        }
        const blocks = reviewed.reporter.tell(origin, proposal.blocks);
        return { blocks, text: reviewed.model.proposed };
      },
      dispose: () => {
        if (reviewed.writing !== writing) return;
        reviewed.model.propose({ text, blocks: [] });
        reviewed.writing = null;
        this.reviewed(reviewed);
      },
    };
  }

  pending({ path }: FileRef): PendingProposal | null {
    const reviewed = this.reviews.get(path);
    if (!reviewed || reviewed.reporter.all.length === 0) return null;
    const { begun, reporter, writing } = reviewed;
    const model = writing ? reviewed.model.beforeMessage() : reviewed.model;
    const known = new Map(reporter.all.map((each) => [keyOf(each.origin, each.blockId), each]));
    const blocks = model.written.flatMap((part) => {
      const block = known.get(part.blockId);
      return block ? [{ ...part, ...block }] : [];
    });
    const hunks = model.hunks().map(({ blockIds }) => chatsOf(reporter.all, blockIds));
    return { file: begun.file, text: model.proposed, hunks, blocks };
  }

  allPending(): readonly PendingProposal[] {
    return [...this.reviews.values()].flatMap(({ begun }) => this.pending(begun.file) ?? []);
  }

  /**
   * Decides on the hunks of a block; false where it has none, or its file is being written. Gives
   * the blocks that were in these hunks.
   */
  async decide(origin: ReviewOrigin, blockId: string, accepts: boolean) {
    const key = keyOf(origin, blockId);
    for (const reviewed of this.reviews.values()) {
      const { model, reporter, begun } = reviewed;
      const hunks = model.hunks().filter(({ blockIds }) => blockIds.includes(key));
      if (hunks.length === 0 || reviewed.writing) continue;
      const ids = hunks.map(({ id }) => id);
      if (accepts) {
        const plan = model.planAccept(ids);
        const before = this.files.get(begun.file.path) ?? "";
        this.files.set(begun.file.path, plan.textAfter);
        model.commit(plan);
        const change = { file: begun.file, before, after: plan.textAfter };
        const of = reporter.latestOf(plan.blockIds);
        if (of) this.events.applied(of, change);
        model.saved(plan.textAfter);
      } else model.reject(ids);
      this.reviewed(reviewed);
      await this.keep(reviewed);
      return hunks.flatMap(({ blockIds }) => blockIds);
    }
    return [];
  }

  /** Reports what has changed; where nothing is left it is over. */
  private reviewed(reviewed: Reviewed): void {
    const { begun, model, reporter } = reviewed;
    if (reviewed.writing) return;
    if (model.hunks().length > 0) {
      reporter.report(null);
      return;
    }
    reporter.end(null, null);
    this.reviews.delete(begun.file.path);
    void this.keep(reviewed);
  }

  private keep(reviewed: Reviewed): Promise<void> {
    const { begun } = reviewed;
    return this.store.keep(begun.id, () => {
      if (this.reviews.get(begun.file.path) !== reviewed) return null;
      const { model, reporter, writing } = reviewed;
      const complete = writing?.complete ?? null;
      const own = (complete?.blocks ?? []).map(({ blockId }) => ({
        ...{ origin: writing?.origin ?? null, blockId },
      }));
      const blocks = [
        ...reporter.all,
        ...own.flatMap(({ origin, blockId }) => (origin ? [{ origin, blockId }] : [])),
      ];
      if (blocks.length === 0) return null;
      const part =
        writing && complete ? named(complete, writing.origin) : writing && "before-message";
      return { ...begun, blocks, review: model.record(part) };
    });
  }

  private add(
    begun: Reviewed["begun"],
    model: ReviewState,
    blocks: StoredProposal["blocks"],
  ): Reviewed {
    const reporter = new OutcomeReporter(
      blocks,
      () => model.outcomes(),
      (to, outcomes, diff) => this.events.decided(to, begun.file.path, outcomes, diff),
    );
    const reviewed: Reviewed = { begun, model, reporter, writing: null };
    this.reviews.set(begun.file.path, reviewed);
    return reviewed;
  }
}

/** With the blocks' names in the review. */
function named(proposal: Proposal, origin: ReviewOrigin): Proposal {
  const blocks = proposal.blocks.map((block) => ({
    ...block,
    blockId: keyOf(origin, block.blockId),
  }));
  return { ...proposal, blocks };
}
