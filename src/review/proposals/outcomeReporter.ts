import type { BlockOutcome, BlockSource, ReviewOrigin, ReviewReason } from "../../ports/review.ts";

/** A block's name in its file's review, where blocks of several turns meet. */
export function keyOf({ turnId }: Pick<ReviewOrigin, "turnId">, blockId: string): string {
  return `${turnId} ${blockId}`;
}

/** The agents of other makers that wrote blocks with these keys, see {@link keyOf}; each once. */
export function authorsOf(
  blocks: readonly BlockSource[],
  keys: readonly string[],
): readonly string[] {
  const named = blocks.flatMap(({ origin, blockId }) =>
    origin.agent !== undefined && keys.includes(keyOf(origin, blockId)) ? [origin.agent] : [],
  );
  return [...new Set(named)];
}

/** The chats, guests' too, that wrote blocks with these keys, see {@link keyOf}; each once. */
export function chatsOf(
  blocks: readonly BlockSource[],
  keys: readonly string[],
): readonly ReviewOrigin[] {
  const own = blocks.filter(({ origin, blockId }) => keys.includes(keyOf(origin, blockId)));
  return [...new Map(own.map(({ origin }) => [origin.chatId, origin])).values()];
}

/** The last of the blocks that took the place of one another. */
function replacing(
  first: BlockOutcome,
  all: ReadonlyMap<string, BlockOutcome>,
): { readonly key: string; readonly status: BlockOutcome["status"] } {
  let last: Pick<BlockOutcome, "blockId" | "status" | "reason"> = first;
  for (let left = all.size; left > 0; left--) {
    const by = last.reason?.code === "superseded" ? last.reason.by : undefined;
    if (by === undefined) break;
    last = all.get(by) ?? { blockId: by, status: "pending", reason: null };
  }
  return { key: last.blockId, status: last.status };
}

/**
 * The blocks of one file's proposal, and what was told of each: reports every change of an outcome,
 * once, by request.
 */
export class OutcomeReporter {
  private readonly outcomesNow: () => readonly BlockOutcome[];
  private readonly decided: (
    origin: ReviewOrigin,
    blocks: readonly BlockOutcome[],
    userDiff: string | null,
  ) => void;
  private readonly blocks = new Map<string, BlockSource>();
  /** What was told last, as JSON; nothing before a block's first outcome. */
  private readonly told = new Map<string, string>();
  private endReason: ReviewReason | null = null;

  /**
   * `blocks` are those of a restart: what was told of them may not be on record, so they are told
   * again. `outcomes` gives what became of all so far, by {@link keyOf}; `decided` hears of changes.
   */
  constructor(
    blocks: readonly BlockSource[],
    outcomes: () => readonly BlockOutcome[],
    decided: OutcomeReporter["decided"],
  ) {
    this.outcomesNow = outcomes;
    this.decided = decided;
    for (const block of blocks) {
      this.blocks.set(keyOf(block.origin, block.blockId), block);
      this.told.set(keyOf(block.origin, block.blockId), "");
    }
  }

  /** All blocks, in the order in which they were proposed. */
  get all(): readonly BlockSource[] {
    return [...this.blocks.values()];
  }

  /** The blocks of a complete message. */
  add(origin: ReviewOrigin, blocks: readonly { readonly blockId: string }[]): void {
    for (const { blockId } of blocks) this.blocks.set(keyOf(origin, blockId), { origin, blockId });
  }

  /** The outcomes of a message's blocks so far; from now on their changes are reported. */
  tell(
    origin: ReviewOrigin,
    blocks: readonly { readonly blockId: string }[],
  ): readonly BlockOutcome[] {
    const outcomes = this.outcomes();
    return blocks.map(({ blockId }) => {
      const key = keyOf(origin, blockId);
      const outcome: BlockOutcome = outcomes.get(key) ?? {
        blockId: key,
        status: "rejected",
        reason: { code: "review-closed" },
      };
      this.told.set(key, JSON.stringify(outcome));
      return { ...outcome, blockId };
    });
  }

  /** Reports what has changed; `userDiff` goes with the last of it. */
  report(userDiff: string | null): void {
    const changed = new Map<
      string,
      { readonly origin: ReviewOrigin; readonly outcomes: BlockOutcome[] }
    >();
    for (const [key, outcome] of this.outcomes()) {
      const block = this.blocks.get(key);
      const before = this.told.get(key);
      if (!block || before === undefined || before === JSON.stringify(outcome)) continue;
      this.told.set(key, JSON.stringify(outcome));
      const { origin } = block;
      const group = changed.get(origin.turnId) ?? { origin, outcomes: [] };
      group.outcomes.push({ ...outcome, blockId: block.blockId });
      changed.set(origin.turnId, group);
    }
    const groups = [...changed.values()];
    for (const group of groups)
      this.decided(group.origin, group.outcomes, group === groups.at(-1) ? userDiff : null);
  }

  /** The review is over: what is undecided counts as rejected, for this reason. */
  end(reason: ReviewReason | null, userDiff: string | null): void {
    this.endReason = reason ?? { code: "withdrawn" };
    this.report(userDiff);
  }

  /** The blocks with these keys, by {@link keyOf}. */
  named(keys: readonly string[]): { readonly turnId: string; readonly blockId: string }[] {
    return [...this.blocks].flatMap(([key, { origin, blockId }]) =>
      keys.includes(key) ? [{ turnId: origin.turnId, blockId }] : [],
    );
  }

  /** The request of the block among these, by {@link keyOf}, that was proposed last. */
  latestOf(keys: readonly string[]): ReviewOrigin | null {
    const own = [...this.blocks].findLast(([key]) => keys.includes(key));
    // A hunk without a block is the user's own typing in the proposal.
    return own?.[1].origin ?? this.all.at(-1)?.origin ?? null;
  }

  private outcomes(): ReadonlyMap<string, BlockOutcome> {
    const { endReason } = this;
    const settled = (outcome: BlockOutcome): BlockOutcome =>
      endReason && (outcome.status === "pending" || outcome.status === "conflict")
        ? { ...outcome, status: "rejected", reason: endReason }
        : outcome;
    const all = new Map(this.outcomesNow().map((each) => [each.blockId, settled(each)]));
    return new Map([...all].map(([key, outcome]) => [key, this.byWhom(outcome, all)]));
  }

  /**
   * What took the place of a block is of its own chat, or of others: then its chat hears what became
   * of that one.
   */
  private byWhom(outcome: BlockOutcome, all: ReadonlyMap<string, BlockOutcome>): BlockOutcome {
    if (outcome.reason?.code !== "superseded") return outcome;
    const { key, status } = replacing(outcome, all);
    const [by, own] = [key, outcome.blockId].map((name) => this.blocks.get(name)?.origin.chatId);
    if (by === undefined || by === own) return { ...outcome, reason: { code: "superseded" } };
    const waits = status === "pending" || status === "conflict" || status === "superseded";
    const reason = {
      code: "superseded",
      ofOthers: true,
      ...(!waits && { became: status }),
    } as const;
    return { ...outcome, reason };
  }
}
