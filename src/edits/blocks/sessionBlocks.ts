import { thrownText } from "../../base/text/sentence.ts";
import type { BlockWarning } from "../../ports/review.ts";
import type { BlockReason } from "../../turns/blockReason.ts";
import {
  type BlockFailure,
  openedBlock,
  refused,
  type WrittenBlock,
} from "../drafts/writtenBlock.ts";

/** The blocks of one session, in the order of the text. Each change of one is told. */
export class SessionBlocks {
  private readonly tell: (block: WrittenBlock) => void;
  private blocks: WrittenBlock[] = [];
  /** The ids of blocks that may stand in thinking. */
  private readonly doubted = new Set<string>();

  constructor(tell: (block: WrittenBlock) => void) {
    this.tell = tell;
  }

  get all(): readonly WrittenBlock[] {
    return this.blocks;
  }

  /** Those that are part of the proposal and not yet left to the user. */
  get captured(): readonly WrittenBlock[] {
    return this.blocks.filter(({ status }) => status === "captured");
  }

  /** The one that is being written. */
  get streaming(): WrittenBlock | undefined {
    return this.blocks.findLast(({ status }) => status === "streaming");
  }

  /** A block begins. */
  open(part: Parameters<typeof openedBlock>[0]): WrittenBlock {
    const block = openedBlock(part);
    this.blocks.push(block);
    return block;
  }

  /** Something else is known of a block. */
  become(block: WrittenBlock, part: Partial<WrittenBlock>): void {
    this.tell(Object.assign(block, part));
  }

  /** An error of Graft's own costs a block. */
  fail(block: WrittenBlock | undefined, error: unknown): void {
    if (block) this.become(block, refused({ code: "internal", said: thrownText(error) }));
  }

  /** Neither a block nor the captured ones that it clashes with stay; gives why the block does not. */
  overlap(
    { target }: WrittenBlock,
    clashes: readonly Pick<WrittenBlock, "blockId" | "target">[],
  ): BlockFailure {
    for (const clash of clashes) {
      const other = this.captured.find(({ blockId }) => blockId === clash.blockId);
      if (other) this.become(other, refused({ code: "overlap", targets: [clash.target, target] }));
    }
    return refused({ code: "overlap", targets: [target, ...clashes.map((clash) => clash.target)] });
  }

  /** Captured blocks have these warnings now. */
  warn(warningsOf: (block: WrittenBlock) => readonly BlockWarning[]): void {
    for (const block of this.captured) {
      const warnings = warningsOf(block);
      if (JSON.stringify(warnings) !== JSON.stringify(block.warnings))
        this.become(block, { warnings });
    }
  }

  /** The blocks so far of a message may stand in thinking. */
  doubt(ofStep: number): void {
    for (const { blockId, step } of this.blocks) if (step === ofStep) this.doubted.add(blockId);
    this.warn(({ blockId, warnings }) => this.withDoubt(blockId, warnings));
  }

  /** The warnings of a block, with that of {@link doubt}. */
  withDoubt(blockId: string, warnings: readonly BlockWarning[]): readonly BlockWarning[] {
    const isTold = warnings.some(({ code }) => code === "maybe-reasoning");
    return isTold || !this.doubted.has(blockId)
      ? warnings
      : [...warnings, { code: "maybe-reasoning" }];
  }

  /** The user stopped the answer: settles the block that is open. */
  stop(): void {
    for (const block of this.blocks)
      if (block.status === "streaming")
        this.become(block, { status: "stopped", reason: { code: "stopped" } });
  }

  /** Settles the blocks that are captured or open. */
  settle(reason: BlockReason): void {
    for (const block of this.blocks)
      if (block.status === "captured" || block.status === "streaming")
        this.become(block, { status: "incomplete", reason });
  }

  /** What was written so far was thinking: takes back the blocks that are captured or open. */
  withdraw(): void {
    for (const block of this.blocks)
      if (block.status === "captured" || block.status === "streaming")
        this.become(block, {
          ...{ status: "withdrawn", reason: { code: "was-reasoning" } },
          // It is in no text of the answer.
          textEnd: block.textStart,
        });
  }

  /** Forgets all that are not part of the proposal. */
  forgetFailed(): void {
    this.blocks = [...this.captured];
  }
}
