import { thrownText } from "../../base/text/sentence.ts";
import type { BlockWarning } from "../../ports/review.ts";
import type { BlockReason } from "../../turns/blockReason.ts";
import {
  type Block,
  become,
  type Failure,
  isCaptured,
  type OpenerFacts,
  openedBlock,
} from "../block.ts";

/** The blocks of one session, in the order of the text. Each change of one is told. */
export class SessionBlocks {
  private readonly tell: (block: Block) => void;
  private blocks: Block[] = [];
  /** The ids of blocks that may stand in thinking. */
  private readonly doubted = new Set<string>();

  constructor(tell: (block: Block) => void) {
    this.tell = tell;
  }

  get all(): readonly Block[] {
    return this.blocks;
  }

  /** Those that are part of the proposal and not yet left to the user. */
  get captured(): readonly Block<"captured">[] {
    return this.blocks.filter(isCaptured);
  }

  /** The block as it is now. */
  get(blockId: string): Block | undefined {
    return this.blocks.find((block) => block.blockId === blockId);
  }

  /** A block begins; it is told of once its place is known. */
  open(opener: OpenerFacts): Block<"streaming"> {
    const block = openedBlock(opener);
    this.blocks.push(block);
    return block;
  }

  /** A block is now this value. */
  put(next: Block): void {
    const block = isCaptured(next)
      ? become(next, { warnings: this.withDoubt(next.blockId, next.warnings) })
      : next;
    this.keep(block);
    this.tell(block);
  }

  /** The review told what became of blocks, which is known everywhere else. */
  decided(blocks: readonly Block[]): void {
    for (const block of blocks) this.keep(block);
  }

  /** Nothing of a block is proposed, whatever it was before; a decision stands. */
  drop(blockId: string | undefined, failure: Failure): void {
    const block = this.blocks.find((each) => each.blockId === blockId);
    if (block && !("undecided" in block)) this.put(become(block, failure));
  }

  /** An error of Graft's own costs a block, if none is given the one that is being written. */
  fail(blockId: string | undefined, error: unknown): void {
    const streaming = this.blocks.findLast(({ status }) => status === "streaming");
    const reason: BlockReason = { code: "internal", said: thrownText(error) };
    this.drop(blockId ?? streaming?.blockId, { status: "refused", reason });
  }

  /** Captured blocks have these warnings now. */
  warn(warningsOf: (block: Block<"captured">) => readonly BlockWarning[]): void {
    for (const block of this.captured) {
      const warnings = warningsOf(block);
      if (JSON.stringify(warnings) !== JSON.stringify(block.warnings))
        this.put(become(block, { warnings }));
    }
  }

  /** The blocks so far of a message may stand in thinking. */
  doubt(ofStep: number): void {
    for (const { blockId, step } of this.blocks) if (step === ofStep) this.doubted.add(blockId);
    this.warn(({ blockId, warnings }) => this.withDoubt(blockId, warnings));
  }

  /** Blocks that are captured or open, if any of `statuses`, have failed. */
  settle(failure: Failure, statuses: readonly Block["status"][] = ["captured", "streaming"]): void {
    for (const block of [...this.blocks])
      if (statuses.includes(block.status)) this.drop(block.blockId, failure);
  }

  /** What was written so far was thinking, and is in no text of the answer: takes back its blocks. */
  withdraw(): void {
    for (const block of [...this.blocks])
      if (block.status === "captured" || block.status === "streaming")
        this.put(
          become(block, {
            ...{ status: "withdrawn", reason: { code: "was-reasoning" } },
            textEnd: block.textStart,
          }),
        );
  }

  /** Forgets all that are not part of the proposal. */
  forgetFailed(): void {
    this.blocks = [...this.captured];
  }

  private keep(block: Block): void {
    const at = this.blocks.findLastIndex(({ blockId }) => blockId === block.blockId);
    if (at >= 0) this.blocks[at] = block;
  }

  /** The warnings of a block, with that of {@link doubt}. */
  private withDoubt(blockId: string, warnings: readonly BlockWarning[]): readonly BlockWarning[] {
    const isTold = warnings.some(({ code }) => code === "maybe-reasoning");
    return isTold || !this.doubted.has(blockId)
      ? warnings
      : [...warnings, { code: "maybe-reasoning" }];
  }
}
